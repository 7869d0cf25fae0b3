// Points in Morton order (Z-order): those of a square of the quadtree stand one after the other, so a box is a few runs
// of neighbours, and what lies closer together than a pixel of a map stands together too. Coordinates are 32-bit whole
// numbers, x from the west and y from the north.

import { sortByDigits } from '../search/order-records';
import { firstThat, numberAt } from '../values/numbers';

export interface PointList {
  readonly x: Uint32Array;
  readonly y: Uint32Array;
}

/** The ends are excluded. */
interface PointBox {
  readonly west: number;
  readonly north: number;
  readonly east: number;
  readonly south: number;
}

/** A square of the quadtree. */
interface Quad {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Calls for points `from` to before `to`; unless `isInside`, some of them may lie beyond the box. */
export type VisitRun = (from: number, to: number, isInside: boolean) => void;

const WORLD: Quad = { x: 0, y: 0, size: 2 ** 32 };

/** So few points are tested one by one sooner than divided. */
const FEW_POINTS = 32;

/** The indices of the points in Morton order; equal points keep theirs. */
export function mortonOrder({ x, y }: PointList): Promise<Uint32Array> {
  const digits = new Uint16Array(4 * x.length);
  for (let at = 0; at < digits.length; at++) {
    const [point, shift] = [at >>> 2, 8 * (at & 3)];
    digits[at] = spreadByte((x[point] ?? 0) >>> shift) | (spreadByte((y[point] ?? 0) >>> shift) << 1);
  }
  return sortByDigits(digits);
}

/** `points` stand in Morton order; each point of the box is in one run. */
export function visitBox(points: PointList, box: PointBox, visit: VisitRun): void {
  /** Points `from` to before `to` are those in the quad. */
  const visitQuad = ({ x, y, size }: Quad, from: number, to: number): void => {
    const isApart = x >= box.east || x + size <= box.west || y >= box.south || y + size <= box.north;
    if (from === to || isApart) return;
    const isInside = x >= box.west && x + size <= box.east && y >= box.north && y + size <= box.south;
    if (isInside || to - from <= FEW_POINTS) {
      visit(from, to, isInside);
      return;
    }
    const half = size / 2;
    // A quad of one unit is inside the box or apart from it, so there is a half.
    let start = from;
    for (const [childX, childY] of [
      [x, y],
      [x + half, y],
      [x, y + half],
      [x + half, y + half],
    ] as const) {
      const child = { x: childX, y: childY, size: half };
      const end = firstAfter(points, child, start, to);
      visitQuad(child, start, end);
      start = end;
    }
  };
  visitQuad(WORLD, 0, points.x.length);
}

/** The first point from `from` on that stands after all of the quad. */
function firstAfter({ x, y }: PointList, quad: Quad, from: number, to: number): number {
  const [lastX, lastY] = [quad.x + quad.size - 1, quad.y + quad.size - 1];
  return firstThat(from, to, (point) => isAfter(numberAt(x, point), numberAt(y, point), lastX, lastY));
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
