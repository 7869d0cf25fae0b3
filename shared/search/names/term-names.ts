// The organizations, counties, watersheds, uses and variables of a catalog state, with their records (D60).

import { toFilterTerm } from '../../query/filter-terms';
import { createTermFilter, organizationUuid, searchBoundary } from '../../query/filters';
import { type FindResult, type NamedKind, type RecordsCounts, ZERO_COUNTS } from '../../records/find-results';
import type { CountyOutlines } from '../../values/county-outlines';
import { getOrAdd } from '../../values/maps';
import { loadVocabulary } from '../index/release-index';
import type { CatalogRelease } from '../open-releases';
import { buildFoundItem, type NamedThing, OPERATIONS } from './found-item';
import { countLocatedRecords } from './located-counties';

/**
 * The fields whose values a search finds. The filter of a county or HUC8 result is a boundary: all operations accept a
 * boundary, which also finds records of reporting units.
 */
const TERM_KINDS = [
  { Kind: 'County', field: 'placeCounty', boundary: 'county:' },
  { Kind: 'HUC8', field: 'huc8', boundary: 'huc8:' },
  { Kind: 'HUC12', field: 'huc12', boundary: undefined },
  { Kind: 'Use', field: 'use', boundary: undefined },
  { Kind: 'Variable', field: 'variable', boundary: undefined },
] as const;

type TermItem = FindResult & { readonly RecordsCounts: Record<keyof RecordsCounts, number> };

/**
 * Lists each term once. Values of several data sets that are equal when folded are one item, in the spelling of the
 * first. A county also includes records that state no county but lie in its outline (D78).
 */
export async function listTerms(
  releases: readonly CatalogRelease[],
  countyOutlines: CountyOutlines,
): Promise<readonly FindResult[]> {
  const items = new Map<string, TermItem>();
  for (const release of releases) {
    const { organization, records, dataSet } = release.reader.facts;
    const { OrganizationUUID, OrganizationName: Name, OrganizationState: State } = organization;
    const add = (
      key: string,
      thing: NamedThing,
      filter: readonly [name: string, value: string],
      count: number,
    ): void => {
      const item = items.get(key) ?? {
        ...buildFoundItem(thing, ZERO_COUNTS, [filter]),
        RecordsCounts: { ...ZERO_COUNTS },
      };
      item.RecordsCounts[OPERATIONS[dataSet]] += count;
      items.set(key, item);
    };
    const namedOrganization: NamedThing = {
      Kind: 'Organization',
      OrganizationUUID,
      Identifier: OrganizationUUID,
      Name,
      State,
    };
    add(OrganizationUUID, namedOrganization, [organizationUuid.name, OrganizationUUID], records);
    const vocabulary = await loadVocabulary(release);
    for (const { Kind, field, boundary } of TERM_KINDS) {
      for (const [value, count] of vocabulary[field] ?? []) {
        const parameter = boundary === undefined ? createTermFilter(field).name : searchBoundary.name;
        add(toFilterTerm(field, value), toNamedTerm(Kind, value), [parameter, `${boundary ?? ''}${value}`], count);
      }
    }
  }
  await addLocatedCounties(items, releases, countyOutlines);
  return [...items.values()];
}

/**
 * Adds the records that state no county to the county whose outline contains them. That county may have no item yet.
 */
async function addLocatedCounties(
  items: Map<string, TermItem>,
  releases: readonly CatalogRelease[],
  outlines: CountyOutlines,
): Promise<void> {
  for (const { identifier, release, count } of await countLocatedRecords(releases, outlines, [...items.values()])) {
    const filter = [searchBoundary.name, `county:${identifier}`] as const;
    const item = getOrAdd(items, toFilterTerm('placeCounty', identifier), () => ({
      ...buildFoundItem(toNamedTerm('County', identifier), ZERO_COUNTS, [filter]),
      RecordsCounts: { ...ZERO_COUNTS },
    }));
    item.RecordsCounts[OPERATIONS[release.reader.facts.dataSet]] += count;
  }
}

function toNamedTerm(Kind: NamedKind, Identifier: string): NamedThing {
  if (Kind === 'HUC8' || Kind === 'HUC12') return { Kind, Identifier };
  if (Kind !== 'County') return { Kind, Identifier, Name: Identifier };
  const [State = '', ...name] = Identifier.split('/');
  return { Kind, Identifier, Name: name.join('/'), State, County: name.join('/') };
}
