// Texts in a file that only grows, each found by its number: what waits there for its turn takes no memory.

import { appendFileSync, closeSync, openSync, readSync } from 'node:fs';
import { getOrAdd } from '../values/maps';
import { numberAt } from '../values/numbers';

/** Texts are written together in pieces of about so many bytes. */
const PIECE_BYTES = 64 * 1024;

/** Who asks for one text mostly asks for a neighbour next: 8 MB of the file are remembered. */
const BLOCK_BYTES = 16 * 1024;
const BLOCKS = 512;

export class TextFile {
  private readonly file: number;
  private isOpen = true;
  /** By number the byte at which the text ends. */
  private readonly ends: number[] = [];
  private waiting: Buffer[] = [];
  private written = 0;
  /** Blocks of the file, each in the slot of its number modulo the slots, whose memory the next block takes over. */
  private readonly slots = new Map<number, { number: number; readonly bytes: Buffer }>();

  /** Starts the file anew; whoever made its folder removes it. */
  constructor(private readonly path: string) {
    this.file = openSync(path, 'w+');
  }

  /** How many texts there are. */
  get count(): number {
    return this.ends.length;
  }

  get byteLength(): number {
    return this.ends.at(-1) ?? 0;
  }

  /** Texts are numbered from zero in the order in which they are added. */
  add(text: string): void {
    const bytes = Buffer.from(text);
    this.waiting.push(bytes);
    this.ends.push(this.byteLength + bytes.length);
    if (this.byteLength - this.written >= PIECE_BYTES) this.write();
  }

  text(number: number): string {
    if (this.waiting.length > 0) this.write();
    const start = number === 0 ? 0 : numberAt(this.ends, number - 1);
    const length = numberAt(this.ends, number) - start;
    const block = Math.floor(start / BLOCK_BYTES);
    const offset = start - block * BLOCK_BYTES;
    // Few texts stand on the end of a block, and the last block may still grow.
    if (offset + length > BLOCK_BYTES || (block + 1) * BLOCK_BYTES > this.written) {
      return this.read(Buffer.allocUnsafe(length), start).toString();
    }
    return this.block(block).toString('utf8', offset, offset + length);
  }

  /** Gives up the memory, too; does nothing when called again. */
  close(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
    this.ends.length = 0;
    this.slots.clear();
  }

  private block(number: number): Buffer {
    const slot = getOrAdd(this.slots, number % BLOCKS, () => {
      return { number: NaN, bytes: Buffer.allocUnsafeSlow(BLOCK_BYTES) };
    });
    if (slot.number !== number) this.read(slot.bytes, number * BLOCK_BYTES);
    slot.number = number;
    return slot.bytes;
  }

  private read(target: Buffer, start: number): Buffer {
    for (let done = 0; done < target.length;) {
      const length = readSync(this.file, target, done, target.length - done, start + done);
      if (length === 0) throw new Error(`${this.path} was cut off`);
      done += length;
    }
    return target;
  }

  private write(): void {
    appendFileSync(this.file, Buffer.concat(this.waiting));
    this.written = this.byteLength;
    this.waiting = [];
  }
}
