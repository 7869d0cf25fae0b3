// Finds the places and rights of one release whose names or identifiers contain the words of a query (D60), using its
// index of names. Things are numbered in the order of an answer, so a page is a slice of the set of matches. Only the
// things on the page, and the blocks of the index that contain the words, are read.

import { buildTermCondition } from '../../query/condition';
import type { FindResult } from '../../records/find-results';
import { runInSteps } from '../../store/deadline';
import { numberAt } from '../../values/number-arrays';
import { getRecordCount, type NameDirectory } from '../index/name-directory';
import { findThingsByMatch } from '../index/name-words';
import {
  AllRecords,
  createRecordSetFromRuns,
  difference,
  intersection,
  type RecordSet,
  union,
} from '../index/record-set';
import { loadNameDirectory, loadPlaceRecordCounts } from '../index/release-index';
import { countPlaces, getPlaceKind } from '../index/release-lookups';
import { getByteLength } from '../index/search-caches';
import type { CatalogRelease } from '../open-releases';
import { evaluatePlaces } from '../places/evaluate-places';
import { findRankInRights, isSharedSite, loadSharedSites } from '../places/shared-sites';
import { matchesStates, type NameQuery } from './name-query';
import type { Rank, RankedNames } from './name-ranking';
import { PLACE_KIND_NAMES, readThings } from './read-things';
import { CombinedOrder, StoredOrder, type ThingOrder } from './thing-order';

/**
 * A release, and the release of the same organization with the same kind of places, if there is one. Their sites are
 * found together (D42).
 */
interface NameSource {
  readonly release: CatalogRelease;
  readonly companion: CatalogRelease | undefined;
}

/** The things of a release that a query can find, regardless of its words. */
interface FindableThings {
  readonly things: RecordSet;
  readonly order: ThingOrder;
  readonly byteLength: number;
}

/** Number of things between two checks of the clock. */
const THINGS_AT_ONCE = 65_536;

export async function findReleaseNames(
  release: CatalogRelease,
  companion: CatalogRelease | undefined,
  query: NameQuery,
): Promise<RankedNames> {
  const source = { release, companion };
  const { things, order } = await loadFindableThings(source, query);
  const matches = await findThingsByMatch(query.words, release);
  const sets = matches.map((set) => intersection([things, set]));
  const positionsByMatch = sets.map((set, match) => {
    const betterMatches = union(sets.slice(0, match));
    return order.toPositions(difference(set, betterMatches, order.numbers.length));
  });
  return new ReleaseMatches(source, order, positionsByMatch);
}

/**
 * The matches of a query in one release. The best matches come first; equally good matches are in the order of the
 * things.
 */
class ReleaseMatches implements RankedNames {
  readonly total: number;

  constructor(
    private readonly source: NameSource,
    private readonly order: ThingOrder,
    private readonly positionsByMatch: readonly RecordSet[],
  ) {
    this.total = positionsByMatch.reduce((sum, { size }) => sum + size, 0);
  }

  readonly getRank = (index: number): Rank => {
    const [result] = this.list(index, index + 1);
    if (result === undefined) throw new RangeError(`no name at ${index}`);
    const { release } = this.source;
    const { position, match } = result;
    const isRight = numberAt(this.order.numbers, position) >= countPlaces(release);
    const kind = isRight ? 'Right' : PLACE_KIND_NAMES[getPlaceKind(release.reader)];
    return { match, records: this.order.getRecordCount(position), kind };
  };

  readonly read = (from: number, to: number): Promise<readonly FindResult[]> => {
    const numbers = this.list(from, to).map(({ position }) => numberAt(this.order.numbers, position));
    return readThings(this.source.release, this.source.companion, numbers);
  };

  /** Lists the positions of the results from index `from` to before index `to`. */
  private list(from: number, to: number): readonly { readonly position: number; readonly match: number }[] {
    const results: { readonly position: number; readonly match: number }[] = [];
    let firstIndex = 0;
    for (const [match, positions] of this.positionsByMatch.entries()) {
      const first = Math.max(0, from - firstIndex);
      const end = Math.min(positions.size, to - firstIndex);
      firstIndex += positions.size;
      if (first >= end) continue;
      for (const position of positions.slice(first, end)) results.push({ position, match });
    }
    return results;
  }
}

/** The result depends on the kinds and the states of the query. */
function loadFindableThings({ release, companion }: NameSource, query: NameQuery): Promise<FindableThings> {
  const { organization, releaseId } = release.reader.facts;
  const included = {
    rights: query.kinds.has('Right') && matchesStates(query, organization.OrganizationState),
    places: query.kinds.has(PLACE_KIND_NAMES[getPlaceKind(release.reader)]),
    states: query.states,
  };
  const build = async (): Promise<FindableThings> => {
    const directory = await loadNameDirectory(release);
    const things = await selectThings(directory, { release, companion }, included);
    const order = await createOrder(directory, { release, companion });
    return { things, order, byteLength: things.byteLength + order.byteLength };
  };
  const companionId = companion?.reader.facts.releaseId ?? '';
  const key = `${releaseId} ${companionId} ${included.rights} ${included.places} ${query.states.join(' ')}`;
  return release.caches.getCache<FindableThings>('findable').getOrCompute(key, build, getByteLength);
}

async function selectThings(
  { thingNumbers }: NameDirectory,
  { release, companion }: NameSource,
  included: { readonly rights: boolean; readonly places: boolean; readonly states: readonly string[] },
): Promise<RecordSet> {
  const placeCount = countPlaces(release);
  const { states } = included;
  const ranksInStates =
    states.length === 0 ? undefined : new Set(await evaluatePlaces(buildTermCondition('placeState', states), release));
  // Sites that both releases have are results of the release of amounts.
  const isOfRights = release.reader.facts.dataSet === 'WaterAllocations';
  const sharedSites = isOfRights && companion !== undefined ? await loadSharedSites(companion, release) : undefined;
  const isFindable = (thing: number): boolean => {
    const number = numberAt(thingNumbers, thing);
    if (number >= placeCount) return included.rights;
    if (!included.places || ranksInStates?.has(number) === false) return false;
    return sharedSites === undefined || !isSharedSite(sharedSites, number);
  };
  return findWhere(isFindable, thingNumbers.length);
}

/** Finds the numbers below `count` for which `isTrue` returns true. */
async function findWhere(isTrue: (number: number) => boolean, count: number): Promise<RecordSet> {
  const runs: number[] = [];
  await runInSteps(count, THINGS_AT_ONCE, (from, to) => {
    for (let number = from; number < to; number++) {
      if (!isTrue(number)) continue;
      if (number > 0 && runs.at(-1) === number - 1) runs[runs.length - 1] = number;
      else runs.push(number, number);
    }
  });
  return runs[0] === 0 && runs[1] === count - 1 ? new AllRecords(count) : createRecordSetFromRuns(runs);
}

/** The record count of a site of amounts includes the rights that refer to the site. */
async function createOrder(directory: NameDirectory, { release, companion }: NameSource): Promise<ThingOrder> {
  if (release.reader.facts.dataSet === 'WaterAllocations' || companion === undefined) return new StoredOrder(directory);
  const sharedSites = await loadSharedSites(release, companion);
  const rightCounts = await loadPlaceRecordCounts(companion);
  const records = Uint32Array.from(directory.thingNumbers, (rank, thing) => {
    const rankInRights = findRankInRights(sharedSites, rank);
    const rights = rankInRights === undefined ? 0 : numberAt(rightCounts, rankInRights);
    return getRecordCount(directory, thing) + rights;
  });
  return new CombinedOrder(directory, records);
}
