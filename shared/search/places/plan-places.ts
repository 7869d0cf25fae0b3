// A page of places over all releases of a catalog state (D42, D43): by organization in the order of D17, then by
// identifier; a site that amounts and rights of an organization hold stands once.

import type { Condition } from '../../query/condition';
import type { Operation } from '../../query/operations';
import { dataSetLayouts, dataSetsOfPlaces, type PlaceKind } from '../../records/data-sets';
import type { Organization } from '../../records/organization';
import { seriesOfPlace, type CountedSeries } from '../index/place-series';
import { entriesRead, openReleases, type Page, type ReadRelease } from '../plan-page';
import { openEntry, placeNamesOf, placeRecordsOf, placeSeriesOf } from '../index/release-index';
import { byteLengthOf, type SearchCaches, type SearchContext } from '../index/search-caches';
import type { CatalogState } from '../../store/catalog-types';
import type { ReleaseReader } from '../../store/port';
import { currentDeadline } from '../../store/deadline';
import { firstNotBelow, firstThat, numberAt } from '../../values/numbers';
import { compareUtf8 } from '../../values/text';
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

/** The releases of an organization whose places are listed together. */
interface PlacesOfOrganization {
  /** Its amounts, else its rights. */
  readonly main: ReadRelease;
  /** Its rights, where `main` has its amounts. */
  readonly rights: ReadRelease | undefined;
}

/** What was found in them, ascending. */
interface FoundPlaces extends PlacesOfOrganization {
  readonly inMain: Uint32Array;
  /** Those in the rights, without the sites that the amounts have. */
  readonly inRights: Uint32Array;
  /** Undefined without rights beside amounts. */
  readonly shared: SharedPlaces | undefined;
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
): Promise<readonly ReadRelease[]> {
  const read = new Set(dataSetsOfPlaces(placeKind).flatMap((kind) => entriesRead(state, kind, condition)));
  const entries = state.entries.filter((entry) => read.has(entry));
  const opened = await Promise.all(
    entries.map(async (entry) => {
      const reader = await openEntry(store, entry);
      return { entry, reader, isPossible: await canHavePlaces(reader, condition, caches) };
    }),
  );
  const possible = new Set(opened.flatMap(({ entry, isPossible }) => (isPossible ? [entry.organizationUuid] : [])));
  return opened.filter(({ entry }) => possible.has(entry.organizationUuid));
}

/** The releases that can have what an operation lists, which are records or places. Throws as openReleases does. */
export function openListed(
  { kind, dataSet }: Pick<Operation, 'kind' | 'dataSet'>,
  state: CatalogState,
  condition: Condition,
  context: SearchContext,
): Promise<readonly ReadRelease[]> {
  if (kind === 'places') return openPlaceReleases(context, state, dataSetLayouts[dataSet].placeKind, condition);
  return openReleases(context, state, dataSet, condition);
}

/** `releases` are those of `openPlaceReleases`. Throws as planPage does. */
export async function planPlaces(
  releases: readonly ReadRelease[],
  condition: Condition,
  { startIndex, recordCount }: Pick<Page, 'startIndex' | 'recordCount'>,
  caches: SearchCaches,
): Promise<PlannedPlaces> {
  const found = await Promise.all(
    byOrganization(releases).map((organization) => findPlaces(organization, condition, caches)),
  );
  const slices: PlacesSlice[] = [];
  let before = 0;
  for (const places of found) {
    const size = places.inMain.length + places.inRights.length;
    const from = Math.max(0, startIndex - before);
    const to = Math.min(size, startIndex + recordCount - before);
    before += size;
    if (from >= to) continue;
    const { organization } = places.main.reader.facts;
    slices.push({ organization, places: await placesBetween(places, from, to, caches) });
  }
  return { total: before, slices };
}

/** The places that match in each release, by rank; `releases` are those of `openPlaceReleases`. */
export async function matchingPlaces(
  releases: readonly ReadRelease[],
  condition: Condition,
  caches: SearchCaches,
): Promise<readonly { readonly reader: ReleaseReader; readonly ranks: Uint32Array }[]> {
  const found = await Promise.all(
    byOrganization(releases).map((organization) => findPlaces(organization, condition, caches)),
  );
  return found.flatMap(({ main, rights, inMain, inRights }) => [
    { reader: main.reader, ranks: inMain },
    ...(rights === undefined ? [] : [{ reader: rights.reader, ranks: inRights }]),
  ]);
}

/** Releases come in the order of D17: those of an organization follow each other, its amounts first. */
function byOrganization(releases: readonly ReadRelease[]): readonly PlacesOfOrganization[] {
  const groups = Map.groupBy(releases, ({ entry }) => entry.organizationUuid);
  return [...groups.values()].flatMap(([main, rights]) => (main === undefined ? [] : [{ main, rights }]));
}

async function findPlaces(
  { main, rights }: PlacesOfOrganization,
  condition: Condition,
  caches: SearchCaches,
): Promise<FoundPlaces> {
  const inMain = await evaluatePlaces(condition, main, caches);
  if (rights === undefined) return { main, rights, inMain, inRights: new Uint32Array(), shared: undefined };
  const shared = await sharedPlacesOf(main.reader, rights.reader, caches);
  const inRights = await evaluatePlaces(condition, rights, caches);
  return { main, rights, inMain, inRights: inRights.filter((rank) => !isSharedSite(shared, rank)), shared };
}

async function placesBetween(
  { main, rights, inMain, inRights, shared }: FoundPlaces,
  from: number,
  to: number,
  caches: SearchCaches,
): Promise<readonly PagePlace[]> {
  const placeOf = await describePlaces(main.reader, rights?.reader, shared, caches);
  const places: PagePlace[] = [];
  // A site of the rights stands behind all of the amounts that are before it by name.
  const sitesBeforeAt = (at: number): number =>
    shared === undefined ? 0 : sitesBefore(shared, numberAt(inRights, at));
  let next = firstThat(0, inRights.length, (at) => at + firstNotBelow(inMain, sitesBeforeAt(at), 0) >= from);
  for (let index = from; index < to; index++) {
    const at = index - next;
    const isOfRights = next < inRights.length && (at >= inMain.length || sitesBeforeAt(next) <= numberAt(inMain, at));
    places.push(isOfRights ? placeOf.rights(numberAt(inRights, next++)) : placeOf.main(numberAt(inMain, at)));
  }
  return places;
}

/** What a place of either release has. */
async function describePlaces(
  main: ReleaseReader,
  rights: ReleaseReader | undefined,
  shared: SharedPlaces | undefined,
  caches: SearchCaches,
): Promise<Readonly<Record<'main' | 'rights', (rank: number) => PagePlace>>> {
  const counted = main.facts.dataSet === 'WaterAllocations' ? main : rights;
  const counts = counted && (await placeRecordsOf(counted, caches));
  const ofRights =
    (reader: ReleaseReader) =>
    (rank: number): PagePlace => ({
      ...{ reader, rank, series: [] },
      allocations: counts && numberAt(counts, rank),
    });
  if (main.facts.dataSet === 'WaterAllocations') return { main: ofRights(main), rights: ofRights(main) };
  const series = await placeSeriesOf(main, caches);
  const allocationsAt = (rank: number): number => {
    const inRights = shared && rankInRights(shared, rank);
    return inRights === undefined || counts === undefined ? 0 : numberAt(counts, inRights);
  };
  const isOfUnits = main.facts.dataSet === 'AggregatedAmounts';
  return {
    main: (rank) => ({
      ...{ reader: main, rank, series: seriesOfPlace(series, rank) },
      allocations: isOfUnits ? undefined : allocationsAt(rank),
    }),
    rights: ofRights(rights ?? main),
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
export type SharedPlaces = Uint32Array;

export async function sharedPlacesOf(
  amounts: ReleaseReader,
  rights: ReleaseReader,
  caches: SearchCaches,
): Promise<SharedPlaces> {
  const key = `${amounts.facts.releaseId} ${rights.facts.releaseId}`;
  const make = (): Promise<SharedPlaces> => compareSites(amounts, rights, caches);
  return caches.partOf<SharedPlaces>('sharedPlaces').remember(key, make, byteLengthOf);
}

async function compareSites(
  amounts: ReleaseReader,
  rights: ReleaseReader,
  caches: SearchCaches,
): Promise<SharedPlaces> {
  const deadline = currentDeadline();
  const names = await placeNamesOf(amounts, caches);
  const records = await placeRecordsOf(amounts, caches);
  const others = await placeNamesOf(rights, caches);
  const shared = new Uint32Array(others.length);
  let before = 0;
  for (const [rank, name] of others.entries()) {
    if (rank % NAMES_AT_ONCE === 0 && deadline.isSliceOver()) await deadline.giveWay();
    while (before < names.length && compareUtf8(names[before] ?? '', name) < 0) before++;
    const isSharedSite = names[before] === name && records[before] !== 0;
    shared[rank] = 2 * before + Number(isSharedSite);
  }
  return shared;
}

export function isSharedSite(shared: SharedPlaces, rank: number): boolean {
  return numberAt(shared, rank) % 2 === 1;
}

/** How many sites of the amounts stand before a site of the rights. */
export function sitesBefore(shared: SharedPlaces, rank: number): number {
  return numberAt(shared, rank) >>> 1;
}

/** The rank in the rights of a site of the amounts; undefined where the rights have it not. */
function rankInRights(shared: SharedPlaces, rank: number): number | undefined {
  const code = 2 * rank + 1;
  const at = firstNotBelow(shared, code, 0);
  return shared[at] === code ? at : undefined;
}
