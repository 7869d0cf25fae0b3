// Collects the places of a release and cuts them into chunks of neighbours (ADR 0057).

import Flatbush from 'flatbush';
import { writePlaceChunk, type IndexedPlace } from '../../../shared/search/index/place-index';
import type { Box } from '../../../shared/values/geometry';
import { numberAt, type Point } from '../../../shared/values/numbers';

/** Pairs of first and last record number: place `rank` has those from `ends[rank - 1]` to before `ends[rank]`. */
export interface RunsByPlace {
  readonly ends: Uint32Array;
  readonly runs: Uint32Array;
}

type Area = NonNullable<IndexedPlace['area']>;

/** A chunk takes 15 to 40 KB then: some 2 request units on Cosmos DB, and little is read that a boundary misses. */
const CHUNK_PLACES = 1024;
/** Places of long histories make smaller chunks. */
const CHUNK_RUNS = 8192;

export class PlaceChunks {
  /**
   * Longitude and latitude by rank, NaN for a place without a point. As lists they would take five times the memory.
   */
  private points = new Float64Array(2 * 1024);
  private readonly areas = new Map<number, Area>();
  private count = 0;

  /** Places come in the order of their ranks. */
  add(point: Point | undefined, area: Area | undefined): void {
    const rank = this.count++;
    if (2 * rank === this.points.length) {
      const { points } = this;
      this.points = new Float64Array(2 * points.length);
      this.points.set(points);
    }
    this.points[2 * rank] = point?.longitude ?? NaN;
    this.points[2 * rank + 1] = point?.latitude ?? NaN;
    if (area !== undefined) this.areas.set(rank, area);
  }

  /** Places with a point alone, then those with a geometry, then those that lie nowhere. */
  *chunks(records: RunsByPlace): Iterable<{ readonly box: Box; readonly content: Uint8Array }> {
    const all = Uint32Array.from({ length: this.count }, (_, rank) => rank);
    const isPoint = (rank: number): boolean => !Number.isNaN(this.points[2 * rank]);
    const located = all.filter((rank) => isPoint(rank) && !this.areas.has(rank));
    const nowhere = all.filter((rank) => !isPoint(rank) && !this.areas.has(rank));
    for (const ranks of [this.byNearness(located), this.byNearness(Uint32Array.from(this.areas.keys())), nowhere]) {
      for (const places of this.cut(ranks, records)) {
        yield { box: this.boxOf(places.map(({ rank }) => rank)), content: writePlaceChunk(places) };
      }
    }
  }

  /** Frees the memory when all chunks are made. */
  clear(): void {
    this.points = new Float64Array();
    this.areas.clear();
  }

  /** In the order of the leaves of a packed R-tree, which follow a Hilbert curve. */
  private byNearness(ranks: Uint32Array): Uint32Array {
    if (ranks.length === 0) return ranks;
    const tree = new Flatbush(ranks.length);
    for (const rank of ranks) tree.add(...this.boxOf([rank]));
    tree.finish();
    const near = new Uint32Array(ranks.length);
    let count = 0;
    // The search asks for each item in its order; as a list of what was found they would take several times the memory.
    tree.search(-Infinity, -Infinity, Infinity, Infinity, (item) => {
      near[count++] = numberAt(ranks, item);
      return false;
    });
    return near;
  }

  private *cut(ranks: Uint32Array, { ends, runs }: RunsByPlace): Iterable<readonly IndexedPlace[]> {
    let places: IndexedPlace[] = [];
    let runCount = 0;
    for (const rank of ranks) {
      const [longitude = NaN, latitude = NaN] = this.points.subarray(2 * rank, 2 * rank + 2);
      const own = runs.subarray(rank === 0 ? 0 : 2 * numberAt(ends, rank - 1), 2 * numberAt(ends, rank));
      if (places.length === CHUNK_PLACES || (places.length > 0 && runCount + own.length / 2 > CHUNK_RUNS)) {
        yield places;
        places = [];
        runCount = 0;
      }
      const area = this.areas.get(rank);
      places.push({ rank, longitude, latitude, runs: own, ...(area === undefined ? {} : { area }) });
      runCount += own.length / 2;
    }
    if (places.length > 0) yield places;
  }

  private boxOf(ranks: readonly number[]): Box {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const rank of ranks) {
      const longitude = numberAt(this.points, 2 * rank);
      const latitude = numberAt(this.points, 2 * rank + 1);
      const box = this.areas.get(rank)?.box ?? [Infinity, Infinity, -Infinity, -Infinity];
      // A comparison with NaN is false.
      west = Math.min(box[0], longitude < west ? longitude : west);
      south = Math.min(box[1], latitude < south ? latitude : south);
      east = Math.max(box[2], longitude > east ? longitude : east);
      north = Math.max(box[3], latitude > north ? latitude : north);
    }
    return [west, south, east, north];
  }
}
