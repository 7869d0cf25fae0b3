// Finds the coordinate system that a boundary specifies, if it is not WGS 84 but is read as WGS 84 (D73).

import { findDegreeSystem, isWgs84 } from './geographic-systems';
import { listCrsNames } from './geojson';
import { readSrid } from './wkt';

/**
 * Returns the EPSG code, such as 4269 (NAD83); undefined for WGS 84 and for text that specifies no system. The text
 * must be a valid geometry.
 */
export function findOtherSystem(text: string): string | undefined {
  const trimmed = text.trim();
  const names = trimmed.startsWith('{') ? listCrsNames(trimmed) : [readSrid(trimmed) ?? ''];
  return names.map(findDegreeSystem).find((code) => code !== undefined && !isWgs84(code));
}
