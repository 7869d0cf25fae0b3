// Random numbers that are the same in every run and on every machine, so that generated data can be compared byte by
// byte.

export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /**
   * Returns a number from 0 to below 1. The generator is mulberry32, whose 32 bits of state are enough for data that
   * only have to look realistic.
   */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /**
   * Returns a log-normally distributed integer: half are below the median, and a few are many times as large. `low` and
   * `high` are included.
   */
  skewedInteger(median: number, spread: number, low: number, high: number): number {
    // Box-Muller transform; 1 - next() is never 0.
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return Math.min(high, Math.max(low, Math.round(median * Math.exp(spread * normal))));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Throws if the list is empty. */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  }

  /** Returns `count` different items in the order of the list, or all items if there are fewer. */
  pickSome<Item>(items: readonly Item[], count: number): Item[] {
    let remaining = Math.min(count, items.length);
    return items.filter((_, index) => {
      const isPicked = this.next() * (items.length - index) < remaining;
      if (isPicked) remaining -= 1;
      return isPicked;
    });
  }

  /** Shuffles in place (Fisher-Yates). */
  shuffle(items: unknown[]): void {
    for (let last = items.length - 1; last > 0; last -= 1) {
      const other = this.integer(0, last);
      [items[last], items[other]] = [items[other], items[last]];
    }
  }
}

/**
 * The random numbers for one item. They do not depend on the order in which items are generated or on how many there
 * are.
 */
export function createItemRandom(seed: number, stream: number, item: number): SeededRandom {
  let mixed = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b) ^ Math.imul(item + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  return new SeededRandom(mixed ^ (mixed >>> 15));
}
