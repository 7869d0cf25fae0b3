// Reads one CSV file as batches of rows with their line numbers (submissions.md, 3). A stray quote can join rows into
// one record; such a record is given up line by line, so that a bad row never takes another with it (ADR 0012).

import type { SubmittedFile } from '../../format/submitted-files';
import {
  hasStrictQuotes,
  isBlankLine,
  parseRows,
  RecordScanner,
  UnreadableFileError,
  type CsvRow,
  type RecordBatch,
  type RecordPlace,
} from './csv-records';
import { detectEncoding, readPieces, submittedBytes, type TextEncoding } from './text-pieces';

/** A place between two rows of a file at which reading can begin again. */
export interface CsvPlace extends RecordPlace {
  readonly encoding: TextEncoding;
  readonly bytes: number;
}

export interface CsvBatch {
  readonly rows: readonly CsvRow[];
  /** The place behind the last of the rows. */
  readonly end: CsvPlace;
}

/** Gives the rows of a file piece by piece, its header first. */
export class CsvScan {
  private readonly scanner: RecordScanner;

  /** `from` is the end of an earlier batch. */
  constructor(
    private readonly encoding: TextEncoding,
    from?: CsvPlace,
  ) {
    this.scanner = new RecordScanner(from);
  }

  /** The rows that end in a piece of UTF-8, behind which `bytes` of the file are read. */
  take(piece: Buffer, bytes: number): CsvBatch {
    return this.batch(this.scanner.take(piece), bytes);
  }

  /** The rows behind the last piece. */
  finish(bytes: number): CsvBatch {
    return this.batch(this.scanner.finish(), bytes);
  }

  private batch({ rows: found, end, pending }: RecordBatch, read: number): CsvBatch {
    const { encoding } = this;
    const rows: CsvRow[] = [];
    for (const row of found) {
      if (isBlankLine(row)) continue;
      if (isPlainRow(row, end.columns)) rows.push(row);
      else for (const again of withRecovery(row, end.columns)) if (!isBlankLine(again)) rows.push(again);
    }
    const bytes = read - submittedBytes(pending(), encoding);
    return { rows, end: { ...end, encoding, bytes } };
  }
}

/**
 * The rows of a file, its header first, in batches of one piece of the file, because waiting for each row costs as much
 * as parsing it. Throws UnreadableFileError, which names the file.
 */
export async function* readCsvFile(file: SubmittedFile): AsyncIterable<readonly CsvRow[]> {
  try {
    const encoding = await detectEncoding(file);
    const scan = new CsvScan(encoding);
    for await (const { piece, bytes } of readPieces(file, encoding, 0)) yield scan.take(piece, bytes).rows;
    yield scan.finish(file.size).rows;
  } catch (error) {
    throw namingFile(file, error);
  }
}

/** The error that is to be thrown instead: the file's name stands before what makes it unreadable. */
export function namingFile({ name }: SubmittedFile, error: unknown): unknown {
  return error instanceof UnreadableFileError ? new UnreadableFileError(`${name}: ${error.message}`) : error;
}

/** Whether a row has a cell for each of the header's, and behind them only blank ones. */
export function fitsHeader(cells: readonly string[] | undefined, expected: number): boolean {
  if (cells === undefined || cells.length < expected) return false;
  return cells.length === expected || cells.slice(expected).every((cell) => cell.trim() === '');
}

/** Whether a row needs no recovery, as nearly all: one line, as many cells as the header, no lone cell. */
function isPlainRow({ cells, source }: CsvRow, expected: number | undefined): boolean {
  return expected !== undefined && expected > 1 && cells?.length === expected && !source.includes('\n');
}

/** Each line given up costs parsing the rest of its record again; a stray quote mostly costs one or two. */
const MAX_LINES_GIVEN_UP = 100;

/** Gives the first line of a record that is not a row as a broken row, and parses the others again. */
function withRecovery(row: CsvRow, expected: number | undefined): readonly CsvRow[] {
  const rows: CsvRow[] = [];
  let givenUp = 0;
  // The next row to look at is the last.
  const pending = [row];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const lineEnd = next.source.indexOf('\n');
    const isRow = expected === undefined || (fitsHeader(next.cells, expected) && hasStrictQuotes(next.source));
    if (lineEnd === -1 || isRow) {
      rows.push(next);
      continue;
    }
    if (++givenUp > MAX_LINES_GIVEN_UP) {
      throw new UnreadableFileError(
        `from line ${row.line} on, too many rows have a quote that is not closed; close or remove these quotes, and ` +
          'double each quote inside a quoted cell',
      );
    }
    rows.push({ line: next.line, cells: undefined, source: next.source.slice(0, lineEnd).replace(/\r$/, '') });
    for (const again of parseRows(next.source.slice(lineEnd + 1), next.line + 1).reverse()) pending.push(again);
  }
  return rows;
}
