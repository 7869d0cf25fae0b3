// A column of numbers while it is collected: all but the last few thousand lie in a file, so that a release of any size
// takes the same memory (ADR 0060). No file stays open between the calls.

import { appendFileSync, closeSync, openSync, readSync, writeFileSync } from 'node:fs';

/** Numbers that are written together. */
const WRITTEN_NUMBERS = 8192;
const READ_BYTES = 1 << 20;

export class ColumnFile {
  private readonly waiting: Float64Array | Float32Array | Uint32Array;
  private waitingCount = 0;
  private written = 0;

  /** Starts the file anew. */
  constructor(
    private readonly path: string,
    Numbers: Float64ArrayConstructor | Float32ArrayConstructor | Uint32ArrayConstructor,
  ) {
    this.waiting = new Numbers(WRITTEN_NUMBERS);
    writeFileSync(path, '');
  }

  get byteLength(): number {
    return this.written + this.waitingCount * this.waiting.BYTES_PER_ELEMENT;
  }

  add(value: number): void {
    this.waiting[this.waitingCount++] = value;
    if (this.waitingCount === WRITTEN_NUMBERS) this.write();
  }

  /** The bytes of all numbers; a piece is overwritten after the next one. */
  *pieces(): Iterable<Uint8Array> {
    this.write();
    const file = openSync(this.path, 'r');
    try {
      const piece = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, this.written));
      for (let at = 0; at < this.written;) {
        const length = readSync(file, piece, 0, piece.length, at);
        if (length === 0) throw new Error(`${this.path} was cut off`);
        yield piece.subarray(0, length);
        at += length;
      }
    } finally {
      closeSync(file);
    }
  }

  private write(): void {
    const { buffer, BYTES_PER_ELEMENT } = this.waiting;
    const bytes = new Uint8Array(buffer, 0, this.waitingCount * BYTES_PER_ELEMENT);
    appendFileSync(this.path, bytes);
    this.written += bytes.length;
    this.waitingCount = 0;
  }
}
