// A site or a reporting unit with all that its page shows (D49): its series, its rights, the sites related to it, and
// when its records changed.

import { parseItems } from '../answer/page-texts';
import { featureId, featureIdParts, rightId } from '../answer/features/feature-ids';
import { openPlaceReleases, planPlaces, type PagePlace } from '../search/places/plan-places';
import { allOf, isOfOrganization, isOneOf, type Condition } from '../query/condition';
import { PLACE_FIELDS } from '../query/text-filters';
import { RECORD_COUNT } from '../query/paging-and-format';
import type { PlaceKind } from '../records/data-sets';
import { lookupIdentifiers } from '../records/lookups';
import type { Organization } from '../records/organization';
import type { Item } from '../records/record-references';
import type { ReadRelease } from '../search/plan-page';
import { lookupRange } from '../search/index/release-index';
import type { SearchCaches, SearchContext } from '../search/index/search-caches';
import { evaluate } from '../search/evaluate';
import type { CatalogState } from '../store/catalog-types';
import type { ReleaseReader } from '../store/port';
import { lastChangeOf, type LastChange } from './last-change';
import { placeReferencesOf, type PlaceReferences } from './place-references';
import { relatedSitesOf, type RelatedSites } from './related-sites';
import { seriesFiguresOf, type SeriesFigures } from './series-figures';

/** A right in a list. */
export interface ListedRight {
  readonly id: string;
  readonly record: Item;
}

export interface PlaceThing extends PlaceReferences {
  readonly placeKind: PlaceKind;
  readonly organization: Organization;
  /** As the lookups have it. */
  readonly item: Item;
  readonly series: readonly SeriesFigures[];
  /** How many rights name the site, and the first of them; undefined of reporting units. */
  readonly rights: { readonly total: number; readonly listed: readonly ListedRight[] } | undefined;
  readonly related: RelatedSites;
  readonly change: LastChange;
}

/** A page links to so many rights; the others are one request away. */
const MOST_RIGHTS = 50;

/** The most bytes of their texts. */
const MOST_BYTES = 4 * 1024 * 1024;

/** `id` is that of the feature, which `state` has. */
export async function readPlace(
  placeKind: PlaceKind,
  id: string,
  state: CatalogState,
  context: SearchContext,
): Promise<PlaceThing> {
  const { organization: organizationUuid, own } = featureIdParts(id);
  const condition = allOf([isOneOf(PLACE_FIELDS[placeKind], [own]), isOfOrganization([organizationUuid])]);
  const releases = await openPlaceReleases(context, state, placeKind, condition);
  const found = await findPlace(placeKind, id, { releases, condition }, context.caches);
  const { place, item, organization } = found;
  const release = releases.find(({ reader }) => reader === place.reader);
  if (release === undefined) throw new Error('a place of a release that was not read');
  const isOfAmounts = release.entry.dataSet !== 'WaterAllocations';
  const { caches } = context;
  const rights = placeKind === 'Sites' ? await rightsAt(own, { releases, condition }, place, caches) : undefined;
  const references = isOfAmounts ? await placeReferencesOf(place.reader, place.rank, caches) : NO_REFERENCES;
  return {
    ...{ placeKind, organization, item, ...references, rights },
    series: isOfAmounts ? await seriesFiguresOf(place.reader, place.rank, caches) : [],
    related: await relatedSitesOf(item, releases, caches),
    change: await lastChangeOf(release, condition, state, context),
  };
}

const NO_REFERENCES: PlaceReferences = { methods: [], waterSources: [], uses: [] };

interface PlaceSearch {
  readonly releases: readonly ReadRelease[];
  readonly condition: Condition;
}

interface FoundPlace {
  readonly place: PagePlace;
  readonly item: Item;
  readonly organization: Organization;
}

/** Identifiers are compared folded, so that others may be found besides. */
async function findPlace(
  placeKind: PlaceKind,
  id: string,
  { releases, condition }: PlaceSearch,
  caches: SearchCaches,
): Promise<FoundPlace> {
  const page = { startIndex: 0, recordCount: RECORD_COUNT.maximum };
  const { slices } = await planPlaces(releases, condition, page, caches);
  for (const { organization, places } of slices) {
    for (const place of places) {
      const [first] = lookupRange(place.reader, placeKind);
      const [item = {}] = parseItems(await place.reader.lookups(Uint32Array.of(first + place.rank)));
      const own = String(item[lookupIdentifiers[placeKind]]);
      if (featureId(organization.OrganizationUUID, own) === id) return { place, item, organization };
    }
  }
  throw new Error('a place that its state has not');
}

async function rightsAt(
  own: string,
  { releases, condition }: PlaceSearch,
  { allocations = 0 }: PagePlace,
  caches: SearchCaches,
): Promise<PlaceThing['rights']> {
  const release = releases.find(({ entry }) => entry.dataSet === 'WaterAllocations');
  if (release === undefined || allocations === 0) return { total: allocations, listed: [] };
  const found = await evaluate(condition, release, caches);
  const { reader } = release;
  const records = parseItems(await reader.records(await fittingOf(reader, found.slice(0, MOST_RIGHTS))));
  const ofSite = records.filter(({ Sites }) => (Sites as readonly Item[]).some(({ SiteUUID }) => SiteUUID === own));
  const { OrganizationUUID: organization } = reader.facts.organization;
  const listed = ofSite.map((record) => ({ id: rightId(organization, record), record }));
  return { total: allocations, listed };
}

/** The first of the records, as many as have few enough bytes: a right can name thousands of sites. */
async function fittingOf(reader: ReleaseReader, numbers: Uint32Array): Promise<Uint32Array> {
  let bytes = 0;
  const measured = await reader.measure('records', numbers);
  const tooMany = measured.findIndex((text) => (bytes += text.bytes) > MOST_BYTES);
  return tooMany === -1 ? numbers : numbers.subarray(0, tooMany);
}
