// Does a place match a boundary (D15): is their planar intersection not empty, touching included? Two geometries meet when a
// path of one begins in the other or their edges meet; where no edges meet, one position of each path tells of all of it.
//
// turf answers for whole cells of the boundary, far from its edges (boundary-cells.ts). What is near them is tested exactly and
// first, because there turf errs: booleanPointInPolygon subtracts before it compares and misjudges 2 in 100 positions that floats
// put on a slanted edge; booleanIntersects finds points on a segment of no length that are only in line with it, and misses
// crossings after a repeated position, which its sweep forgets, and islands listed among the holes. Nothing is then left to ask
// it: where no edges meet, one exact position decides.

import type { Position } from 'geojson';
import { partsOf, type Box, type Geometry } from '../../values/geometry';
import { BoundaryCells } from './boundary-cells';
import { sidesBeyond } from './exact-plane';

export interface BoundaryMatcher {
  /** Degrees. A position that is not two numbers never matches. */
  readonly matchesPoint: (longitude: number, latitude: number) => boolean;
  /** `box` is the geometry's own. */
  readonly matchesGeometry: (geometry: Geometry, box: Box) => boolean;
  /** `inside`: every point of the box is in the boundary. `outside`: none is. `unsure`: ask about the places in it. */
  readonly settleBox: (box: Box) => 'inside' | 'outside' | 'unsure';
}

/** Cheap to make: the boundary is cut up as far as the questions go. Keep one for all the places of a query. */
export function createBoundaryMatcher(boundary: Geometry): BoundaryMatcher {
  const cells = new BoundaryCells(boundary);
  const beginnings = beginningsOf(boundary);
  return {
    matchesPoint: (longitude, latitude) => cells.containsPoint(longitude, latitude),
    matchesGeometry(geometry, box) {
      const standing = cells.standingOf(box);
      if (standing !== 'crossed') return standing === 'inside';
      return (
        beginningsOf(geometry).some((position) => contains(cells, position)) ||
        hasEdgeThatMeets(cells, geometry) ||
        containsAny(geometry, box, beginnings)
      );
    },
    settleBox(box) {
      const standing = cells.standingOf(box);
      return standing === 'crossed' ? 'unsure' : standing;
    },
  };
}

/** One position of each path; points are paths of one. */
function beginningsOf(geometry: Geometry): readonly Position[] {
  if (geometry.type === 'MultiPoint') return geometry.coordinates;
  return partsOf(geometry).flatMap((part) => part.flatMap((path) => path.slice(0, 1)));
}

function contains(cells: BoundaryCells, position: Position): boolean {
  return cells.containsPoint(position[0] ?? NaN, position[1] ?? NaN);
}

function hasEdgeThatMeets(cells: BoundaryCells, geometry: Geometry): boolean {
  if (geometry.type === 'Point' || geometry.type === 'MultiPoint') return false;
  return partsOf(geometry).some((part) => part.some((path) => pathMeetsEdge(cells, path)));
}

function pathMeetsEdge(cells: BoundaryCells, path: readonly Position[]): boolean {
  let before: Position | undefined;
  for (const position of path) {
    if (before !== undefined) {
      if (cells.meetsEdge(before[0] ?? NaN, before[1] ?? NaN, position[0] ?? NaN, position[1] ?? NaN)) return true;
    }
    before = position;
  }
  return false;
}

/** Whether the boundary, none of whose edges meets the geometry's, has a path within it. */
function containsAny(geometry: Geometry, box: Box, beginnings: readonly Position[]): boolean {
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return false;
  const nearby = beginnings.filter((position) => sidesBeyond(box, position[0] ?? NaN, position[1] ?? NaN) === 0);
  if (nearby.length === 0) return false;
  const cells = new BoundaryCells(geometry);
  return nearby.some((position) => contains(cells, position));
}
