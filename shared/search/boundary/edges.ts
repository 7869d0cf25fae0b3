// A geometry as a flat list of edges, and the predicates on edges, none of which a rounding error can change. Floats
// decide where their error cannot change a sign, whole numbers of any size decide the rest (Shewchuk, "Adaptive
// Precision Floating-Point Arithmetic", 1997, for the bound). Two neighbouring districts share every position of their
// border, so touching is the usual case.

import { partsOf, type Box, type Geometry } from '../../values/geometry';

/** The area number of an edge that belongs to a line or a point, which enclose nothing. */
export const NO_AREA = -1;

export interface EdgeList {
  readonly count: number;
  /** Edge `e` has ax, ay, bx, by from `ends[4e]` on, in degrees; a point is an edge from itself to itself. */
  readonly ends: Float64Array;
  /** The polygon of each edge, or NO_AREA. The even-odd rule counts all rings of one polygon together (D15). */
  readonly areas: Int32Array;
  readonly areaCount: number;
  /** The edge of the ring that ends where each edge begins. Undefined for the edges of a cell. */
  readonly previous: Uint32Array | undefined;
}

export function edgesOf(geometry: Geometry): EdgeList {
  const hasAreas = geometry.type === 'Polygon' || geometry.type === 'MultiPolygon';
  // The edge of a point begins where it ends.
  const stride = geometry.type === 'Point' || geometry.type === 'MultiPoint' ? 0 : 1;
  const parts = partsOf(geometry);
  const ends: number[] = [];
  const areas: number[] = [];
  const previous: number[] = [];
  parts.forEach((paths, part) => {
    for (const path of paths) {
      const last = areas.length + path.length - stride - 1;
      for (let index = stride; index < path.length; index++) {
        const from = path[index - stride];
        const to = path[index];
        ends.push(from?.[0] ?? NaN, from?.[1] ?? NaN, to?.[0] ?? NaN, to?.[1] ?? NaN);
        previous.push(index === stride ? last : areas.length - 1);
        areas.push(hasAreas ? part : NO_AREA);
      }
    }
  });
  return {
    count: areas.length,
    ends: Float64Array.from(ends),
    areas: Int32Array.from(areas),
    areaCount: hasAreas ? parts.length : 0,
    previous: Uint32Array.from(previous),
  };
}

/** Whether a point lies in one of the areas or on an edge, tested edge by edge: for few edges, or few points. */
export function containsPoint({ count, ends, areas }: EdgeList, x: number, y: number): boolean {
  let area = NO_AREA;
  let isInside = false;
  for (let edge = 0; edge < count; edge++) {
    // The edges of an area are neighbours.
    if (areas[edge] !== area) {
      if (isInside) return true;
      area = areas[edge] ?? NO_AREA;
    }
    const crossing = rayCrossing(ends, edge, x, y);
    if (crossing === 'on edge') return true;
    if (crossing === 'crossed' && area !== NO_AREA) isInside = !isInside;
  }
  return isInside;
}

/** Degrees, far more than rounding moves a point on an edge (some 1e-13). */
const ROUNDING_MARGIN = 1e-9;

/** Whether a point is so near to an edge that rounding may put it on either side of the edge. */
export function isNearEdge({ count, ends }: EdgeList, x: number, y: number): boolean {
  for (let at = 0; at < 4 * count; at += 4) {
    const ax = ends[at] ?? NaN;
    const ay = ends[at + 1] ?? NaN;
    const bx = ends[at + 2] ?? NaN;
    const by = ends[at + 3] ?? NaN;
    const isBeyond =
      x < Math.min(ax, bx) - ROUNDING_MARGIN ||
      x > Math.max(ax, bx) + ROUNDING_MARGIN ||
      y < Math.min(ay, by) - ROUNDING_MARGIN ||
      y > Math.max(ay, by) + ROUNDING_MARGIN;
    if (isBeyond) continue;
    const twiceTheArea = Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax));
    if (twiceTheArea <= ROUNDING_MARGIN * (Math.abs(bx - ax) + Math.abs(by - ay))) return true;
  }
  return false;
}

/** Whether a point lies on an edge, or its ray to the east crosses the edge (the lower end included), or neither. */
export function rayCrossing(ends: Float64Array, edge: number, x: number, y: number): 'on edge' | 'crossed' | 'missed' {
  const ax = ends[4 * edge] ?? NaN;
  const ay = ends[4 * edge + 1] ?? NaN;
  const bx = ends[4 * edge + 2] ?? NaN;
  const by = ends[4 * edge + 3] ?? NaN;
  const crossesHeight = ay > y !== by > y;
  if (ax > x && bx > x) return crossesHeight ? 'crossed' : 'missed';
  if ((ax < x && bx < x) || (ay < y && by < y) || (ay > y && by > y)) return 'missed';
  const side = orientation(ends, edge, x, y);
  if (side === 0) return 'on edge';
  return crossesHeight && by > ay === side > 0 ? 'crossed' : 'missed';
}

/** Whether an edge of one list and an edge of another have a point in common; an edge may be a single point. */
export function edgesMeet(ends: Float64Array, edge: number, otherEnds: Float64Array, otherEdge: number): boolean {
  const [a, c] = [4 * edge, 4 * otherEdge];
  const ax = ends[a] ?? NaN;
  const ay = ends[a + 1] ?? NaN;
  const bx = ends[a + 2] ?? NaN;
  const by = ends[a + 3] ?? NaN;
  const cx = otherEnds[c] ?? NaN;
  const cy = otherEnds[c + 1] ?? NaN;
  const dx = otherEnds[c + 2] ?? NaN;
  const dy = otherEnds[c + 3] ?? NaN;
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return false;
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false;
  if (areOnOneSide(orientation(ends, edge, cx, cy), orientation(ends, edge, dx, dy))) return false;
  return !areOnOneSide(orientation(otherEnds, otherEdge, ax, ay), orientation(otherEnds, otherEdge, bx, by));
}

/** Whether an edge has a point in the box, whose sides belong to it. */
export function edgeMeetsBox(ends: Float64Array, edge: number, box: Box): boolean {
  const fromBeyond = sidesBeyond(box, ends[4 * edge] ?? NaN, ends[4 * edge + 1] ?? NaN);
  const toBeyond = sidesBeyond(box, ends[4 * edge + 2] ?? NaN, ends[4 * edge + 3] ?? NaN);
  if (fromBeyond === 0 || toBeyond === 0) return true;
  if ((fromBeyond & toBeyond) !== 0) return false;
  const [west, south, east, north] = box;
  const southWest = orientation(ends, edge, west, south);
  return (
    !areOnOneSide(southWest, orientation(ends, edge, east, north)) ||
    !areOnOneSide(southWest, orientation(ends, edge, west, north)) ||
    !areOnOneSide(southWest, orientation(ends, edge, east, south))
  );
}

const WEST_OF = 1;
const EAST_OF = 2;
const SOUTH_OF = 4;
const NORTH_OF = 8;

/** The sides of the box that a point lies beyond, as bits. A segment whose ends share a bit misses the box. */
export function sidesBeyond(box: Box, x: number, y: number): number {
  const beyondX = (x < box[0] ? WEST_OF : 0) | (x > box[2] ? EAST_OF : 0);
  return beyondX | (y < box[1] ? SOUTH_OF : 0) | (y > box[3] ? NORTH_OF : 0);
}

/** Whether two orientations are the same side of a line, and neither point lies on the line. */
function areOnOneSide(side: number, otherSide: number): boolean {
  return (side > 0 && otherSide > 0) || (side < 0 && otherSide < 0);
}

// Shewchuk's ccwerrboundA, (3 + 16 e) e with e = 2^-53: below this share of the sum the sign is not certain.
const UNCERTAIN_SHARE = 3.3306690738754716e-16;
// Below this sum the low parts of products underflow, and neither the share above nor an exact product holds.
const UNDERFLOW = 1e-250;

/** The orientation predicate, of exact sign: positive where a point lies left of an edge, 0 where on its line. */
function orientation(ends: Float64Array, edge: number, x: number, y: number): number {
  const ax = ends[4 * edge] ?? NaN;
  const ay = ends[4 * edge + 1] ?? NaN;
  const bx = ends[4 * edge + 2] ?? NaN;
  const by = ends[4 * edge + 3] ?? NaN;
  const left = (ax - x) * (by - y);
  const right = (ay - y) * (bx - x);
  const sum = Math.abs(left) + Math.abs(right);
  const difference = left - right;
  if (sum > UNDERFLOW && Math.abs(difference) > UNCERTAIN_SHARE * sum) return difference;
  // A difference of floats is 0 only where they are equal, so these products are 0 without rounding.
  if ((ax === x || by === y) && (ay === y || bx === x)) return 0;
  const areDifferencesExact =
    isExactDifference(ax, x) && isExactDifference(ay, y) && isExactDifference(bx, x) && isExactDifference(by, y);
  // True for points as near one another as those of a state.
  if (areDifferencesExact && Math.abs(left) > UNDERFLOW && Math.abs(right) > UNDERFLOW) {
    return left === right ? lostInProduct(ax - x, by - y) - lostInProduct(ay - y, bx - x) : difference;
  }
  const [wholeX, wholeY] = [wholeUnits(x), wholeUnits(y)];
  const exactLeft = (wholeUnits(ax) - wholeX) * (wholeUnits(by) - wholeY);
  const exactRight = (wholeUnits(ay) - wholeY) * (wholeUnits(bx) - wholeX);
  return Number(exactLeft > exactRight) - Number(exactLeft < exactRight);
}

/** Whether a - b is a float (Knuth's two-sum: the part that the subtraction lost is 0). */
function isExactDifference(a: number, b: number): boolean {
  const difference = a - b;
  const subtracted = a - difference;
  return a - (difference + subtracted) + (subtracted - b) === 0;
}

// 2^27 + 1 splits a float of 53 bits into two halves whose products are exact (Dekker, 1971).
const SPLITTER = 134217729;

/** What a * b lost when it was rounded, which is itself a float. */
function lostInProduct(a: number, b: number): number {
  const aHigh = SPLITTER * a - (SPLITTER * a - a);
  const bHigh = SPLITTER * b - (SPLITTER * b - b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aLow * bLow - (a * b - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** A float as a whole number of the smallest float, 2^-1074, from its sign, exponent and fraction. */
function wholeUnits(value: number): bigint {
  const [bits = 0n] = new BigUint64Array(Float64Array.of(value).buffer);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return value < 0 ? -magnitude : magnitude;
}
