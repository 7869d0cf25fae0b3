// How long a record may be, and what stands behind one that is longer (ADR 0012).

import { isBlankLine, type CsvRow } from './csv-rows';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Cells with line breaks are addresses and remarks. What goes on for longer has a quote that nobody closed. */
export const MAX_RECORD_LINES = 10_000;

/** Counted behind the first line of a record. */
export const MAX_RECORD_BYTES = 1024 * 1024;

/** The index of the first byte that is no line end. */
export function startOfRecord(bytes: Buffer): number {
  let start = 0;
  while (bytes[start] === LINE_FEED || bytes[start] === CARRIAGE_RETURN) start++;
  return start;
}

/** Whether a text of a record, perhaps behind empty lines, has more than one may. It may lack the record's end. */
export function isTooLongRecord(text: Buffer): boolean {
  const lineEnd = text.indexOf(LINE_FEED, startOfRecord(text));
  if (lineEnd === -1) return false;
  if (text.length - (lineEnd + 1) > MAX_RECORD_BYTES) return true;
  let lines = 1;
  // A line end that is the last byte may be the record's own.
  for (let at = lineEnd; at !== -1 && at < text.length - 1; at = text.indexOf(LINE_FEED, at + 1)) {
    if (++lines > MAX_RECORD_LINES) return true;
  }
  return false;
}

/** The number of cells of the header, which is the first row that is not blank. */
export function headerColumns(rows: readonly CsvRow[]): number | undefined {
  return rows.find((row) => !isBlankLine(row))?.cells?.length;
}

/** Whether half of the lines behind the first of a record that is too long have as many cells as a row, or more. */
export function standsBeforeRows(text: Buffer, columns: number): boolean {
  const start = text.indexOf(LINE_FEED, startOfRecord(text)) + 1;
  // The same lines however much of the text is there: it is at least as much as a record may have.
  const behind = text.toString('latin1', start, start + MAX_RECORD_BYTES).split('\n', MAX_RECORD_LINES);
  const rows = behind.filter((line) => line.split(',', columns).length === columns);
  return rows.length * 2 >= behind.length;
}
