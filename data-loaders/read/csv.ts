// Reads CSV bytes as batches of rows (submissions.md, 3). A row is identified by the line on which it starts (RFC
// 4180). A stray quote can join several rows into one record. Such a record is skipped line by line, so that the good
// rows after the bad row are not lost (ADR 0012).

import { allocateOwnBytes, ownBytes } from '../../shared/values/bytes/own-bytes';
import { fitsHeader, readCells, splitCells } from './csv-cells';
import { LineDecoder } from './line-decoder';

/** A row with a polygon of 300,000 positions is a line of 12 MB. A much longer line would not fit in memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * A longer record contains a quote that was never closed: cells with line breaks contain only addresses and remarks.
 */
const MAX_RECORD_LINES = 10_000;

/** The size is counted from the second line of a record on. */
const MAX_RECORD_BYTES = 1024 * 1024;

/** Limited because each unclosed row causes up to MAX_RECORD_BYTES to be read again. */
const MAX_UNCLOSED_ROWS = 200;

/**
 * Limited because the rest of the record is read again for each skipped line. A stray quote usually costs one or two
 * lines.
 */
const MAX_SKIPPED_LINES = 100;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COMMA = 0x2c;
const QUOTE = 0x22;

/** `mixed`: some lines are not valid UTF-8 and are read as Windows-1252 (D73). */
export type TextEncoding = 'utf-8' | 'mixed';

/** The UTF-8 byte order mark, and how it appears in a line that is read as Windows-1252. */
const BYTE_ORDER_MARKS: Readonly<Record<TextEncoding, readonly Buffer[]>> = {
  'utf-8': [ownBytes('\uFEFF')],
  mixed: [ownBytes('\uFEFF'), ownBytes('ï»¿')],
};

export interface CsvRow {
  /** The line of the file on which the row starts. The header is usually line 1. */
  readonly line: number;
  /** Undefined for a row that cannot be read as CSV; `source` then contains its text. */
  readonly cells: readonly string[] | undefined;
  /** The row as in the file, without its line end. */
  readonly source: string;
  /** Whether the row is the last of the file and has no line end, as in a truncated file. */
  readonly isUnended?: true;
}

/** Thrown if a file is not CSV or has too many broken quotes. The message is a sentence without a period. */
export class UnreadableFileError extends Error {}

/** A position between two rows of a file, from which reading can resume. */
export interface CsvPosition {
  readonly encoding: TextEncoding;
  /** Byte offset in the file. */
  readonly offset: number;
  readonly line: number;
  /** The number of rows before this position with an unclosed quote. */
  readonly unclosedRows: number;
  /** The number of header cells; undefined before the header. */
  readonly columns: number | undefined;
}

export function getStartPosition(encoding: TextEncoding): CsvPosition {
  return { encoding, offset: 0, line: 1, unclosedRows: 0, columns: undefined };
}

export interface CsvBatch {
  readonly rows: readonly CsvRow[];
  /** The position after the last row. */
  readonly end: CsvPosition;
  /** The number of bytes read for this batch. */
  readonly bytesRead: number;
  /** The line numbers of rows that were read as Windows-1252, in a file that is not UTF-8. */
  readonly windows1252Lines: readonly number[];
}

/** Reads the rows of a file, starting at a position, buffer by buffer. The header is the first row. */
export class CsvScan {
  /** Undefined for UTF-8, which is not converted. */
  private readonly decoder: LineDecoder | undefined;
  /** The first `length` bytes are the pending UTF-8 bytes after the last complete record. */
  private buffer = Buffer.alloc(0);
  private length = 0;
  /** The line range of the last malformed record (`end` is exclusive), and how many of its lines were skipped. */
  private malformed = { start: 0, end: 0, givenUp: 0 };
  private readonly position: { -readonly [Member in keyof CsvPosition]: CsvPosition[Member] };

  constructor(from: CsvPosition) {
    this.position = { ...from };
    this.decoder = from.encoding === 'utf-8' ? undefined : new LineDecoder(from.line);
  }

  /** Returns the rows that end in these bytes. The caller may reuse the memory afterwards. */
  addBytes(piece: Buffer): CsvBatch {
    this.append(this.decoder === undefined ? piece : this.decoder.decode(piece));
    const batch = this.readPending(false);
    const isLongLine = this.length > MAX_LINE_BYTES && this.buffer.subarray(0, this.length).indexOf(LINE_FEED) === -1;
    if (isLongLine || (this.decoder !== undefined && this.decoder.pendingBytes > MAX_LINE_BYTES)) {
      throw new UnreadableFileError(`line ${this.position.line} is longer than ${MAX_LINE_BYTES} bytes`);
    }
    return { ...batch, end: { ...this.position }, bytesRead: piece.length };
  }

  /** Returns the rows after the last buffer. */
  finish(): CsvBatch {
    if (this.decoder !== undefined) this.append(this.decoder.finish());
    const batch = this.readPending(true);
    return { ...batch, end: { ...this.position }, bytesRead: 0 };
  }

  /**
   * Reads the pending bytes: up to the last line end, or to the end of the file if `isLast`. A row with an open quote
   * waits for more bytes.
   */
  private readPending(isLast: boolean): Pick<CsvBatch, 'rows' | 'windows1252Lines'> {
    const { position, decoder } = this;
    const pending = this.buffer.subarray(0, this.length);
    const text = isLast ? pending : pending.subarray(0, pending.lastIndexOf(LINE_FEED) + 1);
    const rows: CsvRow[] = [];
    let quote = findQuote(text, 0);
    let offset = position.offset === 0 ? countMarkBytes(text, position.encoding) : 0;
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
      // A line with only spaces and separators counts as empty: spreadsheets write thousands of them.
      if (!isBlank(row)) {
        rows.push(row);
        position.columns ??= row.cells?.length;
      }
      const next = isRow && end !== undefined ? end : lineEnd;
      position.line += next === lineEnd ? 1 : countLines(text.subarray(offset, next));
      offset = next;
    }
    const { bytes, windows1252Lines } = decoder?.consume(offset) ?? { bytes: offset, windows1252Lines: [] };
    position.offset += bytes;
    this.buffer.copyWithin(0, offset, this.length);
    this.length -= offset;
    return { rows, windows1252Lines };
  }

  /** Whether a record of several lines is one row. If not, a stray quote has joined several rows. */
  private isRow(record: CsvRow): boolean {
    const { columns } = this.position;
    if (columns === undefined || isBlank(record)) return true;
    return fitsHeader(record.cells, columns) && readCells(record.source).isStrict;
  }

  /**
   * A record that is too long is skipped line by line if its following lines look like rows. Otherwise there is no sign
   * of where rows begin again, and each line would become a rejected row, so the file counts as unreadable.
   */
  private assertRowsFollow(rest: Buffer): void {
    const { columns, line } = this.position;
    if (columns !== undefined && areMostlyRows(rest, columns)) return;
    throw new UnreadableFileError(
      `the row on line ${line} opens a quote that is not closed within ${MAX_RECORD_LINES} lines and ${MAX_RECORD_BYTES} bytes; ` +
        'close the quote or remove it, and double each quote inside a quoted cell',
    );
  }

  /**
   * Returns the first line of a record as a broken row. The text after this line is read again. If there is no record,
   * a quote was never closed.
   */
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
      const grown = allocateOwnBytes(2 * (this.length + piece.length));
      this.buffer.copy(grown, 0, 0, this.length);
      this.buffer = grown;
    }
    piece.copy(this.buffer, this.length);
    this.length += piece.length;
  }
}

/** The length of the byte order mark at the start of a file; 0 without one. */
function countMarkBytes(text: Buffer, encoding: TextEncoding): number {
  const mark = BYTE_ORDER_MARKS[encoding].find((bytes) => text.subarray(0, bytes.length).equals(bytes));
  return mark?.length ?? 0;
}

/** Copies a record into its own string, so that a cell that is kept does not keep the whole buffer in memory. */
function readRecord(text: Buffer, start: number, end: number, line: number): CsvRow {
  const record = text.toString('utf8', start, end - countLineEndBytes(text, end));
  const row = { line, cells: splitCells(record), source: trimLineEnds(record) };
  return text[end - 1] === LINE_FEED ? row : { ...row, isUnended: true };
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

/**
 * The offset after the record that starts at `start`; undefined if the record opens a quote that the text does not
 * close.
 */
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

/** Whether a record is too long; `rest` contains its bytes after the first line. */
function isTooLong(rest: Buffer): boolean {
  if (rest.length > MAX_RECORD_BYTES) return true;
  const lastLine = rest.at(-1) === LINE_FEED ? 0 : 1;
  return 1 + countLines(rest) + lastLine > MAX_RECORD_LINES;
}

/** Whether at least half of the lines after the first line of an overlong record have as many cells as a row. */
function areMostlyRows(text: Buffer, columns: number): boolean {
  // The result does not depend on how much text is buffered: the buffer contains at least as much as the longest
  // record.
  const lines = text.toString('latin1', 0, MAX_RECORD_BYTES).split('\n', MAX_RECORD_LINES);
  const rows = lines.filter((line) => line.split(',', columns).length === columns);
  return rows.length * 2 >= lines.length;
}

function isBlank({ cells }: CsvRow): boolean {
  return cells?.every((cell) => cell.trim() === '') === true;
}
