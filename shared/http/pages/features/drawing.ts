// Helpers for charts and maps: SVG coordinates and paths, and the multiples of a step between two bounds.

/** Writes one decimal, because more decimals would not be visible. */
export function formatCoordinate(number: number): string {
  return String(Number(number.toFixed(1)));
}

/** Formats a step of an SVG path: a line to a point, or the start of a new line. */
export function formatPathStep([x, y]: readonly [x: number, y: number], isStart: boolean): string {
  return `${isStart ? 'M' : 'L'}${formatCoordinate(x)} ${formatCoordinate(y)}`;
}

/** Larger than any rounding error of a quotient. */
export const ROUNDING = 1e-9;

/** A drawing needs far fewer lines and ticks. More than this means that a scale is wrong. */
const MAX_MULTIPLES = 50;

/** Lists the multiples of a step between two bounds. Returns none if the bounds are too far apart for the step. */
export function listMultiples(min: number, max: number, step: number): readonly number[] {
  const first = Math.ceil(min / step - ROUNDING);
  const count = Math.floor(max / step + ROUNDING) - first + 1;
  if (!(count > 0 && count <= MAX_MULTIPLES)) return [];
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
