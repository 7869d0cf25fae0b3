// One CSV file as batches of rows with their line numbers (submissions.md, 3). A stray quote can join rows into one record; so
// that a bad row never takes another with it, such a record is given up line by line.

import { basename } from 'node:path';
import { parse } from 'csv-parse/sync';
import { readRecords, UnreadableFileError, type RecordPlace } from './csv-records';
import { CSV_OPTIONS, LineCounter, type CsvRow, type ParsedRecord } from './csv-row';
import { otherFormat } from './other-format';
import { detectEncoding, readPieces, submittedBytes, type TextEncoding } from './text-encoding';

/** Where reading a file can begin again: between two rows behind its header. */
export interface CsvPlace extends RecordPlace {
  readonly encoding: TextEncoding;
  /** Bytes of the file before it. */
  readonly bytes: number;
  /** Cells of the header; undefined before it. */
  readonly columns: number | undefined;
}

export interface CsvBatch {
  readonly rows: readonly CsvRow[];
  /** Behind the last of the rows. */
  readonly end: CsvPlace;
}

/**
 * The rows of a file in batches, its header first: a batch is what one piece of the file holds, because waiting for each
 * row would cost as much as parsing it. `onBytes` hears how far reading has come. `from` is the end of a batch that was read before.
 * Throws UnreadableFileError, which names the file.
 */
export async function* readCsvFile(
  path: string,
  onBytes: (bytes: number) => void,
  from?: CsvPlace,
): AsyncIterable<CsvBatch> {
  try {
    yield* readBatches(path, onBytes, from);
  } catch (error) {
    throw error instanceof UnreadableFileError ? new UnreadableFileError(`${basename(path)}: ${error.message}`) : error;
  }
}

async function* readBatches(
  path: string,
  onBytes: (bytes: number) => void,
  from: CsvPlace | undefined,
): AsyncIterable<CsvBatch> {
  const other = otherFormat(path);
  if (other !== undefined) throw new UnreadableFileError(`it is ${other}, not CSV; export its rows as CSV in UTF-8`);
  const encoding = from?.encoding ?? (await detectEncoding(path));
  let bytes = from?.bytes ?? 0;
  let columns = from?.columns;
  const pieces = readPieces(path, encoding, bytes, (more) => {
    bytes += more;
    onBytes(more);
  });
  for await (const { rows: found, end, pending } of readRecords(pieces, from)) {
    const rows: CsvRow[] = [];
    for (const row of found) {
      if (isPlainRow(row, columns)) rows.push(row);
      else for (const again of withRecovery(row, columns)) if (!isBlankLine(again)) rows.push(again);
      columns ??= rows[0]?.cells?.length;
    }
    if (rows.length > 0)
      yield { rows, end: { ...end, encoding, columns, bytes: bytes - submittedBytes(pending(), encoding) } };
  }
}

/** Fewer cells than the header, or more that are not blank, are not to be guessed at. */
export function fitsHeader(cells: readonly string[] | undefined, expected: number): boolean {
  if (cells === undefined || cells.length < expected) return false;
  return cells.length === expected || cells.slice(expected).every((cell) => cell.trim() === '');
}

/** Nearly every row: as many cells as the header, on one line. A single cell may be a blank line. */
function isPlainRow({ cells, source }: CsvRow, expected: number | undefined): boolean {
  return expected !== undefined && expected > 1 && cells?.length === expected && !source.includes('\n');
}

/** Each line that is given up costs reading the rest of its record once more; a stray quote mostly costs one or two. */
const MAX_LINES_GIVEN_UP = 100;

/** A record over several lines that is not a row: its first line is broken, the others are read anew. */
function withRecovery(row: CsvRow, expected: number | undefined): readonly CsvRow[] {
  const rows: CsvRow[] = [];
  let givenUp = 0;
  // The next row to look at is the last.
  const pending = [row];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const lineEnd = next.source.indexOf('\n');
    const isRow = expected === undefined || (fitsHeader(next.cells, expected) && isStrict(next.source));
    if (lineEnd === -1 || isRow) {
      rows.push(next);
      continue;
    }
    if (++givenUp > MAX_LINES_GIVEN_UP) {
      throw new UnreadableFileError(`from line ${row.line} on, too many rows have a quote that is not closed`);
    }
    rows.push({ line: next.line, cells: undefined, source: next.source.slice(0, lineEnd).replace(/\r$/, '') });
    for (const again of parseAgain(next.source.slice(lineEnd + 1), next.line + 1).reverse()) pending.push(again);
  }
  return rows;
}

/** Whether each quoted cell of a record over several lines ends where a cell may end. */
function isStrict(source: string): boolean {
  try {
    parse(source, { ...CSV_OPTIONS, relax_quotes: false });
    return true;
  } catch {
    return false;
  }
}

/** Rows of a text that starts on `firstLine`; from a quote that is not closed to its end is one row without cells. */
function parseAgain(text: string, firstLine: number): CsvRow[] {
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

/** A line of spaces is as empty as an empty one. */
function isBlankLine(row: CsvRow): boolean {
  return row.cells?.length === 1 && row.cells[0]?.trim() === '';
}
