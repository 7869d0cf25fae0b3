// One CSV file as a stream of rows with their line numbers (submissions.md, 3). A quote that is never closed swallows the
// rows behind it; so that a bad row never takes another with it, such a record is given up line by line.

import { parse, type CsvError, type Options } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { detectEncoding, readPieces } from './text-encoding';

export interface CsvRow {
  /** Line of the file on which the row starts; the header is mostly line 1. */
  readonly line: number;
  /** Undefined for a row that is not readable as CSV; `source` then shows it. */
  readonly cells: readonly string[] | undefined;
  /** The row as it stands in the file, without its line end. */
  readonly source: string;
}

/** With `info` and `raw`, what csv-parse yields for each record; its types know only the bare form. */
interface ParsedRecord {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

/** A row of one polygon of 300,000 positions is 12 MB; what is far longer is not a row, and would not fit in memory. */
const MAX_ROW_CHARACTERS = 64 * 1024 * 1024;

const OPTIONS = {
  bom: true,
  info: true,
  raw: true,
  relax_column_count: true,
  // `5" pipe` in a cell without quotes is text; RFC 4180 does not allow it, real files have it.
  relax_quotes: true,
  record_delimiter: ['\r\n', '\n'],
  skip_empty_lines: true,
  skip_records_with_error: true,
  max_record_size: MAX_ROW_CHARACTERS,
} as const satisfies Options;

export class RowTooLongError extends Error {}

/**
 * The rows of a file in batches, its header first: a batch is what one piece of the file holds, because waiting for each
 * row would cost as much as parsing it. `onBytes` hears how far reading has come.
 */
export async function* readCsvFile(path: string, onBytes: (bytes: number) => void): AsyncIterable<readonly CsvRow[]> {
  let expected: number | undefined;
  for await (const batch of parseRecords(readPieces(path, await detectEncoding(path), onBytes))) {
    const rows: CsvRow[] = [];
    for (const found of batch) {
      if (expected !== undefined && found.cells?.length === expected) rows.push(found);
      else rows.push(...[...withRecovery(found, expected)].filter((row) => !isBlankLine(row)));
      expected ??= rows[0]?.cells?.length;
    }
    if (rows.length > 0) yield rows;
  }
}

/** Fewer cells than the header, or more that are not blank, are not to be guessed at. */
export function fitsHeader(cells: readonly string[] | undefined, expected: number): boolean {
  if (cells === undefined || cells.length < expected) return false;
  return cells.length === expected || cells.slice(expected).every((cell) => cell.trim() === '');
}

/** Records in file order, a batch for each piece; one that csv-parse could not read has no cells. */
async function* parseRecords(pieces: AsyncIterable<Buffer | string>): AsyncIterable<readonly CsvRow[]> {
  let batch: CsvRow[] = [];
  let failure: Error | undefined;
  const parser = parse({ ...OPTIONS });
  parser.on('skip', (error: CsvError, raw: string) => {
    if (error.code === 'CSV_MAX_RECORD_SIZE') failure = new RowTooLongError(error.message);
    batch.push(rowOf(undefined, raw, Number(error['lines'])));
  });
  parser.on('error', (error) => {
    failure = error;
  });
  const take = (): readonly CsvRow[] => {
    if (failure !== undefined) throw failure;
    for (let parsed: unknown = parser.read(); parsed !== null; parsed = parser.read()) {
      const { record, raw, info } = parsed as ParsedRecord; // OPTIONS asks for this form.
      batch.push(rowOf(record, raw, info.lines));
    }
    // Skipped rows are told of at once, the others only here.
    const rows = batch.sort((a, b) => a.line - b.line);
    batch = [];
    return rows;
  };
  // csv-parse is a Transform whose work is done when `write` returns; all that it found is then read at once.
  for await (const piece of pieces) {
    parser.write(piece);
    yield take();
  }
  const ended = new Promise<void>((resolve) => parser.once('end', resolve).once('close', resolve));
  parser.end();
  yield take();
  await ended;
  yield take();
}

/** A record over several lines that does not fit the header: its first line is broken, the others are read anew. */
function* withRecovery(row: CsvRow, expected: number | undefined): Iterable<CsvRow> {
  let pending: readonly CsvRow[] = [row];
  while (pending.length > 0) {
    const [first, ...others] = pending;
    if (first === undefined) return;
    const lineEnd = first.source.indexOf('\n');
    if (expected === undefined || fitsHeader(first.cells, expected) || lineEnd === -1) {
      yield first;
      pending = others;
    } else {
      yield { line: first.line, cells: undefined, source: first.source.slice(0, lineEnd).replace(/\r$/, '') };
      pending = [...parseAgain(first.source.slice(lineEnd + 1), first.line), ...others];
    }
  }
}

function parseAgain(text: string, linesBefore: number): CsvRow[] {
  const rows: CsvRow[] = [];
  const options = {
    ...OPTIONS,
    on_skip: (error: CsvError | undefined, raw: string | undefined): undefined => {
      rows.push(rowOf(undefined, raw ?? '', linesBefore + Number(error?.['lines'])));
    },
  };
  const parsed = parseText(text, options) as unknown as readonly ParsedRecord[]; // OPTIONS asks for this form.
  for (const { record, raw, info } of parsed) rows.push(rowOf(record, raw, linesBefore + info.lines));
  return rows.sort((a, b) => a.line - b.line);
}

/** `lastLine` is the line on which the record ends; `raw` may start with skipped empty lines. */
function rowOf(cells: readonly string[] | undefined, raw: string, lastLine: number): CsvRow {
  const source = trimLineEnds(raw);
  return { line: lastLine - countLineEnds(source), cells, source };
}

function trimLineEnds(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isLineEnd(text.charCodeAt(start))) start++;
  while (end > start && isLineEnd(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** A line of spaces is as empty as an empty one. */
function isBlankLine(row: CsvRow): boolean {
  return row.cells?.length === 1 && row.cells[0]?.trim() === '';
}
