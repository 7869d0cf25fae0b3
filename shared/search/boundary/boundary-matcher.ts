// Does a place match a boundary (D15): is their planar intersection not empty, touching included? Two geometries meet
// when a path of one begins in the other or their edges meet; where no edges meet, one position of each path stands for
// all of it. Every test is exact (ADR 0006), and none costs more for a boundary that crosses itself a million times
// (ADR 0037).

import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';
import type { Position } from 'geojson';
import { countPositions, partsOf, type Box, type Geometry } from '../../values/geometry';
import { BoundaryClassifier, type BoxClass } from './boundary-classifier';
import { containsPoint, edgesOf, isNearEdge, sidesBeyond } from './edges';

export interface BoundaryMatcher {
  /** Degrees. A position that is not two numbers never matches. */
  readonly matchesPoint: (longitude: number, latitude: number) => boolean;
  /** `box` is the bounding box of the geometry. */
  readonly matchesGeometry: (geometry: Geometry, box: Box) => boolean;
  readonly classifyBox: (box: Box) => BoxClass;
}

/** Takes some 5 ms for 5,000 positions, 30 for hostile ones. Keep one for all the places of a query. */
export function createBoundaryMatcher(boundary: Geometry): BoundaryMatcher {
  const classifier = new BoundaryClassifier(boundary);
  const firstPositions = firstPositionsOf(boundary).toSorted(([a = NaN], [b = NaN]) => a - b);
  return {
    matchesPoint: (longitude, latitude) => classifier.containsPoint(longitude, latitude),
    matchesGeometry(geometry, box) {
      const boxClass = classifier.classifyBox(box);
      if (boxClass !== 'crossed') return boxClass === 'inside';
      return (
        firstPositionsOf(geometry).some(([x = NaN, y = NaN]) => classifier.containsPoint(x, y)) ||
        hasEdgeThatMeets(classifier, geometry) ||
        containsAny(geometry, box, firstPositions)
      );
    },
    classifyBox: (box) => classifier.classifyBox(box),
  };
}

/** The first position of each path; every point of a MultiPoint is a path. */
function firstPositionsOf(geometry: Geometry): readonly Position[] {
  if (geometry.type === 'MultiPoint') return geometry.coordinates;
  return partsOf(geometry).flatMap((part) => part.flatMap((path) => path.slice(0, 1)));
}

function hasEdgeThatMeets(classifier: BoundaryClassifier, geometry: Geometry): boolean {
  if (geometry.type === 'Point' || geometry.type === 'MultiPoint') return false;
  return partsOf(geometry)
    .flat()
    .some((path) => path.slice(1).some((position, before) => classifier.meetsEdge(path[before] ?? [], position)));
}

/** Point by point and edge by edge, this many tests take no longer than to build a grid. */
const MOST_PLAIN_TESTS = 20_000;

/** Whether a geometry holds one of some positions in order of longitude, none of them on its edges. */
function containsAny(geometry: Geometry, box: Box, positions: readonly Position[]): boolean {
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return false;
  const nearby = positionsIn(positions, box);
  if (nearby.length === 0) return false;
  if (nearby.length * countPositions(geometry) > MOST_PLAIN_TESTS) {
    const classifier = new BoundaryClassifier(geometry);
    return nearby.some(([x = NaN, y = NaN]) => classifier.containsPoint(x, y));
  }
  const edges = edgesOf(geometry);
  return nearby.some((position) => {
    const [x = NaN, y = NaN] = position;
    // turf errs beside an edge, and nowhere else (ADR 0006).
    return isNearEdge(edges, x, y) ? containsPoint(edges, x, y) : booleanPointInPolygon(position, geometry);
  });
}

/** Those of some positions in order of longitude that lie in a box. */
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
