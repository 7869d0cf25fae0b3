// Rows on disk that come back in the order of their keys, however many they are: an external merge sort (ADR 0053).
// Rows are collected in memory up to a bound, sorted, and appended to a file as one run of compressed blocks; reading
// merges the runs. So rows are written once, and what is in memory is one run and the one that is being written, or one
// block of each run.

import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { mostUtf8Bytes } from '../../../shared/values/bytes/byte-writer';
import { BLOCK_BYTES, inByteOrder, LENGTH_BYTES, mergedRuns, type RunPlace, type SortedRow } from './run-cursor';
import { writeRun, WRITE_IN_PLACE, type RunWriter } from './run-writer';

/** Bytes before compression, 20,000 usual rows. Longer runs would take more memory, shorter ones more merging. */
const RUN_BYTES = 16 * 1024 * 1024;

/** Keys are texts in memory while they are sorted, of which short rows would have many. */
const RUN_ROWS = 50_000;

/** With more, as after 4 GB of rows, the first ones are made one before rows are read: 256 blocks are 16 MB. */
const MAX_RUNS = 256;

/** The runs with which a later process goes on with the same file. */
export interface SavedRuns {
  readonly runs: readonly RunPlace[];
}

export class SortedRuns {
  private readonly file: number;
  private readonly runs: RunPlace[] = [];
  private end = 0;
  /** The rows of the run under way, as CollectedRows. */
  private buffer = Buffer.allocUnsafeSlow(0);
  /** Memory of a run that was written. */
  private spare: Buffer<ArrayBuffer> | undefined;
  private length = 0;
  private readonly starts: number[] = [];
  private lastKey = '';
  private isSorted = true;

  /** Each row has so many `parts`. Goes on behind the runs of `saved`; whatever else is in the file is dropped. */
  constructor(
    path: string,
    private readonly parts: number,
    saved: SavedRuns = { runs: [] },
    private readonly writer: RunWriter = WRITE_IN_PLACE,
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
    if (ordered < this.lastKey) this.isSorted = false;
    this.starts.push(start);
    this.lastKey = ordered;
  }

  /** Writes the run under way, and gives up its memory until rows are added again. */
  save(): SavedRuns {
    // There is nothing else to do meanwhile.
    this.endRun(WRITE_IN_PLACE);
    this.buffer = Buffer.allocUnsafeSlow(0);
    this.spare = undefined;
    return { runs: this.runs };
  }

  /** By the UTF-8 bytes of the keys. Each row is valid until the next. */
  *rows(): Iterable<SortedRow> {
    this.save();
    while (this.runs.length > MAX_RUNS) {
      // Made of the first runs, it stands before all others, so that rows of one key keep their order.
      const first = this.runs.splice(0, MAX_RUNS);
      const merged = writeRun({ file: this.file, start: this.end }, this.merged(first));
      this.end = merged.end;
      this.runs.unshift(merged);
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
    const isFull = this.length + bytes > RUN_BYTES || this.starts.length >= RUN_ROWS;
    if (this.length > 0 && isFull) this.endRun(this.writer);
    if (this.length + bytes > this.buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.buffer.length, this.length + bytes, BLOCK_BYTES));
      this.buffer.copy(grown, 0, 0, this.length);
      this.buffer = grown;
    }
    return this.length;
  }

  private endRun(writer: RunWriter): void {
    // A run begins where the one before ends.
    this.writer.settle();
    if (this.starts.length === 0) return;
    const { file, buffer, length, isSorted, parts, end: start } = this;
    const size = buffer.length;
    const rows = { memory: buffer.buffer, length, starts: Uint32Array.from(this.starts), isSorted, parts };
    writer.write({ to: { file, start }, rows }, (place, memory) => {
      this.runs.push(place);
      this.end = place.end;
      this.spare = Buffer.from(memory);
    });
    this.buffer = this.spare ?? Buffer.allocUnsafeSlow(size);
    this.spare = undefined;
    this.length = 0;
    this.starts.length = 0;
    this.lastKey = '';
    this.isSorted = true;
  }

  private *merged(runs: readonly RunPlace[]): Iterable<Uint8Array> {
    for (const cursor of mergedRuns(this.file, runs, this.parts)) yield cursor.row();
  }
}

/** How many bytes an item takes at most. */
function mostBytes(item: string | Uint8Array): number {
  return typeof item === 'string' ? mostUtf8Bytes(item) : item.length;
}
