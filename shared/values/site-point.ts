// Reads the point of a site from the texts of its coordinates.

import { readNumber } from './numbers';

export interface Point {
  readonly longitude: number;
  readonly latitude: number;
}

/**
 * Reads the point of a site, in degrees. The site has no point unless both coordinates are present, finite, within
 * +-180 and +-90, and not both 0 (submissions.md, 3).
 */
export function readPoint(longitudeText: string | null, latitudeText: string | null): Point | undefined {
  if (longitudeText === null || latitudeText === null) return undefined;
  const longitude = readNumber(longitudeText);
  const latitude = readNumber(latitudeText);
  if (longitude === undefined || latitude === undefined) return undefined;
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) return undefined;
  return longitude === 0 && latitude === 0 ? undefined : { longitude, latitude };
}
