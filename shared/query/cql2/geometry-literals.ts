// Reads geometries in filters: WKT, GeoJSON and boxes, within the limits for boundaries (D15).

import { BOUNDARY_POSITION_LIMIT, readGeometry, snapToEdge } from '../../values/boundary';
import type { CoordinateSystem } from '../../values/coordinate-systems';
import { countPositions, type Geometry } from '../../values/geometry';
import { failure, type Result, success } from '../../values/result';

/** Reads WKT or GeoJSON in any supported coordinate system. Returns the geometry in degrees. */
export function readGeometryText(text: string, system: CoordinateSystem): Result<Geometry> {
  const geometry = readGeometry(text, (position) => {
    const [longitude, latitude] = system.toDegrees(position);
    return [snapToEdge(longitude, 180), snapToEdge(latitude, 90)];
  });
  if (!geometry.ok) return geometry;
  const positions = countPositions(geometry.value);
  if (positions <= BOUNDARY_POSITION_LIMIT) return geometry;
  return failure(
    `the geometry has ${positions} positions; at most ${BOUNDARY_POSITION_LIMIT} are allowed: simplify it`,
  );
}

/** Reads four numbers, or six with heights, in the coordinate system of the filter. */
export function readBoxLiteral(items: readonly unknown[]): Result<{ readonly bbox: readonly number[] }> {
  const bbox = items.filter((item) => typeof item === 'number');
  const isBox = bbox.length === items.length && (bbox.length === 4 || bbox.length === 6);
  return isBox ? success({ bbox }) : failure('BBOX takes four numbers, or six with heights');
}
