// The things that have a page of their own (D49): sites, reporting units and rights, as lists of ids for the sitemap,
// each thing in one list. A list is of one release, which never changes.

import { EVERYTHING } from '../query/condition';
import type { PlaceKind } from '../records/data-sets';
import { parseItems } from '../answer/page-texts';
import { featureId, rightId } from '../answer/features/feature-ids';
import { matchingPlaces, openPlaceReleases } from '../search/places/plan-places';
import { openReleases, type ReadRelease } from '../search/plan-page';
import { placeNamesOf } from '../search/index/release-index';
import type { SearchCaches, SearchContext } from '../search/index/search-caches';
import type { CatalogEntry, CatalogState } from '../store/catalog-types';
import { currentDeadline } from '../store/deadline';
import type { ReleaseReader } from '../store/port';

/** The collections whose features have pages. */
export type ThingCollection = 'sites' | 'reporting-units' | 'allocations';

export interface ThingList {
  readonly collection: ThingCollection;
  readonly entry: CatalogEntry;
  readonly count: number;
  /** The ids of the things from one index to before another. */
  readonly idsBetween: (from: number, to: number) => Promise<readonly string[]>;
}

/** In the order of D17 within a collection. Throws as openReleases does. */
export async function thingLists(context: SearchContext, state: CatalogState): Promise<readonly ThingList[]> {
  const rights = await openReleases(context, state, 'WaterAllocations', EVERYTHING);
  return [
    ...(await placeLists('Sites', context, state)),
    ...(await placeLists('ReportingUnits', context, state)),
    ...rights.map(listOfRights),
  ];
}

const COLLECTIONS = { Sites: 'sites', ReportingUnits: 'reporting-units' } as const;

/** A site that amounts and rights of an organization hold stands in the list of the amounts (D42). */
async function placeLists(
  placeKind: PlaceKind,
  context: SearchContext,
  state: CatalogState,
): Promise<readonly ThingList[]> {
  const { caches } = context;
  const releases = await openPlaceReleases(context, state, placeKind, EVERYTHING);
  const entries = new Map(releases.map(({ reader, entry }) => [reader, entry]));
  const found = await matchingPlaces(releases, EVERYTHING, caches);
  return found.flatMap(({ reader, ranks }) => {
    const entry = entries.get(reader);
    if (entry === undefined) return [];
    const idsBetween = (from: number, to: number): Promise<readonly string[]> =>
      placeIds(reader, ranks.subarray(from, to), caches);
    return [{ collection: COLLECTIONS[placeKind], entry, count: ranks.length, idsBetween }];
  });
}

async function placeIds(reader: ReleaseReader, ranks: Uint32Array, caches: SearchCaches): Promise<readonly string[]> {
  const names = await placeNamesOf(reader, caches);
  const { OrganizationUUID: organization } = reader.facts.organization;
  return Array.from(ranks, (rank) => featureId(organization, names[rank] ?? ''));
}

function listOfRights({ reader, entry }: ReadRelease): ThingList {
  const idsBetween = (from: number, to: number): Promise<readonly string[]> => rightIds(reader, from, to);
  return { collection: 'allocations', entry, count: reader.facts.records, idsBetween };
}

/** So many rights are some megabytes of JSON. */
const STEP = 1_000;

async function rightIds(reader: ReleaseReader, from: number, to: number): Promise<readonly string[]> {
  const { facts } = reader;
  const { OrganizationUUID: organization } = facts.organization;
  const deadline = currentDeadline();
  const ids = new Set<string>();
  for (let first = from; first < Math.min(to, facts.records); first += STEP) {
    deadline.check();
    if (deadline.isSliceOver()) await deadline.giveWay();
    const count = Math.min(STEP, to - first, facts.records - first);
    const texts = await reader.records(Uint32Array.from({ length: count }, (_, index) => first + index));
    for (const record of parseItems(texts)) ids.add(rightId(organization, record));
  }
  return [...ids];
}
