// Indexes the places of a release: where each lies, which geometry it has, and which records belong to it.

import { decodeGeometry, boundingBox, type Box } from '../../../shared/values/geometry';
import type { DataSetKind } from '../../../shared/records/data-sets';
import { filterTerm } from '../../../shared/query/filter-terms';
import { IS_POINT, PlaceIndexBuilder } from '../../../shared/search/place-index';
import { writeRuns } from '../../../shared/search/record-set';
import type { ReleaseWriter } from '../../../shared/store/port';
import type { Point } from '../../../shared/values/point';
import type { Staging } from '../../stage/staging';
import { placeIdentifierField } from './term-sources';

export class PlaceWriter {
  private readonly builder = new PlaceIndexBuilder();
  private count = 0;
  private geometries = 0;
  /** Triples of place rank, first and last record, in the order of the records. */
  private stretches = new Uint32Array(3 * 1024);
  private length = 0;

  constructor(
    private readonly kind: DataSetKind,
    private readonly writer: ReleaseWriter,
    private readonly staging: Staging,
    /** Hears where each place lies: at its point, else in its geometry's box. */
    private readonly onPlace: (id: string, box: Box) => void,
  ) {
    staging.clearTerms('place_terms');
  }

  /** Places come in the order of their ranks. A place is matched by its geometry or its point (D15). */
  addPlace(id: string, point: Point | undefined, geometry: Uint8Array | null): void {
    const rank = this.count++;
    this.staging.addTerm('place_terms', filterTerm(placeIdentifierField(this.kind), id), rank);
    const box = geometry === null ? undefined : boundingBox(decodeGeometry(geometry));
    if (geometry !== null && box !== undefined) {
      this.builder.add(rank, box, this.geometries++);
      this.writer.addFragment('geometries', geometry);
    }
    const pointBox = point === undefined ? undefined : boxOf(point);
    if (pointBox !== undefined) this.builder.add(rank, pointBox, IS_POINT);
    const place = pointBox ?? box;
    if (place !== undefined) this.onPlace(id, place);
  }

  /** Records come in order; a record may belong to many places. */
  addRecord(record: number, rank: number): void {
    const last = this.length - 3;
    // A series is one stretch: the record before it was at the same place.
    if (last >= 0 && this.stretches[last] === rank && this.stretches[last + 2] === record - 1) {
      this.stretches[last + 2] = record;
      return;
    }
    if (this.length === this.stretches.length) {
      const grown = new Uint32Array(this.stretches.length * 2);
      grown.set(this.stretches);
      this.stretches = grown;
    }
    this.stretches.set([rank, record, record], this.length);
    this.length += 3;
  }

  /** Writes the place index and the posting lists of the places' identifiers. */
  finish(): void {
    const { runEnds, runs } = this.runsByPlace();
    this.writer.addArtifact('places', this.builder.write(runEnds, runs));
    for (const { term, numbers: ranks } of this.staging.terms('place_terms')) {
      const parts = ranks.map((rank) => runs.subarray(2 * (runEnds[rank - 1] ?? 0), 2 * (runEnds[rank] ?? 0)));
      const [only] = parts;
      // Two identifiers that differ in letter case only are rare.
      const all =
        parts.length === 1 && only !== undefined ? only : Uint32Array.from(parts.flatMap((part) => [...part]));
      if (all.length > 0) this.writer.addPosting(term, writeRuns(all));
    }
  }

  /** Counting sort of the stretches by place; within a place the order of the records stays. */
  private runsByPlace(): { readonly runEnds: Uint32Array; readonly runs: Uint32Array } {
    const runEnds = new Uint32Array(this.count);
    for (let at = 0; at < this.length; at += 3) {
      const rank = this.stretches[at] ?? 0;
      runEnds[rank] = (runEnds[rank] ?? 0) + 1;
    }
    let total = 0;
    for (let rank = 0; rank < this.count; rank++) {
      total += runEnds[rank] ?? 0;
      runEnds[rank] = total;
    }
    const runs = new Uint32Array(2 * total);
    // From the last stretch to the first, each placed before those of its place that are already there.
    const next = runEnds.slice();
    for (let at = this.length - 3; at >= 0; at -= 3) {
      const rank = this.stretches[at] ?? 0;
      const slot = (next[rank] ?? 0) - 1;
      next[rank] = slot;
      runs[2 * slot] = this.stretches[at + 1] ?? 0;
      runs[2 * slot + 1] = this.stretches[at + 2] ?? 0;
    }
    return { runEnds, runs };
  }
}

function boxOf({ longitude, latitude }: Point): Box {
  return [longitude, latitude, longitude, latitude];
}
