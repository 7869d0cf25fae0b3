// The points of a release as maps draw them, in Morton order, with what they are coloured by.

import type { NarrowNumbers } from '../../values/bytes/sections';
import type { PointList } from './morton-order';

export type PointValue = string | number | null;

/** An item is a place, by its rank, or a right, by its record number; a right stands once at each of its points. */
export interface ReleasePoints extends PointList {
  readonly items: Uint32Array;
  /** By point the number of its class: the points that have the same value of each member. */
  readonly classes: NarrowNumbers;
  readonly classCount: number;
  readonly members: readonly PointMember[];
  /** Class after class the code of each member: a tile reads them all of each class that it has. */
  readonly codes: Uint32Array;
  readonly byteLength: number;
}

export interface PointMember {
  /** As features name it. */
  readonly name: string;
  /** By code. */
  readonly values: readonly PointValue[];
}
