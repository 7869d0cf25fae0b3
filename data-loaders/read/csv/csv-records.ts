// The records of a CSV text that comes in pieces, with their lines. csv-parse reads from the first line on that is not
// plain until no quote is pending. The bytes that it has not ended a record with stay here, so that a quote that is
// never closed costs its own line and not all lines behind it.

import { parse, type Parser } from 'csv-parse';
import { CSV_OPTIONS, LineCounter, QUOTE, splitPlainLines, type CsvRow, type ParsedRecord } from './csv-rows';

/** A row with a polygon of 300,000 positions is 12 MB; text far longer is not a row, and would not fit in memory. */
const MAX_ROW_BYTES = 16 * 1024 * 1024;

/** Each unclosed row costs parsing up to MAX_ROW_BYTES once more. */
const MAX_UNCLOSED_ROWS = 200;

/** Thrown for a file that is not CSV or has too many broken quotes. The message is a sentence without its full stop. */
export class UnreadableFileError extends Error {}

/** A place behind a record, at which reading can go on. */
export interface RecordPlace {
  readonly line: number;
  /** Number of rows before it whose quote is not closed. */
  readonly unclosedRows: number;
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
  /** How many bytes of the parser's input lie before `pending`. */
  private ended = 0;
  private unclosedRows: number;

  constructor(from: RecordPlace | undefined) {
    this.isStarted = from !== undefined;
    this.lines = new LineCounter(from?.line ?? 1);
    this.unclosedRows = from?.unclosedRows ?? 0;
  }

  /** The records that end in the piece, whose memory may be used again afterwards. */
  take(piece: Buffer): RecordBatch {
    const isMarked = !this.isStarted && piece.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    this.isStarted = true;
    this.append(isMarked ? piece.subarray(BYTE_ORDER_MARK.length) : piece);
    const rows = this.parser === undefined ? this.takePlain(piece) : this.parse(this.parser, piece);
    while (this.length > MAX_ROW_BYTES) append(rows, this.giveUpLine());
    if (this.parser !== undefined && !this.bytes().includes(QUOTE)) {
      this.parser.destroy();
      this.parser = undefined;
    }
    return this.batch(rows);
  }

  /** The records behind the last piece. */
  finish(): RecordBatch {
    const rows = this.end();
    while (this.bytes().toString().trim() !== '') {
      append(rows, this.giveUpLine());
      append(rows, this.end());
    }
    return this.batch(rows);
  }

  private batch(rows: readonly CsvRow[]): RecordBatch {
    const { line } = this.lines;
    return { rows, end: { line, unclosedRows: this.unclosedRows }, pending: () => this.bytes() };
  }

  /** Takes the lines that end in `piece`; no line ends before it in what is pending. */
  private takePlain(piece: Buffer): CsvRow[] {
    const lineEnd = piece.lastIndexOf(LINE_FEED);
    return lineEnd === -1 ? [] : this.takeLines(this.length - piece.length + lineEnd + 1);
  }

  /** Takes the lines before `end`; from the first line on that is not plain csv-parse reads. */
  private takeLines(end: number): CsvRow[] {
    const { rows, end: taken } = splitPlainLines(this.bytes().subarray(0, end), this.lines);
    this.drop(taken);
    if (taken < end) append(rows, this.parseRest());
    return rows;
  }

  private parseRest(): CsvRow[] {
    this.parser?.destroy();
    this.parser = startParser();
    this.ended = 0;
    return this.parse(this.parser, this.bytes());
  }

  private end(): CsvRow[] {
    const rows = this.parser === undefined ? this.takeLines(this.length) : [];
    if (this.parser !== undefined) append(rows, this.parse(this.parser));
    return rows;
  }

  /** csv-parse has done its work when `write` returns; all records that it found are then read at once. */
  private parse(parser: Parser, piece?: Buffer): CsvRow[] {
    if (piece === undefined) parser.end();
    // The parser keeps what no record ends in, and the memory of a piece is used again.
    else parser.write(Buffer.from(piece));
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

  /** Gives the line on which the unended record starts as a broken row, and parses the text behind it again. */
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

/** The parser has no bound of its own: RecordScanner has one that does not lose rows. */
function startParser(): Parser {
  const parser = parse({ ...CSV_OPTIONS });
  // A quote that is not closed is an error at the end; the scanner sees it as bytes that belong to no record.
  parser.on('error', () => undefined);
  return parser;
}
