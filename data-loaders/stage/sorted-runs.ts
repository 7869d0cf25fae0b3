// Rows on disk that come back in the order of their keys, however many they are: an external merge sort (ADR 0053).
// Rows are collected in memory up to a bound, sorted, and appended to a file as one run of compressed blocks; reading
// merges the runs. So rows are written once, and what is in memory is one run, or one block of each run.

import { appendFileSync, closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { maxUtf8Bytes } from '../../shared/values/bytes/byte-writer';
import { findFirst } from '../../shared/values/number-arrays';

/** Where a run lies in its file: blocks, each compressed behind the number of its bytes. */
interface RunRange {
  readonly start: number;
  readonly end: number;
}

/** A row as it comes back; its bytes stay what they are. */
export interface SortedRow {
  readonly key: string;
  getField(index: number): Buffer;
}

/** Bytes before compression, 20,000 usual rows. Longer runs would take more memory, shorter ones more merging. */
const RUN_BYTES = 16 * 1024 * 1024;

/** Keys are texts in memory while they are sorted, of which short rows would have many. */
const RUN_ROWS = 50_000;

/** Before the key and the parts of a row, which follow each other, stand the bytes of each. */
const LENGTH_BYTES = 4;

/** Bytes of a usual block before compression. Each run has one in memory while rows are read: 64 MB after 16 GB. */
const BLOCK_BYTES = 64 * 1024;

const BLOCK_HEADER_BYTES = 4;

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** A usual block comes in one piece; several would be joined. */
const DECOMPRESSION = { chunkSize: BLOCK_BYTES };

export class SortedRuns {
  private readonly file: number;
  private end = 0;
  /** The rows of the run under way, one behind the other: the lengths of key and parts, then all of them. */
  private buffer = Buffer.alloc(0);
  private length = 0;
  /** Where each of these rows begins. */
  private readonly starts: number[] = [];

  /**
   * Each row has so many `parts`. Goes on behind the `runs` that an earlier process saved, and adds to them; whatever
   * else is in the file is dropped.
   */
  constructor(
    path: string,
    private readonly fieldCount: number,
    private readonly runs: RunRange[] = [],
  ) {
    this.file = openSync(path, 'a+');
    this.end = Math.max(0, ...runs.map(({ end }) => end));
    if (fstatSync(this.file).size < this.end) throw new Error(`${path} is shorter than it was`);
    ftruncateSync(this.file, this.end);
  }

  /** Rows of one key come back in the order in which they were added. */
  add(key: string, ...fields: readonly (string | Uint8Array)[]): void {
    if (fields.length !== this.fieldCount)
      throw new Error(`a row has ${fields.length} parts instead of ${this.fieldCount}`);
    let maxBytes = maxItemBytes(key);
    for (const field of fields) maxBytes += maxItemBytes(field);
    const start = this.reserve(maxBytes);
    let lengthOffset = start;
    this.length = start + (1 + this.fieldCount) * LENGTH_BYTES;
    this.addItem(key, lengthOffset);
    for (const field of fields) this.addItem(field, (lengthOffset += LENGTH_BYTES));
    this.starts.push(start);
  }

  /** Writes the run under way, and gives up its memory until rows are added again. */
  flush(): RunRange[] {
    this.endRun();
    this.buffer = Buffer.alloc(0);
    return this.runs;
  }

  /** By the UTF-8 bytes of the keys. Each row is valid until the next. */
  *rows(): Iterable<SortedRow> {
    yield* mergeRuns(this.file, this.flush(), this.fieldCount);
  }

  close(): void {
    closeSync(this.file);
  }

  private addItem(item: string | Uint8Array, lengthOffset: number): void {
    const start = this.length;
    if (typeof item === 'string') this.length += this.buffer.write(item, start);
    else {
      this.buffer.set(item, start);
      this.length += item.length;
    }
    this.buffer.writeUInt32LE(this.length - start, lengthOffset);
  }

  /** Returns where the next row begins; there is room then for its lengths and for `content` bytes. */
  private reserve(content: number): number {
    const bytes = content + (1 + this.fieldCount) * LENGTH_BYTES;
    if (this.length + bytes > RUN_BYTES || this.starts.length >= RUN_ROWS) this.endRun();
    if (this.length + bytes > this.buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.buffer.length, this.length + bytes, BLOCK_BYTES));
      this.buffer.copy(grown, 0, 0, this.length);
      this.buffer = grown;
    }
    return this.length;
  }

  private endRun(): void {
    if (this.starts.length === 0) return;
    this.runs.push(this.write(this.sortRows()));
    this.length = 0;
    this.starts.length = 0;
  }

  /** The rows of the run under way by the UTF-8 bytes of the keys; the sort is stable. */
  private *sortRows(): Iterable<Uint8Array> {
    const { buffer, starts, length, fieldCount } = this;
    const keys = starts.map((start) => readOrderKey(buffer, start, fieldCount));
    const order = [...starts.keys()].sort((a, b) => compareKeys(keys[a], keys[b]));
    for (const index of order) yield buffer.subarray(starts[index], starts[index + 1] ?? length);
  }

  /** Appends rows in their order as a run. */
  private write(rows: Iterable<Uint8Array>): RunRange {
    const start = this.end;
    let block = Buffer.allocUnsafe(2 * BLOCK_BYTES);
    let length = 0;
    for (const row of rows) {
      if (length > 0 && length + row.length > BLOCK_BYTES) {
        this.writeBlock(block.subarray(0, length));
        length = 0;
      }
      if (row.length > block.length) block = Buffer.allocUnsafe(row.length);
      block.set(row, length);
      length += row.length;
    }
    this.writeBlock(block.subarray(0, length));
    return { start, end: this.end };
  }

  private writeBlock(rows: Buffer): void {
    const compressed = zstdCompressSync(rows, COMPRESSION);
    const header = Buffer.alloc(BLOCK_HEADER_BYTES);
    header.writeUInt32LE(compressed.length);
    appendFileSync(this.file, Buffer.concat([header, compressed]));
    this.end += BLOCK_HEADER_BYTES + compressed.length;
  }
}

/** A place among the rows of one run. */
class RunCursor implements SortedRow {
  key = '';
  /** The key as `keyAt` gives it. */
  order = '';
  private block = Buffer.alloc(0);
  private start = 0;
  private end = 0;
  private offset: number;

  /** `index` is that of the run among those that are merged. */
  constructor(
    private readonly file: number,
    private readonly run: RunRange,
    private readonly fieldCount: number,
    readonly index: number,
  ) {
    this.offset = run.start;
  }

  /** Moves to the next row; false when there is none. */
  advance(): boolean {
    this.start = this.end;
    if (this.start === this.block.length && !this.readBlock()) return false;
    const keyStart = this.bodyStart;
    this.end = keyStart;
    for (let item = 0; item <= this.fieldCount; item++) this.end += this.readLength(item);
    this.key = this.block.toString('utf8', keyStart, keyStart + this.readLength(0));
    this.order = readOrderKey(this.block, this.start, this.fieldCount);
    return true;
  }

  getField(index: number): Buffer {
    let start = this.bodyStart;
    for (let item = 0; item <= index; item++) start += this.readLength(item);
    return this.block.subarray(start, start + this.readLength(index + 1));
  }

  private get bodyStart(): number {
    return this.start + (1 + this.fieldCount) * LENGTH_BYTES;
  }

  /** `item` 0 is the key. */
  private readLength(item: number): number {
    return this.block.readUInt32LE(this.start + item * LENGTH_BYTES);
  }

  private readBlock(): boolean {
    if (this.offset === this.run.end) return false;
    const length = this.read(BLOCK_HEADER_BYTES).readUInt32LE();
    this.block = zstdDecompressSync(this.read(length), DECOMPRESSION);
    [this.start, this.end] = [0, 0];
    return true;
  }

  private read(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    if (readSync(this.file, bytes, 0, length, this.offset) < length) throw new Error('a run of staged rows is cut off');
    this.offset += length;
    return bytes;
  }
}

/** The rows of all runs in order; of one key those of the first run come first. Each cursor is valid until the next. */
function* mergeRuns(file: number, runs: readonly RunRange[], fieldCount: number): Iterable<RunCursor> {
  /** In the order of their rows. */
  const cursors: RunCursor[] = [];
  runs.forEach((run, index) => {
    const cursor = new RunCursor(file, run, fieldCount, index);
    if (cursor.advance()) insert(cursors, cursor);
  });
  for (let [first] = cursors; first !== undefined; [first] = cursors) {
    yield first;
    const hasNext = first.advance();
    const [, second] = cursors;
    // Runs of a file that is mostly in order hardly overlap: the first mostly stays first.
    if (hasNext && (second === undefined || isBefore(first, second))) continue;
    cursors.shift();
    if (hasNext) insert(cursors, first);
  }
}

function insert(cursors: RunCursor[], cursor: RunCursor): void {
  const index = findFirst(0, cursors.length, (index) => {
    const other = cursors[index];
    return other !== undefined && isBefore(cursor, other);
  });
  cursors.splice(index, 0, cursor);
}

function isBefore(a: RunCursor, b: RunCursor): boolean {
  return a.order === b.order ? a.index < b.index : a.order < b.order;
}

/** Each byte of the key as a character: JavaScript compares such texts as the bytes. */
function readOrderKey(bytes: Buffer, row: number, fieldCount: number): string {
  const start = row + (1 + fieldCount) * LENGTH_BYTES;
  return bytes.toString('latin1', start, start + bytes.readUInt32LE(row));
}

function compareKeys(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** How many bytes an item takes at most. */
function maxItemBytes(item: string | Uint8Array): number {
  return typeof item === 'string' ? maxUtf8Bytes(item) : item.length;
}
