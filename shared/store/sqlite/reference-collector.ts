// The lookups that a page refers to: each once, in order. A bit per lookup of the release is cheaper than a Set and sorts
// by itself; a release of a million sites costs 128 KB for the time of one page.

import type { BlockHeader } from './fragment-block';

export class ReferenceCollector {
  private readonly bits: Uint32Array;
  private count = 0;

  constructor(lookups: number) {
    this.bits = new Uint32Array((lookups >>> 5) + 1);
  }

  /** Adds the reference lists of some fragments of a block; neighbours mostly share one list. */
  addLists(header: BlockHeader, indexes: Uint32Array): void {
    let lastList = -1;
    for (const index of indexes) {
      const list = header.lists[index] ?? 0;
      if (list === lastList) continue;
      lastList = list;
      const end = header.listEnds[list] ?? 0;
      for (let at = list === 0 ? 0 : (header.listEnds[list - 1] ?? 0); at < end; at++)
        this.add(header.references[at] ?? 0);
    }
  }

  ascending(): Uint32Array {
    const numbers = new Uint32Array(this.count);
    let filled = 0;
    for (let word = 0; filled < this.count; word++) {
      let bits = this.bits[word] ?? 0;
      while (bits !== 0) {
        const lowest = bits & -bits;
        numbers[filled++] = word * 32 + 31 - Math.clz32(lowest);
        bits ^= lowest;
      }
    }
    return numbers;
  }

  private add(number: number): void {
    const word = number >>> 5;
    const before = this.bits[word] ?? 0;
    const after = (before | (1 << (number & 31))) >>> 0;
    if (after === before) return;
    this.bits[word] = after;
    this.count++;
  }
}
