// Does a place match a boundary (D15): is their planar intersection not empty, touching included? Two geometries meet when a
// path of one begins in the other or their edges meet; where no edges meet, one position of each path tells of all of it. Every
// test is exact (ADR 0006), and none costs more for a boundary that crosses itself a million times (ADR 0037).

import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';
import type { Position } from 'geojson';
import { countPositions, partsOf, type Box, type Geometry } from '../../values/geometry';
import { BoundaryEdges } from './boundary-edges';
import { containsPosition, edgesOf, isBesideEdge } from './edge-list';
import { sidesBeyond } from './exact-plane';

export interface BoundaryMatcher {
  /** Degrees. A position that is not two numbers never matches. */
  readonly matchesPoint: (longitude: number, latitude: number) => boolean;
  /** `box` is the geometry's own. */
  readonly matchesGeometry: (geometry: Geometry, box: Box) => boolean;
  /** `inside`: every point of the box is in the boundary. `outside`: none is. `unsure`: ask about the places in it. */
  readonly settleBox: (box: Box) => 'inside' | 'outside' | 'unsure';
}

/** Takes some 5 ms for 5,000 positions, 30 for hostile ones. Keep one for all the places of a query. */
export function createBoundaryMatcher(boundary: Geometry): BoundaryMatcher {
  const edges = new BoundaryEdges(boundary);
  const beginnings = byLongitude(beginningsOf(boundary));
  return {
    matchesPoint: (longitude, latitude) => edges.containsPoint(longitude, latitude),
    matchesGeometry(geometry, box) {
      const standing = edges.standingOf(box);
      if (standing !== 'crossed') return standing === 'inside';
      return (
        beginningsOf(geometry).some((position) => contains(edges, position)) ||
        hasEdgeThatMeets(edges, geometry) ||
        containsAny(geometry, box, beginnings)
      );
    },
    settleBox(box) {
      const standing = edges.standingOf(box);
      return standing === 'crossed' ? 'unsure' : standing;
    },
  };
}

/** One position of each path; points are paths of one. */
function beginningsOf(geometry: Geometry): readonly Position[] {
  if (geometry.type === 'MultiPoint') return geometry.coordinates;
  return partsOf(geometry).flatMap((part) => part.flatMap((path) => path.slice(0, 1)));
}

function contains(edges: BoundaryEdges, position: Position): boolean {
  return edges.containsPoint(position[0] ?? NaN, position[1] ?? NaN);
}

function hasEdgeThatMeets(edges: BoundaryEdges, geometry: Geometry): boolean {
  if (geometry.type === 'Point' || geometry.type === 'MultiPoint') return false;
  return partsOf(geometry).some((part) => part.some((path) => pathMeetsEdge(edges, path)));
}

function pathMeetsEdge(edges: BoundaryEdges, path: readonly Position[]): boolean {
  let before: Position | undefined;
  for (const position of path) {
    if (before !== undefined) {
      if (edges.meetsEdge(before[0] ?? NaN, before[1] ?? NaN, position[0] ?? NaN, position[1] ?? NaN)) return true;
    }
    before = position;
  }
  return false;
}

/** Whether the boundary, none of whose edges meets the geometry's, has a path within it. `beginnings` stand by longitude. */
function containsAny(geometry: Geometry, box: Box, beginnings: readonly Position[]): boolean {
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return false;
  const nearby = positionsIn(beginnings, box);
  if (nearby.length === 0) return false;
  if (nearby.length * countPositions(geometry) > MOST_PLAIN_TESTS) {
    const edges = new BoundaryEdges(geometry);
    return nearby.some((position) => contains(edges, position));
  }
  const edges = edgesOf(geometry);
  return nearby.some((position) => {
    const [x = NaN, y = NaN] = position;
    // turf errs beside an edge, and nowhere else (ADR 0006).
    return isBesideEdge(edges, x, y) ? containsPosition(edges, x, y) : booleanPointInPolygon(position, geometry);
  });
}

/** Edge by edge, this many take no longer than to build a grid. */
const MOST_PLAIN_TESTS = 20_000;

function byLongitude(positions: readonly Position[]): readonly Position[] {
  return [...positions].sort((a, b) => (a[0] ?? NaN) - (b[0] ?? NaN));
}

/** Of positions by longitude. */
function positionsIn(positions: readonly Position[], box: Box): readonly Position[] {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle]?.[0] ?? NaN) < box[0]) low = middle + 1;
    else high = middle;
  }
  const found: Position[] = [];
  for (let at = low; at < positions.length; at++) {
    const position = positions[at] ?? [];
    if ((position[0] ?? NaN) > box[2]) break;
    if (sidesBeyond(box, position[0] ?? NaN, position[1] ?? NaN) === 0) found.push(position);
  }
  return found;
}
