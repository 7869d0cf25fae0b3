// The numbers that are added up for each group: records, days, places, and the count, sum, lowest and highest value of
// each measure. Sums are compensated, so that the order of adding does not show in 15 digits (D40). Large
// values, of which compensation may lose digits and whose sum may leave the doubles on its way, are added as whole
// numbers.

import type { NarrowNumbers } from '../values/bytes/sections';
import type { DaySpan } from '../values/dates';
import { numberAt } from '../values/numbers';

/** Where the whole numbers of a group stand among its own. */
const RECORDS = 0;
const FIRST_DAY = 1;
const LAST_DAY = 2;
const PLACES = 3;
const COUNT_FIELDS = 4;

/** Where the numbers of a measure of a group stand among its own. */
const VALUES = 0;
const SUM = 1;
const LOST = 2;
const LOWEST = 3;
const HIGHEST = 4;
const MEASURE_FIELDS = 5;

/** Days of groups without one: after, and before, all others. */
const NO_FIRST_DAY = 0x7fffffff;
const NO_LAST_DAY = -0x80000000;

/** The digits of sums and means (D40). */
const DIGITS = 15;

/** Larger values are whole numbers, and no amount of water comes near them. */
const LARGE = 2 ** 53;

/** Whole numbers below this have no more digits. */
const MAX_EXACT_INTEGER = 1e15;

export interface MeasureStatistics {
  readonly count: number;
  /** Null without a value, and when it is beyond the largest double. */
  readonly sum: number | null;
  /** Null without a value, as those below. */
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
  /** By measure the exact sums of the large values, by group; hardly any group has one. */
  private readonly large: readonly Map<number, bigint>[];

  constructor(measures: number) {
    this.large = Array.from({ length: measures }, () => new Map());
    this.measures = Array.from({ length: measures }, () => new Float64Array(0));
  }

  get byteLength(): number {
    return this.measures.reduce((sum, { byteLength }) => sum + byteLength, this.counts.byteLength);
  }

  /** Makes room for groups below `count`. */
  grow(count: number): void {
    const former = this.counts.length / COUNT_FIELDS;
    if (count <= former) return;
    const groups = Math.max(count, 2 * former);
    const counts = new Int32Array(groups * COUNT_FIELDS);
    counts.set(this.counts);
    for (let at = former * COUNT_FIELDS; at < counts.length; at += COUNT_FIELDS) {
      counts[at + FIRST_DAY] = NO_FIRST_DAY;
      counts[at + LAST_DAY] = NO_LAST_DAY;
    }
    this.counts = counts;
    this.measures.forEach((numbers, measure) => {
      const grown = new Float64Array(groups * MEASURE_FIELDS);
      grown.set(numbers);
      for (let at = former * MEASURE_FIELDS; at < grown.length; at += MEASURE_FIELDS) {
        grown[at + LOWEST] = Infinity;
        grown[at + HIGHEST] = -Infinity;
      }
      this.measures[measure] = grown;
    });
  }

  /** Counts the record at each position in the group of the same index, with its first and last day by period code. */
  addRecords(groups: Uint32Array, positions: Uint32Array, codes: NarrowNumbers, periods: Int32Array): void {
    const { counts } = this;
    for (let start = 0, end = 0; start < positions.length; start = end) {
      const group = groups[start] ?? 0;
      const at = group * COUNT_FIELDS;
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
    const numbers = this.getNumbers(measure);
    for (let start = 0, end = 0; start < positions.length; start = end) {
      const group = groups[start] ?? 0;
      const at = group * MEASURE_FIELDS;
      let count = numbers[at + VALUES] ?? 0;
      let sum = numbers[at + SUM] ?? 0;
      let lost = numbers[at + LOST] ?? 0;
      let lowest = numbers[at + LOWEST] ?? 0;
      let highest = numbers[at + HIGHEST] ?? 0;
      for (; end < positions.length && groups[end] === group; end++) {
        const value = values[positions[end] ?? 0] ?? NaN;
        if (Number.isNaN(value)) continue;
        const next = sum + value;
        lost += computeLoss(sum, value, next);
        sum = next;
        count++;
        if (value < lowest) lowest = value;
        if (value > highest) highest = value;
      }
      numbers[at + VALUES] = count;
      numbers[at + LOWEST] = lowest;
      numbers[at + HIGHEST] = highest;
      if (lowest >= -LARGE && highest <= LARGE) {
        numbers[at + SUM] = sum;
        numbers[at + LOST] = lost;
      } else {
        for (; start < end; start++) this.addToSum(measure, group, values[positions[start] ?? 0] ?? NaN);
      }
    }
  }

  addPlace(group: number): void {
    const at = group * COUNT_FIELDS + PLACES;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
  }

  /** Adds a group of `other`. */
  merge(group: number, other: Statistics, otherGroup: number): void {
    const to = group * COUNT_FIELDS;
    const from = otherGroup * COUNT_FIELDS;
    const { counts } = this;
    counts[to + RECORDS] = (counts[to + RECORDS] ?? 0) + (other.counts[from + RECORDS] ?? 0);
    counts[to + PLACES] = (counts[to + PLACES] ?? 0) + (other.counts[from + PLACES] ?? 0);
    counts[to + FIRST_DAY] = Math.min(counts[to + FIRST_DAY] ?? 0, other.counts[from + FIRST_DAY] ?? 0);
    counts[to + LAST_DAY] = Math.max(counts[to + LAST_DAY] ?? 0, other.counts[from + LAST_DAY] ?? 0);
    for (let measure = 0; measure < this.measures.length; measure++) {
      const numbers = this.getNumbers(measure);
      const others = other.getNumbers(measure);
      const at = group * MEASURE_FIELDS;
      const from = otherGroup * MEASURE_FIELDS;
      numbers[at + VALUES] = (numbers[at + VALUES] ?? 0) + (others[from + VALUES] ?? 0);
      numbers[at + LOWEST] = Math.min(numbers[at + LOWEST] ?? 0, others[from + LOWEST] ?? 0);
      numbers[at + HIGHEST] = Math.max(numbers[at + HIGHEST] ?? 0, others[from + HIGHEST] ?? 0);
      addCompensated(numbers, at, others[from + SUM] ?? 0);
      addCompensated(numbers, at, others[from + LOST] ?? 0);
      this.addLarge(measure, group, other.getLargeSum(measure, otherGroup));
    }
  }

  getRecordCount(group: number): number {
    return numberAt(this.counts, group * COUNT_FIELDS + RECORDS);
  }

  getPlaceCount(group: number): number {
    return numberAt(this.counts, group * COUNT_FIELDS + PLACES);
  }

  /** Undefined when no record of the group has an effective day. */
  getDays(group: number): DaySpan | undefined {
    const first = numberAt(this.counts, group * COUNT_FIELDS + FIRST_DAY);
    const last = numberAt(this.counts, group * COUNT_FIELDS + LAST_DAY);
    return first <= last ? { first, last } : undefined;
  }

  getMeasure(group: number, measure: number): MeasureStatistics {
    const at = group * MEASURE_FIELDS;
    const numbers = this.getNumbers(measure).subarray(at, at + MEASURE_FIELDS);
    const [count = 0, sum = 0, lost = 0, lowest = 0, highest = 0] = numbers;
    if (count === 0) return { count, sum: null, mean: null, lowest: null, highest: null };
    const large = this.getLargeSum(measure, group);
    if (large === 0n)
      return { count, sum: roundToDigits(sum + lost), mean: roundToDigits((sum + lost) / count), lowest, highest };
    const whole = large + BigInt(Math.trunc(sum)) + BigInt(Math.trunc(lost));
    const total = Number(whole) + (sum % 1) + (lost % 1);
    const isDouble = Number.isFinite(total);
    const mean = isDouble ? total / count : Number(whole / BigInt(count));
    return { count, sum: isDouble ? roundToDigits(total) : null, mean: roundToDigits(mean), lowest, highest };
  }

  /** Adds a value to the sum of a group; NaN is none. */
  private addToSum(measure: number, group: number, value: number): void {
    if (Math.abs(value) > LARGE) this.addLarge(measure, group, BigInt(value));
    else if (!Number.isNaN(value)) addCompensated(this.getNumbers(measure), group * MEASURE_FIELDS, value);
  }

  private addLarge(measure: number, group: number, value: bigint): void {
    if (value !== 0n) this.large[measure]?.set(group, this.getLargeSum(measure, group) + value);
  }

  private getLargeSum(measure: number, group: number): bigint {
    return this.large[measure]?.get(group) ?? 0n;
  }

  private getNumbers(measure: number): Float64Array {
    const numbers = this.measures[measure];
    if (numbers === undefined) throw new RangeError(`no measure ${measure}`);
    return numbers;
  }
}

/** Adds a value to the sum that stands there. */
function addCompensated(numbers: Float64Array, at: number, value: number): void {
  const sum = numbers[at + SUM] ?? 0;
  const next = sum + value;
  numbers[at + SUM] = next;
  numbers[at + LOST] = (numbers[at + LOST] ?? 0) + computeLoss(sum, value, next);
}

/** What rounding took from `next`, which is `sum` plus `value` (Neumaier 1974). */
function computeLoss(sum: number, value: number, next: number): number {
  return Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
}

/** To 15 digits; as it is where these are beyond the doubles. */
function roundToDigits(value: number): number {
  if (Number.isInteger(value) && Math.abs(value) < MAX_EXACT_INTEGER) return value + 0;
  const digits = Number(value.toPrecision(DIGITS)) + 0;
  return Number.isFinite(digits) ? digits : value;
}
