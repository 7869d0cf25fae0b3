// Reads CSV bytes as batches of rows (submissions.md, 3). A row is named by the line on which it starts (RFC 4180). A
// stray quote can join several rows into one record. Such a record is skipped line by line, so that a bad row never
// takes good rows with it (ADR 0012).

import { TextDecoder } from 'node:util';
import { fitsHeader, readCells, splitCells } from './csv-cells';

/** A row with a polygon of 300,000 positions is a line of 12 MB; a line far longer would not fit in memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Cells with line breaks are addresses and remarks. What goes on for longer has a quote that nobody closed. */
const MAX_RECORD_LINES = 10_000;

/** Counted behind the first line of a record. */
const MAX_RECORD_BYTES = 1024 * 1024;

/** Each unclosed row costs reading up to MAX_RECORD_BYTES a few times more. */
const MAX_UNCLOSED_ROWS = 200;

/** Each line given up costs reading the rest of its record again; a stray quote mostly costs one or two. */
const MAX_SKIPPED_LINES = 100;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COMMA = 0x2c;
const QUOTE = 0x22;

export type TextEncoding = 'utf-8' | 'windows-1252';

/** How a byte order mark reads: a program that joined files of two encodings may have left that of the other one. */
const BYTE_ORDER_MARKS: Readonly<Record<TextEncoding, Buffer>> = {
  'utf-8': Buffer.from('\uFEFF'),
  'windows-1252': Buffer.from('ï»¿'),
};

export interface CsvRow {
  /** Line of the file on which the row starts; the header is mostly line 1. */
  readonly line: number;
  /** Undefined for a row that is not readable as CSV; `source` then shows it. */
  readonly cells: readonly string[] | undefined;
  /** The row as it stands in the file, without its line end. */
  readonly source: string;
}

/** Thrown for a file that is not CSV or has too many broken quotes. The message is a sentence without its full stop. */
export class UnreadableFileError extends Error {}

/** A place between two rows of a file, at which reading can go on. */
export interface CsvPosition {
  readonly encoding: TextEncoding;
  /** Number of bytes before it. */
  readonly offset: number;
  readonly line: number;
  /** Number of rows before it whose quote is not closed. */
  readonly unclosedRows: number;
  /** Number of cells of the header; undefined before it. */
  readonly columns: number | undefined;
}

export function getStartPosition(encoding: TextEncoding): CsvPosition {
  return { encoding, offset: 0, line: 1, unclosedRows: 0, columns: undefined };
}

export interface CsvBatch {
  readonly rows: readonly CsvRow[];
  /** The place behind the last of the rows. */
  readonly end: CsvPosition;
  /** Number of bytes that were read for it. */
  readonly bytesRead: number;
}

/** Gives the rows of a file piece by piece from a place on, its header first. */
export class CsvScan {
  /** Undefined for UTF-8, which is read as it is. */
  private readonly decoder: TextDecoder | undefined;
  /** The first `length` bytes are those behind the last record that ended, in UTF-8. */
  private buffer = Buffer.alloc(0);
  private length = 0;
  /** From where to before where the last record went that was no row, and how many of its lines were given up. */
  private malformed = { start: 0, end: 0, givenUp: 0 };
  private readonly position: { -readonly [Member in keyof CsvPosition]: CsvPosition[Member] };

  constructor(from: CsvPosition) {
    this.position = { ...from };
    this.decoder = from.encoding === 'utf-8' ? undefined : new TextDecoder(from.encoding);
  }

  /** The rows that end in the piece, whose memory may be used again afterwards. */
  addBytes(piece: Buffer): CsvBatch {
    this.append(this.decoder === undefined ? piece : Buffer.from(this.decoder.decode(piece)));
    const rows = this.readPending(false);
    if (this.length > MAX_LINE_BYTES && this.buffer.subarray(0, this.length).indexOf(LINE_FEED) === -1) {
      throw new UnreadableFileError(`line ${this.position.line} is longer than ${MAX_LINE_BYTES} bytes`);
    }
    return { rows, end: { ...this.position }, bytesRead: piece.length };
  }

  /** The rows behind the last piece. */
  finish(): CsvBatch {
    return { rows: this.readPending(true), end: { ...this.position }, bytesRead: 0 };
  }

  /** Reads what is pending: without `isLast` up to the last line end, and no row whose quote is still open. */
  private readPending(isLast: boolean): readonly CsvRow[] {
    const { position, decoder } = this;
    const pending = this.buffer.subarray(0, this.length);
    const text = isLast ? pending : pending.subarray(0, pending.lastIndexOf(LINE_FEED) + 1);
    const rows: CsvRow[] = [];
    let quote = findQuote(text, 0);
    const mark = BYTE_ORDER_MARKS[position.encoding];
    let offset = position.offset === 0 && text.subarray(0, mark.length).equals(mark) ? mark.length : 0;
    while (offset < text.length) {
      const lineEnd = findLineEnd(text, offset);
      if (quote < offset) quote = findQuote(text, offset);
      const end = quote < lineEnd ? findRecordEnd(text, offset) : lineEnd;
      const isLong = end !== lineEnd && isTooLong(text.subarray(lineEnd, end));
      if (end === undefined && !isLong && !isLast) break;
      if (isLong) this.assertRowsFollow(pending.subarray(lineEnd));
      const record = end === undefined || isLong ? undefined : readRecord(text, offset, end, position.line);
      const isRow = record !== undefined && (end === lineEnd || this.isRow(record));
      const row = isRow ? record : this.skipLine(text.subarray(offset, lineEnd), record);
      // A line of spaces and separators alone is as empty as an empty one: spreadsheets write thousands of them.
      if (!isBlank(row)) {
        rows.push(row);
        position.columns ??= row.cells?.length;
      }
      const next = isRow && end !== undefined ? end : lineEnd;
      position.line += next === lineEnd ? 1 : countLines(text.subarray(offset, next));
      offset = next;
    }
    // In Windows-1252 each character is one byte.
    position.offset += decoder === undefined ? offset : text.toString('utf8', 0, offset).length;
    this.buffer.copyWithin(0, offset, this.length);
    this.length -= offset;
    return rows;
  }

  /** Whether a record over several lines is one row. Any other has a stray quote, which has joined several rows. */
  private isRow(record: CsvRow): boolean {
    const { columns } = this.position;
    if (columns === undefined || isBlank(record)) return true;
    return fitsHeader(record.cells, columns) && readCells(record.source).isStrict;
  }

  /**
   * A record that is too long is given up if rows stand behind its first line. If they do not, nothing tells where rows
   * begin again, and each line would be a rejected row: then the file cannot be read.
   */
  private assertRowsFollow(rest: Buffer): void {
    const { columns, line } = this.position;
    if (columns !== undefined && areMostlyRows(rest, columns)) return;
    throw new UnreadableFileError(
      `the row on line ${line} opens a quote that is not closed within ${MAX_RECORD_LINES} lines and ${MAX_RECORD_BYTES} bytes; ` +
        'close the quote or remove it, and double each quote inside a quoted cell',
    );
  }

  /** The first line of a record as a broken row; the text behind it is read again. Without one, its quote is open. */
  private skipLine(text: Buffer, record: CsvRow | undefined): CsvRow {
    const { line } = this.position;
    if (record === undefined) this.position.unclosedRows++;
    else if (line < this.malformed.end) this.malformed.givenUp++;
    else this.malformed = { start: line, end: line + record.source.split('\n').length, givenUp: 1 };
    if (this.position.unclosedRows > MAX_UNCLOSED_ROWS) {
      throw new UnreadableFileError(
        `more than ${MAX_UNCLOSED_ROWS} rows have a quote that is not closed, the last of them on line ${line}; ` +
          'close or remove these quotes, and double each quote inside a quoted cell',
      );
    }
    if (this.malformed.givenUp > MAX_SKIPPED_LINES) {
      throw new UnreadableFileError(
        `from line ${this.malformed.start} on, too many rows have a quote that is not closed; close or remove these quotes, and ` +
          'double each quote inside a quoted cell',
      );
    }
    return { line, cells: undefined, source: trimLineEnds(text.toString()) };
  }

  private append(piece: Buffer): void {
    if (this.length + piece.length > this.buffer.length) {
      const grown = Buffer.allocUnsafe(2 * (this.length + piece.length));
      this.buffer.copy(grown, 0, 0, this.length);
      this.buffer = grown;
    }
    piece.copy(this.buffer, this.length);
    this.length += piece.length;
  }
}

/** Each record is a text of its own: a cell that is kept then keeps no whole piece. */
function readRecord(text: Buffer, start: number, end: number, line: number): CsvRow {
  const record = text.toString('utf8', start, end - countLineEndBytes(text, end));
  return { line, cells: splitCells(record), source: trimLineEnds(record) };
}

/** The length of the line end before `end`: 0, 1 or 2 bytes. */
function countLineEndBytes(text: Buffer, end: number): number {
  if (text[end - 1] !== LINE_FEED) return 0;
  return text[end - 2] === CARRIAGE_RETURN ? 2 : 1;
}

function trimLineEnds(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isLineEnd(text.charCodeAt(start))) start++;
  while (end > start && isLineEnd(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isLineEnd(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

/** The byte behind the record that starts at `start`; undefined when it opens a quote that the text does not close. */
function findRecordEnd(text: Buffer, start: number): number | undefined {
  for (let offset = start; ; offset++) {
    if (text[offset] === QUOTE) {
      let close = text.indexOf(QUOTE, offset + 1);
      while (close !== -1 && text[close + 1] === QUOTE) close = text.indexOf(QUOTE, close + 2);
      if (close === -1) return undefined;
      offset = close + 1;
    }
    while (offset < text.length && text[offset] !== COMMA && text[offset] !== LINE_FEED) offset++;
    if (offset >= text.length) return text.length;
    if (text[offset] === LINE_FEED) return offset + 1;
  }
}

function findLineEnd(text: Buffer, start: number): number {
  const lineFeed = text.indexOf(LINE_FEED, start);
  return lineFeed === -1 ? text.length : lineFeed + 1;
}

function findQuote(text: Buffer, start: number): number {
  const quote = text.indexOf(QUOTE, start);
  return quote === -1 ? text.length : quote;
}

function countLines(text: Buffer): number {
  let lines = 0;
  for (let offset = text.indexOf(LINE_FEED); offset !== -1; offset = text.indexOf(LINE_FEED, offset + 1)) lines++;
  return lines;
}

/** Whether a record, of which these are the bytes behind its first line, has more than one may. */
function isTooLong(rest: Buffer): boolean {
  if (rest.length > MAX_RECORD_BYTES) return true;
  const lastLine = rest.at(-1) === LINE_FEED ? 0 : 1;
  return 1 + countLines(rest) + lastLine > MAX_RECORD_LINES;
}

/** Whether half of the lines behind the first of a record that is too long have as many cells as a row, or more. */
function areMostlyRows(text: Buffer, columns: number): boolean {
  // The same lines however much of the text is there: it is at least as much as a record may have.
  const lines = text.toString('latin1', 0, MAX_RECORD_BYTES).split('\n', MAX_RECORD_LINES);
  const rows = lines.filter((line) => line.split(',', columns).length === columns);
  return rows.length * 2 >= lines.length;
}

function isBlank({ cells }: CsvRow): boolean {
  return cells?.every((cell) => cell.trim() === '') === true;
}
