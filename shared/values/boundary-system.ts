// The coordinate system that a boundary names if it is not WGS 84 but read as such (D73).

import { findDegreeSystem, isWgs84 } from './geographic-systems';
import { listCrsNames } from './geojson';
import { readSrid } from './wkt';

/**
 * The EPSG code, such as 4269 (NAD83); undefined for WGS 84 and for a text without a system. The text must be a valid
 * geometry.
 */
export function findOtherSystem(text: string): string | undefined {
  const trimmed = text.trim();
  const names = trimmed.startsWith('{') ? listCrsNames(trimmed) : [readSrid(trimmed) ?? ''];
  return names.map(findDegreeSystem).find((code) => code !== undefined && !isWgs84(code));
}
