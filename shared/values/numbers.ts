// Reads numbers and booleans in cells of submissions and in parameters of queries.

// No digit can match two parts of the expression, so a long cell that does not match is refused in one pass.
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const DIGITS = /^\d+$/;

/** Reads decimal or exponent notation. Undefined for NaN, infinities, overflow and other texts (submissions.md, 3). */
export function readNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  // JSON has no negative zero. Without the addition, the digest of an answer would be computed from -0, while its text
  // has 0.
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** Reads decimal digits, up to the largest safe integer (D5). */
export function readInteger(text: string): number | undefined {
  if (!DIGITS.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/**
 * The spellings of true and false in submissions and queries, in lower case; letter case is ignored (submissions.md,
 * 3).
 */
export const BOOLEAN_TEXTS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'yes'].map((text) => [text, true] as const),
  ...['0', 'false', 'no'].map((text) => [text, false] as const),
]);
