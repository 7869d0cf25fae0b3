// The points of a release as maps draw them, in Morton order, with what they are coloured by.

import type { NarrowNumbers } from '../../values/sections';
import type { PointList } from './morton-order';

/** An item is a place, by its rank, or a right, by its record number; a right stands once at each of its points. */
export interface ReleasePoints extends PointList {
  readonly items: Uint32Array;
  readonly columns: readonly PointColumn[];
  readonly byteLength: number;
}

export type PointValue = string | number | null;

export interface PointColumn {
  /** As features name it. */
  readonly name: string;
  /** By point. */
  readonly codes: NarrowNumbers;
  /** By code. */
  readonly values: readonly PointValue[];
}
