// Lines of a CSV text that can be read by themselves: each cell has no quote, or stands in quotes from its comma to the next.
// csv-parse says the same of them (a test holds both side by side); nearly all lines of large files are such.

import type { CsvRow, LineCounter } from './csv-row';

export const QUOTE = 0x22;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface PlainLines {
  readonly rows: CsvRow[];
  /** Where the first line starts that is not plain; else the end. */
  readonly end: number;
}

/** `bytes` is UTF-8 and ends with a line end or with the text. Empty lines are no rows. */
export function splitPlainLines(bytes: Buffer, lines: LineCounter): PlainLines {
  const rows: CsvRow[] = [];
  let quote = nextQuote(bytes, 0);
  let from = 0;
  while (from < bytes.length) {
    const lineEnd = bytes.indexOf(LINE_FEED, from);
    const next = lineEnd === -1 ? bytes.length : lineEnd + 1;
    const to = lineEnd > from && bytes[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : next - (lineEnd === -1 ? 0 : 1);
    if (to > from) {
      // Each line is a text of its own: a cell that is kept for long then keeps one line in memory, not a whole piece.
      const text = bytes.toString('utf8', from, to);
      const cells = quote < to ? quotedCells(text) : text.split(',');
      if (cells === undefined) break;
      rows.push(lines.row(cells, text));
      if (quote < to) quote = nextQuote(bytes, next);
    }
    if (lineEnd !== -1) lines.line++;
    from = next;
  }
  return { rows, end: from };
}

function nextQuote(bytes: Buffer, from: number): number {
  const quote = bytes.indexOf(QUOTE, from);
  return quote === -1 ? bytes.length : quote;
}

/** Undefined for a line with a quote that neither begins nor ends a cell, nor stands for itself in one that does. */
function quotedCells(line: string): string[] | undefined {
  const cells: string[] = [];
  for (let at = 0; at <= line.length;) {
    const isQuoted = line[at] === '"';
    const end = isQuoted ? endOfQuoted(line, at) : endOfCell(line, at);
    if (end === undefined || (end < line.length && line[end] !== ',')) return undefined;
    const cell = line.slice(at, end);
    if (!isQuoted && cell.includes('"')) return undefined;
    cells.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    at = end + 1;
  }
  return cells;
}

function endOfCell(line: string, start: number): number {
  const comma = line.indexOf(',', start);
  return comma === -1 ? line.length : comma;
}

/** Behind the quote that closes the one at `start`: two quotes in a row are one of the text. Undefined when it is not closed. */
function endOfQuoted(line: string, start: number): number | undefined {
  let end = line.indexOf('"', start + 1);
  while (end !== -1 && line[end + 1] === '"') end = line.indexOf('"', end + 2);
  return end === -1 ? undefined : end + 1;
}
