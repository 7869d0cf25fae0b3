// A geometry laid out for searching: what has an area and what has none, as flat arrays of floats. And its view from a box: the
// same geometry as far as that box can tell, with all that lies elsewhere cut short.

import { partsOf, type Box, type Geometry, type Part } from '../../values/geometry';
import { areOnOneSide, segmentMeetsBox, sideOfLine, sidesBeyond } from './exact-plane';

/** Closed rings, even-odd; each is x, y, x, y ... */
export type Area = readonly Float64Array[];

export interface Shape {
  readonly areas: readonly Area[];
  /** Lines; a point is a line from itself to itself. */
  readonly paths: readonly Float64Array[];
}

/** A shape as a box sees it. */
export interface View extends Shape {
  /** The areas without an edge in the box: each contains the whole box or nothing of it. */
  readonly settledAreas: readonly Area[];
  /** The edges of the shape that have a point in the box: ax, ay, bx, by ... */
  readonly edges: Float64Array;
}

export const EMPTY_VIEW: View = { areas: [], settledAreas: [], paths: [], edges: new Float64Array(0) };

// A ring of fewer positions goes to and fro on one line: it encloses nothing.
const SHORTEST_RING = 8;

export function shapeOf(geometry: Geometry): Shape {
  switch (geometry.type) {
    case 'Point':
      return { areas: [], paths: [flatten([geometry.coordinates, geometry.coordinates])] };
    case 'MultiPoint':
      return { areas: [], paths: geometry.coordinates.map((position) => flatten([position, position])) };
    case 'LineString':
    case 'MultiLineString':
      return { areas: [], paths: partsOf(geometry).flatMap((lines) => lines.map(flatten)) };
    case 'Polygon':
    case 'MultiPolygon':
      return { areas: partsOf(geometry).map((rings) => rings.map(flatten)), paths: [] };
  }
}

/** All that a position of the box, or an edge within it, can ask of the shape has the same answer in its view. */
export function viewFrom(box: Box, shape: Shape): View {
  const edges: number[] = [];
  const areas: Area[] = [];
  const settledAreas: Area[] = [];
  for (const area of shape.areas) {
    const edgesBefore = edges.length;
    const rings = area.map((ring) => shorten(box, ring, edges)).filter((ring) => ring.length >= SHORTEST_RING);
    if (edges.length > edgesBefore) areas.push(rings);
    else if (rings.length > 0) settledAreas.push(rings);
  }
  const paths: Float64Array[] = [];
  for (const path of shape.paths) {
    const edgesBefore = edges.length;
    const shortened = shorten(box, path, edges);
    if (edges.length > edgesBefore) paths.push(shortened);
  }
  return { areas, settledAreas, paths, edges: Float64Array.from(edges) };
}

/**
 * Positions between two edges that meet the box are left out where the way around them and the shortcut have nothing of the box
 * between them: the ring then winds around every position of the box as often as before. Appends the edges that meet the box.
 */
function shorten(box: Box, path: Float64Array, edges: number[]): Float64Array {
  const kept: number[] = [];
  let from = 0;
  let end = 0;
  const keep = (at: number): void => {
    kept.push(path[at] ?? NaN, path[at + 1] ?? NaN);
    from = at;
  };

  keep(0);
  for (let at = 2; at < path.length; at += 2) {
    const meets = edgeMeetsBox(box, path, end, at);
    // The edge from `from` to `end`, where they differ, stands for the positions between them and does not meet the box.
    if (end !== from && (meets || enclosesBox(box, path, from, end, at))) keep(end);
    if (meets) {
      edges.push(path[end] ?? NaN, path[end + 1] ?? NaN, path[at] ?? NaN, path[at + 1] ?? NaN);
      keep(at);
    }
    end = at;
  }
  if (end !== from) keep(end);
  return Float64Array.from(kept);
}

function edgeMeetsBox(box: Box, path: Float64Array, from: number, to: number): boolean {
  return segmentMeetsBox(box, path[from] ?? NaN, path[from + 1] ?? NaN, path[to] ?? NaN, path[to + 1] ?? NaN);
}

/** Whether the triangle of three positions, of whose sides the first two do not meet the box, has a point in common with it. */
function enclosesBox(box: Box, path: Float64Array, first: number, second: number, third: number): boolean {
  const ax = path[first] ?? NaN;
  const ay = path[first + 1] ?? NaN;
  const bx = path[second] ?? NaN;
  const by = path[second + 1] ?? NaN;
  const cx = path[third] ?? NaN;
  const cy = path[third + 1] ?? NaN;
  if ((sidesBeyond(box, ax, ay) & sidesBeyond(box, bx, by) & sidesBeyond(box, cx, cy)) !== 0) return false;
  if (segmentMeetsBox(box, cx, cy, ax, ay)) return true;
  // No side meets the box, so that the triangle holds all of it or nothing, and any corner tells.
  const side = sideOfLine(ax, ay, bx, by, box[0], box[1]);
  return (
    areOnOneSide(side, sideOfLine(bx, by, cx, cy, box[0], box[1])) &&
    areOnOneSide(side, sideOfLine(cx, cy, ax, ay, box[0], box[1]))
  );
}

function flatten(path: Part[number]): Float64Array {
  const flat = new Float64Array(path.length * 2);
  let at = 0;
  for (const position of path) {
    flat[at] = position[0] ?? NaN;
    flat[at + 1] = position[1] ?? NaN;
    at += 2;
  }
  return flat;
}
