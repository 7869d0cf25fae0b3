// Removes notations that keep a spreadsheet from changing codes, such as `="00123"` and `'00123` (D73).

const FORMULA_TEXT = /^=\s*"((?:[^"]|"")*)"$/;

/** Matches an apostrophe before other text. A name may also start with an apostrophe. */
const APOSTROPHE = /^['\u2019]([^'\u2019]+)$/;

const CODE = /^[\p{L}\p{N}][\p{L}\p{N}_.:/-]*$/u;
const NUMERIC_CODE = /^\p{N}[\p{N}_.:/-]*$/u;

/**
 * The text inside a protective notation; undefined without such a notation. `isCode`: whether the column contains
 * codes.
 */
export function readProtectedText(text: string, isCode: boolean): string | undefined {
  const [, formula] = FORMULA_TEXT.exec(text) ?? [];
  if (formula !== undefined) return formula.replaceAll('""', '"').trim();
  const [, rest] = APOSTROPHE.exec(text) ?? [];
  return rest !== undefined && (isCode ? CODE : NUMERIC_CODE).test(rest) ? rest : undefined;
}
