// Indexes the places of a release: where each lies, which geometry it has, and which records belong to it.

import type { DataSetKind } from '../../../shared/records/data-sets';
import { filterTerm } from '../../../shared/query/filter-terms';
import { hashEntry, writePlaceHashes } from '../../../shared/search/columns/place-hashes';
import { writePlaceIndex } from '../../../shared/search/index/place-index';
import { writeRuns } from '../../../shared/search/index/record-set';
import type { ReleaseWriter } from '../../../shared/store/port';
import { encodedBox, type Box } from '../../../shared/values/geometry';
import { numberAt as at, type Point } from '../../../shared/values/numbers';
import type { Staging } from '../../stage/staging';
import { PlaceChunks, type RunsByPlace } from './place-chunks';
import { doubled } from './posting-lists';
import { placeIdentifierField } from './term-sources';

/** Rank of the place, first and last record. */
const STRETCH_LENGTH = 3;

export class PlaceIndexWriter {
  private readonly chunks = new PlaceChunks();
  private count = 0;
  private geometries = 0;
  private readonly hashes: number[] = [];
  /** Stretches of records at one place, in the order of the records. */
  private stretches = new Uint32Array(1024 * STRETCH_LENGTH);
  private length = 0;

  constructor(
    private readonly kind: DataSetKind,
    private readonly writer: ReleaseWriter,
    private readonly staging: Staging,
  ) {
    staging.clearTerms('place_terms');
  }

  /** Places come in the order of their ranks. Returns the box of the point, or else of the geometry (D15), if any. */
  addPlace(id: string, point: Point | undefined, geometry: Uint8Array | null): Box | undefined {
    const rank = this.count++;
    const term = filterTerm(placeIdentifierField(this.kind), id);
    this.staging.addTerm('place_terms', term, rank);
    this.hashes.push(hashEntry(term, rank));
    const box = geometry === null ? undefined : encodedBox(geometry);
    if (geometry !== null) this.writer.addFragment('geometries', geometry);
    this.chunks.add(point, box && { geometry: this.geometries++, box });
    return point === undefined ? box : [point.longitude, point.latitude, point.longitude, point.latitude];
  }

  /** Records come in the order of their numbers; a record may belong to many places. */
  addRecord(record: number, rank: number): void {
    const last = this.length - STRETCH_LENGTH;
    // A series is one stretch, since its records follow each other.
    if (last >= 0 && this.stretches[last] === rank && this.stretches[last + 2] === record - 1) {
      this.stretches[last + 2] = record;
      return;
    }
    if (this.length === this.stretches.length) this.stretches = doubled(this.stretches);
    this.stretches.set([rank, record, record], this.length);
    this.length += STRETCH_LENGTH;
  }

  finish(): void {
    const { ends, runs } = this.runsByPlace();
    const boxes: Box[] = [];
    for (const { box, content } of this.chunks.chunks({ ends, runs })) {
      boxes.push(box);
      this.writer.addFragment('places', content);
    }
    this.writer.addArtifact('places', writePlaceIndex(boxes));
    this.writer.addArtifact('placeHashes', writePlaceHashes(Float64Array.from(this.hashes)));
    for (const { term, numbers: ranks } of this.staging.terms('place_terms')) {
      const [first = new Uint32Array(), ...others] = ranks.map((rank) =>
        runs.subarray(rank === 0 ? 0 : 2 * at(ends, rank - 1), 2 * at(ends, rank)),
      );
      // Few terms stand for several places: those whose identifiers differ in letter case only.
      const all = others.length === 0 ? first : Uint32Array.from([first, ...others].flatMap((part) => [...part]));
      if (all.length > 0) this.writer.addPosting(term, writeRuns(all));
    }
  }

  /** Sorts the stretches by place with a counting sort; within a place the order of the records stays. */
  private runsByPlace(): RunsByPlace {
    const { stretches, length, count } = this;
    const ends = new Uint32Array(count);
    for (let start = 0; start < length; start += STRETCH_LENGTH) {
      const rank = at(stretches, start);
      ends[rank] = at(ends, rank) + 1;
    }
    let total = 0;
    for (let rank = 0; rank < count; rank++) {
      total += at(ends, rank);
      ends[rank] = total;
    }
    const runs = new Uint32Array(2 * total);
    // From the last stretch to the first, each goes before those of its place that are already in the result.
    const next = ends.slice();
    for (let start = length - STRETCH_LENGTH; start >= 0; start -= STRETCH_LENGTH) {
      const rank = at(stretches, start);
      const slot = at(next, rank) - 1;
      next[rank] = slot;
      runs[2 * slot] = at(stretches, start + 1);
      runs[2 * slot + 1] = at(stretches, start + 2);
    }
    return { ends, runs };
  }
}
