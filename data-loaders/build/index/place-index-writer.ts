// Indexes the places of a release: where each lies, which geometry it has, and which records belong to it.

import { join } from 'node:path';
import { writePlaceHashes } from '../../../shared/search/index/hashes';
import { writePlaceIndex } from '../../../shared/search/index/place-index';
import { writeRuns } from '../../../shared/search/index/record-set';
import type { ReleaseWriter } from '../../../shared/store/port';
import { encodedBox, type Box } from '../../../shared/values/geometry';
import { numberAt as at, type Point } from '../../../shared/values/numbers';
import type { StagedTerms } from '../../stage/staged-terms';
import { ColumnFile } from './column-file';
import { PlaceChunks, type RunsByPlace } from './place-chunks';

export interface PlaceToIndex {
  readonly point: Point | undefined;
  readonly geometry: Uint8Array | null;
  /** placeHash of the term of its identifier. */
  readonly hash: number;
}

/** The last records that belong to one place and follow each other. */
interface Stretch {
  readonly rank: number;
  readonly first: number;
  last: number;
}

export class PlaceIndexWriter {
  private readonly chunks = new PlaceChunks();
  private count = 0;
  private geometries = 0;
  private readonly hashes: number[] = [];
  /** Rank, first and last record of each stretch, in the order of the records: a right has one at each of its sites. */
  private readonly stretches: ColumnFile;
  private open: Stretch | undefined;
  /** By rank how many stretches the place has; made when all places are there. */
  private stretchCounts = new Uint32Array();

  constructor(
    private readonly writer: ReleaseWriter,
    folder: string,
  ) {
    this.stretches = new ColumnFile(join(folder, 'stretches'), Uint32Array);
  }

  /** Places come in the order of their ranks. Returns the box of the point, or else of the geometry (D15), if any. */
  addPlace({ point, geometry, hash }: PlaceToIndex): Box | undefined {
    this.count++;
    this.hashes.push(hash);
    const box = geometry === null ? undefined : encodedBox(geometry);
    if (geometry !== null) this.writer.addFragment('geometries', geometry);
    this.chunks.add(point, box && { geometry: this.geometries++, box });
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
    this.closeStretch();
    this.open = { rank, first: record, last: record };
  }

  /** `identifiers` are the terms of the places' identifiers, with their ranks. */
  finish(identifiers: StagedTerms): void {
    const { ends, runs } = this.runsByPlace();
    const boxes: Box[] = [];
    for (const { box, content } of this.chunks.chunks({ ends, runs })) {
      boxes.push(box);
      this.writer.addFragment('places', content);
    }
    this.writer.addArtifact('places', writePlaceIndex(boxes));
    this.chunks.clear();
    this.writer.addArtifact('placeHashes', writePlaceHashes(Float64Array.from(this.hashes)));
    this.hashes.length = 0;
    for (const { term, numbers: ranks } of identifiers.all()) {
      const [first = new Uint32Array(), ...others] = ranks.map((rank) =>
        runs.subarray(rank === 0 ? 0 : 2 * at(ends, rank - 1), 2 * at(ends, rank)),
      );
      // Few terms stand for several places: those whose identifiers differ in letter case only.
      const all = others.length === 0 ? first : Uint32Array.from([first, ...others].flatMap((part) => [...part]));
      if (all.length > 0) this.writer.addPosting(term, writeRuns(all));
    }
  }

  private closeStretch(): void {
    if (this.open === undefined) return;
    const { rank, first, last } = this.open;
    for (const number of [rank, first, last]) this.stretches.add(number);
    if (this.stretchCounts.length < this.count) {
      // The first record has come: all places are there.
      this.stretchCounts = new Uint32Array(this.count);
    }
    this.stretchCounts[rank] = at(this.stretchCounts, rank) + 1;
  }

  /** Sorts the stretches by place with a counting sort; within a place the order of the records stays. */
  private runsByPlace(): RunsByPlace {
    this.closeStretch();
    const ends = new Uint32Array(this.count);
    const next = new Uint32Array(this.count);
    let total = 0;
    for (let rank = 0; rank < this.count; rank++) {
      next[rank] = total;
      total += this.stretchCounts[rank] ?? 0;
      ends[rank] = total;
    }
    const runs = new Uint32Array(2 * total);
    let [item, rank, first] = [0, 0, 0];
    for (const piece of this.stretches.pieces()) {
      for (const number of new Uint32Array(piece.buffer, piece.byteOffset, piece.byteLength / 4)) {
        if (item === 0) rank = number;
        else if (item === 1) first = number;
        else {
          const run = at(next, rank);
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
