// Bytes that are put together from parts of other bytes, in memory that grows. Short parts are copied by words where
// their memory is known by words, and else one byte after the other: the view that a copy of the platform needs costs
// more than they do.

import { WORD_SLACK, wordsOf, type CopiedBytes } from './word-copying';

/** From so many bytes on a copy of the platform is faster than one byte after the other, and than words. */
const LONG = 64;
const LONG_BY_WORDS = 200;

/** Within the same memory the platform takes longer to begin. */
const LONG_REPEATED = 400;

/** Memory whose bytes are whatever they were. */
export type Allocate = (bytes: number) => Buffer<ArrayBuffer>;

export class ByteWriter {
  private target: Buffer<ArrayBuffer>;
  private targetWords: DataView;
  private written = 0;

  /** Writes into `first`, memory or how many bytes of it to allocate, as long as there is room. */
  constructor(
    first: number | Buffer<ArrayBuffer>,
    private readonly allocate: Allocate = (bytes) => Buffer.allocUnsafe(bytes),
  ) {
    this.target = typeof first === 'number' ? allocate(first) : first;
    this.targetWords = wordsOf(this.target);
  }

  /** How many bytes were written. */
  get length(): number {
    return this.written;
  }

  /** Copies what stands from `start` to before `end`. */
  copy(source: Uint8Array, start: number, end: number): void {
    const bytes = end - start;
    this.makeRoom(bytes);
    if (bytes >= LONG) {
      this.target.set(source.subarray(start, end), this.written);
    } else {
      const { target, written } = this;
      for (let at = 0; at < bytes; at++) target[written + at] = byteAt(source, start + at);
    }
    this.written += bytes;
  }

  copyAll(source: Uint8Array): void {
    this.copy(source, 0, source.length);
  }

  /** What was written stands at its beginning. Another takes its place when there is no room for more. */
  get memory(): Buffer {
    return this.target;
  }

  /** The memory by words, as it is until more is written. */
  get words(): DataView {
    return this.targetWords;
  }

  /** Copies what stands from `start` to before `end`, eight bytes at a time. */
  copyWords(source: DataView, start: number, end: number): void {
    this.makeRoom(end - start);
    const { targetWords: words, written } = this;
    for (let from = start, to = written; from < end; from += 8, to += 8) {
      words.setBigUint64(to, source.getBigUint64(from));
    }
    this.written = written + end - start;
  }

  /** The memory by words, with room for so many more bytes behind what is written; `wrote` says how many there are. */
  wordsWithRoom(bytes: number): DataView {
    this.makeRoom(bytes);
    return this.targetWords;
  }

  /** Hears where the bytes end that somebody wrote into the room. */
  wrote(end: number): void {
    this.written = end;
  }

  /** Copies all of a short text. */
  copyText({ words, bytes }: CopiedBytes): void {
    this.copyWords(words, 0, bytes.length);
  }

  /** Copies what stands from `start` to before `end`, by words where it is not long. */
  copyPart({ words, bytes }: CopiedBytes, start: number, end: number): void {
    if (end - start < LONG_BY_WORDS) {
      this.copyWords(words, start, end);
    } else {
      this.makeRoom(end - start);
      this.written += bytes.copy(this.target, this.written, start, end);
    }
  }

  /** Leaves room for so many bytes, which are whatever they were. */
  leaveRoom(bytes: number): void {
    this.makeRoom(bytes);
    this.written += bytes;
  }

  /** Takes back what was written after so many bytes. */
  endAt(length: number): void {
    this.written = length;
  }

  /** Writes once more what was written from `start` to before `end`. */
  repeat(start: number, end: number): void {
    this.makeRoom(end - start);
    if (end - start < LONG_REPEATED) {
      // The last word may take bytes with it that it is about to overwrite: they are behind the end, and so anything.
      this.copyWords(this.targetWords, start, end);
    } else {
      this.target.copyWithin(this.written, start, end);
      this.written += end - start;
    }
  }

  byte(byte: number): void {
    this.makeRoom(1);
    this.target[this.written++] = byte;
  }

  /** In UTF-8. */
  text(text: string): void {
    this.makeRoom(mostUtf8Bytes(text));
    this.written += this.target.write(text, this.written);
  }

  /** Only ASCII characters: twice as fast for texts of some characters. */
  ascii(text: string): void {
    this.makeRoom(text.length);
    const { target, written } = this;
    for (let at = 0; at < text.length; at++) target[written + at] = text.charCodeAt(at);
    this.written += text.length;
  }

  /** What was written from `start` to before `end`; it stays as it is only until more is written. */
  bytes(start = 0, end = this.written): Buffer<ArrayBuffer> {
    return this.target.subarray(start, end);
  }

  /** The memory always has the slack of a word behind what is written. */
  private makeRoom(bytes: number): void {
    const needed = this.written + bytes + WORD_SLACK;
    if (needed <= this.target.length) return;
    const larger = this.allocate(Math.max(2 * this.target.length, needed));
    larger.set(this.target.subarray(0, this.written));
    this.target = larger;
    this.targetWords = wordsOf(larger);
  }
}

/** How many bytes a text takes in UTF-8 at most: a UTF-16 unit takes three. */
export function mostUtf8Bytes(text: string): number {
  return 3 * text.length;
}

function byteAt(bytes: Uint8Array, index: number): number {
  const byte = bytes[index];
  if (byte === undefined) throw new RangeError(`no byte at index ${index} of ${bytes.length}`);
  return byte;
}
