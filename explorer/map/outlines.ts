// Outlines of states and counties, and the point where the name of an area is written.

import type { FeatureCollection, Geometry, Position } from 'geojson';
import type { MapPosition } from './shapes';

export interface Outline {
  readonly name: string;
  /** The longest ring: the mainland, without islands. */
  readonly ring: readonly MapPosition[];
  /** All corners. Longitudes beyond the antimeridian continue below -180. */
  readonly corners: readonly MapPosition[];
}

/** Skips features without a polygon. */
export function readOutlines({ features }: FeatureCollection<Geometry, { name: string }>): readonly Outline[] {
  return features.flatMap(({ geometry, properties }) => {
    const rings = getRings(geometry);
    const [longest] = rings.toSorted((a, b) => b.length - a.length);
    if (longest === undefined) return [];
    const ring = longest.map(([longitude = 0, latitude = 0]): MapPosition => [longitude, latitude]);
    const corners = rings.flat().map(([longitude = 0, latitude = 0]): MapPosition => {
      return [longitude > 0 ? longitude - 360 : longitude, latitude];
    });
    return [{ name: properties.name, ring, corners }];
  });
}

function getRings(geometry: Geometry): readonly Position[][] {
  if (geometry.type === 'Polygon') return geometry.coordinates;
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [];
}

/** The centroid of a closed ring, where its name is written. */
export function computeLabelPoint(ring: readonly MapPosition[]): MapPosition {
  const [origin = [0, 0]] = ring;
  let area = 0;
  let x = 0;
  let y = 0;
  for (let index = 1; index < ring.length; index++) {
    const a = ring[index - 1] ?? origin;
    const b = ring[index] ?? origin;
    // Relative to the first corner, to keep precision.
    const ax = a[0] - origin[0];
    const ay = a[1] - origin[1];
    const bx = b[0] - origin[0];
    const by = b[1] - origin[1];
    const cross = ax * by - bx * ay;
    [area, x, y] = [area + cross, x + (ax + bx) * cross, y + (ay + by) * cross];
  }
  return area === 0 ? origin : [origin[0] + x / (3 * area), origin[1] + y / (3 * area)];
}
