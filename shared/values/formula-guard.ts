// Keeps spreadsheets from running the text of a CSV cell as a formula (ADR 0033).

/** The characters that begin a formula, or that spreadsheets skip before one. */
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A plain number is safe. No digit can match two parts of the expression, so it does not backtrack. */
const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A cell without a visible character looks empty, so the guard itself would look like a value. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

const GUARD = "'";

/** Whether a spreadsheet would run the text as a formula. */
export function isFormula(text: string): boolean {
  return FORMULA_START.test(text) && VISIBLE.test(text) && !PLAIN_NUMBER.test(text.trim());
}

/** Guards a cell of a submission. `removeGuard` restores the cell. */
export function guardFormula(cell: string): string {
  return isFormula(cell) ? GUARD + cell : cell;
}

/** Returns the cell without the apostrophe before a formula. */
export function removeGuard(cell: string): string {
  return cell.startsWith(GUARD) && isFormula(cell.slice(GUARD.length)) ? cell.slice(GUARD.length) : cell;
}
