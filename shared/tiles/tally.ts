// Counts small numbers and remembers which ones were counted, so that clearing takes no longer than counting did. It
// runs for each point of a tile, so it uses typed arrays and allocates nothing.

export class Tally {
  private readonly counts: Uint32Array;
  /** The counted numbers, in the order of their first occurrence. */
  private readonly counted: Uint32Array;
  private countedSize = 0;

  /** Counts numbers below `end`. */
  constructor(end: number) {
    this.counts = new Uint32Array(end);
    this.counted = new Uint32Array(end);
  }

  /** The number of distinct numbers counted. */
  get size(): number {
    return this.countedSize;
  }

  /** Returns the new count of the number; `count` is at least 1. */
  add(number: number, count: number): number {
    const previousCount = this.counts[number] ?? 0;
    if (previousCount === 0) {
      this.counted[this.countedSize] = number;
      this.countedSize++;
    }
    const newCount = previousCount + count;
    this.counts[number] = newCount;
    return newCount;
  }

  getCount(number: number): number {
    return this.counts[number] ?? 0;
  }

  /** Returns the distinct number at this index, in the order of first occurrence. */
  getNumber(index: number): number {
    return this.counted[index] ?? 0;
  }

  clear(): void {
    for (let index = 0; index < this.countedSize; index++) this.counts[this.counted[index] ?? 0] = 0;
    this.countedSize = 0;
  }
}
