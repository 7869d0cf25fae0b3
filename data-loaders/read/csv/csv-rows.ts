// Rows of CSV text with the lines on which they start: plain lines are split here, others by csv-parse (ADR 0012).

import { parse } from 'csv-parse/sync';

export interface CsvRow {
  /** Line of the file on which the row starts; the header is mostly line 1. */
  readonly line: number;
  /** Undefined for a row that is not readable as CSV; `source` then shows it. */
  readonly cells: readonly string[] | undefined;
  /** The row as it stands in the file, without its line end. */
  readonly source: string;
}

/** A line of spaces is as empty as an empty one. */
export function isBlankLine({ cells }: CsvRow): boolean {
  return cells?.length === 1 && cells[0]?.trim() === '';
}

/** How csv-parse is to read RFC 4180. `info` gives the byte at which a record ends. */
export const CSV_OPTIONS = {
  info: true,
  relax_column_count: true,
  // `5" pipe` in a cell without quotes is text; RFC 4180 does not allow it, real files have it.
  relax_quotes: true,
  record_delimiter: ['\r\n', '\n'] as string[],
  skip_empty_lines: true,
};

/** The form in which csv-parse yields each record with `info`; its types know only the bare form. */
export interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: { readonly bytes: number };
}

/** Makes rows of the text between the ends of two records, counting lines. */
export class LineCounter {
  constructor(public line: number) {}

  /** `text` ends with the row and may start with empty lines, which are passed over. */
  row(cells: readonly string[] | undefined, text: string): CsvRow {
    let start = 0;
    let line = this.line;
    for (; start < text.length && isLineEnd(text.charCodeAt(start)); start++) {
      if (text.charCodeAt(start) === 0x0a) line++;
    }
    let end = text.length;
    while (end > start && isLineEnd(text.charCodeAt(end - 1))) end--;
    this.line = line;
    for (let at = text.indexOf('\n', start); at !== -1; at = text.indexOf('\n', at + 1)) this.line++;
    return { line, cells, source: text.slice(start, end) };
  }
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

export const QUOTE = 0x22;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Splits the lines that can be read by themselves: each cell has no quote, or stands in quotes from its comma to the
 * next. csv-parse reads them the same way (a test compares both); nearly all lines of large files are such, and this
 * takes a fifth of its time. `bytes` is UTF-8 and ends with a line end or with the text. Empty lines are no rows.
 * `end` is the byte at which the first line starts that is not plain.
 */
export function splitPlainLines(bytes: Buffer, lines: LineCounter): { readonly rows: CsvRow[]; readonly end: number } {
  const rows: CsvRow[] = [];
  let quote = nextQuote(bytes, 0);
  let from = 0;
  while (from < bytes.length) {
    const lineEnd = bytes.indexOf(LINE_FEED, from);
    const next = lineEnd === -1 ? bytes.length : lineEnd + 1;
    const to = lineEnd > from && bytes[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : next - (lineEnd === -1 ? 0 : 1);
    if (to > from) {
      // Each line is a text of its own: a cell that is remembered then holds one line in memory, not a whole piece.
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

/** The index behind the quote that closes the one at `start`; undefined without one. Two in a row are text. */
function endOfQuoted(line: string, start: number): number | undefined {
  let end = line.indexOf('"', start + 1);
  while (end !== -1 && line[end + 1] === '"') end = line.indexOf('"', end + 2);
  return end === -1 ? undefined : end + 1;
}

/** Whether each quoted cell of a record ends where RFC 4180 lets a cell end. */
export function hasStrictQuotes(source: string): boolean {
  try {
    parse(source, { ...CSV_OPTIONS, relax_quotes: false });
    return true;
  } catch {
    return false;
  }
}

/** The rows of a text from `firstLine` on; the text from an unclosed quote to the end is a row without cells. */
export function parseRows(text: string, firstLine: number): CsvRow[] {
  const bytes = Buffer.from(text);
  const lines = new LineCounter(firstLine);
  const rows: CsvRow[] = [];
  let from = 0;
  const options = { ...CSV_OPTIONS, skip_records_with_error: true };
  const parsed = parse(bytes, options) as unknown as readonly ParsedRecord[]; // CSV_OPTIONS asks for this form.
  for (const { record, info } of parsed) {
    rows.push(lines.row(record, bytes.toString('utf8', from, info.bytes)));
    from = info.bytes;
  }
  const rest = bytes.toString('utf8', from);
  if (rest.trim() !== '') rows.push(lines.row(undefined, rest));
  return rows;
}
