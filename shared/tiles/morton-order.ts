// Points in Morton order (Z-order). No point of a box comes before the north-western corner of the box or after its
// south-eastern corner, and neighbors are mostly close together in the order.

import { sortByDigits } from '../search/radix-sort';
import { findFirst, numberAt } from '../values/number-arrays';
import type { UnitBox } from './tile-grid';

/** In units of the grid. */
interface PointList {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** Returns the indices of the points in Morton order; equal points keep their order. */
export function sortInMortonOrder({ x, y }: PointList): Promise<Uint32Array> {
  const digits = new Uint16Array(4 * x.length);
  for (let index = 0; index < digits.length; index++) {
    const point = index >>> 2;
    const shift = 8 * (index & 3);
    digits[index] = spreadByte((x[point] ?? 0) >>> shift) | (spreadByte((y[point] ?? 0) >>> shift) << 1);
  }
  return sortByDigits(digits);
}

/**
 * Returns a range of indices that contains all points of the box, and possibly others. `points` are in Morton order.
 */
export function findPointRange(
  { x, y }: PointList,
  { west, north, east, south }: UnitBox,
): readonly [from: number, to: number] {
  const from = findFirst(0, x.length, (point) => !isAfter(west, north, numberAt(x, point), numberAt(y, point)));
  const to = findFirst(from, x.length, (point) => isAfter(numberAt(x, point), numberAt(y, point), east - 1, south - 1));
  return [from, to];
}

/** The axis with the higher differing bit decides. If it is the same bit on both axes, y decides. */
function isAfter(x: number, y: number, otherX: number, otherY: number): boolean {
  const differenceX = (x ^ otherX) >>> 0;
  const differenceY = (y ^ otherY) >>> 0;
  const isDecidedByX = differenceY < differenceX && differenceY < (differenceX ^ differenceY) >>> 0;
  return isDecidedByX ? x > otherX : y > otherY;
}

/** Returns the lowest byte, with a zero bit inserted between every two bits. */
function spreadByte(bits: number): number {
  const fours = ((bits & 0xf0) << 4) | (bits & 0x0f);
  const pairs = (fours | (fours << 2)) & 0x3333;
  return (pairs | (pairs << 1)) & 0x5555;
}
