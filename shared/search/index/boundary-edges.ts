// A geometry as a flat list of edges, and the predicates on edges, none of which a rounding error can change. Two
// neighbouring districts share every position of their border, so touching is the usual case.

import { orient2d } from 'robust-predicates';
import { type Box, type Geometry, toParts } from '../../values/geometry';

/** The area number of an edge that belongs to a line or a point, which enclose nothing. */
const NO_AREA = -1;

export interface EdgeList {
  readonly count: number;
  /** Edge `e` has ax, ay, bx, by from `ends[4e]` on, in degrees; a point is an edge from itself to itself. */
  readonly ends: Float64Array;
  /**
   * The polygon of each edge, or NO_AREA, in ascending order. The even-odd rule counts all rings of one polygon
   * together (D15).
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

/** Degrees, far more than the rounding of a position on an edge (some 1e-13). */
const SLACK = 1e-9;

/**
 * Chooses, of some edges in ascending order, those that decide which points of a box lie in an area or on an edge: each
 * point of the box has the same answer from them as from all. A ray from the point to the east misses the edges south,
 * north and west of the box. It crosses those that pass the box in the east from south to north wherever the point
 * lies, so that two of one area cancel.
 */
function selectEdges([west, south, east, north]: Box, { ends, areas }: EdgeList, edges: Uint32Array): Uint32Array {
  const selected = new Uint32Array(edges.length);
  let count = 0;
  let area = NO_AREA;
  // The edge of the area that passes the box in the east and has not been cancelled.
  let passing: number | undefined;
  for (const edge of edges) {
    const at = 4 * edge;
    const ax = ends[at] ?? NaN;
    const ay = ends[at + 1] ?? NaN;
    const bx = ends[at + 2] ?? NaN;
    const by = ends[at + 3] ?? NaN;
    if ((ay < south && by < south) || (ay > north && by > north) || (ax < west && bx < west)) continue;
    if (areas[edge] !== area) {
      if (passing !== undefined) selected[count++] = passing;
      passing = undefined;
      area = areas[edge] ?? NO_AREA;
    }
    const eastPerNorth = (bx - ax) / (by - ay);
    // The slope of an edge that is lower than a float can say leads nowhere.
    if (Math.min(ay, by) <= south && Math.max(ay, by) > north && Number.isFinite(eastPerNorth)) {
      const atSouth = ax + (south - ay) * eastPerNorth;
      const atNorth = ax + (north - ay) * eastPerNorth;
      if (Math.max(atSouth, atNorth) < west - SLACK) continue;
      if (Math.min(atSouth, atNorth) > east + SLACK) {
        passing = passing === undefined ? edge : undefined;
        continue;
      }
    }
    selected[count++] = edge;
  }
  if (passing !== undefined) selected[count++] = passing;
  return selected.subarray(0, count);
}

/** Whether a point lies in an area of some edges (by the even-odd rule) or on one; NaN lies nowhere. */
function containsPoint({ ends, areas }: EdgeList, edges: Uint32Array, x: number, y: number): boolean {
  let area = NO_AREA;
  let isInside = false;
  for (const edge of edges) {
    const at = 4 * edge;
    const ay = ends[at + 1] ?? NaN;
    const by = ends[at + 3] ?? NaN;
    if ((ay < y && by < y) || (ay > y && by > y)) continue;
    const ax = ends[at] ?? NaN;
    const bx = ends[at + 2] ?? NaN;
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
    // The lower end of an edge belongs to it, the upper one does not.
    if (area !== NO_AREA && ay > y !== by > y) isInside = !isInside;
  }
  return isInside;
}

/** With so few edges, or points, it takes no longer to test each point against each edge than to choose edges. */
const FEW_EDGES = 16;
const FEW_POINTS = 16;

/**
 * One byte a point, 1 for those that lie in an area of some edges or on one of these. The edges are in ascending order,
 * and `points` has x and y in turn. It is fast where points that follow each other are neighbours, since the edges that
 * decide about a run of them are few.
 */
export function testPoints(list: EdgeList, edges: Uint32Array, points: Float64Array): Uint8Array {
  const contained = new Uint8Array(points.length / 2);
  markContainedPoints(list, selectEdges(boundPoints(points), list, edges), points, contained);
  return contained;
}

function markContainedPoints(list: EdgeList, edges: Uint32Array, points: Float64Array, contained: Uint8Array): void {
  if (edges.length <= FEW_EDGES || contained.length <= FEW_POINTS) {
    for (let index = 0; index < contained.length; index++) {
      if (containsPoint(list, edges, points[2 * index] ?? NaN, points[2 * index + 1] ?? NaN)) contained[index] = 1;
    }
    return;
  }
  const run = Math.ceil(contained.length / 4);
  for (let first = 0; first < contained.length; first += run) {
    const quarter = points.subarray(2 * first, 2 * (first + run));
    const deciding = selectEdges(boundPoints(quarter), list, edges);
    markContainedPoints(list, deciding, quarter, contained.subarray(first, first + run));
  }
}

export function boundPoints(points: Float64Array): Box {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (let at = 0; at < points.length; at += 2) {
    const x = points[at] ?? NaN;
    const y = points[at + 1] ?? NaN;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return [west, south, east, north];
}

/** Whether a segment (ax, ay, bx, by) and an edge have a point in common; both may be a single point. */
export function segmentMeetsEdge(segment: Float64Array, ends: Float64Array, edge: number): boolean {
  const [ax = NaN, ay = NaN, bx = NaN, by = NaN] = segment; // As an edge, it has the number 0 in its list.
  const [cx = NaN, cy = NaN, dx = NaN, dy = NaN] = ends.subarray(4 * edge, 4 * edge + 4);
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return false;
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false;
  return (
    !areOnOneSide(orient(segment, 0, cx, cy), orient(segment, 0, dx, dy)) &&
    !areOnOneSide(orient(ends, edge, ax, ay), orient(ends, edge, bx, by))
  );
}

/** Whether an edge has a point in the box, whose sides belong to it. */
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

/** The sides of the box that a point lies beyond, as bits. A segment whose ends share a bit misses the box. */
export function findSidesBeyond(box: Box, x: number, y: number): number {
  const beyondX = (x < box[0] ? WEST_OF : 0) | (x > box[2] ? EAST_OF : 0);
  return beyondX | (y < box[1] ? SOUTH_OF : 0) | (y > box[3] ? NORTH_OF : 0);
}

/** Whether two orientations are the same side of a line, and neither point lies on the line. */
function areOnOneSide(side: number, otherSide: number): boolean {
  return (side > 0 && otherSide > 0) || (side < 0 && otherSide < 0);
}

/** robust-predicates is exact unless a product underflows, which takes an ordinate as small as this that is not 0. */
const TINY = 1e-120;
/** A result beyond this has the right sign even where products underflowed. */
const UNDERFLOW = 1e-300;

/** The orientation predicate, of exact sign: positive where a point lies left of an edge, 0 where on its line. */
function orient(ends: Float64Array, edge: number, x: number, y: number): number {
  const ax = ends[4 * edge] ?? NaN;
  const ay = ends[4 * edge + 1] ?? NaN;
  const bx = ends[4 * edge + 2] ?? NaN;
  const by = ends[4 * edge + 3] ?? NaN;
  const side = -orient2d(ax, ay, bx, by, x, y); // Positive to the right.
  if (Math.abs(side) > UNDERFLOW) return side;
  if (![ax, ay, bx, by, x, y].some((ordinate) => ordinate !== 0 && Math.abs(ordinate) < TINY)) return side;
  const wholeX = toWholeUnits(x);
  const wholeY = toWholeUnits(y);
  const left = (toWholeUnits(ax) - wholeX) * (toWholeUnits(by) - wholeY);
  const right = (toWholeUnits(ay) - wholeY) * (toWholeUnits(bx) - wholeX);
  return Number(left > right) - Number(left < right);
}

/** A float as a whole number of the smallest float, 2^-1074, from its sign, exponent and fraction. */
function toWholeUnits(value: number): bigint {
  const [bits = 0n] = new BigUint64Array(Float64Array.of(value).buffer);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return value < 0 ? -magnitude : magnitude;
}
