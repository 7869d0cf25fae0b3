// Points in Morton order (Z-order): none of a box stands before its north-western corner or behind its south-eastern
// one, and what lies close together mostly stands together. Coordinates are 32-bit whole numbers, x from the west and y
// from the north.

import { sortByDigits } from '../search/order-records';
import { firstThat, numberAt } from '../values/numbers';
import type { UnitBox } from './tile-grid';

interface PointList {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** The indices of the points in Morton order; equal points keep theirs. */
export function mortonOrder({ x, y }: PointList): Promise<Uint32Array> {
  const digits = new Uint16Array(4 * x.length);
  for (let at = 0; at < digits.length; at++) {
    const [point, shift] = [at >>> 2, 8 * (at & 3)];
    digits[at] = spreadByte((x[point] ?? 0) >>> shift) | (spreadByte((y[point] ?? 0) >>> shift) << 1);
  }
  return sortByDigits(digits);
}

/** `points` stand in Morton order: those of the box are among the points from one to before another. */
export function pointsAround({ x, y }: PointList, { west, north, east, south }: UnitBox): readonly [number, number] {
  const first = firstThat(0, x.length, (point) => !isAfter(west, north, numberAt(x, point), numberAt(y, point)));
  const end = firstThat(first, x.length, (point) =>
    isAfter(numberAt(x, point), numberAt(y, point), east - 1, south - 1),
  );
  return [first, end];
}

/** The axis decides in which the highest bit differs; y where it is the same bit of both. */
function isAfter(x: number, y: number, otherX: number, otherY: number): boolean {
  const differenceX = (x ^ otherX) >>> 0;
  const differenceY = (y ^ otherY) >>> 0;
  const isDecidedByX = differenceY < differenceX && differenceY < (differenceX ^ differenceY) >>> 0;
  return isDecidedByX ? x > otherX : y > otherY;
}

/** The lowest byte, with a zero between each two of its bits. */
function spreadByte(bits: number): number {
  const fours = ((bits & 0xf0) << 4) | (bits & 0x0f);
  const pairs = (fours | (fours << 2)) & 0x3333;
  return (pairs | (pairs << 1)) & 0x5555;
}
