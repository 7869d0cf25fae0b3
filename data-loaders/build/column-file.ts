// Keeps a column of numbers in a file until the whole column is written, so that memory does not grow with the records.

import { appendFileSync, closeSync, openSync, readSync, writeFileSync } from 'node:fs';

/** The number of values to buffer before a write. */
const BUFFERED_NUMBERS = 8192;
const READ_BYTES = 1 << 20;

/** A column of numbers in a file. Only the last few thousand are in memory. The file is not kept open between calls. */
export class ColumnFile {
  private readonly buffered: Float64Array | Float32Array | Uint32Array;
  private bufferedCount = 0;
  private writtenBytes = 0;

  /** Creates an empty file, or empties it. */
  constructor(
    private readonly path: string,
    Numbers: Float64ArrayConstructor | Float32ArrayConstructor | Uint32ArrayConstructor,
  ) {
    this.buffered = new Numbers(BUFFERED_NUMBERS);
    writeFileSync(path, '');
  }

  get byteLength(): number {
    return this.writtenBytes + this.bufferedCount * this.buffered.BYTES_PER_ELEMENT;
  }

  add(value: number): void {
    this.buffered[this.bufferedCount] = value;
    this.bufferedCount++;
    if (this.bufferedCount === BUFFERED_NUMBERS) this.write();
  }

  /** Yields the bytes of all numbers. A buffer is overwritten after the next buffer is requested. */
  *pieces(): Iterable<Uint8Array> {
    this.write();
    const file = openSync(this.path, 'r');
    try {
      const piece = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, this.writtenBytes));
      for (let offset = 0; offset < this.writtenBytes;) {
        const length = readSync(file, piece, 0, piece.length, offset);
        if (length === 0) throw new Error(`${this.path} was cut off`);
        yield piece.subarray(0, length);
        offset += length;
      }
    } finally {
      closeSync(file);
    }
  }

  private write(): void {
    const { buffer, BYTES_PER_ELEMENT } = this.buffered;
    const bytes = new Uint8Array(buffer, 0, this.bufferedCount * BYTES_PER_ELEMENT);
    appendFileSync(this.path, bytes);
    this.writtenBytes += bytes.length;
    this.bufferedCount = 0;
  }
}

/** Yields the numbers of a Uint32Array column. A buffer is overwritten after the next buffer is requested. */
export function* readUint32Pieces(column: ColumnFile): Iterable<Uint32Array> {
  for (const { buffer, byteOffset, byteLength } of column.pieces()) {
    yield new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT);
  }
}
