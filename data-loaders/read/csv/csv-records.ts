// The records of a CSV text that comes in pieces, with the lines on which they start (ADR 0012). Plain lines are split
// here, the others are read by csv-parse. The bytes that no record has ended with stay here, so that a quote that is
// never closed costs its own line and not all lines behind it.

import { parse } from 'csv-parse/sync';

/** A row with a polygon of 300,000 positions is a line of 12 MB; a line far longer would not fit in memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Cells with line breaks are addresses and remarks. What goes on for longer has a quote that nobody closed. */
const MAX_RECORD_LINES = 10_000;

/** Counted behind the first line of a record. */
const MAX_RECORD_BYTES = 1024 * 1024;

/** Each unclosed row costs parsing up to MAX_RECORD_BYTES a few times more. */
const MAX_UNCLOSED_ROWS = 200;

/** csv-parse makes objects of all that it is given before the first of them can be taken. */
const PARSED_BYTES = 64 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

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

/** Gives the records of a text piece by piece, in file order; `from` is where it begins if not at a file's start. */
export class RecordScanner {
  /** False before the first piece of a file, which may start with a byte order mark. */
  private isStarted: boolean;
  private readonly lines: LineCounter;
  /** The first `length` bytes are those behind the last record that ended. */
  private pending = Buffer.alloc(0);
  private length = 0;
  /** How many of these bytes are known to belong to one record that has not ended. */
  private openBytes = 0;
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
    const batch = this.read(false);
    if (this.length > MAX_LINE_BYTES && this.bytes().indexOf(LINE_FEED) === -1) {
      throw new UnreadableFileError(`line ${this.lines.line} is longer than ${MAX_LINE_BYTES} bytes`);
    }
    return batch;
  }

  /** The records behind the last piece. */
  finish(): RecordBatch {
    return this.read(true);
  }

  /** Reads what is pending: without `isLast` up to the last line end, and a record that is open when twice as long. */
  private read(isLast: boolean): RecordBatch {
    const rows: CsvRow[] = [];
    for (;;) {
      if (this.openBytes === 0) this.takePlainLines(rows, isLast);
      const end = this.endOfLines(isLast);
      if (end === 0 || (!isLast && end < 2 * this.openBytes)) break;
      const to = this.endOfParsed(end);
      if (this.takeParsed(rows, to)) continue;
      if (isTooLongRecord(this.pending.subarray(0, to))) this.giveUpRecord(rows);
      else if (isLast && to === end) this.giveUpLine(rows);
      else this.openBytes = to;
    }
    this.columns ??= headerColumns(rows);
    const { unclosedRows, columns } = this;
    return { rows, end: { line: this.lines.line, unclosedRows, columns }, pending: () => this.bytes() };
  }

  private takePlainLines(rows: CsvRow[], isLast: boolean): void {
    const { rows: plain, end } = splitPlainLines(this.pending.subarray(0, this.endOfLines(isLast)), this.lines);
    // A batch can be longer than the arguments that a call may have.
    for (const row of plain) rows.push(row);
    this.drop(end);
  }

  private endOfLines(isLast: boolean): number {
    return isLast ? this.length : this.bytes().lastIndexOf(LINE_FEED) + 1;
  }

  /** The end of the lines that csv-parse is given: whole lines, and twice as many bytes as did not end a record. */
  private endOfParsed(end: number): number {
    const most = Math.max(PARSED_BYTES, 2 * this.openBytes);
    if (end <= most) return end;
    const lineEnd = this.pending.lastIndexOf(LINE_FEED, most - 1);
    if (lineEnd >= this.openBytes) return lineEnd + 1;
    const next = this.bytes().indexOf(LINE_FEED, most);
    return next === -1 ? end : next + 1;
  }

  /** Takes the records that end in the first `to` bytes. False when there is none. */
  private takeParsed(rows: CsvRow[], to: number): boolean {
    let from = 0;
    for (const { record, info } of parseRecords(this.pending.subarray(0, to))) {
      if (isTooLongRecord(this.pending.subarray(from, info.bytes))) {
        this.drop(from);
        this.giveUpRecord(rows);
        return true;
      }
      rows.push(this.lines.row(record, this.pending.toString('utf8', from, info.bytes)));
      from = info.bytes;
    }
    this.drop(from);
    return from > 0;
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
    this.openBytes = 0;
  }
}

/** The index of the first byte that is no line end. */
function startOfRecord(bytes: Buffer): number {
  let start = 0;
  while (bytes[start] === LINE_FEED || bytes[start] === CARRIAGE_RETURN) start++;
  return start;
}

/** Whether a text of a record, perhaps behind empty lines, has more than one may. It may lack the record's end. */
function isTooLongRecord(text: Buffer): boolean {
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
function headerColumns(rows: readonly CsvRow[]): number | undefined {
  return rows.find((row) => !isBlankLine(row))?.cells?.length;
}

/** Whether half of the lines behind the first of a record that is too long have as many cells as a row, or more. */
function standsBeforeRows(text: Buffer, columns: number): boolean {
  const start = text.indexOf(LINE_FEED, startOfRecord(text)) + 1;
  // The same lines however much of the text is there: it is at least as much as a record may have.
  const behind = text.toString('latin1', start, start + MAX_RECORD_BYTES).split('\n', MAX_RECORD_LINES);
  const rows = behind.filter((line) => line.split(',', columns).length === columns);
  return rows.length * 2 >= behind.length;
}

/** A line of spaces and separators alone is as empty as an empty one: spreadsheets write thousands of them. */
export function isBlankLine({ cells }: CsvRow): boolean {
  return cells?.every((cell) => cell.trim() === '') === true;
}

/** How csv-parse is to read RFC 4180. `info` gives the byte at which a record ends. */
const CSV_OPTIONS = {
  info: true,
  relax_column_count: true,
  // `5" pipe` in a cell without quotes is text; RFC 4180 does not allow it, real files have it.
  relax_quotes: true,
  record_delimiter: ['\r\n', '\n'] as string[],
  skip_empty_lines: true,
};

/** The form in which csv-parse yields each record with `info`; its types know only the bare form. */
interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: { readonly bytes: number };
}

/** Makes rows of the text between the ends of two records, counting lines. */
class LineCounter {
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

/**
 * Splits the lines that can be read by themselves: each cell has no quote, or stands in quotes from its comma to the
 * next. csv-parse reads them the same way (a test compares both); nearly all lines of large files are such, and this
 * takes a fifth of its time. `bytes` is UTF-8 and ends with a line end or with the text. Empty lines are no rows.
 * `end` is the byte at which the first line starts that is not plain.
 */
function splitPlainLines(bytes: Buffer, lines: LineCounter): { readonly rows: CsvRow[]; readonly end: number } {
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

/** The records of a text without what an unclosed quote opens; `bytes` of each is where it ends. */
function parseRecords(text: Buffer): readonly ParsedRecord[] {
  // CSV_OPTIONS asks for this form.
  return parse(text, { ...CSV_OPTIONS, skip_records_with_error: true }) as unknown as readonly ParsedRecord[];
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
  for (const { record, info } of parseRecords(bytes)) {
    rows.push(lines.row(record, bytes.toString('utf8', from, info.bytes)));
    from = info.bytes;
  }
  const rest = bytes.toString('utf8', from);
  if (rest.trim() !== '') rows.push(lines.row(undefined, rest));
  return rows;
}
