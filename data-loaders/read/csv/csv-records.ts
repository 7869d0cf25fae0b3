// The records of a CSV text that comes in pieces, with their lines. csv-parse reads from the first line on that is not
// plain until no quote is pending. The bytes that it has not ended a record with stay here, so that a quote that is
// never closed costs its own line and not all lines behind it.

import { parse, type Parser } from 'csv-parse';
import { CSV_OPTIONS, LineCounter, QUOTE, splitPlainLines, type CsvRow, type ParsedRecord } from './csv-rows';
import {
  headerColumns,
  isTooLongRecord,
  MAX_RECORD_BYTES,
  MAX_RECORD_LINES,
  standsBeforeRows,
  startOfRecord,
} from './record-bounds';

/** A row with a polygon of 300,000 positions is a line of 12 MB; a line far longer would not fit in memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Each unclosed row costs parsing up to MAX_RECORD_BYTES once more. */
const MAX_UNCLOSED_ROWS = 200;

/** csv-parse makes objects of all that it is given before the first of them can be taken. */
const PARSED_BYTES = 64 * 1024;

/** Thrown for a file that is not CSV or has too many broken quotes. The message is a sentence without its full stop. */
export class UnreadableFileError extends Error {}

/** A place behind a record, at which reading can go on. */
export interface RecordPlace {
  readonly line: number;
  /** Number of rows before it whose quote is not closed. */
  readonly unclosedRows: number;
  /** Number of cells of the header; undefined before it. */
  readonly columns: number | undefined;
}

export interface RecordBatch {
  readonly rows: readonly CsvRow[];
  /** The place behind the last of the rows. */
  readonly end: RecordPlace;
  /** The bytes that were read and belong to no row yet. */
  readonly pending: () => Buffer;
}

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Gives the records of a text piece by piece, in file order; `from` is where it begins if not at a file's start. */
export class RecordScanner {
  /** Undefined while all lines are plain. */
  private parser: Parser | undefined;
  /** False before the first piece of a file, which may start with a byte order mark. */
  private isStarted: boolean;
  private readonly lines: LineCounter;
  /** The first `length` bytes are those behind the last record that ended. */
  private pending = Buffer.alloc(0);
  private length = 0;
  /** How many bytes of the parser's input lie before `pending`, and how many of `pending` it has been given. */
  private ended = 0;
  private given = 0;
  private unclosedRows: number;
  private columns: number | undefined;

  constructor(from: RecordPlace | undefined) {
    this.isStarted = from !== undefined;
    this.lines = new LineCounter(from?.line ?? 1);
    this.unclosedRows = from?.unclosedRows ?? 0;
    this.columns = from?.columns;
  }

  /** The records that end in the piece, whose memory may be used again afterwards. */
  take(piece: Buffer): RecordBatch {
    const isMarked = !this.isStarted && piece.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    this.isStarted = true;
    this.append(isMarked ? piece.subarray(BYTE_ORDER_MARK.length) : piece);
    const rows: CsvRow[] = [];
    this.takeRecords(rows, this.bytes().lastIndexOf(LINE_FEED) + 1);
    while (this.parser !== undefined && !this.parse(this.parser, rows)) this.giveUpRecord(rows);
    if (this.parser !== undefined && !this.bytes().includes(QUOTE)) this.endParser();
    if (this.length > MAX_LINE_BYTES && this.bytes().indexOf(LINE_FEED) === -1) {
      throw new UnreadableFileError(`line ${this.lines.line} is longer than ${MAX_LINE_BYTES} bytes`);
    }
    return this.batch(rows);
  }

  /** The records behind the last piece. */
  finish(): RecordBatch {
    const rows: CsvRow[] = [];
    for (;;) {
      this.takeRecords(rows, this.length);
      const isRead = this.parser === undefined || this.parse(this.parser, rows, true);
      if (!isRead) this.giveUpRecord(rows);
      else if (this.bytes().toString().trim() === '') return this.batch(rows);
      else this.giveUpLine(rows);
    }
  }

  private batch(rows: readonly CsvRow[]): RecordBatch {
    this.columns ??= headerColumns(rows);
    const { unclosedRows, columns } = this;
    return { rows, end: { line: this.lines.line, unclosedRows, columns }, pending: () => this.bytes() };
  }

  /** Takes the plain lines before `end`; csv-parse reads from the first line on that is not plain. */
  private takeRecords(rows: CsvRow[], end: number): void {
    if (this.parser !== undefined || end === 0) return;
    const { rows: plain, end: taken } = splitPlainLines(this.bytes().subarray(0, end), this.lines);
    append(rows, plain);
    this.drop(taken);
    if (taken === end) return;
    [this.ended, this.given] = [0, 0];
    this.parser = startParser();
  }

  private endParser(): void {
    this.parser?.destroy();
    this.parser = undefined;
  }

  /**
   * Takes the records that csv-parse finds in what is pending; it has done its work when `write` returns. False when
   * the next record, whether it has come to its end or not, is too long to be one.
   */
  private parse(parser: Parser, rows: CsvRow[], isLast = false): boolean {
    for (;;) {
      const isEnd = this.given === this.length;
      if (isEnd && !isLast) return true;
      const next = this.bytes().subarray(this.given, this.given + PARSED_BYTES);
      if (isEnd) parser.end();
      // The parser keeps what no record ends in, and this memory is used again.
      else parser.write(Buffer.from(next));
      this.given += next.length;
      if (!this.takeParsed(parser, rows)) return false;
      if (isEnd) return true;
    }
  }

  private takeParsed(parser: Parser, rows: CsvRow[]): boolean {
    let from = 0;
    for (let found: unknown = parser.read(); found !== null; found = parser.read()) {
      const { record, info } = found as ParsedRecord; // CSV_OPTIONS asks for this form.
      const to = info.bytes - this.ended;
      if (this.isTooLong(from, to)) {
        this.drop(from);
        return false;
      }
      rows.push(this.lines.row(record, this.pending.toString('utf8', from, to)));
      from = to;
    }
    this.drop(from);
    return !this.isTooLong(0, this.given);
  }

  private isTooLong(from: number, to: number): boolean {
    return to - from > MAX_RECORD_LINES && isTooLongRecord(this.pending.subarray(from, to));
  }

  /**
   * Gives up the first line of a record that is too long, if rows stand behind it. If they do not, nothing tells where
   * rows begin again, and each line would be a rejected row: then the file cannot be read.
   */
  private giveUpRecord(rows: CsvRow[]): void {
    const columns = this.columns ?? headerColumns(rows);
    if (columns !== undefined && standsBeforeRows(this.bytes(), columns)) {
      this.giveUpLine(rows);
      return;
    }
    const { line } = this.lines.row(undefined, this.pending.toString('utf8', 0, startOfRecord(this.bytes()) + 1));
    throw new UnreadableFileError(
      `the row on line ${line} opens a quote that is not closed within ${MAX_RECORD_LINES} lines and ${MAX_RECORD_BYTES} bytes; ` +
        'close the quote or remove it, and double each quote inside a quoted cell',
    );
  }

  /** Gives the first line of what is pending as a broken row; the text behind it is read again. */
  private giveUpLine(rows: CsvRow[]): void {
    const lineEnd = this.bytes().indexOf(LINE_FEED, startOfRecord(this.bytes()));
    const to = lineEnd === -1 ? this.length : lineEnd + 1;
    const broken = this.lines.row(undefined, this.pending.toString('utf8', 0, to));
    if (++this.unclosedRows > MAX_UNCLOSED_ROWS) {
      throw new UnreadableFileError(
        `more than ${MAX_UNCLOSED_ROWS} rows have a quote that is not closed, the last of them on line ${broken.line}; ` +
          'close or remove these quotes, and double each quote inside a quoted cell',
      );
    }
    rows.push(broken);
    this.drop(to);
    this.endParser();
    this.takeRecords(rows, this.bytes().lastIndexOf(LINE_FEED) + 1);
  }

  private bytes(): Buffer {
    return this.pending.subarray(0, this.length);
  }

  private append(piece: Buffer): void {
    if (this.length + piece.length > this.pending.length) {
      const grown = Buffer.allocUnsafe(2 * (this.length + piece.length));
      this.pending.copy(grown, 0, 0, this.length);
      this.pending = grown;
    }
    piece.copy(this.pending, this.length);
    this.length += piece.length;
  }

  private drop(bytes: number): void {
    if (bytes === 0) return;
    this.pending.copyWithin(0, bytes, this.length);
    this.length -= bytes;
    this.ended += bytes;
    this.given -= bytes;
  }
}

/** A batch can be longer than the arguments that a call may have. */
function append(rows: CsvRow[], more: readonly CsvRow[]): void {
  for (const row of more) rows.push(row);
}

/** The parser has no bound of its own: RecordScanner has one that loses no rows. */
function startParser(): Parser {
  const parser = parse({ ...CSV_OPTIONS });
  // A quote that is not closed is an error at the end; the scanner sees it as bytes that belong to no record.
  parser.on('error', () => undefined);
  return parser;
}
