// Recognizes drawn circles, whose boundary is a polygon with many corners.

/** Miles per degree of latitude. */
const MILES_PER_DEGREE = 69.05;

/** A polygon with fewer corners was clicked by hand. */
const MIN_CORNERS = 32;

/** Corners are rounded to six decimals of a degree. */
const TOLERANCE = 0.01;

const RADIANS = Math.PI / 180;

/** The radius in miles; undefined for any other boundary. */
export function measureCircle(boundary: string): number | undefined {
  const [, ring] = /^\s*polygon\s*\(\s*\(([-\d.,\s]+)\)\s*\)\s*$/i.exec(boundary) ?? [];
  const corners = (ring ?? '').split(',').map((pair) => pair.trim().split(/\s+/).map(Number));
  const points = corners.slice(0, -1).map(([longitude = NaN, latitude = NaN]) => ({ longitude, latitude }));
  if (points.length < MIN_CORNERS) return undefined;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const longitude = mean(points.map((point) => point.longitude));
  const latitude = mean(points.map((point) => point.latitude));
  const scale = Math.cos(latitude * RADIANS);
  const radii = points.map((point) => Math.hypot((point.longitude - longitude) * scale, point.latitude - latitude));
  const radius = mean(radii);
  const isRound = radii.every((one) => Math.abs(one - radius) <= TOLERANCE * radius);
  return isRound ? Number((radius * MILES_PER_DEGREE).toPrecision(3)) : undefined;
}
