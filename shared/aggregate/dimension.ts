// A dimension of totals: the values of a grouping, numbered across all releases of an answer.

import { getOrAdd } from '../values/maps';

export class Dimension<Value> {
  private readonly numbers = new Map<string, number>();
  /** Number 0 means no value. */
  private readonly values: (Value | null)[] = [null];

  /** Returns the number of a key. Adds the value if the key is new. Answers show the first value with a key. */
  getNumber(key: string, value: Value): number {
    return getOrAdd(this.numbers, key, () => this.values.push(value) - 1);
  }

  getValue(number: number): Value | null {
    return this.values[number] ?? null;
  }

  /** Returns the position of each value number in the order of all values; null comes first. */
  rankValues(compare: (a: Value, b: Value) => number): Uint32Array {
    const numbers = this.values.map((_, number) => number);
    numbers.sort((a, b) => compareNullsFirst(this.getValue(a), this.getValue(b), compare));
    const ranks = new Uint32Array(numbers.length);
    numbers.forEach((number, rank) => {
      ranks[number] = rank;
    });
    return ranks;
  }
}

export function compareNullsFirst<Value>(
  a: Value | null,
  b: Value | null,
  compare: (a: Value, b: Value) => number,
): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compare(a, b);
}
