// Groups neighboring places into chunks (ADR 0057).

import Flatbush from 'flatbush';
import { type IndexedPlace, writePlaceChunk } from '../../shared/search/index/place-chunk';
import { type Box } from '../../shared/values/geometry';
import { numberAt } from '../../shared/values/number-arrays';
import { getRuns, type RecordRuns } from './place-postings';

export type Area = NonNullable<IndexedPlace['area']>;

/**
 * A chunk with this many places takes 15 to 40 KB. Reading it costs about 2 request units on Cosmos DB, and little of
 * it is outside of a requested boundary.
 */
const CHUNK_PLACES = 1024;
/** A chunk has fewer places if they have long histories. */
const CHUNK_RUNS = 8192;

/** The locations of the places of a release, keyed by rank. */
export interface LocatedPlaces {
  /** Longitude and latitude of each place; NaN for a place without a point. */
  readonly points: Float64Array;
  readonly areas: ReadonlyMap<number, Area>;
}

/** Yields places with only a point, then places with a geometry, then places without a location. */
export function* buildPlaceChunks(
  located: LocatedPlaces,
  records: RecordRuns,
): Iterable<{ readonly box: Box; readonly content: Uint8Array }> {
  const { points, areas } = located;
  const all = Uint32Array.from({ length: points.length / 2 }, (_, rank) => rank);
  const isPoint = (rank: number): boolean => !Number.isNaN(points[2 * rank]);
  const withPoint = all.filter((rank) => isPoint(rank) && !areas.has(rank));
  const unlocated = all.filter((rank) => !isPoint(rank) && !areas.has(rank));
  const withArea = Uint32Array.from(areas.keys());
  for (const ranks of [sortByProximity(withPoint, located), sortByProximity(withArea, located), unlocated]) {
    for (const places of cutIntoChunks(ranks, located, records)) {
      const chunkRanks = places.map(({ rank }) => rank);
      yield { box: computeBox(chunkRanks, located), content: writePlaceChunk(places) };
    }
  }
}

/** Sorts places in the leaf order of a packed R-tree, which follows a Hilbert curve. */
function sortByProximity(ranks: Uint32Array, located: LocatedPlaces): Uint32Array {
  if (ranks.length === 0) return ranks;
  const tree = new Flatbush(ranks.length);
  for (const rank of ranks) tree.add(...computeBox([rank], located));
  tree.finish();
  const sorted = new Uint32Array(ranks.length);
  let count = 0;
  // Uses the filter callback, which gets each item in leaf order. A result list would take several times the memory.
  tree.search(-Infinity, -Infinity, Infinity, Infinity, (item) => {
    sorted[count] = numberAt(ranks, item);
    count++;
    return false;
  });
  return sorted;
}

function* cutIntoChunks(
  ranks: Uint32Array,
  { points, areas }: LocatedPlaces,
  records: RecordRuns,
): Iterable<readonly IndexedPlace[]> {
  let places: IndexedPlace[] = [];
  let runCount = 0;
  for (const rank of ranks) {
    const runs = getRuns(rank, records);
    if (places.length === CHUNK_PLACES || (places.length > 0 && runCount + runs.length / 2 > CHUNK_RUNS)) {
      yield places;
      places = [];
      runCount = 0;
    }
    const area = areas.get(rank);
    const longitude = numberAt(points, 2 * rank);
    const latitude = numberAt(points, 2 * rank + 1);
    places.push({ rank, longitude, latitude, runs, ...(area === undefined ? {} : { area }) });
    runCount += runs.length / 2;
  }
  if (places.length > 0) yield places;
}

function computeBox(ranks: readonly number[], { points, areas }: LocatedPlaces): Box {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (const rank of ranks) {
    const longitude = numberAt(points, 2 * rank);
    const latitude = numberAt(points, 2 * rank + 1);
    const box = areas.get(rank)?.box ?? [Infinity, Infinity, -Infinity, -Infinity];
    // Comparisons with NaN are false.
    west = Math.min(box[0], longitude < west ? longitude : west);
    south = Math.min(box[1], latitude < south ? latitude : south);
    east = Math.max(box[2], longitude > east ? longitude : east);
    north = Math.max(box[3], latitude > north ? latitude : north);
  }
  return [west, south, east, north];
}
