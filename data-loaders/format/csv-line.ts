// Rows written as CSV: what is kept beside a release, and the rejected rows.

const NEEDS_QUOTES = /[",\r\n]/;

/** RFC 4180, without the line end. */
export function csvLine(cells: readonly string[]): string {
  let line = '';
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] ?? '';
    const text = NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
    line += index === 0 ? text : `,${text}`;
  }
  return line;
}
