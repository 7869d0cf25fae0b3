// Writes rows as a run of a file of sorted rows: compressed blocks, one behind the other.

import { writeSync } from 'node:fs';
import { constants, zstdCompressSync } from 'node:zlib';
import { BLOCK_BYTES, BLOCK_HEADER_BYTES, LENGTH_BYTES, type RunPlace } from './run-cursor';

/** Rows that were added one behind the other: the lengths of key and parts, then all of them, texts in UTF-8. */
export interface CollectedRows {
  /** Those of the rows, and maybe others behind them. */
  readonly memory: ArrayBuffer;
  readonly length: number;
  /** Where each row begins. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** Whether the rows were added in the order of their keys. */
  readonly isSorted: boolean;
  /** How many parts each row has beside its key. */
  readonly parts: number;
}

/** Where the blocks of a run go. */
export interface RunStart {
  readonly file: number;
  readonly start: number;
}

export interface RunToWrite {
  readonly to: RunStart;
  readonly rows: CollectedRows;
}

/** Writes full runs, here or in a thread. */
export interface RunWriter {
  /** Takes the memory of the rows, and gives it back with the place of the run, at once or when another is written. */
  write(run: RunToWrite, written: (place: RunPlace, memory: ArrayBuffer) => void): void;
  /** Waits for the run under way; throws if it could not be written. */
  settle(): void;
  /** Whoever closes the writer does not need the run that is under way. */
  close(): void;
}

export const WRITE_IN_PLACE: RunWriter = {
  write: ({ to, rows }, written) => {
    written(writeRun(to, inOrder(rows)), rows.memory);
  },
  settle: () => undefined,
  close: () => undefined,
};

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** By the UTF-8 bytes of the keys; rows of one key stay as they came, since sorting is stable. */
function* inOrder({ memory, length, starts, isSorted, parts }: CollectedRows): Iterable<Uint8Array> {
  const bytes = Buffer.from(memory, 0, length);
  const order = Uint32Array.from(starts.keys());
  if (!isSorted) {
    const keys = Array.from(starts, (start) => keyAt(bytes, start, parts));
    order.sort((a, b) => compared(keys[a], keys[b]));
  }
  for (const index of order) yield bytes.subarray(starts[index], starts[index + 1] ?? length);
}

export function writeRun({ file, start }: RunStart, rows: Iterable<Uint8Array>): RunPlace {
  let end = start;
  let block = Buffer.allocUnsafe(2 * BLOCK_BYTES);
  let length = 0;
  for (const row of rows) {
    if (length > 0 && length + row.length > BLOCK_BYTES) {
      end += writeBlock({ file, start: end }, block.subarray(0, length));
      length = 0;
    }
    if (row.length > block.length) block = Buffer.allocUnsafe(row.length);
    block.set(row, length);
    length += row.length;
  }
  end += writeBlock({ file, start: end }, block.subarray(0, length));
  return { start, end };
}

/** Returns how many bytes it takes in the file. */
function writeBlock({ file, start }: RunStart, rows: Buffer): number {
  const compressed = zstdCompressSync(rows, COMPRESSION);
  const header = Buffer.alloc(BLOCK_HEADER_BYTES);
  header.writeUInt32LE(compressed.length);
  const bytes = Buffer.concat([header, compressed]);
  // A disk that becomes full takes a part of the bytes, and refuses the rest.
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, start + at);
  return bytes.length;
}

/** Each byte of the key as a character: JavaScript compares such texts as the bytes. */
function keyAt(bytes: Buffer, row: number, parts: number): string {
  const start = row + (1 + parts) * LENGTH_BYTES;
  return bytes.toString('latin1', start, start + bytes.readUInt32LE(row));
}

function compared(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
