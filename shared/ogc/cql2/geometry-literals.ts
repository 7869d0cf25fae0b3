// Geometries in filters: WKT in text, GeoJSON in JSON, and boxes, each within the bounds of a boundary (D15).

import { BOUNDARY_POSITION_LIMIT, readGeometry } from '../../values/boundary';
import { CRS84, type CoordinateSystem } from '../../values/coordinate-systems';
import { countPositions, type Geometry } from '../../values/geometry';
import { failure, success, type Result } from '../../values/result';

/** WKT or GeoJSON; the geometry is in degrees, whatever system the text is in. */
export function readGeometryText(text: string, system: CoordinateSystem): Result<Geometry> {
  const read = readGeometry(text, system === CRS84 ? undefined : system.toDegrees);
  if (!read.ok || countPositions(read.value) <= BOUNDARY_POSITION_LIMIT) return read;
  const most = `${BOUNDARY_POSITION_LIMIT} are allowed: simplify it`;
  return failure(`the geometry has ${countPositions(read.value)} positions; ${most}`);
}

/** Four numbers or, with heights, six, in the system of the filter. */
export function readBoxLiteral(items: readonly unknown[]): Result<{ readonly bbox: readonly number[] }> {
  const bbox = items.filter((item) => typeof item === 'number');
  const isBox = bbox.length === items.length && (bbox.length === 4 || bbox.length === 6);
  return isBox ? success({ bbox }) : failure('BBOX takes four numbers, or six with heights');
}
