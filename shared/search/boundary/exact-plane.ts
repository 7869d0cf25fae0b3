// Plane geometry without rounding errors: which side of a line, do two segments meet, what does a segment do to a box. Floats decide
// where their error cannot change the sign, whole numbers of any size decide the rest (Shewchuk, "Adaptive Precision
// Floating-Point Arithmetic", 1997, for the bound). Two neighbouring districts share every position of their border, so touching is the usual case here.

import type { Box } from '../../values/geometry';

// Shewchuk's ccwerrboundA, (3 + 16 e) e with e = 2^-53: below this share of the sum the sign of the difference is not certain.
const UNCERTAIN_SHARE = 3.3306690738754716e-16;
// Under it the low parts of products underflow, and neither the share above nor an exact product of floats holds.
const UNDERFLOW = 1e-250;
// 2^27 + 1 splits a float of 53 bits into two halves whose products are exact (Dekker, 1971).
const SPLITTER = 134217729;

const WEST_OF = 1;
const EAST_OF = 2;
const SOUTH_OF = 4;
const NORTH_OF = 8;

/** Positive when c lies left of the line from a to b, negative when right, 0 when on it: the sign is exact. */
function sideOfLine(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  const sum = Math.abs(left) + Math.abs(right);
  const difference = left - right;
  if (sum > UNDERFLOW && Math.abs(difference) > UNCERTAIN_SHARE * sum) return difference;
  // A difference of floats is 0 only where they are equal, so these products are 0 without rounding.
  if ((ax === cx || by === cy) && (ay === cy || bx === cx)) return 0;
  return exactSideOfLine(ax, ay, bx, by, cx, cy);
}

/** Whether the segments a-b and c-d have a point in common; a segment may be a single point. */
export function segmentsMeet(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return false;
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false;
  if (areOnOneSide(sideOfLine(ax, ay, bx, by, cx, cy), sideOfLine(ax, ay, bx, by, dx, dy))) return false;
  return !areOnOneSide(sideOfLine(cx, cy, dx, dy, ax, ay), sideOfLine(cx, cy, dx, dy, bx, by));
}

/** The sides of the box that a position lies strictly beyond, as bits; two positions with a bit in common are joined outside the box. */
export function sidesBeyond(box: Box, x: number, y: number): number {
  return (x < box[0] ? WEST_OF : x > box[2] ? EAST_OF : 0) | (y < box[1] ? SOUTH_OF : y > box[3] ? NORTH_OF : 0);
}

/** Whether a segment has a point in the box, its rim included. */
export function segmentMeetsBox(box: Box, ax: number, ay: number, bx: number, by: number): boolean {
  const beyondA = sidesBeyond(box, ax, ay);
  const beyondB = sidesBeyond(box, bx, by);
  if (beyondA === 0 || beyondB === 0) return true;
  if ((beyondA & beyondB) !== 0) return false;
  const southWest = sideOfLine(ax, ay, bx, by, box[0], box[1]);
  const northEast = sideOfLine(ax, ay, bx, by, box[2], box[3]);
  if (!areOnOneSide(southWest, northEast)) return true;
  return (
    !areOnOneSide(southWest, sideOfLine(ax, ay, bx, by, box[0], box[3])) ||
    !areOnOneSide(southWest, sideOfLine(ax, ay, bx, by, box[2], box[1]))
  );
}

/** An edge as a position sees it: it lies on it, a ray from it to the east crosses it (its lower end included), or neither. */
export function edgeBeside(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  x: number,
  y: number,
): 'on' | 'crossed' | 'apart' {
  const crossesHeight = ay > y !== by > y;
  if (ax > x && bx > x) return crossesHeight ? 'crossed' : 'apart';
  if ((ax < x && bx < x) || (ay < y && by < y) || (ay > y && by > y)) return 'apart';
  const side = sideOfLine(ax, ay, bx, by, x, y);
  if (side === 0) return 'on';
  return crossesHeight && by > ay === side > 0 ? 'crossed' : 'apart';
}

/** Of two answers of `sideOfLine`: the same side, and neither on the line. */
function areOnOneSide(side: number, otherSide: number): boolean {
  return (side > 0 && otherSide > 0) || (side < 0 && otherSide < 0);
}

/** In places as near one another as those of a state the differences are exact floats, and the first way serves. */
function exactSideOfLine(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const areDifferencesExact =
    isExactDifference(ax, cx) && isExactDifference(ay, cy) && isExactDifference(bx, cx) && isExactDifference(by, cy);
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  if (areDifferencesExact && Math.abs(left) > UNDERFLOW && Math.abs(right) > UNDERFLOW) {
    return left === right ? lostInProduct(ax - cx, by - cy) - lostInProduct(ay - cy, bx - cx) : left - right;
  }
  const x = wholeUnits(cx);
  const y = wholeUnits(cy);
  const exactLeft = (wholeUnits(ax) - x) * (wholeUnits(by) - y);
  const exactRight = (wholeUnits(ay) - y) * (wholeUnits(bx) - x);
  return exactLeft > exactRight ? 1 : exactLeft < exactRight ? -1 : 0;
}

/** Whether a - b is a float (Knuth's two-sum: the part that the subtraction lost is 0). */
function isExactDifference(a: number, b: number): boolean {
  const difference = a - b;
  const subtracted = a - difference;
  return a - (difference + subtracted) + (subtracted - b) === 0;
}

/** What a * b lost when it was rounded: itself exact. */
function lostInProduct(a: number, b: number): number {
  const aHigh = SPLITTER * a - (SPLITTER * a - a);
  const bHigh = SPLITTER * b - (SPLITTER * b - b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aLow * bLow - (a * b - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

const floatBits = new DataView(new ArrayBuffer(8));

/** A float as a whole number of the smallest float, 2^-1074: from its sign, its 11 bits of exponent and its 52 of fraction. */
function wholeUnits(value: number): bigint {
  floatBits.setFloat64(0, value);
  const bits = floatBits.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return value < 0 ? -magnitude : magnitude;
}
