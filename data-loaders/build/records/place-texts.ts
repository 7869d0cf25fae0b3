// The texts of places that records repeat, by rank: in a file, so that rights may name millions of sites in any order
// (ADR 0060).

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { ByteWriter } from '../../../shared/values/bytes/byte-writer';
import { numberAt } from '../../../shared/values/numbers';

/** Texts are written in pieces. */
const WRITTEN_BYTES = 64 * 1024;

/** Records that follow each other name neighbours, and places from parts far apart: 8 MB of the file are remembered. */
const BLOCK_BYTES = 16 * 1024;
const CACHED_BLOCKS = 512;

const NO_BLOCK = 0xffffffff;

export class PlaceTexts {
  private readonly file: number;
  /** By rank the byte at which the text begins, and at last the end of all. */
  private starts = new Float64Array(1024);
  private count = 0;
  private readonly unwritten = Buffer.allocUnsafe(WRITTEN_BYTES);
  private unwrittenBytes = 0;
  /** Blocks of the file, each in the slot of its number modulo the slots. There are none before one is asked for. */
  private blocks = Buffer.alloc(0);
  private blockOfSlot = new Uint32Array(0);

  /** The text that was asked for last. */
  private readonly asked = new ByteWriter(BLOCK_BYTES);

  constructor(path: string) {
    this.file = openSync(path, 'w+');
  }

  /** Places come in the order of their ranks, and all of them before the first is asked for. */
  add(text: string): void {
    const length = Buffer.byteLength(text);
    if (this.unwrittenBytes + length > WRITTEN_BYTES) this.write();
    if (length > WRITTEN_BYTES) this.writeAll(Buffer.from(text));
    else this.unwrittenBytes += this.unwritten.write(text, this.unwrittenBytes);
    this.count++;
    if (this.count === this.starts.length) {
      const grown = new Float64Array(2 * this.starts.length);
      grown.set(this.starts);
      this.starts = grown;
    }
    this.starts[this.count] = numberAt(this.starts, this.count - 1) + length;
  }

  /** The text as it was added. */
  textOf(rank: number): string {
    this.asked.endAt(0);
    this.copyTo(rank, this.asked);
    return this.asked.bytes().toString();
  }

  /** Copies the text in UTF-8. */
  copyTo(rank: number, target: ByteWriter): void {
    if (rank >= this.count) throw new Error(`place ${rank} has no text`);
    if (this.unwrittenBytes > 0) this.write();
    const end = numberAt(this.starts, rank + 1);
    for (let position = numberAt(this.starts, rank); position < end;) {
      const offset = position % BLOCK_BYTES;
      const length = Math.min(BLOCK_BYTES - offset, end - position);
      const start = this.blockStart((position - offset) / BLOCK_BYTES) + offset;
      target.copy(this.blocks, start, start + length);
      position += length;
    }
  }

  close(): void {
    closeSync(this.file);
  }

  /** Where a block of the file lies in memory. */
  private blockStart(block: number): number {
    if (this.blockOfSlot.length === 0) this.openSlots();
    const slot = block % this.blockOfSlot.length;
    const start = slot * BLOCK_BYTES;
    if (this.blockOfSlot[slot] !== block) {
      // The last block is shorter; what lies behind its end is never asked for.
      readSync(this.file, this.blocks, start, BLOCK_BYTES, block * BLOCK_BYTES);
      this.blockOfSlot[slot] = block;
    }
    return start;
  }

  /** A short file takes no more memory than it has bytes. */
  private openSlots(): void {
    const slots = Math.min(CACHED_BLOCKS, Math.ceil(numberAt(this.starts, this.count) / BLOCK_BYTES));
    this.blocks = Buffer.allocUnsafeSlow(slots * BLOCK_BYTES);
    this.blockOfSlot = new Uint32Array(slots).fill(NO_BLOCK);
  }

  private write(): void {
    this.writeAll(this.unwritten.subarray(0, this.unwrittenBytes));
    this.unwrittenBytes = 0;
  }

  private writeAll(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at, bytes.length - at);
  }
}
