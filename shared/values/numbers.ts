// Numbers as texts: what submissions may write in a numeric cell and what queries may write as an integer.

// No digit can be taken by two parts of the expression, so a long cell that does not fit is refused in one pass.
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const DIGITS = /^\d+$/;

/** Decimal or exponent notation; undefined for NaN, infinities, overflow and everything else (submissions.md, 3). */
export function readNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  // JSON has no negative zero; a reader would find 0 where the answer's digest saw -0.
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
