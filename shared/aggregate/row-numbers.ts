// Numbers the rows of totals by their combinations of values, in order of first occurrence.

import { getOrAdd } from '../values/maps';

export class RowNumbers {
  private readonly numbers = new Map<string, number>();
  /** Keyed by dimension, then by row. */
  private readonly values: readonly number[][];

  /** `dimensions` is the number of values in a combination, at least one. */
  constructor(dimensions: number) {
    this.values = Array.from({ length: dimensions }, () => []);
  }

  get count(): number {
    return this.numbers.size;
  }

  /** Returns the row number of a combination. Adds a row if the combination is new. */
  getNumber(combination: readonly number[]): number {
    return getOrAdd(this.numbers, combination.join(), () => {
      this.values.forEach((values, dimension) => values.push(combination[dimension] ?? 0));
      return this.count;
    });
  }

  /** Returns, for each dimension, the value of each row. */
  listValues(): readonly Uint32Array[] {
    return this.values.map((values) => Uint32Array.from(values));
  }
}
