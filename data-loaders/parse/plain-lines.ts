// Lines of a CSV text that have no quote: what stands between two commas is a cell, what stands between two line ends a row.
// csv-parse says the same of them (a test holds both side by side); nearly all lines of large files are such.

import type { CsvRow, LineCounter } from './csv-row';

export const QUOTE = 0x22;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** `bytes` is UTF-8, ends with a line end or with the text, and has no quote. Empty lines are no rows. */
export function splitPlainLines(bytes: Buffer, lines: LineCounter): CsvRow[] {
  const rows: CsvRow[] = [];
  for (let from = 0; from < bytes.length;) {
    const lineEnd = bytes.indexOf(LINE_FEED, from);
    const next = lineEnd === -1 ? bytes.length : lineEnd + 1;
    const to = lineEnd > from && bytes[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : next - (lineEnd === -1 ? 0 : 1);
    if (to > from) {
      // Each line is a text of its own: a cell that is kept for long then keeps one line in memory, not a whole piece.
      const text = bytes.toString('utf8', from, to);
      rows.push(lines.row(text.split(','), text));
    }
    if (lineEnd !== -1) lines.line++;
    from = next;
  }
  return rows;
}
