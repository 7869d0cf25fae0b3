// The texts of places that records repeat, by rank: in a file, so that rights may name millions of sites in any order
// (ADR 0060).

import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** Texts are written and read in pieces: records that follow each other name neighbours. */
const WRITTEN_BYTES = 64 * 1024;
const READ_BYTES = 8 * 1024;

/** Rights name a site several times, from places far apart; a text has some 300 characters. */
const MAX_CACHED_CHARACTERS = 8 * 1024 * 1024;

export class PlaceTexts {
  private readonly file: number;
  /** By rank the byte at which the text begins, and at last the end of all. */
  private starts = new Float64Array(1024);
  private count = 0;
  private unwritten: Buffer[] = [];
  private unwrittenBytes = 0;
  private cached = new Map<number, string>();
  private cachedCharacters = 0;
  private window = Buffer.alloc(0);
  private windowStart = 0;

  constructor(path: string) {
    this.file = openSync(path, 'w+');
  }

  /** Places come in the order of their ranks. */
  add(text: string): void {
    const bytes = Buffer.from(text);
    this.unwritten.push(bytes);
    this.unwrittenBytes += bytes.length;
    this.count++;
    if (this.count === this.starts.length) {
      const grown = new Float64Array(2 * this.starts.length);
      grown.set(this.starts);
      this.starts = grown;
    }
    this.starts[this.count] = (this.starts[this.count - 1] ?? 0) + bytes.length;
    if (this.unwrittenBytes >= WRITTEN_BYTES) this.write();
  }

  /** The text as it was added. */
  textOf(rank: number): string {
    const known = this.cached.get(rank);
    if (known !== undefined) return known;
    if (rank >= this.count) throw new Error(`place ${rank} has no text`);
    const text = this.read(this.starts[rank] ?? 0, this.starts[rank + 1] ?? 0);
    if (this.cachedCharacters > MAX_CACHED_CHARACTERS) {
      this.cached = new Map();
      this.cachedCharacters = 0;
    }
    this.cached.set(rank, text);
    this.cachedCharacters += text.length;
    return text;
  }

  close(): void {
    closeSync(this.file);
  }

  private write(): void {
    const bytes = Buffer.concat(this.unwritten);
    const start = (this.starts[this.count] ?? 0) - bytes.length;
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at, bytes.length - at, start + at);
    this.unwritten = [];
    this.unwrittenBytes = 0;
  }

  private read(start: number, end: number): string {
    if (this.unwrittenBytes > 0) this.write();
    if (start < this.windowStart || end > this.windowStart + this.window.length) {
      const bytes = Buffer.allocUnsafe(Math.max(READ_BYTES, end - start));
      this.window = bytes.subarray(0, readSync(this.file, bytes, 0, bytes.length, start));
      this.windowStart = start;
    }
    return this.window.toString('utf8', start - this.windowStart, end - this.windowStart);
  }
}
