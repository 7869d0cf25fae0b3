// Plans a page of places over all releases of a catalog state (D42, D43): by organization in the order of D17, then by
// identifier. A site that is in both the amounts and the rights of an organization is listed once.

import type { Condition } from '../../query/condition';
import type { Organization } from '../../records/records';
import type { ReleaseReader } from '../../store/port';
import { findFirst, findFirstNotBelow, numberAt } from '../../values/number-arrays';
import { type CountedSeries, listPlaceSeries } from '../index/place-series';
import { loadPlaceRecordCounts, loadPlaceSeries } from '../index/release-index';
import type { CatalogRelease } from '../open-releases';
import type { Page } from '../plan-page';
import { evaluatePlaces } from './evaluate-places';
import { countSitesBefore, findRankInRights, isSharedSite, loadSharedSites, type SharedSites } from './shared-sites';

/** A place of a page. */
export interface PagePlace {
  /** The release from which the text of the place is read. */
  readonly reader: ReleaseReader;
  readonly rank: number;
  /** In the order of the variables; empty for a site that only rights refer to. */
  readonly series: readonly CountedSeries[];
  /** The number of rights that refer to the site; undefined for reporting units. */
  readonly allocations: number | undefined;
}

export interface PlacesSlice {
  readonly organization: Organization;
  readonly places: readonly PagePlace[];
}

export interface PlannedPlaces {
  readonly total: number;
  /** In the order of D17. Organizations without a place on the page have no slice. */
  readonly slices: readonly PlacesSlice[];
}

/** The matches in the releases of an organization, whose places are listed together. Ranks are ascending. */
interface MatchingPlaces {
  /** The release of the organization's amounts, or else of its rights. */
  readonly main: CatalogRelease;
  readonly mainRanks: Uint32Array;
  /** The release of the organization's rights, if `main` is the release of its amounts. */
  readonly rights: CatalogRelease | undefined;
  /** Without the sites that are also in the amounts. */
  readonly rightsRanks: Uint32Array;
  /** Undefined unless the organization has both amounts and rights. */
  readonly sharedSites: SharedSites | undefined;
}

/** `releases` must come from `openPlaceReleases`. Throws the same errors as planPage. */
export async function planPlaces(
  releases: readonly CatalogRelease[],
  condition: Condition,
  { startIndex, recordCount }: Pick<Page, 'startIndex' | 'recordCount'>,
): Promise<PlannedPlaces> {
  const slices: PlacesSlice[] = [];
  let total = 0;
  for (const matches of await findPlaces(releases, condition)) {
    const size = matches.mainRanks.length + matches.rightsRanks.length;
    const from = Math.max(0, startIndex - total);
    const to = Math.min(size, startIndex + recordCount - total);
    total += size;
    if (from >= to) continue;
    const { organization } = matches.main.reader.facts;
    slices.push({ organization, places: await describePlaces(matches, from, to) });
  }
  return { total, slices };
}

/** Finds the matching places of each release, by rank. `releases` must come from `openPlaceReleases`. */
export async function findMatchingPlaces(
  releases: readonly CatalogRelease[],
  condition: Condition,
): Promise<readonly { readonly release: CatalogRelease; readonly ranks: Uint32Array }[]> {
  const matches = await findPlaces(releases, condition);
  return matches.flatMap(({ main, rights, mainRanks, rightsRanks }) => [
    { release: main, ranks: mainRanks },
    ...(rights === undefined ? [] : [{ release: rights, ranks: rightsRanks }]),
  ]);
}

/** Releases are in the order of D17: the releases of an organization are adjacent, its amounts first. */
function findPlaces(releases: readonly CatalogRelease[], condition: Condition): Promise<readonly MatchingPlaces[]> {
  const organizations = [...Map.groupBy(releases, ({ entry }) => entry.organizationUuid).values()];
  return Promise.all(
    organizations.flatMap(([main, rights]) =>
      main === undefined ? [] : [findOrganizationPlaces(main, rights, condition)],
    ),
  );
}

async function findOrganizationPlaces(
  main: CatalogRelease,
  rights: CatalogRelease | undefined,
  condition: Condition,
): Promise<MatchingPlaces> {
  const mainRanks = await evaluatePlaces(condition, main);
  if (rights === undefined) {
    return { main, rights, mainRanks, rightsRanks: new Uint32Array(), sharedSites: undefined };
  }
  const sharedSites = await loadSharedSites(main, rights);
  const allRightsRanks = await evaluatePlaces(condition, rights);
  const rightsRanks = allRightsRanks.filter((rank) => !isSharedSite(sharedSites, rank));
  return { main, rights, mainRanks, rightsRanks, sharedSites };
}

/** Merges the matches of both releases, which are ordered by identifier. */
async function describePlaces(matches: MatchingPlaces, from: number, to: number): Promise<readonly PagePlace[]> {
  const { main, rights = main, mainRanks, rightsRanks, sharedSites } = matches;
  const describe = await createPlaceDescriber(matches);
  const places: PagePlace[] = [];
  const countMainSitesBefore = (rightsIndex: number): number =>
    sharedSites === undefined ? 0 : countSitesBefore(sharedSites, numberAt(rightsRanks, rightsIndex));
  // The index of a site of the rights in the merged list is its own index plus the number of main matches before it.
  let rightsIndex = findFirst(
    0,
    rightsRanks.length,
    (index) => index + findFirstNotBelow(mainRanks, countMainSitesBefore(index), 0) >= from,
  );
  for (let index = from; index < to; index++) {
    const mainIndex = index - rightsIndex;
    const isOfRights =
      rightsIndex < rightsRanks.length &&
      (mainIndex >= mainRanks.length || countMainSitesBefore(rightsIndex) <= numberAt(mainRanks, mainIndex));
    if (isOfRights) {
      places.push(describe(rights, numberAt(rightsRanks, rightsIndex)));
      rightsIndex++;
    } else places.push(describe(main, numberAt(mainRanks, mainIndex)));
  }
  return places;
}

/** Returns a function that describes a place of either release. */
async function createPlaceDescriber({
  main,
  rights,
  sharedSites,
}: MatchingPlaces): Promise<(release: CatalogRelease, rank: number) => PagePlace> {
  const { dataSet } = main.reader.facts;
  const releaseOfRights = dataSet === 'WaterAllocations' ? main : rights;
  const rightCounts = releaseOfRights && (await loadPlaceRecordCounts(releaseOfRights));
  const allSeries = releaseOfRights === main ? undefined : await loadPlaceSeries(main);
  const countRights = (rank: number | undefined): number =>
    rightCounts === undefined || rank === undefined ? 0 : numberAt(rightCounts, rank);
  return (release, rank) => {
    const { reader } = release;
    if (allSeries === undefined || release === releaseOfRights) {
      return { reader, rank, series: [], allocations: countRights(rank) };
    }
    const rankInRights = sharedSites && findRankInRights(sharedSites, rank);
    const allocations = dataSet === 'AggregatedAmounts' ? undefined : countRights(rankInRights);
    return { reader, rank, series: listPlaceSeries(allSeries, rank), allocations };
  };
}
