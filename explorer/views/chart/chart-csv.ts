// Writes the figures of a chart as CSV.

import type { FigureTable } from './chart';

/** Writes rows as CSV. Quotes cells as needed, and neutralizes formulas for spreadsheets. */
export function writeCsv(rows: FigureTable): string {
  return `${rows.map((row) => row.map(formatCsvCell).join(',')).join('\n')}\n`;
}

/** A number is not a formula, even with a sign (D77). */
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

function formatCsvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const isFormula = /^[=+\-@\t\r']/.test(value ?? '') && !PLAIN_NUMBER.test(value ?? '');
  const text = isFormula ? `'${value ?? ''}` : (value ?? '');
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
