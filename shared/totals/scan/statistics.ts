// The numbers that are added up for each group: records, days, places, and the count, sum, lowest and highest value of
// each measure. Sums are compensated, so that the order of adding does not show in 15 digits (D40).

import { numberAt } from '../../values/numbers';
import type { Codes } from './cells';

/** Where the whole numbers of a group stand among its own. */
const [RECORDS, FIRST_DAY, LAST_DAY, PLACES, COUNTS] = [0, 1, 2, 3, 4];

/** Where the numbers of a measure of a group stand among its own. */
const [VALUES, SUM, LOST, LOWEST, HIGHEST, MEASURED] = [0, 1, 2, 3, 4, 5];

/** Days of groups without one: after, and before, all others. */
const [NO_FIRST_DAY, NO_LAST_DAY] = [0x7fffffff, -0x80000000];

/** The digits of sums and means (D40). */
const DIGITS = 15;

/** Whole numbers below this have no more digits. */
const MOST_EXACT = 1e15;

export interface Measured {
  readonly count: number;
  /** Null without a value. */
  readonly sum: number | null;
  readonly mean: number | null;
  readonly lowest: number | null;
  readonly highest: number | null;
}

/**
 * The statistics of groups by number; a group that nothing was added to has none. Counts and each measure stand in
 * arrays of their own, since a pass over records goes by one of them, whose part of thousands of groups is then near.
 */
export class Statistics {
  private counts = new Int32Array(0);
  private readonly measures: Float64Array[];

  constructor(measures: number) {
    this.measures = Array.from({ length: measures }, () => new Float64Array(0));
  }

  get byteLength(): number {
    return this.measures.reduce((sum, { byteLength }) => sum + byteLength, this.counts.byteLength);
  }

  /** Makes room for groups below `count`. */
  grow(count: number): void {
    const former = this.counts.length / COUNTS;
    if (count <= former) return;
    const groups = Math.max(count, 2 * former);
    const counts = new Int32Array(groups * COUNTS);
    counts.set(this.counts);
    for (let at = former * COUNTS; at < counts.length; at += COUNTS) {
      counts[at + FIRST_DAY] = NO_FIRST_DAY;
      counts[at + LAST_DAY] = NO_LAST_DAY;
    }
    this.counts = counts;
    this.measures.forEach((numbers, measure) => {
      const grown = new Float64Array(groups * MEASURED);
      grown.set(numbers);
      for (let at = former * MEASURED; at < grown.length; at += MEASURED) {
        grown[at + LOWEST] = Infinity;
        grown[at + HIGHEST] = -Infinity;
      }
      this.measures[measure] = grown;
    });
  }

  /** Counts the record at each position in the group of the same index, with its first and last day by period code. */
  addRecords(groups: Uint32Array, positions: Uint32Array, codes: Codes, periods: Int32Array): void {
    const { counts } = this;
    for (let start = 0, end = 0; start < positions.length; start = end) {
      const group = groups[start] ?? 0;
      const at = group * COUNTS;
      let firstDay = counts[at + FIRST_DAY] ?? 0;
      let lastDay = counts[at + LAST_DAY] ?? 0;
      // Neighbours are often of one group, whose numbers need not be stored for each of them.
      for (; end < positions.length && groups[end] === group; end++) {
        const code = codes[positions[end] ?? 0] ?? 0;
        if (code === 0) continue;
        const first = periods[2 * code] ?? 0;
        const last = periods[2 * code + 1] ?? 0;
        if (first < firstDay) firstDay = first;
        if (last > lastDay) lastDay = last;
      }
      counts[at + RECORDS] = (counts[at + RECORDS] ?? 0) + end - start;
      counts[at + FIRST_DAY] = firstDay;
      counts[at + LAST_DAY] = lastDay;
    }
  }

  /** Adds the value at each position to the group of the same index; NaN is none. */
  addValues(measure: number, groups: Uint32Array, positions: Uint32Array, values: Float64Array): void {
    const numbers = this.numbersOf(measure);
    for (let start = 0, end = 0; start < positions.length; start = end) {
      const group = groups[start] ?? 0;
      const at = group * MEASURED;
      let count = numbers[at + VALUES] ?? 0;
      let sum = numbers[at + SUM] ?? 0;
      let lost = numbers[at + LOST] ?? 0;
      let lowest = numbers[at + LOWEST] ?? 0;
      let highest = numbers[at + HIGHEST] ?? 0;
      for (; end < positions.length && groups[end] === group; end++) {
        const value = values[positions[end] ?? 0] ?? NaN;
        if (Number.isNaN(value)) continue;
        const next = sum + value;
        lost += lostBy(sum, value, next);
        sum = next;
        count++;
        if (value < lowest) lowest = value;
        if (value > highest) highest = value;
      }
      numbers[at + VALUES] = count;
      numbers[at + SUM] = sum;
      numbers[at + LOST] = lost;
      numbers[at + LOWEST] = lowest;
      numbers[at + HIGHEST] = highest;
    }
  }

  addPlace(group: number): void {
    const at = group * COUNTS + PLACES;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
  }

  /** Adds a group of `other`. */
  merge(group: number, other: Statistics, otherGroup: number): void {
    const [to, from] = [group * COUNTS, otherGroup * COUNTS];
    const { counts } = this;
    counts[to + RECORDS] = (counts[to + RECORDS] ?? 0) + (other.counts[from + RECORDS] ?? 0);
    counts[to + PLACES] = (counts[to + PLACES] ?? 0) + (other.counts[from + PLACES] ?? 0);
    counts[to + FIRST_DAY] = Math.min(counts[to + FIRST_DAY] ?? 0, other.counts[from + FIRST_DAY] ?? 0);
    counts[to + LAST_DAY] = Math.max(counts[to + LAST_DAY] ?? 0, other.counts[from + LAST_DAY] ?? 0);
    for (let measure = 0; measure < this.measures.length; measure++) {
      mergeMeasure(this.numbersOf(measure), group * MEASURED, other.numbersOf(measure), otherGroup * MEASURED);
    }
  }

  recordsOf(group: number): number {
    return numberAt(this.counts, group * COUNTS + RECORDS);
  }

  placesOf(group: number): number {
    return numberAt(this.counts, group * COUNTS + PLACES);
  }

  /** Undefined when no record of the group has an effective day. */
  daysOf(group: number): { readonly first: number; readonly last: number } | undefined {
    const first = numberAt(this.counts, group * COUNTS + FIRST_DAY);
    const last = numberAt(this.counts, group * COUNTS + LAST_DAY);
    return first <= last ? { first, last } : undefined;
  }

  measured(group: number, measure: number): Measured {
    const at = group * MEASURED;
    const numbers = this.numbersOf(measure).subarray(at, at + MEASURED);
    const [count = 0, sum = 0, lost = 0, lowest = 0, highest = 0] = numbers;
    if (count === 0) return { count, sum: null, mean: null, lowest: null, highest: null };
    const total = sum + lost;
    return { count, sum: rounded(total), mean: rounded(total / count), lowest, highest };
  }

  private numbersOf(measure: number): Float64Array {
    const numbers = this.measures[measure];
    if (numbers === undefined) throw new RangeError(`no measure ${measure}`);
    return numbers;
  }
}

/** Adds the numbers of a measure that stand at an index of others. */
function mergeMeasure(numbers: Float64Array, to: number, others: Float64Array, from: number): void {
  numbers[to + VALUES] = (numbers[to + VALUES] ?? 0) + (others[from + VALUES] ?? 0);
  for (const at of [from + SUM, from + LOST]) {
    const sum = numbers[to + SUM] ?? 0;
    const value = others[at] ?? 0;
    const next = sum + value;
    numbers[to + SUM] = next;
    numbers[to + LOST] = (numbers[to + LOST] ?? 0) + lostBy(sum, value, next);
  }
  numbers[to + LOWEST] = Math.min(numbers[to + LOWEST] ?? 0, others[from + LOWEST] ?? 0);
  numbers[to + HIGHEST] = Math.max(numbers[to + HIGHEST] ?? 0, others[from + HIGHEST] ?? 0);
}

/** What rounding took from `next`, which is `sum` plus `value` (Neumaier 1974). */
function lostBy(sum: number, value: number, next: number): number {
  return Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
}

/** Null when the sum is beyond the largest double. */
function rounded(value: number): number | null {
  if (Number.isInteger(value) && Math.abs(value) < MOST_EXACT) return value + 0;
  return Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) + 0 : null;
}
