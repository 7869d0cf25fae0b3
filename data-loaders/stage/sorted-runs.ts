// Sorts any number of rows by key on disk: an external merge sort (ADR 0053). Rows are collected in memory up to a
// limit, sorted, and appended to a file as one run of compressed blocks. Reading merges the runs. Each row is written
// once, and memory holds one run, or one block of each run.

import { appendFileSync, closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { constants, zstdCompressSync } from 'node:zlib';
import { maxUtf8Bytes } from '../../shared/values/bytes/byte-writer';
import { allocateOwnBytes } from '../../shared/values/bytes/own-bytes';
import { mergeRuns } from './merge-runs';
import {
  BLOCK_BYTES,
  BLOCK_HEADER_BYTES,
  LENGTH_BYTES,
  readOrderKey,
  type RunRange,
  type SortedRow,
} from './run-format';

/** Bytes before compression: 20,000 typical rows. Longer runs take more memory; shorter runs take more merging. */
const RUN_BYTES = 16 * 1024 * 1024;

/** A limit for short rows, because keys are strings in memory while they are sorted. */
const RUN_ROWS = 50_000;

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export class SortedRuns {
  private readonly file: number;
  private end = 0;
  /**
   * The rows of the current run, one after another. Each starts with the lengths of its key and fields, followed by
   * their bytes.
   */
  private buffer = Buffer.alloc(0);
  private length = 0;
  /** The offset of each row. */
  private readonly starts: number[] = [];

  /**
   * Each row has `fieldCount` fields. Continues after the `runs` that an earlier process saved, and appends to them.
   * Anything else in the file is discarded.
   */
  constructor(
    path: string,
    private readonly fieldCount: number,
    private readonly runs: RunRange[] = [],
  ) {
    this.file = openSync(path, 'a+');
    this.end = Math.max(0, ...runs.map(({ end }) => end));
    if (fstatSync(this.file).size < this.end) throw new Error(`${path} is shorter than before`);
    ftruncateSync(this.file, this.end);
  }

  /** Rows with the same key are read back in the order in which they were added. */
  add(key: string, ...fields: readonly (string | Uint8Array)[]): void {
    if (fields.length !== this.fieldCount) {
      throw new Error(`a row has ${fields.length} fields instead of ${this.fieldCount}`);
    }
    let maxBytes = maxItemBytes(key);
    for (const field of fields) maxBytes += maxItemBytes(field);
    const start = this.reserve(maxBytes);
    let lengthOffset = start;
    this.length = start + (1 + this.fieldCount) * LENGTH_BYTES;
    this.addItem(key, lengthOffset);
    for (const field of fields) {
      lengthOffset += LENGTH_BYTES;
      this.addItem(field, lengthOffset);
    }
    this.starts.push(start);
  }

  /** Writes the current run, and frees its memory until rows are added again. */
  flush(): RunRange[] {
    this.endRun();
    this.buffer = Buffer.alloc(0);
    return this.runs;
  }

  /** Yields the rows in order of the keys' UTF-8 bytes. A row is valid until the next row is requested. */
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

  /** Returns the offset for the next row, after making room for its lengths and `content` bytes. */
  private reserve(content: number): number {
    const bytes = content + (1 + this.fieldCount) * LENGTH_BYTES;
    if (this.length + bytes > RUN_BYTES || this.starts.length >= RUN_ROWS) this.endRun();
    if (this.length + bytes > this.buffer.length) {
      const grown = allocateOwnBytes(Math.max(2 * this.buffer.length, this.length + bytes, BLOCK_BYTES));
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

  /** Yields the rows of the current run in order of the keys' UTF-8 bytes. The sort is stable. */
  private *sortRows(): Iterable<Uint8Array> {
    const { buffer, starts, length, fieldCount } = this;
    const keys = starts.map((start) => readOrderKey(buffer, start, fieldCount));
    const order = [...starts.keys()].sort((a, b) => compareKeys(keys[a], keys[b]));
    for (const index of order) yield buffer.subarray(starts[index], starts[index + 1] ?? length);
  }

  /** Appends sorted rows as a run. */
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

function compareKeys(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The maximum size of an item in bytes. */
function maxItemBytes(item: string | Uint8Array): number {
  return typeof item === 'string' ? maxUtf8Bytes(item) : item.length;
}
