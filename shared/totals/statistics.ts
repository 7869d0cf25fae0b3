// The numbers that are added up for each group: records, days, and the count, sum, lowest and highest value of each
// measure. Sums are compensated (Neumaier 1974), so that the order of adding does not show in 15 digits (D40).

import { numberAt } from '../values/numbers';

/** Where the numbers of a group stand among its own; those of the first measure come after them. */
const [RECORDS, FIRST_DAY, LAST_DAY, PLACES, MEASURES] = [0, 1, 2, 3, 4];

/** Where the numbers of a measure stand behind its count. */
const [SUM, LOST, LOWEST, HIGHEST, MEASURE_LENGTH] = [1, 2, 3, 4, 5];

/** The digits of sums and means (D40). */
const DIGITS = 15;

export interface Measured {
  readonly count: number;
  /** Null without a value. */
  readonly sum: number | null;
  readonly mean: number | null;
  readonly lowest: number | null;
  readonly highest: number | null;
}

/** The statistics of groups by number; a group that nothing was added to has none. */
export class Statistics {
  /** How many numbers a group has. */
  private readonly length: number;
  private numbers: Float64Array;

  constructor(measures: number) {
    this.length = MEASURES + measures * MEASURE_LENGTH;
    this.numbers = new Float64Array(0);
  }

  /** Makes room for groups below `count`. */
  grow(count: number): void {
    const { numbers, length } = this;
    if (count * length <= numbers.length) return;
    const grown = new Float64Array(Math.max(count, (2 * numbers.length) / length) * length);
    grown.set(numbers);
    for (let start = numbers.length; start < grown.length; start += length) {
      grown[start + FIRST_DAY] = Infinity;
      grown[start + LAST_DAY] = -Infinity;
      for (let at = start + MEASURES; at < start + length; at += MEASURE_LENGTH) {
        grown[at + LOWEST] = Infinity;
        grown[at + HIGHEST] = -Infinity;
      }
    }
    this.numbers = grown;
  }

  /** Counts a record in each of the first `count` groups of the list, with its first and last day by period code. */
  addRecords(groups: Uint32Array, count: number, codes: ArrayLike<number>, periods: Int32Array): void {
    const { numbers, length } = this;
    for (let index = 0; index < count; index++) {
      const at = (groups[index] ?? 0) * length;
      numbers[at] = (numbers[at] ?? 0) + 1;
      const code = codes[index] ?? 0;
      if (code === 0) continue;
      const first = periods[2 * code] ?? 0;
      const last = periods[2 * code + 1] ?? 0;
      if (first < (numbers[at + FIRST_DAY] ?? 0)) numbers[at + FIRST_DAY] = first;
      if (last > (numbers[at + LAST_DAY] ?? 0)) numbers[at + LAST_DAY] = last;
    }
  }

  /** Adds the value of each record to its group; NaN is none. */
  addValues(measure: number, groups: Uint32Array, count: number, values: Float64Array): void {
    const { numbers, length } = this;
    const offset = MEASURES + measure * MEASURE_LENGTH;
    for (let index = 0; index < count; index++) {
      const value = values[index] ?? NaN;
      if (Number.isNaN(value)) continue;
      const at = (groups[index] ?? 0) * length + offset;
      numbers[at] = (numbers[at] ?? 0) + 1;
      addTo(numbers, at + SUM, value);
      if (value < (numbers[at + LOWEST] ?? 0)) numbers[at + LOWEST] = value;
      if (value > (numbers[at + HIGHEST] ?? 0)) numbers[at + HIGHEST] = value;
    }
  }

  addPlace(group: number): void {
    const at = group * this.length + PLACES;
    this.numbers[at] = (this.numbers[at] ?? 0) + 1;
  }

  /** Adds all but the places of a group of `other`. */
  merge(group: number, other: Statistics, otherGroup: number): void {
    const { numbers, length } = this;
    const from = otherGroup * length;
    const to = group * length;
    const at = (index: number): number => numberAt(other.numbers, from + index);
    numbers[to] = numberAt(numbers, to) + at(RECORDS);
    numbers[to + FIRST_DAY] = Math.min(numberAt(numbers, to + FIRST_DAY), at(FIRST_DAY));
    numbers[to + LAST_DAY] = Math.max(numberAt(numbers, to + LAST_DAY), at(LAST_DAY));
    for (let offset = MEASURES; offset < length; offset += MEASURE_LENGTH) {
      numbers[to + offset] = numberAt(numbers, to + offset) + at(offset);
      addTo(numbers, to + offset + SUM, at(offset + SUM));
      addTo(numbers, to + offset + SUM, at(offset + LOST));
      numbers[to + offset + LOWEST] = Math.min(numberAt(numbers, to + offset + LOWEST), at(offset + LOWEST));
      numbers[to + offset + HIGHEST] = Math.max(numberAt(numbers, to + offset + HIGHEST), at(offset + HIGHEST));
    }
  }

  recordsOf(group: number): number {
    return numberAt(this.numbers, group * this.length + RECORDS);
  }

  placesOf(group: number): number {
    return numberAt(this.numbers, group * this.length + PLACES);
  }

  /** Undefined when no record of the group has an effective day. */
  daysOf(group: number): { readonly first: number; readonly last: number } | undefined {
    const first = numberAt(this.numbers, group * this.length + FIRST_DAY);
    const last = numberAt(this.numbers, group * this.length + LAST_DAY);
    return first <= last ? { first, last } : undefined;
  }

  measured(group: number, measure: number): Measured {
    const at = group * this.length + MEASURES + measure * MEASURE_LENGTH;
    const [count = 0, sum = 0, lost = 0, lowest = 0, highest = 0] = this.numbers.subarray(at, at + MEASURE_LENGTH);
    if (count === 0) return { count, sum: null, mean: null, lowest: null, highest: null };
    const total = sum + lost;
    return { count, sum: rounded(total), mean: rounded(total / count), lowest, highest };
  }
}

/** Adds to the sum at an index, and what is lost by rounding to the number behind it. */
function addTo(numbers: Float64Array, at: number, value: number): void {
  const sum = numbers[at] ?? 0;
  const next = sum + value;
  const lost = Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
  numbers[at] = next;
  numbers[at + 1] = (numbers[at + 1] ?? 0) + lost;
}

/** Null when the sum is beyond the largest double. */
function rounded(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) + 0 : null;
}
