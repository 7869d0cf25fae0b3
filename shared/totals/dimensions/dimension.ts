// The values by which the rows of an answer are told apart, numbered over all releases that the answer is read from.

/** Number 0 stands for records without a value. */
export class Dimension<Value> {
  private readonly numbers = new Map<string, number>();
  private readonly values: (Value | null)[] = [null];

  /** The first value with a key is the one that is shown. */
  numberOf(key: string, value: Value): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.values.push(value) - 1;
    this.numbers.set(key, number);
    return number;
  }

  valueOf(number: number): Value | null {
    return this.values[number] ?? null;
  }

  /** By number, the place of the value among all of them in an order in which null comes first. */
  ranks(compare: (a: Value, b: Value) => number): Uint32Array {
    const numbers = this.values.map((_, number) => number);
    const valueAt = (number: number): Value | null => this.values[number] ?? null;
    numbers.sort((a, b) => compareNullsFirst(valueAt(a), valueAt(b), compare));
    const ranks = new Uint32Array(numbers.length);
    numbers.forEach((number, rank) => (ranks[number] = rank));
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
