// A geometry as a flat list of edges, with exact predicates: rounding never changes an answer. Neighboring districts
// share every position of their border, so touching is the usual case.

import { orient2d } from 'robust-predicates';
import { type Box, type Geometry, toParts } from '../../values/geometry';

/** The area of edges of lines and points, which enclose nothing. */
const NO_AREA = -1;

/** Degrees. Much larger than the rounding error of a position on an edge (about 1e-13). */
const SLACK = 1e-9;

/** Up to this many edges or points, testing each point against each edge is as fast as selecting edges. */
const FEW_EDGES = 16;
const FEW_POINTS = 16;

/** robust-predicates is exact unless a product underflows, which requires a nonzero ordinate smaller than this. */
const TINY = 1e-120;

/** A result with a larger magnitude has the correct sign even if products underflowed. */
const UNDERFLOW = 1e-300;

export interface EdgeList {
  readonly count: number;
  /** Edge e has ax, ay, bx, by at `ends[4e]` and the next three, in degrees. A point is an edge from itself to itself. */
  readonly ends: Float64Array;
  /**
   * By edge, the number of its polygon or NO_AREA, ascending. The even-odd rule counts all rings of a polygon together
   * (D15).
   */
  readonly areas: Int32Array;
}

export function buildEdgeList(geometry: Geometry): EdgeList {
  const hasAreas = geometry.type === 'Polygon' || geometry.type === 'MultiPolygon';
  // The edge of a point begins where it ends.
  const stride = geometry.type === 'Point' || geometry.type === 'MultiPoint' ? 0 : 1;
  const ends: number[] = [];
  const areas: number[] = [];
  toParts(geometry).forEach((paths, part) => {
    for (const path of paths) {
      for (let index = stride; index < path.length; index++) {
        const from = path[index - stride];
        const to = path[index];
        ends.push(from?.[0] ?? NaN, from?.[1] ?? NaN, to?.[0] ?? NaN, to?.[1] ?? NaN);
        areas.push(hasAreas ? part : NO_AREA);
      }
    }
  });
  return { count: areas.length, ends: Float64Array.from(ends), areas: Int32Array.from(areas) };
}

/**
 * Selects the edges that decide which points of a box are in an area or on an edge: for every point of the box they give
 * the same answer as all of `edges`, which are ascending. A ray from the point to the east misses the edges south, north
 * and west of the box. It crosses each edge that passes east of the whole box, wherever the point is, so two such edges
 * of one area cancel out.
 */
function selectEdges([west, south, east, north]: Box, { ends, areas }: EdgeList, edges: Uint32Array): Uint32Array {
  const selected = new Uint32Array(edges.length);
  let count = 0;
  let area = NO_AREA;
  // The edge of the area that passes east of the box and is not canceled out yet.
  let passing: number | undefined;
  for (const edge of edges) {
    const offset = 4 * edge;
    const ax = ends[offset] ?? NaN;
    const ay = ends[offset + 1] ?? NaN;
    const bx = ends[offset + 2] ?? NaN;
    const by = ends[offset + 3] ?? NaN;
    if ((ay < south && by < south) || (ay > north && by > north) || (ax < west && bx < west)) continue;
    if (areas[edge] !== area) {
      if (passing !== undefined) {
        selected[count] = passing;
        count++;
      }
      passing = undefined;
      area = areas[edge] ?? NO_AREA;
    }
    const eastPerNorth = (bx - ax) / (by - ay);
    // The slope of an edge that is nearly horizontal may overflow.
    if (Math.min(ay, by) <= south && Math.max(ay, by) > north && Number.isFinite(eastPerNorth)) {
      const atSouth = ax + (south - ay) * eastPerNorth;
      const atNorth = ax + (north - ay) * eastPerNorth;
      if (Math.max(atSouth, atNorth) < west - SLACK) continue;
      if (Math.min(atSouth, atNorth) > east + SLACK) {
        passing = passing === undefined ? edge : undefined;
        continue;
      }
    }
    selected[count] = edge;
    count++;
  }
  if (passing !== undefined) {
    selected[count] = passing;
    count++;
  }
  return selected.subarray(0, count);
}

/** Whether a point is in an area that the edges enclose (by the even-odd rule) or on an edge. Always false for NaN. */
function containsPoint({ ends, areas }: EdgeList, edges: Uint32Array, x: number, y: number): boolean {
  let area = NO_AREA;
  let isInside = false;
  for (const edge of edges) {
    const offset = 4 * edge;
    const ay = ends[offset + 1] ?? NaN;
    const by = ends[offset + 3] ?? NaN;
    if ((ay < y && by < y) || (ay > y && by > y)) continue;
    const ax = ends[offset] ?? NaN;
    const bx = ends[offset + 2] ?? NaN;
    if (ax < x && bx < x) continue;
    if (areas[edge] !== area) {
      if (isInside) return true;
      area = areas[edge] ?? NO_AREA;
    }
    if (ax <= x || bx <= x) {
      const side = orient(ends, edge, x, y);
      if (side === 0) return true;
      if (by > ay !== side > 0) continue;
    }
    // An edge includes its lower end and excludes its upper one.
    if (area !== NO_AREA && ay > y !== by > y) isInside = !isInside;
  }
  return isInside;
}

/**
 * Returns a byte per point: 1 for a point in an area that the edges enclose or on an edge. `edges` are ascending;
 * `points` alternates x and y. It is fast if consecutive points are neighbors, because only a few edges matter for a
 * group of neighbors.
 */
export function testPoints(list: EdgeList, edges: Uint32Array, points: Float64Array): Uint8Array {
  const isContained = new Uint8Array(points.length / 2);
  markContainedPoints(list, selectEdges(boundPoints(points), list, edges), points, isContained);
  return isContained;
}

/** Splits the points into quarters until few edges or few points are left. */
function markContainedPoints(list: EdgeList, edges: Uint32Array, points: Float64Array, isContained: Uint8Array): void {
  if (edges.length <= FEW_EDGES || isContained.length <= FEW_POINTS) {
    for (let index = 0; index < isContained.length; index++) {
      if (containsPoint(list, edges, points[2 * index] ?? NaN, points[2 * index + 1] ?? NaN)) isContained[index] = 1;
    }
    return;
  }
  const size = Math.ceil(isContained.length / 4);
  for (let first = 0; first < isContained.length; first += size) {
    const quarter = points.subarray(2 * first, 2 * (first + size));
    const decidingEdges = selectEdges(boundPoints(quarter), list, edges);
    markContainedPoints(list, decidingEdges, quarter, isContained.subarray(first, first + size));
  }
}

/** `points` alternates x and y. */
export function boundPoints(points: Float64Array): Box {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (let index = 0; index < points.length; index += 2) {
    const x = points[index] ?? NaN;
    const y = points[index + 1] ?? NaN;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return [west, south, east, north];
}

/** Whether a segment (ax, ay, bx, by) and an edge have a point in common. Each may be a single point. */
export function segmentMeetsEdge(segment: Float64Array, ends: Float64Array, edge: number): boolean {
  // The segment is a list of one edge, with the number 0.
  const [ax = NaN, ay = NaN, bx = NaN, by = NaN] = segment;
  const [cx = NaN, cy = NaN, dx = NaN, dy = NaN] = ends.subarray(4 * edge, 4 * edge + 4);
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return false;
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false;
  return (
    !areOnOneSide(orient(segment, 0, cx, cy), orient(segment, 0, dx, dy)) &&
    !areOnOneSide(orient(ends, edge, ax, ay), orient(ends, edge, bx, by))
  );
}

/** Whether an edge has a point in the box, sides included. */
export function edgeMeetsBox(ends: Float64Array, edge: number, box: Box): boolean {
  const ax = ends[4 * edge] ?? NaN;
  const ay = ends[4 * edge + 1] ?? NaN;
  const bx = ends[4 * edge + 2] ?? NaN;
  const by = ends[4 * edge + 3] ?? NaN;
  const fromBeyond = findSidesBeyond(box, ax, ay);
  const toBeyond = findSidesBeyond(box, bx, by);
  if (fromBeyond === 0 || toBeyond === 0) return true;
  if ((fromBeyond & toBeyond) !== 0) return false;
  const [west, south, east, north] = box;
  const southWest = orient(ends, edge, west, south);
  return (
    !areOnOneSide(southWest, orient(ends, edge, east, north)) ||
    !areOnOneSide(southWest, orient(ends, edge, west, north)) ||
    !areOnOneSide(southWest, orient(ends, edge, east, south))
  );
}

const WEST_OF = 1;
const EAST_OF = 2;
const SOUTH_OF = 4;
const NORTH_OF = 8;

/** Returns the sides of the box that a point is beyond, as bits. A segment whose ends share a bit misses the box. */
export function findSidesBeyond(box: Box, x: number, y: number): number {
  const beyondX = (x < box[0] ? WEST_OF : 0) | (x > box[2] ? EAST_OF : 0);
  return beyondX | (y < box[1] ? SOUTH_OF : 0) | (y > box[3] ? NORTH_OF : 0);
}

/** Whether two orientations are on the same side of a line, and neither is on the line. */
function areOnOneSide(side: number, otherSide: number): boolean {
  return (side > 0 && otherSide > 0) || (side < 0 && otherSide < 0);
}

/** The orientation predicate with an exact sign: positive for a point left of an edge, 0 for a point on its line. */
function orient(ends: Float64Array, edge: number, x: number, y: number): number {
  const ax = ends[4 * edge] ?? NaN;
  const ay = ends[4 * edge + 1] ?? NaN;
  const bx = ends[4 * edge + 2] ?? NaN;
  const by = ends[4 * edge + 3] ?? NaN;
  const side = -orient2d(ax, ay, bx, by, x, y); // The library's sign is positive on the right.
  if (Math.abs(side) > UNDERFLOW) return side;
  if (![ax, ay, bx, by, x, y].some((ordinate) => ordinate !== 0 && Math.abs(ordinate) < TINY)) return side;
  const wholeX = toWholeUnits(x);
  const wholeY = toWholeUnits(y);
  const left = (toWholeUnits(ax) - wholeX) * (toWholeUnits(by) - wholeY);
  const right = (toWholeUnits(ay) - wholeY) * (toWholeUnits(bx) - wholeX);
  return Number(left > right) - Number(left < right);
}

/** Converts a float to a multiple of the smallest float, 2^-1074, from its sign, exponent and fraction. */
function toWholeUnits(value: number): bigint {
  const [bits = 0n] = new BigUint64Array(Float64Array.of(value).buffer);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return value < 0 ? -magnitude : magnitude;
}
