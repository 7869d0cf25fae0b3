// Numbers and truth values as texts: what submissions may write in a cell or as coordinates, and what queries may write
// as an integer or as a bound.

export interface Point {
  readonly longitude: number;
  readonly latitude: number;
}

// No digit can be taken by two parts of the expression, so a long cell that does not fit is refused in one pass.
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const DIGITS = /^\d+$/;

/** Decimal or exponent notation; undefined for NaN, infinities, overflow and everything else (submissions.md, 3). */
export function readNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  // JSON has no negative zero: without the addition a reader would find 0 where the answer's digest saw -0.
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** Decimal digits only, up to the largest exact integer (D5). */
export function readInteger(text: string): number | undefined {
  if (!DIGITS.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** The number at an index that cannot be missing; throws a RangeError where it is. */
export function numberAt(numbers: ArrayLike<number>, index: number): number {
  const number = numbers[index];
  if (number === undefined) throw new RangeError(`no number at index ${index} of ${numbers.length}`);
  return number;
}

/** Where a stretch begins, of stretches that follow one another and end before these numbers. */
export function getRangeStart(ends: ArrayLike<number>, range: number): number {
  return range === 0 ? 0 : numberAt(ends, range - 1);
}

/** The index of the first of ascending numbers that is not below `bound`, from an index on before which all are. */
export function findFirstNotBelow(numbers: ArrayLike<number>, bound: number, from: number): number {
  return findFirst(from, numbers.length, (index) => numberAt(numbers, index) >= bound);
}

/** The first index from `low` to before `high` of which a claim is true, as it is of all behind it; else `high`. */
export function findFirst(low: number, high: number, matches: (index: number) => boolean): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (matches(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The point of a site, in degrees. Both coordinates must be present, finite, within +-180 and +-90, and not both 0;
 * else the site has no point (submissions.md, 3).
 */
export function readPoint(longitudeText: string | null, latitudeText: string | null): Point | undefined {
  if (longitudeText === null || latitudeText === null) return undefined;
  const longitude = readNumber(longitudeText);
  const latitude = readNumber(latitudeText);
  if (longitude === undefined || latitude === undefined) return undefined;
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) return undefined;
  return longitude === 0 && latitude === 0 ? undefined : { longitude, latitude };
}

/** What submissions and queries may write for true and for false, in any letter case (submissions.md, 3). */
export const BOOLEAN_TEXTS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'yes'].map((text) => [text, true] as const),
  ...['0', 'false', 'no'].map((text) => [text, false] as const),
]);
