// A geometry as a flat list of edges, which is all that an exact test needs of it.

import { partsOf, type Geometry } from '../../values/geometry';
import { edgeBeside } from './exact-plane';

/** Of an edge that is a piece of a line, or a point: it encloses nothing. */
export const NO_AREA = -1;

export interface EdgeList {
  readonly count: number;
  /** Of edge `e` ax, ay, bx, by from 4e on; a point is an edge from itself to itself. */
  readonly ends: Float64Array;
  /** The polygon of each, from 0 on, or NO_AREA. Even-odd over all rings of one polygon together (D15). */
  readonly areas: Int32Array;
  readonly areaCount: number;
  /**
   * The number of the first edge of each line and ring; a ring is closed, so that its first edge begins where its last one ends.
   * Undefined for the edges of a part of the plane, which may begin and end anywhere.
   */
  readonly pathStarts: Uint32Array | undefined;
}

export function edgesOf(geometry: Geometry): EdgeList {
  const hasAreas = geometry.type === 'Polygon' || geometry.type === 'MultiPolygon';
  // A point is the end of an edge that begins at it.
  const stride = geometry.type === 'Point' || geometry.type === 'MultiPoint' ? 0 : 1;
  const parts = partsOf(geometry);
  const ends: number[] = [];
  const areas: number[] = [];
  const pathStarts: number[] = [];
  parts.forEach((paths, part) => {
    for (const path of paths) {
      pathStarts.push(areas.length);
      for (let index = stride; index < path.length; index++) {
        const from = path[index - stride];
        const to = path[index];
        ends.push(from?.[0] ?? NaN, from?.[1] ?? NaN, to?.[0] ?? NaN, to?.[1] ?? NaN);
        areas.push(hasAreas ? part : NO_AREA);
      }
    }
  });
  return {
    count: areas.length,
    ends: Float64Array.from(ends),
    areas: Int32Array.from(areas),
    areaCount: hasAreas ? parts.length : 0,
    pathStarts: Uint32Array.from(pathStarts),
  };
}

/** Whether a position lies in one of the areas or on an edge, edge by edge: for few edges, or few positions. */
export function containsPosition({ count, ends, areas }: EdgeList, x: number, y: number): boolean {
  let area = NO_AREA;
  let isInside = false;
  for (let edge = 0; edge < count; edge++) {
    // The edges of an area are neighbours.
    if (areas[edge] !== area) {
      if (isInside) return true;
      area = areas[edge] ?? NO_AREA;
    }
    const at = 4 * edge;
    const beside = edgeBeside(ends[at] ?? NaN, ends[at + 1] ?? NaN, ends[at + 2] ?? NaN, ends[at + 3] ?? NaN, x, y);
    if (beside === 'on') return true;
    if (beside === 'crossed' && area !== NO_AREA) isInside = !isInside;
  }
  return isInside;
}

/** In degrees: far more than rounding moves a position on an edge (some 1e-13). */
const BESIDE = 1e-9;

/** Whether a position is so near to the line of an edge, beside it, that rounding may put it on either side. */
export function isBesideEdge({ count, ends }: EdgeList, x: number, y: number): boolean {
  for (let at = 0; at < 4 * count; at += 4) {
    const ax = ends[at] ?? NaN;
    const ay = ends[at + 1] ?? NaN;
    const bx = ends[at + 2] ?? NaN;
    const by = ends[at + 3] ?? NaN;
    const isBeyond =
      x < Math.min(ax, bx) - BESIDE ||
      x > Math.max(ax, bx) + BESIDE ||
      y < Math.min(ay, by) - BESIDE ||
      y > Math.max(ay, by) + BESIDE;
    if (isBeyond) continue;
    const twiceTheArea = Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax));
    if (twiceTheArea <= BESIDE * (Math.abs(bx - ax) + Math.abs(by - ay))) return true;
  }
  return false;
}
