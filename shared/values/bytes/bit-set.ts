// A set of small numbers, one bit for each. Numbers can be added cheaply in any order and repeatedly; they are read in
// ascending order.

import { numberAt } from '../number-arrays';

const WORD_BITS = 32;
const ALL_BITS = 0xffffffff;

export class BitSet {
  /** Number n is bit n % 32 of word n / 32. */
  readonly words: Uint32Array;

  /** For numbers from 0 to `end` (exclusive). The set is empty unless `words` are those of another set. */
  constructor(end: number, words = new Uint32Array(Math.ceil(end / WORD_BITS))) {
    this.words = words;
  }

  has(number: number): boolean {
    // A number at or beyond the end is not in the set.
    return (((this.words[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
  }

  add(number: number): void {
    this.setBits(number >>> 5, 1 << (number & 31));
  }

  delete(number: number): void {
    if (this.has(number)) this.words[number >>> 5] = numberAt(this.words, number >>> 5) & ~(1 << (number & 31));
  }

  /** Adds the numbers from first to last, both included. */
  addRange(first: number, last: number): void {
    const firstWord = first >>> 5;
    const lastWord = last >>> 5;
    const fromFirst = ALL_BITS << (first & 31);
    const toLast = ALL_BITS >>> (31 - (last & 31));
    if (firstWord === lastWord) {
      this.setBits(firstWord, fromFirst & toLast);
      return;
    }
    this.setBits(firstWord, fromFirst);
    this.words.fill(ALL_BITS, firstWord + 1, lastWord);
    this.setBits(lastWord, toLast);
  }

  get size(): number {
    return this.words.reduce((sum, word) => sum + countBits(word), 0);
  }

  /**
   * Returns the numbers with ranks from `from` to `to` (exclusive), ascending; by default all. Ranks must not exceed
   * the size.
   */
  slice(from = 0, to = this.size): Uint32Array {
    const numbers = new Uint32Array(to - from);
    let rank = 0;
    for (let word = 0; rank < to; word++) {
      const bits = numberAt(this.words, word);
      const end = rank + countBits(bits);
      for (let rest = end > from ? bits : 0; rest !== 0; rest &= rest - 1, rank++) {
        // A write outside a typed array has no effect, but makes all other writes slow.
        if (rank >= from && rank < to) numbers[rank - from] = word * WORD_BITS + 31 - Math.clz32(rest & -rest);
      }
      rank = end;
    }
    return numbers;
  }

  private setBits(word: number, bits: number): void {
    // Writing a word beyond the end has no effect.
    this.words[word] = (this.words[word] ?? 0) | bits;
  }
}

/**
 * Adds `first` plus the index of each code whose entry in the table `isMarked` is 1 (otherwise 0). Codes beyond the
 * table are not marked. `first` must be a multiple of 32. Branch-free on the codes.
 */
export function markCodes(codes: ArrayLike<number>, isMarked: Uint8Array, { words }: BitSet, first: number): void {
  let index = 0;
  for (let word = first / WORD_BITS; index < codes.length; word++) {
    const end = Math.min(index + WORD_BITS, codes.length);
    let bits = 0;
    for (let bit = 0; index < end; bit++, index++) bits |= (isMarked[codes[index] ?? 0] ?? 0) << bit;
    words[word] = numberAt(words, word) | bits;
  }
}

/** Adds `first` plus the index of each number in [min, max]; NaN is never added. See `markCodes`. */
export function markWithin(
  numbers: Float64Array,
  [min, max]: readonly [number, number],
  { words }: BitSet,
  first: number,
): void {
  let index = 0;
  for (let word = first / WORD_BITS; index < numbers.length; word++) {
    const end = Math.min(index + WORD_BITS, numbers.length);
    let bits = 0;
    for (let bit = 0; index < end; bit++, index++) {
      const number = numbers[index] ?? NaN;
      bits |= (Number(number >= min) & Number(number <= max)) << bit;
    }
    words[word] = numberAt(words, word) | bits;
  }
}

/** Counts the set bits of a word by adding up fields of two, four and eight bits. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
