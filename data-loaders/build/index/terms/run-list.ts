// The numbers of the records that have a term, in little memory, while they come.

import { numberAt } from '../../../../shared/values/numbers';

const NONE = -1;

/** A number of 32 bits takes so many bytes of seven. */
const MOST_BYTES = 5;

/**
 * Record numbers as runs, since most terms hold for whole series of records. Each run is its distance from the run
 * before and, behind a bit that says so, its length less one, in bytes of seven bits: two or three bytes where a pair
 * of numbers takes eight. Each right makes a run in the lists of most of its terms (ADR 0073).
 */
export class RunList {
  private bytes = new Uint8Array(8);
  private length = 0;
  /** Runs in `bytes`; the last one is still open. */
  private closed = 0;
  private closedLast = 0;
  private closedNumbers = 0;
  private first = NONE;
  private last = NONE;

  /** Numbers come in ascending order; adding the same number again changes nothing. */
  add(number: number): void {
    if (this.first !== NONE) {
      if (number === this.last + 1) this.last = number;
      if (number <= this.last) return;
      this.close();
    }
    this.first = number;
    this.last = number;
  }

  get isEmpty(): boolean {
    return this.first === NONE;
  }

  /** How many numbers it has. */
  get size(): number {
    return this.isEmpty ? 0 : this.closedNumbers + this.last - this.first + 1;
  }

  /** Pairs of first and last number. */
  pairs(): Uint32Array {
    if (this.isEmpty) return new Uint32Array();
    const pairs = new Uint32Array(2 * (this.closed + 1));
    let [at, last] = [0, 0];
    const next = (): number => {
      let [value, shift] = [0, 0];
      for (; ; shift += 7) {
        const byte = numberAt(this.bytes, at++);
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) return value >>> 0;
      }
    };
    for (let run = 0; run < this.closed; run++) {
      const distance = next();
      const first = last + (distance >>> 1);
      last = (distance & 1) === 0 ? first : first + next();
      pairs[2 * run] = first;
      pairs[2 * run + 1] = last;
    }
    pairs[2 * this.closed] = this.first;
    pairs[2 * this.closed + 1] = this.last;
    return pairs;
  }

  private close(): void {
    const more = this.last - this.first;
    this.write((this.first - this.closedLast) * 2 + (more > 0 ? 1 : 0));
    if (more > 0) this.write(more);
    this.closedLast = this.last;
    this.closedNumbers += more + 1;
    this.closed++;
  }

  private write(number: number): void {
    if (this.length + MOST_BYTES > this.bytes.length) {
      const grown = new Uint8Array(Math.ceil(this.bytes.length * 1.5) + MOST_BYTES);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    let rest = number >>> 0;
    for (; rest >= 0x80; rest >>>= 7) this.bytes[this.length++] = (rest & 0x7f) | 0x80;
    this.bytes[this.length++] = rest;
  }
}
