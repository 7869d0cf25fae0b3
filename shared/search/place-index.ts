// The places of a release (sites or reporting units): boxes in a packed R-tree, which of them are plain points, and the
// record numbers of each. Geometries themselves are fragments of the release, fetched for candidates only.

import Flatbush from 'flatbush';
import type { Box } from '../values/geometry';
import { Sections, writeSections } from '../values/sections';

/** An item's geometry number when it is its box's point. */
export const IS_POINT = -1;

export interface PlaceIndex {
  /** Undefined when no place can be searched for. */
  readonly tree: Flatbush | undefined;
  /** The rank of the place of each item of the tree; a place with a geometry and a point has two items. */
  readonly ranks: Uint32Array;
  /** The number of the geometry fragment of each item, or IS_POINT. */
  readonly geometries: Int32Array;
  /** The runs of place `rank` are the pairs from `runEnds[rank - 1]` to `runEnds[rank]`. */
  readonly runEnds: Uint32Array;
  /** Pairs of first and last record number. */
  readonly runs: Uint32Array;
}

export class PlaceIndexBuilder {
  /** Four numbers an item. A million places as arrays of arrays would need five times the memory. */
  private boxes = new Float64Array(4 * 256);
  private ranks = new Uint32Array(256);
  private geometries = new Int32Array(256);
  private count = 0;

  add(rank: number, box: Box, geometryNumber: number): void {
    if (this.count === this.ranks.length) this.grow();
    this.boxes.set(box, 4 * this.count);
    this.ranks[this.count] = rank;
    this.geometries[this.count] = geometryNumber;
    this.count++;
  }

  write(runEnds: Uint32Array, runs: Uint32Array): Uint8Array {
    const ranks = this.ranks.subarray(0, this.count);
    const geometries = this.geometries.subarray(0, this.count);
    const sections: ArrayBufferView[] = [ranks, geometries, runEnds, runs];
    if (this.count > 0) sections.push(new Uint8Array(this.tree().data));
    return writeSections(sections);
  }

  private tree(): Flatbush {
    const tree = new Flatbush(this.count);
    for (let at = 0; at < 4 * this.count; at += 4) {
      const [west = 0, south = 0, east = 0, north = 0] = this.boxes.subarray(at, at + 4);
      tree.add(west, south, east, north);
    }
    tree.finish();
    return tree;
  }

  private grow(): void {
    const { boxes, ranks, geometries } = this;
    this.boxes = new Float64Array(2 * boxes.length);
    this.ranks = new Uint32Array(2 * ranks.length);
    this.geometries = new Int32Array(2 * geometries.length);
    this.boxes.set(boxes);
    this.ranks.set(ranks);
    this.geometries.set(geometries);
  }
}

/** Its arrays are views of the content. */
export function readPlaceIndex(content: Uint8Array): PlaceIndex {
  const sections = new Sections(content);
  const ranks = sections.numbers(Uint32Array, 0);
  const tree = ranks.length === 0 ? undefined : Flatbush.from(sections.memory, sections.start(4));
  return {
    tree,
    ranks,
    geometries: sections.numbers(Int32Array, 1),
    runEnds: sections.numbers(Uint32Array, 2),
    runs: sections.numbers(Uint32Array, 3),
  };
}
