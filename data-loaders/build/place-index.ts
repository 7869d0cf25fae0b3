// Builds the place index of a release: the location, the geometry and the records of each place.

import { join } from 'node:path';
import { writeNumbers } from '../../shared/search/index/column-format';
import type { ReleaseWriter } from '../../shared/store/port';
import { decodeGeometry } from '../../shared/values/encode-geometry';
import { boundingBox, type Box } from '../../shared/values/geometry';
import { numberAt } from '../../shared/values/number-arrays';
import { type Point } from '../../shared/values/site-point';
import { ColumnFile, readUint32Pieces } from './column-file';
import { type Area, buildPlaceChunks } from './place-chunks';
import { type RecordRuns } from './place-postings';

/** The most recent run of consecutive records of one place. */
interface PlaceRun {
  readonly rank: number;
  readonly first: number;
  last: number;
}

export class PlaceIndexWriter {
  private located: { readonly points: Float64Array; readonly areas: Map<number, Area> };
  /** Rank, first and last record of each run, in record order. A right has a run at each of its sites. */
  private readonly placeRuns: ColumnFile;
  private open: PlaceRun | undefined;
  /** Keyed by rank: the number of runs of the place. */
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

  /** Places must be added in rank order. Returns the box of the point, or else of the geometry (D15), if any. */
  addPlace(rank: number, point: Point | undefined, geometry: Uint8Array | null): Box | undefined {
    const { points, areas } = this.located;
    points.set([point?.longitude ?? NaN, point?.latitude ?? NaN], 2 * rank);
    const box = geometry === null ? undefined : boundingBox(decodeGeometry(geometry));
    if (geometry !== null) this.writer.addFragment('geometries', geometry);
    if (box !== undefined) areas.set(rank, { geometry: areas.size, box });
    return point === undefined ? box : [point.longitude, point.latitude, point.longitude, point.latitude];
  }

  /** Records must be added in record order. A record may belong to many places. */
  addRecord(record: number, rank: number): void {
    const { open } = this;
    // A series is one run, because its records are consecutive.
    if (open?.rank === rank && open.last === record - 1) {
      open.last = record;
      return;
    }
    this.closeRun();
    this.open = { rank, first: record, last: record };
  }

  /** Writes the chunks of places, and returns the records of each place. Frees the memory of the locations. */
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

  /** Sorts the runs by place with a counting sort, which keeps the record order within a place. */
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
