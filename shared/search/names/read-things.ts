// Reads the places and rights of a release as items of the answer to a search for names (D60).

import { PLACE_FIELDS, type PlaceField } from '../../query/filter-fields';
import { toFilterTerm } from '../../query/filter-terms';
import { createTermFilter, organizationUuid } from '../../query/filters';
import type { PlaceKind } from '../../records/data-sets';
import { type FindResult, type NamedKind, type RecordsCounts, ZERO_COUNTS } from '../../records/find-results';
import { lookupIdentifiers } from '../../records/lookups';
import type { Item } from '../../records/record-references';
import { findStateCode } from '../../values/states';
import { loadPostings } from '../index/release-index';
import { getLookupRange, getPlaceKind } from '../index/release-lookups';
import type { CatalogRelease } from '../open-releases';
import { buildFoundItem, type NamedThing, OPERATIONS } from './found-item';
import { getText, readItems } from './read-items';

/** The kind stated in the answer, by kind of place. */
export const PLACE_KIND_NAMES = {
  Sites: 'Site',
  ReportingUnits: 'ReportingUnit',
} as const satisfies Record<PlaceKind, NamedKind>;

/** A thing with the filter of its identifier. */
interface IdentifiedThing {
  readonly thing: NamedThing;
  readonly field: PlaceField | 'allocationUuid' | 'allocationNativeId';
  readonly value: string;
}

/**
 * `numbers` are indexes in the name directory; items are returned in that order. Sites of `companion` are found
 * together with those of `release`.
 */
export async function readThings(
  release: CatalogRelease,
  companion: CatalogRelease | undefined,
  numbers: readonly number[],
): Promise<readonly FindResult[]> {
  const { OrganizationUUID } = release.reader.facts.organization;
  const things = await readIdentifiedThings(release, numbers);
  const terms = things.map(({ field, value }) => toFilterTerm(field, value));
  const counts = await countRecords(companion === undefined ? [release] : [release, companion], terms);
  return things.map(({ thing, field, value }, index) =>
    buildFoundItem({ OrganizationUUID, ...thing }, counts[index] ?? ZERO_COUNTS, [
      [organizationUuid.name, OrganizationUUID],
      [createTermFilter(field).name, value],
    ]),
  );
}

async function readIdentifiedThings(
  { reader }: CatalogRelease,
  numbers: readonly number[],
): Promise<readonly IdentifiedThing[]> {
  const { OrganizationState } = reader.facts.organization;
  const placeKind = getPlaceKind(reader);
  const [firstLookup, endLookup] = getLookupRange(reader, placeKind);
  const placeCount = endLookup - firstLookup;
  const ranks = numbers.filter((number) => number < placeCount);
  const places = await readItems(
    reader,
    'lookups',
    ranks.map((rank) => firstLookup + rank),
  );
  const records = numbers.map((number) => number - placeCount).filter((record) => record >= 0);
  const rights = await readItems(reader, 'records', records);
  return numbers.map((number) => {
    const place = places.get(firstLookup + number);
    if (place === undefined) return identifyRight(rights.get(number - placeCount), OrganizationState);
    return identifyPlace(place, placeKind, OrganizationState);
  });
}

function identifyPlace(place: Item, placeKind: PlaceKind, organizationState: string): IdentifiedThing {
  const Kind = PLACE_KIND_NAMES[placeKind];
  const Identifier = getText(place, lookupIdentifiers[placeKind]) ?? '';
  const thing = {
    Kind,
    Identifier,
    Name: getText(place, `${Kind}Name`),
    State: findStateCode(getText(place, 'StateCV') ?? '') ?? organizationState,
    County: getText(place, 'County'),
  };
  return { thing, field: PLACE_FIELDS[placeKind], value: Identifier };
}

/** Identifies a right by its universal identifier, or else by its native identifier. */
function identifyRight(right: Item | undefined, State: string): IdentifiedThing {
  const Identifier = getText(right, 'AllocationUUID');
  const thing = { Kind: 'Right', Identifier, State } as const;
  if (Identifier !== null) return { thing, field: 'allocationUuid', value: Identifier };
  return { thing, field: 'allocationNativeId', value: getText(right, 'AllocationNativeID') ?? '' };
}

/** Counts the records of each term in releases of one organization. */
async function countRecords(
  releases: readonly CatalogRelease[],
  terms: readonly string[],
): Promise<readonly RecordsCounts[]> {
  const counts = terms.map(() => ({ ...ZERO_COUNTS }));
  const termGroups = terms.map((term) => [term]);
  for (const release of releases) {
    const sets = await loadPostings(release, termGroups);
    counts.forEach((count, index) => {
      count[OPERATIONS[release.entry.dataSet]] = sets[index]?.[0]?.size ?? 0;
    });
  }
  return counts;
}
