// A set of small numbers, a bit each: marking is cheap in any order and as often as it comes, and reading gives them
// ascending.

const BITS = 32;
const ALL_BITS = 0xffffffff;

export class NumberSet {
  /** Number n is bit n % 32 of word n / 32. */
  readonly words: Uint32Array;

  /** For numbers below `end`. */
  constructor(end: number) {
    this.words = new Uint32Array(Math.ceil(end / BITS));
  }

  has(number: number): boolean {
    return (((this.words[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
  }

  add(number: number): void {
    this.mark(number >>> 5, 1 << (number & 31));
  }

  /** Both included. */
  addRange(first: number, last: number): void {
    const firstWord = first >>> 5;
    const lastWord = last >>> 5;
    const fromFirst = ALL_BITS << (first & 31);
    const toLast = ALL_BITS >>> (31 - (last & 31));
    if (firstWord === lastWord) {
      this.mark(firstWord, fromFirst & toLast);
      return;
    }
    this.mark(firstWord, fromFirst);
    this.words.fill(ALL_BITS, firstWord + 1, lastWord);
    this.mark(lastWord, toLast);
  }

  numbers(): Uint32Array {
    return listBits(this.words, new Uint32Array(countBits(this.words)));
  }

  private mark(word: number, bits: number): void {
    this.words[word] = (this.words[word] ?? 0) | bits;
  }
}

/** Writes the number of each bit that is set to `numbers`, which is as long as there are such bits. */
export function listBits<Numbers extends Uint16Array | Uint32Array>(words: Uint32Array, numbers: Numbers): Numbers {
  let filled = 0;
  for (let word = 0; word < words.length; word++) {
    for (let rest = words[word] ?? 0; rest !== 0; rest &= rest - 1) {
      numbers[filled++] = word * BITS + 31 - Math.clz32(rest & -rest);
    }
  }
  return numbers;
}

export function countBits(words: Uint32Array): number {
  let count = 0;
  for (const word of words) {
    // Added up in fields of two, four and eight bits.
    const pairs = word - ((word >>> 1) & 0x55555555);
    const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
    count += Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
