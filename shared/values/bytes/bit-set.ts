// A set of small numbers with a bit for each: adding is cheap in any order and as often as one likes, and reading gives
// the numbers in ascending order.

import { numberAt } from '../number-arrays';

const WORD_BITS = 32;
const ALL_BITS = 0xffffffff;

export class BitSet {
  /** Number n is bit n % 32 of word n / 32. */
  readonly words: Uint32Array;

  /** For numbers from 0 to `end`, which is excluded; empty, or with the words of another set. */
  constructor(end: number, words = new Uint32Array(Math.ceil(end / WORD_BITS))) {
    this.words = words;
  }

  has(number: number): boolean {
    // A number beyond the end is not in the set.
    return (((this.words[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
  }

  add(number: number): void {
    this.setBits(number >>> 5, 1 << (number & 31));
  }

  delete(number: number): void {
    // As in `has`, a number beyond the end is not in the set.
    if (this.has(number)) this.words[number >>> 5] = numberAt(this.words, number >>> 5) & ~(1 << (number & 31));
  }

  /** Both ends are included. */
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

  /** The numbers of ranks `from` to before `to`, ascending; there are as many. All of them without ranks. */
  slice(from = 0, to = this.size): Uint32Array {
    const numbers = new Uint32Array(to - from);
    let rank = 0;
    for (let word = 0; rank < to; word++) {
      const bits = numberAt(this.words, word);
      const end = rank + countBits(bits);
      for (let rest = end > from ? bits : 0; rest !== 0; rest &= rest - 1, rank++) {
        // A write beyond the ends of a typed array does nothing, but makes all others slow.
        if (rank >= from && rank < to) numbers[rank - from] = word * WORD_BITS + 31 - Math.clz32(rest & -rest);
      }
      rank = end;
    }
    return numbers;
  }

  private setBits(word: number, bits: number): void {
    // A word beyond the end stays missing: writing there does nothing.
    this.words[word] = (this.words[word] ?? 0) | bits;
  }
}

/**
 * Adds `first` plus the index of each code that a table of zeros and ones marks with 1; codes beyond it count as not
 * marked. `first` is a multiple of 32. No branch depends on the codes.
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

/** Adds `first` plus the index of each number that lies within both ends; NaN does not. As of `markCodes`. */
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

/** How many bits of a word are set: they are added up in fields of two, four and eight bits. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
