// A site's point, read from its coordinates as submitted.

import { readNumber } from './numbers';

export interface Point {
  readonly longitude: number;
  readonly latitude: number;
}

/** Both present, finite, within +-180 and +-90 degrees, and not 0/0; else the site has no point (submissions.md, 3). */
export function readPoint(longitudeText: string | null, latitudeText: string | null): Point | undefined {
  if (longitudeText === null || latitudeText === null) return undefined;
  const longitude = readNumber(longitudeText);
  const latitude = readNumber(latitudeText);
  if (longitude === undefined || latitude === undefined) return undefined;
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) return undefined;
  return longitude === 0 && latitude === 0 ? undefined : { longitude, latitude };
}
