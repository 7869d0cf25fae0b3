// Numbers the combinations of values that rows are told apart by, in the order in which they come first. A number is
// made of the number of all values before and that of the last one, so that each step has one small key.

import { NumberTable } from '../values/bytes/number-table';

/** More values than a dimension has, and more rows than an answer; its square is an exact number. */
const MOST_NUMBERS = 2 ** 26;

export class RowNumbers {
  /** By level; a key is the number on the level before times MOST_NUMBERS, plus the number of a value. */
  private readonly tables: readonly NumberTable[];

  /** For combinations of so many values, one at least. */
  constructor(length: number) {
    this.tables = Array.from({ length }, () => new NumberTable());
  }

  get count(): number {
    return this.tables.at(-1)?.count ?? 0;
  }

  numberOf(values: readonly number[]): number {
    let number = 0;
    for (let level = 0; level < this.tables.length; level++) {
      number = this.tables[level]?.numberOf(number * MOST_NUMBERS + (values[level] ?? 0)) ?? 0;
    }
    return number;
  }

  /** By level the value of each combination. */
  values(): readonly Uint32Array[] {
    const numbers = Float64Array.from({ length: this.count }, (_, number) => number);
    const levels = this.tables.toReversed().map((table) => {
      const values = new Uint32Array(numbers.length);
      for (let index = 0; index < numbers.length; index++) {
        const key = table.keyOf(numbers[index] ?? 0);
        const before = Math.floor(key / MOST_NUMBERS);
        values[index] = key - before * MOST_NUMBERS;
        numbers[index] = before;
      }
      return values;
    });
    return levels.reverse();
  }
}
