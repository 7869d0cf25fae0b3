// A growing buffer for strings and bytes. Thousands of small writers are kept, so each allocates its own memory rather
// than part of a shared slab.

import { allocateOwnBytes } from './own-bytes';

export class ByteWriter {
  private target: Buffer<ArrayBuffer>;
  private writtenBytes = 0;

  /** `initialBytes` is the size of the first allocation. */
  constructor(initialBytes: number) {
    this.target = allocateOwnBytes(initialBytes);
  }

  get length(): number {
    return this.writtenBytes;
  }

  copy(source: Uint8Array): void {
    this.makeRoom(source.length);
    this.target.set(source, this.writtenBytes);
    this.writtenBytes += source.length;
  }

  /** Discards everything after the first `length` bytes. */
  truncate(length: number): void {
    this.writtenBytes = length;
  }

  byte(byte: number): void {
    this.makeRoom(1);
    this.target[this.writtenBytes] = byte;
    this.writtenBytes++;
  }

  /** Appends a string as UTF-8 and returns its length in bytes. */
  text(text: string): number {
    this.makeRoom(maxUtf8Bytes(text));
    const bytes = this.target.write(text, this.writtenBytes);
    this.writtenBytes += bytes;
    return bytes;
  }

  /** Returns the bytes from `start` to `end` (exclusive). Valid only until the next write. */
  bytes(start = 0, end = this.writtenBytes): Buffer<ArrayBuffer> {
    return this.target.subarray(start, end);
  }

  private makeRoom(bytes: number): void {
    const needed = this.writtenBytes + bytes;
    if (needed <= this.target.length) return;
    const larger = allocateOwnBytes(Math.max(2 * this.target.length, needed));
    larger.set(this.target.subarray(0, this.writtenBytes));
    this.target = larger;
  }
}

/** Returns an upper bound for the length of a string in UTF-8: three bytes per UTF-16 unit. */
export function maxUtf8Bytes(text: string): number {
  return 3 * text.length;
}
