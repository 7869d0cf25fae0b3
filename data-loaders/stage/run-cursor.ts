// Reads the runs of a file of sorted rows, merged: one block of each run is in memory at a time.

import { readSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';

/** Where a run lies in its file: blocks, each compressed behind the number of its bytes. */
export interface RunPlace {
  readonly start: number;
  readonly end: number;
}

/** The lengths of key and text, which stand behind them, in UTF-8. */
export const ROW_HEADER_BYTES = 8;

export const BLOCK_HEADER_BYTES = 4;

/** The same text where its order among others as JavaScript compares them is that of UTF-8 bytes; else one for each. */
export function inByteOrder(key: string): string {
  return BEYOND_ASCII.test(key) ? Buffer.from(key).toString('latin1') : key;
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** A place among the rows of one run. */
class RunCursor {
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
    readonly index: number,
  ) {
    this.position = run.start;
  }

  /** Moves to the next row; false when there is none. */
  advance(): boolean {
    this.start = this.end;
    if (this.start === this.block.length && !this.readBlock()) return false;
    this.end = this.keyEnd + this.block.readUInt32LE(this.start + 4);
    this.key = this.block.toString('utf8', this.start + ROW_HEADER_BYTES, this.keyEnd);
    this.order = inByteOrder(this.key);
    return true;
  }

  text(): string {
    return this.block.toString('utf8', this.keyEnd, this.end);
  }

  /** As it was added, with its header; overwritten after the next `advance`. */
  row(): Uint8Array {
    return this.block.subarray(this.start, this.end);
  }

  private get keyEnd(): number {
    return this.start + ROW_HEADER_BYTES + this.block.readUInt32LE(this.start);
  }

  private readBlock(): boolean {
    if (this.position === this.run.end) return false;
    const length = this.read(BLOCK_HEADER_BYTES).readUInt32LE();
    this.block = zstdDecompressSync(this.read(length));
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
export function* mergedRuns(file: number, runs: readonly RunPlace[]): Iterable<RunCursor> {
  /** In the order of their rows. */
  const cursors: RunCursor[] = [];
  runs.forEach((run, index) => {
    const cursor = new RunCursor(file, run, index);
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
