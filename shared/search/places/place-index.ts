// The places of a release (sites or reporting units): boxes in a packed R-tree, which of them are plain points, and the
// record numbers of each. Geometries themselves are fragments of the release, fetched for candidates only.

import Flatbush from 'flatbush';
import type { Box } from '../../values/geometry';
import { Sections, writeSections } from '../sections';

/** An item's geometry number when it is its box's point. */
export const IS_POINT = -1;

export interface PlaceIndex {
  /** Undefined when no place can be searched for. */
  readonly tree: Flatbush | undefined;
  /** Of each item of the tree, the place's rank; a place with a geometry and a point has two items. */
  readonly ranks: Uint32Array;
  /** Of each item, the number of its geometry fragment or IS_POINT. */
  readonly geometries: Int32Array;
  /** The runs of place `rank` are the pairs from `runEnds[rank - 1]` to `runEnds[rank]`. */
  readonly runEnds: Uint32Array;
  /** Pairs of first and last record number. */
  readonly runs: Uint32Array;
  readonly byteLength: number;
}

export class PlaceIndexBuilder {
  private readonly boxes: Box[] = [];
  private readonly ranks: number[] = [];
  private readonly geometries: number[] = [];

  add(rank: number, box: Box, geometryNumber: number): void {
    this.boxes.push(box);
    this.ranks.push(rank);
    this.geometries.push(geometryNumber);
  }

  write(runEnds: Uint32Array, runs: Uint32Array): Uint8Array {
    const sections: ArrayBufferView[] = [Uint32Array.from(this.ranks), Int32Array.from(this.geometries), runEnds, runs];
    if (this.boxes.length > 0) {
      const tree = new Flatbush(this.boxes.length);
      for (const box of this.boxes) tree.add(...box);
      tree.finish();
      sections.push(new Uint8Array(tree.data));
    }
    return writeSections(sections);
  }
}

export function readPlaceIndex(content: Uint8Array): PlaceIndex {
  const sections = new Sections(content);
  const ranks = sections.uint32(0);
  return {
    tree: ranks.length === 0 ? undefined : Flatbush.from(sections.buffer(4)),
    ranks,
    geometries: sections.int32(1),
    runEnds: sections.uint32(2),
    runs: sections.uint32(3),
    byteLength: content.byteLength * 2,
  };
}
