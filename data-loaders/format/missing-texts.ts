// Recognizes texts that stand for a missing value (D73).

/** Texts that people write in place of an empty cell, in any letter case. In required columns they are values. */
export const FILLER_TEXTS: readonly string[] = [
  'Unspecified',
  'Unknown',
  'WaDE Blank',
  'WaDE Unspecified',
  'In Review',
  'None',
];

/**
 * Texts that programs write for a missing value. They apply in every column and in any letter case, except that `NA`
 * must be uppercase.
 */
const MISSING_TEXTS: readonly string[] = ['NA', 'N/A', '#N/A', 'NULL', '<Null>', '(null)', '<NA>', '\\N', 'NaT', 'NaN'];

/** The texts that spreadsheets show in a cell with a failed formula. */
const SPREADSHEET_ERRORS: readonly string[] = [
  '#NULL!',
  '#DIV/0!',
  '#VALUE!',
  '#REF!',
  '#NAME?',
  '#NUM!',
  '#GETTING_DATA',
  '#SPILL!',
  '#CALC!',
  '#FIELD!',
  '#BLOCKED!',
  '#CONNECT!',
  '#BUSY!',
  '#UNKNOWN!',
];

const fillers: ReadonlySet<string> = new Set(FILLER_TEXTS.map((text) => text.toLowerCase()));
const missingTexts: ReadonlySet<string> = new Set(
  [...MISSING_TEXTS, ...SPREADSHEET_ERRORS].map((text) => text.toLowerCase()),
);

const allTexts = [...fillers, ...missingTexts];
const MAX_LENGTH = Math.max(...allTexts.map(({ length }) => length));

export function isFiller(text: string): boolean {
  return text.length <= MAX_LENGTH && fillers.has(text.toLowerCase());
}

export function isMissingText(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  // "Na" can be a name.
  return text.length === 2 && text !== '\\N' ? text === 'NA' : missingTexts.has(text.toLowerCase());
}
