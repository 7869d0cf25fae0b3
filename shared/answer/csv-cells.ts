// Cells of a CSV answer (RFC 4180), harmless to spreadsheets and reversible (ADR 0033).

/** Between the items of a list; one that an item holds is written with a backslash before it, and so is a backslash. */
const LIST_SEPARATOR = '|';

/** With these a spreadsheet begins a formula, or skips them and begins one; the apostrophe is what marks such a text. */
const DANGEROUS = /^['=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A negative number is read as a number by everybody. No digit can be taken by two parts of the expression. */
const NEGATIVE_NUMBER = /^-\d+(\.\d+)?(e[+-]?\d+)?$/i;

const NEEDS_QUOTES = /[",\r\n]/;

export type Scalar = string | number | boolean | null;

export function cellOf(value: Scalar): string {
  if (value === null) return '';
  return typeof value === 'string' ? textCell(value) : String(value);
}

export function listCell(values: readonly Scalar[]): string {
  if (values.length === 0) return '';
  return textCell(values.map((value) => (value === null ? '' : escapeItem(String(value)))).join(LIST_SEPARATOR));
}

function textCell(text: string): string {
  const harmless = DANGEROUS.test(text) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function escapeItem(text: string): string {
  return text.replace(/[\\|]/g, '\\$&');
}
