// Rows on disk that come back in the order of their keys, however many they are: an external merge sort (ADR 0053).
// Rows are collected in memory up to a bound, sorted, and appended to a file as one run of compressed blocks; reading
// merges the runs. So rows are written once, and what is in memory is one run, or one block of each run.

import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { constants, zstdCompressSync } from 'node:zlib';
import {
  BLOCK_BYTES,
  BLOCK_HEADER_BYTES,
  inByteOrder,
  LENGTH_BYTES,
  mergedRuns,
  type RunPlace,
  type SortedRow,
} from './run-cursor';

/** Bytes before compression, 20,000 usual rows. Longer runs would take more memory, shorter ones more merging. */
const RUN_BYTES = 16 * 1024 * 1024;

/** Keys are texts in memory, of which short rows would have many. */
const RUN_ROWS = 50_000;

/** With more, as after 4 GB of rows, the first ones are made one before rows are read: 256 blocks are 16 MB. */
const MAX_RUNS = 256;

/** One UTF-16 code unit takes at most three bytes in UTF-8. */
const MAX_CHARACTER_BYTES = 3;

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The runs with which a later process goes on with the same file. */
export interface SavedRuns {
  readonly runs: readonly RunPlace[];
}

export class SortedRuns {
  private readonly file: number;
  private readonly runs: RunPlace[] = [];
  private end = 0;
  /** The rows of the run under way: the lengths of key and parts, then all of them, texts in UTF-8. */
  private buffer = Buffer.alloc(0);
  private length = 0;
  private readonly starts: number[] = [];
  private readonly keys: string[] = [];
  private isSorted = true;

  /** Each row has so many `parts`. Goes on behind the runs of `saved`; whatever else is in the file is dropped. */
  constructor(
    path: string,
    private readonly parts: number,
    saved: SavedRuns = { runs: [] },
  ) {
    this.file = openSync(path, saved.runs.length === 0 ? 'w+' : 'r+');
    this.runs.push(...saved.runs);
    this.end = Math.max(0, ...saved.runs.map(({ end }) => end));
    if (fstatSync(this.file).size < this.end) throw new Error(`${path} is shorter than it was`);
    ftruncateSync(this.file, this.end);
  }

  /** Rows of one key come back in the order in which they were added. */
  add(key: string, ...parts: readonly (string | Uint8Array)[]): void {
    if (parts.length !== this.parts) throw new Error(`a row has ${parts.length} parts instead of ${this.parts}`);
    let most = mostBytes(key);
    for (const part of parts) most += mostBytes(part);
    const start = this.reserve(most);
    let lengthAt = start;
    this.length = start + (1 + this.parts) * LENGTH_BYTES;
    this.addItem(key, lengthAt);
    for (const part of parts) this.addItem(part, (lengthAt += LENGTH_BYTES));
    const ordered = inByteOrder(key);
    if (this.isSorted && ordered < (this.keys.at(-1) ?? '')) this.isSorted = false;
    this.starts.push(start);
    this.keys.push(ordered);
  }

  /** Writes the run under way, and gives up its memory until rows are added again. */
  save(): SavedRuns {
    this.endRun();
    this.buffer = Buffer.alloc(0);
    return { runs: this.runs };
  }

  /** By the UTF-8 bytes of the keys. Each row is valid until the next. */
  *rows(): Iterable<SortedRow> {
    this.save();
    while (this.runs.length > MAX_RUNS) {
      // Made of the first runs, it stands before all others, so that rows of one key keep their order.
      const first = this.runs.splice(0, MAX_RUNS);
      this.writeRun(this.merged(first));
      this.runs.unshift(...this.runs.splice(-1));
    }
    yield* mergedRuns(this.file, this.runs, this.parts);
  }

  close(): void {
    closeSync(this.file);
  }

  private addItem(item: string | Uint8Array, lengthAt: number): void {
    const start = this.length;
    if (typeof item === 'string') this.length += this.buffer.write(item, start);
    else {
      this.buffer.set(item, start);
      this.length += item.length;
    }
    this.buffer.writeUInt32LE(this.length - start, lengthAt);
  }

  /** Returns where the next row begins; there is room then for its lengths and for `content` bytes. */
  private reserve(content: number): number {
    const bytes = content + (1 + this.parts) * LENGTH_BYTES;
    const isFull = this.length + bytes > RUN_BYTES || this.keys.length >= RUN_ROWS;
    if (this.length > 0 && isFull) this.endRun();
    if (this.length + bytes > this.buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(2 * this.buffer.length, this.length + bytes, BLOCK_BYTES));
      this.buffer.copy(grown, 0, 0, this.length);
      this.buffer = grown;
    }
    return this.length;
  }

  private endRun(): void {
    if (this.keys.length > 0) this.writeRun(this.collected());
    this.length = 0;
    this.starts.length = 0;
    this.keys.length = 0;
    this.isSorted = true;
  }

  private *collected(): Iterable<Uint8Array> {
    const { keys, starts, buffer, length } = this;
    const order = Uint32Array.from(keys.keys());
    // Sorting is stable: rows of one key stay as they came.
    if (!this.isSorted) order.sort((a, b) => compared(keys[a], keys[b]));
    for (const index of order) yield buffer.subarray(starts[index], starts[index + 1] ?? length);
  }

  private *merged(runs: readonly RunPlace[]): Iterable<Uint8Array> {
    for (const cursor of mergedRuns(this.file, runs, this.parts)) yield cursor.row();
  }

  private writeRun(rows: Iterable<Uint8Array>): void {
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
    this.runs.push({ start, end: this.end });
  }

  private writeBlock(rows: Buffer): void {
    const compressed = zstdCompressSync(rows, COMPRESSION);
    const header = Buffer.alloc(BLOCK_HEADER_BYTES);
    header.writeUInt32LE(compressed.length);
    const bytes = Buffer.concat([header, compressed]);
    // A disk that becomes full takes a part of the bytes, and refuses the rest.
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at, bytes.length - at, this.end + at);
    this.end += bytes.length;
  }
}

/** How many bytes an item takes at most. */
function mostBytes(item: string | Uint8Array): number {
  return typeof item === 'string' ? MAX_CHARACTER_BYTES * item.length : item.length;
}

/** Both are as `inByteOrder` gives them. */
function compared(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
