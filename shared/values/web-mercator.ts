// WebMercator (EPSG:3857), the plane of map tiles.

/** Half the circumference of the sphere that it projects, in meters. */
export const HALF_WORLD = 20_037_508.342789244;

/** The latitude at which the plane is a square; points beyond stand on its edge. */
const HIGHEST_LATITUDE = 85.051128779806589;

/** Meters from longitude and latitude in degrees. */
export function webMercatorOf([longitude, latitude]: readonly [number, number]): readonly [x: number, y: number] {
  const bounded = Math.max(-HIGHEST_LATITUDE, Math.min(HIGHEST_LATITUDE, latitude));
  const angle = ((90 + bounded) * Math.PI) / 360;
  return [(longitude * HALF_WORLD) / 180, (Math.log(Math.tan(angle)) / Math.PI) * HALF_WORLD];
}

/** The inverse of `webMercatorOf`. */
export function degreesOfWebMercator([x, y]: readonly [number, number]): readonly [
  longitude: number,
  latitude: number,
] {
  const latitude = (Math.atan(Math.sinh((y / HALF_WORLD) * Math.PI)) * 180) / Math.PI;
  return [(x * 180) / HALF_WORLD, latitude];
}
