// The direction of rings that GeoJSON asks for (RFC 7946, section 3.1.6): the outer ring counterclockwise, holes
// clockwise.

import type { Position } from 'geojson';
import type { Geometry } from './geometry';

/** The same geometry; rings that run the other way are turned around. */
export function withRightHandRule(geometry: Geometry): Geometry {
  if (geometry.type === 'Polygon') return { ...geometry, coordinates: woundRings(geometry.coordinates) };
  if (geometry.type === 'MultiPolygon') return { ...geometry, coordinates: geometry.coordinates.map(woundRings) };
  return geometry;
}

function woundRings(rings: Position[][]): Position[][] {
  return rings.map((ring, index) => {
    const area = signedArea(ring);
    return (index === 0 ? area < 0 : area > 0) ? [...ring].reverse() : ring;
  });
}

/**
 * Twice the area in square degrees, positive when the ring runs counterclockwise. From its first position on, so that
 * far places lose no digits.
 */
function signedArea(ring: readonly Position[]): number {
  const [x0 = 0, y0 = 0] = ring[0] ?? [];
  let area = 0;
  for (let index = 1; index < ring.length; index++) {
    const [ax = 0, ay = 0] = ring[index - 1] ?? [];
    const [bx = 0, by = 0] = ring[index] ?? [];
    area += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
  }
  return area;
}
