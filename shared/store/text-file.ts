// Stores texts in an append-only file instead of in memory. Each text is read by its number.

import { appendFileSync, closeSync, openSync, readSync } from 'node:fs';
import { ByteWriter } from '../values/bytes/byte-writer';
import { numberAt } from '../values/number-arrays';

/** Texts are collected and written together when they reach about this many bytes. */
const PIECE_BYTES = 64 * 1024;

export class TextFile {
  private readonly file: number;
  private isOpen = true;
  /** The offset at which each text ends. */
  private readonly ends: number[] = [];
  private readonly pending = new ByteWriter(2 * PIECE_BYTES);
  private writtenBytes = 0;

  /** Truncates the file. The creator of its folder must remove the folder. */
  constructor(private readonly path: string) {
    this.file = openSync(path, 'w+');
  }

  get count(): number {
    return this.ends.length;
  }

  get byteLength(): number {
    return this.ends.at(-1) ?? 0;
  }

  /** Texts are numbered from zero in the order in which they are added. */
  add(text: string): void {
    const bytes = this.pending.text(text);
    this.ends.push(this.byteLength + bytes);
    if (this.byteLength - this.writtenBytes >= PIECE_BYTES) this.write();
  }

  readText(number: number): string {
    if (this.pending.length > 0) this.write();
    const start = number === 0 ? 0 : numberAt(this.ends, number - 1);
    const bytes = Buffer.allocUnsafe(numberAt(this.ends, number) - start);
    if (readSync(this.file, bytes, 0, bytes.length, start) < bytes.length)
      throw new Error(`${this.path} is incomplete`);
    return bytes.toString();
  }

  /** Also releases the memory. May be called repeatedly. */
  close(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
    this.ends.length = 0;
  }

  private write(): void {
    appendFileSync(this.file, this.pending.bytes());
    this.writtenBytes = this.byteLength;
    this.pending.truncate(0);
  }
}
