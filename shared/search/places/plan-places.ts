// A page of places over all releases of a catalog state (D42, D43): by organization in the order of D17, then by
// identifier; a site that amounts and rights of an organization hold stands once.

import type { Condition } from '../../query/condition';
import type { Operation } from '../../query/operations';
import { dataSetLayouts, findDataSetsAtPlaces, type PlaceKind } from '../../records/data-sets';
import type { Organization } from '../../records/records';
import type { CatalogState } from '../../store/catalog-types';
import { giveWayIfSliceOver } from '../../store/deadline';
import type { ReleaseReader } from '../../store/port';
import { findFirstNotBelow, findFirst, numberAt } from '../../values/numbers';
import { compareUtf8 } from '../../values/text';
import { type CountedSeries, listPlaceSeries } from '../index/place-series';
import { openEntry, loadPlaceIdentifiers, loadPlaceRecordCounts, loadPlaceSeries } from '../index/release-index';
import { getByteLength, type SearchContext, type SearchableRelease } from '../index/search-caches';
import { selectEntries, openReleases, type Page, type CatalogRelease } from '../plan-page';
import { canHavePlaces, evaluatePlaces } from './evaluate-places';

/** A place of a page. */
export interface PagePlace {
  /** The release that has its text. */
  readonly reader: ReleaseReader;
  readonly rank: number;
  /** By variable; none at a site of rights alone. */
  readonly series: readonly CountedSeries[];
  /** How many rights name it; undefined of reporting units. */
  readonly allocations: number | undefined;
}

export interface PlacesSlice {
  readonly organization: Organization;
  readonly places: readonly PagePlace[];
}

export interface PlannedPlaces {
  readonly total: number;
  /** In the order of D17; organizations without a place on the page have none. */
  readonly slices: readonly PlacesSlice[];
}

/** What was found in the releases of an organization, whose places are listed together; ascending. */
interface MatchingPlaces {
  /** Its amounts, else its rights. */
  readonly main: CatalogRelease;
  readonly inMain: Uint32Array;
  /** Its rights, where `main` has its amounts. */
  readonly rights: CatalogRelease | undefined;
  /** Those in the rights, without the sites that the amounts have. */
  readonly inRights: Uint32Array;
  /** Undefined without rights beside amounts. */
  readonly shared: SharedSites | undefined;
}

/**
 * The releases of the organizations that can have places of the answer, in the order of D17: all of such an
 * organization, since a site found in one shows what the other has. Throws as openReleases does.
 */
export async function openPlaceReleases(
  { store, caches }: SearchContext,
  state: CatalogState,
  placeKind: PlaceKind,
  condition: Condition,
): Promise<readonly CatalogRelease[]> {
  const read = new Set(findDataSetsAtPlaces(placeKind).flatMap((kind) => selectEntries(state, kind, condition)));
  const entries = state.entries.filter((entry) => read.has(entry));
  const possible = new Set<string>();
  const opened = await Promise.all(
    entries.map(async (entry) => {
      const release = { entry, reader: await openEntry(store, entry), caches };
      if (await canHavePlaces(release, condition)) possible.add(entry.organizationUuid);
      return release;
    }),
  );
  return opened.filter(({ entry }) => possible.has(entry.organizationUuid));
}

/** The releases that can have what an operation lists, which are records or places. Throws as openReleases does. */
export function openListedReleases(
  { kind, dataSet }: Pick<Operation, 'kind' | 'dataSet'>,
  state: CatalogState,
  condition: Condition,
  context: SearchContext,
): Promise<readonly CatalogRelease[]> {
  if (kind === 'places') return openPlaceReleases(context, state, dataSetLayouts[dataSet].placeKind, condition);
  return openReleases(context, state, dataSet, condition);
}

/** `releases` are those of `openPlaceReleases`. Throws as planPage does. */
export async function planPlaces(
  releases: readonly CatalogRelease[],
  condition: Condition,
  { startIndex, recordCount }: Pick<Page, 'startIndex' | 'recordCount'>,
): Promise<PlannedPlaces> {
  const found = await findPlaces(releases, condition);
  const slices: PlacesSlice[] = [];
  let before = 0;
  for (const places of found) {
    const size = places.inMain.length + places.inRights.length;
    const from = Math.max(0, startIndex - before);
    const to = Math.min(size, startIndex + recordCount - before);
    before += size;
    if (from >= to) continue;
    const { organization } = places.main.reader.facts;
    slices.push({ organization, places: await describePlaces(places, from, to) });
  }
  return { total: before, slices };
}

/** The places that match in each release, by rank; `releases` are those of `openPlaceReleases`. */
export async function findMatchingPlaces(
  releases: readonly CatalogRelease[],
  condition: Condition,
): Promise<readonly { readonly release: CatalogRelease; readonly ranks: Uint32Array }[]> {
  const found = await findPlaces(releases, condition);
  return found.flatMap(({ main, rights, inMain, inRights }) => [
    { release: main, ranks: inMain },
    ...(rights === undefined ? [] : [{ release: rights, ranks: inRights }]),
  ]);
}

/** Releases come in the order of D17: those of an organization follow each other, its amounts first. */
function findPlaces(releases: readonly CatalogRelease[], condition: Condition): Promise<readonly MatchingPlaces[]> {
  const groups = [...Map.groupBy(releases, ({ entry }) => entry.organizationUuid).values()];
  return Promise.all(
    groups.flatMap(([main, rights]) => (main === undefined ? [] : [findOrganizationPlaces(main, rights, condition)])),
  );
}

async function findOrganizationPlaces(
  main: CatalogRelease,
  rights: CatalogRelease | undefined,
  condition: Condition,
): Promise<MatchingPlaces> {
  const inMain = await evaluatePlaces(condition, main);
  if (rights === undefined) return { main, rights, inMain, inRights: new Uint32Array(), shared: undefined };
  const shared = await loadSharedSites(main, rights);
  const inRights = await evaluatePlaces(condition, rights);
  return { main, rights, inMain, inRights: inRights.filter((rank) => !isSharedSite(shared, rank)), shared };
}

async function describePlaces(found: MatchingPlaces, from: number, to: number): Promise<readonly PagePlace[]> {
  const { main, rights = main, inMain, inRights, shared } = found;
  const placeOf = await createPlaceDescriber(found);
  const places: PagePlace[] = [];
  // A site of the rights stands behind all of the amounts that are before it by name.
  const sitesBeforeAt = (at: number): number =>
    shared === undefined ? 0 : numberAt(shared, numberAt(inRights, at)) >>> 1;
  let next = findFirst(0, inRights.length, (at) => at + findFirstNotBelow(inMain, sitesBeforeAt(at), 0) >= from);
  for (let index = from; index < to; index++) {
    const at = index - next;
    const isOfRights = next < inRights.length && (at >= inMain.length || sitesBeforeAt(next) <= numberAt(inMain, at));
    places.push(isOfRights ? placeOf(rights, numberAt(inRights, next++)) : placeOf(main, numberAt(inMain, at)));
  }
  return places;
}

/** Says what a place of one of both releases has. */
async function createPlaceDescriber({
  main,
  rights,
  shared,
}: MatchingPlaces): Promise<(release: CatalogRelease, rank: number) => PagePlace> {
  const { dataSet } = main.reader.facts;
  const ofRights = dataSet === 'WaterAllocations' ? main : rights;
  const counts = ofRights && (await loadPlaceRecordCounts(ofRights));
  const series = ofRights === main ? undefined : await loadPlaceSeries(main);
  const rightsAt = (rank: number | undefined): number =>
    counts === undefined || rank === undefined ? 0 : numberAt(counts, rank);
  return (release, rank) => {
    const { reader } = release;
    if (series === undefined || release === ofRights) return { reader, rank, series: [], allocations: rightsAt(rank) };
    const allocations =
      dataSet === 'AggregatedAmounts' ? undefined : rightsAt(shared && findRankInRights(shared, rank));
    return { reader, rank, series: listPlaceSeries(series, rank), allocations };
  };
}

// Where the sites of an organization's rights stand among those of its amounts. A site that both hold is listed once,
// as the amounts have it (D42).

/** Names between two looks at the clock. */
const NAMES_AT_ONCE = 4096;

/**
 * By rank in the rights, twice the number of sites of the amounts before the site, plus one where the amounts have the
 * site itself: ascending.
 */
export type SharedSites = Uint32Array;

export async function loadSharedSites(amounts: SearchableRelease, rights: SearchableRelease): Promise<SharedSites> {
  const key = `${amounts.reader.facts.releaseId} ${rights.reader.facts.releaseId}`;
  const make = (): Promise<SharedSites> => compareSites(amounts, rights);
  return amounts.caches.getCache<SharedSites>('sharedPlaces').getOrCompute(key, make, getByteLength);
}

async function compareSites(amounts: SearchableRelease, rights: SearchableRelease): Promise<SharedSites> {
  const names = await loadPlaceIdentifiers(amounts);
  const records = await loadPlaceRecordCounts(amounts);
  const others = await loadPlaceIdentifiers(rights);
  const shared = new Uint32Array(others.length);
  let before = 0;
  for (const [rank, name] of others.entries()) {
    if (rank % NAMES_AT_ONCE === 0) await giveWayIfSliceOver();
    while (before < names.length && compareUtf8(names[before] ?? '', name) < 0) before++;
    const isSharedSite = names[before] === name && records[before] !== 0;
    shared[rank] = 2 * before + Number(isSharedSite);
  }
  return shared;
}

export function isSharedSite(shared: SharedSites, rank: number): boolean {
  return numberAt(shared, rank) % 2 === 1;
}

/** The rank in the rights of a site of the amounts; undefined where the rights have it not. */
export function findRankInRights(shared: SharedSites, rank: number): number | undefined {
  const code = 2 * rank + 1;
  const at = findFirstNotBelow(shared, code, 0);
  return shared[at] === code ? at : undefined;
}
