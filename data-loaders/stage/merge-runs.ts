// Merges the sorted runs of a file.

import { readSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { findFirst } from '../../shared/values/number-arrays';
import {
  BLOCK_BYTES,
  BLOCK_HEADER_BYTES,
  LENGTH_BYTES,
  readOrderKey,
  type RunRange,
  type SortedRow,
} from './run-format';

/** A block of the usual size decompresses into one buffer; several buffers would have to be joined. */
const DECOMPRESSION = { chunkSize: BLOCK_BYTES };

/** The current row of one run. */
class RunCursor implements SortedRow {
  key = '';
  /** The key in the form that `readOrderKey` returns. */
  order = '';
  private block = Buffer.alloc(0);
  private start = 0;
  private end = 0;
  private offset: number;

  /** `index` is the position of the run among the merged runs. */
  constructor(
    private readonly file: number,
    private readonly run: RunRange,
    private readonly fieldCount: number,
    readonly index: number,
  ) {
    this.offset = run.start;
  }

  /** Moves to the next row. Returns false if there are no more rows. */
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

  /** `item` 0 is the key; higher numbers are fields. */
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

/**
 * Yields the rows of all runs in order. Rows with the same key are in the order of their runs. A cursor is valid until
 * the next cursor is requested.
 */
export function* mergeRuns(file: number, runs: readonly RunRange[], fieldCount: number): Iterable<RunCursor> {
  /** The cursors, ordered by their current rows. */
  const cursors: RunCursor[] = [];
  runs.forEach((run, index) => {
    const cursor = new RunCursor(file, run, fieldCount, index);
    if (cursor.advance()) insert(cursors, cursor);
  });
  for (let [first] = cursors; first !== undefined; [first] = cursors) {
    yield first;
    const hasNext = first.advance();
    const [, second] = cursors;
    // Runs of a mostly sorted file hardly overlap, so the first cursor usually stays first.
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
