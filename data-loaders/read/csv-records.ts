// The records of a CSV text that comes in pieces, with their lines. Plain lines are split here, which is five times as fast as
// csv-parse; from a line on that is not plain csv-parse splits, and what it has not ended yet is kept here, so that a quote
// that is never closed costs its own line and not all lines behind it.

import { parse, type Parser } from 'csv-parse';
import { CSV_OPTIONS, LineCounter, type CsvRow, type ParsedRecord } from './csv-row';
import { QUOTE, splitPlainLines } from './plain-lines';

/** A row of one polygon of 300,000 positions is 12 MB; what is far longer is not a row, and would not fit in memory. */
const MAX_ROW_BYTES = 16 * 1024 * 1024;

/** Each costs parsing up to a row's greatest length once more. */
const MAX_UNCLOSED_ROWS = 200;

export class UnreadableFileError extends Error {}

/** What reading needs to know to go on behind a record. */
export interface RecordPlace {
  /** The line that begins there. */
  readonly line: number;
  /** Rows until there whose quote is not closed. */
  readonly unclosedRows: number;
}

export interface RecordBatch {
  readonly rows: readonly CsvRow[];
  /** Behind the last of the rows. */
  readonly end: RecordPlace;
  /** What of the text is read and belongs to no row yet. */
  readonly pending: () => Buffer;
}

/**
 * Records in file order, a batch for each piece; a line that csv-parse could not read has no cells. `from` is where the text begins:
 * left out for the beginning of a file.
 */
export async function* readRecords(pieces: AsyncIterable<Buffer>, from?: RecordPlace): AsyncIterable<RecordBatch> {
  const scanner = new RecordScanner(from);
  for await (const piece of pieces) yield scanner.batch(scanner.take(piece));
  yield scanner.batch(scanner.finish());
}

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

class RecordScanner {
  /** Undefined while all lines are plain. */
  private parser: Parser | undefined;
  /** Whether the next piece is not the file's first, which may start with a mark. */
  private isStarted: boolean;
  private readonly lines: LineCounter;
  /** Bytes behind the last record that ended; the first `length` of the memory. */
  private pending = Buffer.alloc(0);
  private length = 0;
  /** Of the parser: how many bytes were before `pending`. */
  private ended = 0;
  private unclosedRows: number;

  constructor(from: RecordPlace | undefined) {
    this.isStarted = from !== undefined;
    this.lines = new LineCounter(from?.line ?? 1);
    this.unclosedRows = from?.unclosedRows ?? 0;
  }

  batch(rows: readonly CsvRow[]): RecordBatch {
    const { line } = this.lines;
    return { rows, end: { line, unclosedRows: this.unclosedRows }, pending: () => this.bytes() };
  }

  take(piece: Buffer): readonly CsvRow[] {
    const isMarked = !this.isStarted && piece.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    this.isStarted = true;
    this.append(isMarked ? piece.subarray(BYTE_ORDER_MARK.length) : piece);
    const rows = this.parser === undefined ? this.takePlain(piece) : this.parse(this.parser, piece);
    while (this.length > MAX_ROW_BYTES) append(rows, this.giveUpLine());
    if (this.parser !== undefined && !this.bytes().includes(QUOTE)) this.stopParser();
    return rows;
  }

  finish(): readonly CsvRow[] {
    const rows = this.end();
    while (this.text().trim() !== '') {
      append(rows, this.giveUpLine());
      append(rows, this.end());
    }
    return rows;
  }

  /** The whole lines. No line ended before `piece`. */
  private takePlain(piece: Buffer): CsvRow[] {
    const lineEnd = piece.lastIndexOf(LINE_FEED);
    return lineEnd === -1 ? [] : this.takeLines(this.length - piece.length + lineEnd + 1);
  }

  /** Of the bytes before `end`; from the first line on that is not plain csv-parse reads. */
  private takeLines(end: number): CsvRow[] {
    const { rows, end: taken } = splitPlainLines(this.bytes().subarray(0, end), this.lines);
    this.drop(taken);
    if (taken < end) append(rows, this.parseRest());
    return rows;
  }

  /** A new parser for what is pending. */
  private parseRest(): CsvRow[] {
    this.parser?.destroy();
    this.parser = startParser();
    this.ended = 0;
    return this.parse(this.parser, Buffer.from(this.bytes()));
  }

  private stopParser(): void {
    this.parser?.destroy();
    this.parser = undefined;
  }

  /** csv-parse is a Transform whose work is done when `write` returns; all that it found is then read at once. */
  private parse(parser: Parser, piece: Buffer): CsvRow[] {
    parser.write(piece);
    return this.read(parser);
  }

  private end(): CsvRow[] {
    const rows = this.parser === undefined ? this.takeLines(this.length) : [];
    this.parser?.end();
    if (this.parser !== undefined) append(rows, this.read(this.parser));
    return rows;
  }

  private read(parser: Parser): CsvRow[] {
    const rows: CsvRow[] = [];
    let from = 0;
    for (let found: unknown = parser.read(); found !== null; found = parser.read()) {
      const { record, info } = found as ParsedRecord; // CSV_OPTIONS asks for this form.
      const to = info.bytes - this.ended;
      rows.push(this.lines.row(record, this.pending.toString('utf8', from, to)));
      from = to;
    }
    this.drop(from);
    return rows;
  }

  /** The line on which the unended record starts is broken; what stands behind it is read anew. */
  private giveUpLine(): CsvRow[] {
    const lineEnd = this.bytes().indexOf(LINE_FEED);
    if (lineEnd === -1 && this.length > MAX_ROW_BYTES) {
      throw new UnreadableFileError(`line ${this.lines.line} is longer than ${MAX_ROW_BYTES} bytes`);
    }
    if (++this.unclosedRows > MAX_UNCLOSED_ROWS) {
      throw new UnreadableFileError(`more than ${MAX_UNCLOSED_ROWS} rows have a quote that is not closed`);
    }
    const to = lineEnd === -1 ? this.length : lineEnd + 1;
    const broken = this.lines.row(undefined, this.pending.toString('utf8', 0, to));
    this.drop(to);
    const rest = this.parseRest();
    return broken.source === '' ? rest : [broken].concat(rest);
  }

  private text(): string {
    return this.pending.toString('utf8', 0, this.length);
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
    this.pending.copyWithin(0, bytes, this.length);
    this.length -= bytes;
    this.ended += bytes;
  }
}

/** A batch can be longer than the arguments that a call may have. */
function append(rows: CsvRow[], more: readonly CsvRow[]): void {
  for (const row of more) rows.push(row);
}

/** Without a bound of its own: RecordScanner has one that does not lose rows. */
function startParser(): Parser {
  const parser = parse({ ...CSV_OPTIONS });
  // A quote that is not closed is an error at the end; the scanner sees it as bytes that no record took.
  parser.on('error', () => undefined);
  return parser;
}
