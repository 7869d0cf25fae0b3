// Indexes the places of a release: where each lies, which geometry it has, and which records belong to it. Neighbours
// are cut into chunks (ADR 0057).

import { join } from 'node:path';
import Flatbush from 'flatbush';
import { writeNumbers } from '../../shared/search/index/column-format';
import { type IndexedPlace, writePlaceChunk } from '../../shared/search/index/place-chunk';
import { writeRecordSet } from '../../shared/search/index/record-set';
import type { ReleaseWriter } from '../../shared/store/port';
import { decodeGeometry } from '../../shared/values/encode-geometry';
import { boundingBox, type Box } from '../../shared/values/geometry';
import { numberAt } from '../../shared/values/number-arrays';
import type { Point } from '../../shared/values/site-point';
import { countNumbers, mergeRuns, type StagedTerms } from './posting-lists';
import { ColumnFile, readUint32Pieces } from './record-columns';

/** Pairs of first and last record number: place `rank` has those from `ends[rank - 1]` to before `ends[rank]`. */
export interface RecordRuns {
  readonly ends: Uint32Array;
  readonly runs: Uint32Array;
}

type Area = NonNullable<IndexedPlace['area']>;

/** A chunk takes 15 to 40 KB then: some 2 request units on Cosmos DB, and little is read that a boundary misses. */
const CHUNK_PLACES = 1024;
/** Places of long histories make smaller chunks. */
const CHUNK_RUNS = 8192;

/** Where the places of a release lie, by rank. */
export interface LocatedPlaces {
  /** Longitude and latitude of each place, NaN for a place without a point. */
  readonly points: Float64Array;
  readonly areas: ReadonlyMap<number, Area>;
}

/** The last records that belong to one place and follow each other. */
interface PlaceRun {
  readonly rank: number;
  readonly first: number;
  last: number;
}

export class PlaceIndexWriter {
  private located: { readonly points: Float64Array; readonly areas: Map<number, Area> };
  /** Rank, first and last record of each stretch, in the order of the records: a right has one at each of its sites. */
  private readonly placeRuns: ColumnFile;
  private open: PlaceRun | undefined;
  /** By rank how many stretches the place has. */
  private readonly runCounts: Uint32Array;

  constructor(
    private readonly writer: ReleaseWriter,
    folder: string,
    places: number,
  ) {
    this.located = { points: new Float64Array(2 * places), areas: new Map() };
    this.placeRuns = new ColumnFile(join(folder, 'stretches'), Uint32Array);
    this.runCounts = new Uint32Array(places);
  }

  /** Places come in the order of their ranks. Returns the box of the point, or else of the geometry (D15), if any. */
  addPlace(rank: number, point: Point | undefined, geometry: Uint8Array | null): Box | undefined {
    const { points, areas } = this.located;
    points.set([point?.longitude ?? NaN, point?.latitude ?? NaN], 2 * rank);
    const box = geometry === null ? undefined : boundingBox(decodeGeometry(geometry));
    if (geometry !== null) this.writer.addFragment('geometries', geometry);
    if (box !== undefined) areas.set(rank, { geometry: areas.size, box });
    return point === undefined ? box : [point.longitude, point.latitude, point.longitude, point.latitude];
  }

  /** Records come in the order of their numbers; a record may belong to many places. */
  addRecord(record: number, rank: number): void {
    const { open } = this;
    // A series is one stretch, since its records follow each other.
    if (open?.rank === rank && open.last === record - 1) {
      open.last = record;
      return;
    }
    this.closeRun();
    this.open = { rank, first: record, last: record };
  }

  /** Writes the chunks of places, and returns which records belong to each place. Gives up where places lie. */
  finish(): RecordRuns {
    const records = this.groupRunsByPlace();
    const boxes: Box[] = [];
    for (const { box, content } of buildPlaceChunks(this.located, records)) {
      boxes.push(box);
      this.writer.addFragment('places', content);
    }
    this.writer.addArtifact('places', [writeNumbers(Float64Array.from(boxes.flat()))]);
    this.located = { points: new Float64Array(), areas: new Map() };
    return records;
  }

  private closeRun(): void {
    if (this.open === undefined) return;
    const { rank, first, last } = this.open;
    for (const number of [rank, first, last]) this.placeRuns.add(number);
    this.runCounts[rank] = numberAt(this.runCounts, rank) + 1;
  }

  /** Sorts the stretches by place with a counting sort; within a place the order of the records stays. */
  private groupRunsByPlace(): RecordRuns {
    this.closeRun();
    const next = new Uint32Array(this.runCounts.length);
    let total = 0;
    const ends = this.runCounts.map((count, rank) => {
      next[rank] = total;
      total += count;
      return total;
    });
    const runs = new Uint32Array(2 * total);
    let item = 0;
    let rank = 0;
    let first = 0;
    for (const piece of readUint32Pieces(this.placeRuns)) {
      for (const number of piece) {
        if (item === 0) rank = number;
        else if (item === 1) first = number;
        else {
          const run = numberAt(next, rank);
          next[rank] = run + 1;
          runs[2 * run] = first;
          runs[2 * run + 1] = number;
        }
        item = (item + 1) % 3;
      }
    }
    return { ends, runs };
  }
}

/** Places with a point alone, then those with a geometry, then those that lie nowhere. */
function* buildPlaceChunks(
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

/** In the order of the leaves of a packed R-tree, which follow a Hilbert curve. */
function sortByProximity(ranks: Uint32Array, located: LocatedPlaces): Uint32Array {
  if (ranks.length === 0) return ranks;
  const tree = new Flatbush(ranks.length);
  for (const rank of ranks) tree.add(...computeBox([rank], located));
  tree.finish();
  const sorted = new Uint32Array(ranks.length);
  let count = 0;
  // The search asks for each item in its order; as a list of what was found they would take several times the memory.
  tree.search(-Infinity, -Infinity, Infinity, Infinity, (item) => {
    sorted[count++] = numberAt(ranks, item);
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
    // A comparison with NaN is false.
    west = Math.min(box[0], longitude < west ? longitude : west);
    south = Math.min(box[1], latitude < south ? latitude : south);
    east = Math.max(box[2], longitude > east ? longitude : east);
    north = Math.max(box[3], latitude > north ? latitude : north);
  }
  return [west, south, east, north];
}

/** `identifiers` are the terms of the places' identifiers, with their ranks. */
export function writePlacePostings(
  identifiers: StagedTerms,
  { ends, runs }: RecordRuns,
  writer: Pick<ReleaseWriter, 'addPosting'>,
  names: { countPlaces(ranks: readonly number[], records: number): void },
): void {
  for (const { term, numbers: ranks } of identifiers.readTerms()) {
    const [first = new Uint32Array(), ...others] = ranks.map((rank) => getRuns(rank, { ends, runs }));
    // Few terms stand for several places: those whose identifiers differ in letter case only. A right may name both.
    const all = others.reduce(mergeRuns, first);
    if (all.length === 0) continue;
    writer.addPosting(term, writeRecordSet(all));
    names.countPlaces(ranks, countNumbers(all));
  }
}

function getRuns(rank: number, { ends, runs }: RecordRuns): Uint32Array {
  return runs.subarray(rank === 0 ? 0 : 2 * numberAt(ends, rank - 1), 2 * numberAt(ends, rank));
}
