// The texts of places that records repeat, by rank: in a file, so that rights may name millions of sites in any order
// (ADR 0053).

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { numberAt } from '../../shared/values/numbers';
import { getOrAdd } from './posting-lists';

/** Texts are written in pieces of about so many bytes. */
const PIECE_BYTES = 64 * 1024;

/** Records that follow each other name neighbours, and places from parts far apart: 8 MB of the file are remembered. */
const BLOCK_BYTES = 16 * 1024;
const CACHED_BLOCKS = 512;

export class PlaceTexts {
  private readonly file: number;
  private isOpen = true;
  /** By rank the byte at which the text ends. */
  private readonly ends: number[] = [];
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private written = 0;
  /** Blocks of the file, each in the slot of its number modulo the slots, whose memory the next block takes over. */
  private readonly slots = new Map<number, { number: number; readonly bytes: Buffer }>();

  constructor(path: string) {
    this.file = openSync(path, 'w+');
  }

  /** Places come in the order of their ranks, and all of them before the first is asked for. */
  add(text: string): void {
    const bytes = Buffer.from(text);
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    this.ends.push(this.written + this.waitingBytes);
    if (this.waitingBytes >= PIECE_BYTES) this.write();
  }

  /** The text as it was added. */
  textOf(rank: number): string {
    const end = this.ends[rank];
    if (end === undefined) throw new Error(`place ${rank} has no text`);
    if (this.waitingBytes > 0) this.write();
    const start = rank === 0 ? 0 : numberAt(this.ends, rank - 1);
    const number = Math.floor(start / BLOCK_BYTES);
    const offset = start - number * BLOCK_BYTES;
    const length = end - start;
    // Few texts stand on the end of a block.
    if (offset + length > BLOCK_BYTES) return this.read(Buffer.allocUnsafe(length), start).toString();
    return this.block(number).toString('utf8', offset, offset + length);
  }

  /** Gives up the memory, too; does nothing when called again. */
  close(): void {
    if (!this.isOpen) return;
    closeSync(this.file);
    this.isOpen = false;
    this.ends.length = 0;
    this.slots.clear();
  }

  private block(number: number): Buffer {
    const slot = getOrAdd(this.slots, number % CACHED_BLOCKS, () => {
      return { number: NaN, bytes: Buffer.allocUnsafeSlow(BLOCK_BYTES) };
    });
    if (slot.number === number) return slot.bytes;
    const start = number * BLOCK_BYTES;
    this.read(slot.bytes.subarray(0, this.written - start), start);
    slot.number = number;
    return slot.bytes;
  }

  private read(target: Buffer, start: number): Buffer {
    if (readSync(this.file, target, 0, target.length, start) < target.length) {
      throw new Error('the texts of places were cut off');
    }
    return target;
  }

  private write(): void {
    const bytes = Buffer.concat(this.waiting);
    // A disk that becomes full takes a part of the bytes, and refuses the rest.
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at, bytes.length - at);
    this.written += bytes.length;
    this.waiting = [];
    this.waitingBytes = 0;
  }
}
