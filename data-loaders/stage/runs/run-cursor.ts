// Reads the runs of a file of sorted rows, merged: one block of each run is in memory at a time.

import { readSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';

/** Where a run lies in its file: blocks, each compressed behind the number of its bytes. */
export interface RunPlace {
  readonly start: number;
  readonly end: number;
}

/** Before the key and the parts of a row, which follow each other, stand the bytes of each. */
export const LENGTH_BYTES = 4;

export const BLOCK_HEADER_BYTES = 4;

/** Bytes of a usual block before compression. Each run has one in memory while rows are read. */
export const BLOCK_BYTES = 64 * 1024;

/** A usual block comes in one piece; several would be joined. */
const DECOMPRESSION = { chunkSize: BLOCK_BYTES };

/** The same text where its order among others as JavaScript compares them is that of UTF-8 bytes; else one for each. */
export function inByteOrder(key: string): string {
  return BEYOND_ASCII.test(key) ? Buffer.from(key).toString('latin1') : key;
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** A row as it comes back; its bytes stay what they are. */
export interface SortedRow {
  readonly key: string;
  part(index: number): Buffer;
}

/** A place among the rows of one run. */
class RunCursor implements SortedRow {
  key = '';
  /** The key as `inByteOrder` gives it. */
  order = '';
  private block = Buffer.alloc(0);
  private start = 0;
  private end = 0;
  private position: number;

  /** `index` is that of the run among those that are merged. */
  constructor(
    private readonly file: number,
    private readonly run: RunPlace,
    private readonly parts: number,
    readonly index: number,
  ) {
    this.position = run.start;
  }

  /** Moves to the next row; false when there is none. */
  advance(): boolean {
    this.start = this.end;
    if (this.start === this.block.length && !this.readBlock()) return false;
    const keyStart = this.bodyStart;
    this.end = keyStart;
    for (let item = 0; item <= this.parts; item++) this.end += this.lengthOf(item);
    this.key = this.block.toString('utf8', keyStart, keyStart + this.lengthOf(0));
    this.order = inByteOrder(this.key);
    return true;
  }

  part(index: number): Buffer {
    let start = this.bodyStart;
    for (let item = 0; item <= index; item++) start += this.lengthOf(item);
    return this.block.subarray(start, start + this.lengthOf(index + 1));
  }

  /** As it was added, with its lengths. */
  row(): Uint8Array {
    return this.block.subarray(this.start, this.end);
  }

  private get bodyStart(): number {
    return this.start + (1 + this.parts) * LENGTH_BYTES;
  }

  /** `item` 0 is the key. */
  private lengthOf(item: number): number {
    return this.block.readUInt32LE(this.start + item * LENGTH_BYTES);
  }

  private readBlock(): boolean {
    if (this.position === this.run.end) return false;
    const length = this.read(BLOCK_HEADER_BYTES).readUInt32LE();
    this.block = zstdDecompressSync(this.read(length), DECOMPRESSION);
    [this.start, this.end] = [0, 0];
    return true;
  }

  private read(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    if (readSync(this.file, bytes, 0, length, this.position) < length)
      throw new Error('a run of staged rows is cut off');
    this.position += length;
    return bytes;
  }
}

/** The rows of all runs in order; of one key those of the first run come first. Each cursor is valid until the next. */
export function* mergedRuns(file: number, runs: readonly RunPlace[], parts: number): Iterable<RunCursor> {
  /** In the order of their rows. */
  const cursors: RunCursor[] = [];
  runs.forEach((run, index) => {
    const cursor = new RunCursor(file, run, parts, index);
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
  let [low, high] = [0, cursors.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = cursors[middle];
    if (other !== undefined && isBefore(other, cursor)) low = middle + 1;
    else high = middle;
  }
  cursors.splice(low, 0, cursor);
}

function isBefore(a: RunCursor, b: RunCursor): boolean {
  return a.order === b.order ? a.index < b.index : a.order < b.order;
}
