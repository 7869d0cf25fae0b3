// The statistics of groups: records, days, places, and the count, sum, lowest and highest value of each measure. Sums
// are compensated, so that the order of addition does not affect the first 15 digits (D40). Large values are added as
// big integers, because compensation may lose some of their digits, and an intermediate sum may exceed the range of
// doubles.

import type { NarrowNumbers } from '../values/bytes/sections';
import type { DaySpan } from '../values/dates';
import { numberAt } from '../values/number-arrays';

/** The fields of a group in the array of record counts. */
const RECORDS = 0;
const FIRST_DAY = 1;
const LAST_DAY = 2;
const PLACES = 3;
const COUNT_FIELDS = 4;

/** The fields of a group in the array of a measure. */
const VALUES = 0;
const SUM = 1;
const LOST = 2;
const LOWEST = 3;
const HIGHEST = 4;
const MEASURE_FIELDS = 5;

/** The first and last day of a group without days: later, and earlier, than all real days. */
const NO_FIRST_DAY = 0x7fffffff;
const NO_LAST_DAY = -0x80000000;

/** The number of digits in sums and means (D40). */
const DIGITS = 15;

/** All doubles above this are integers. Real amounts of water are far smaller. */
const LARGE = 2 ** 53;

/** Integers below this have at most 15 digits. */
const MAX_EXACT_INTEGER = 1e15;

export interface MeasureStatistics {
  readonly count: number;
  /** Null if there is no value, or if the sum exceeds the largest double. */
  readonly sum: number | null;
  /** Null if there is no value, like the next two. */
  readonly mean: number | null;
  readonly lowest: number | null;
  readonly highest: number | null;
}

/**
 * The statistics of groups, by group number. The counts and each measure have separate arrays. A pass over records uses
 * one of these arrays at a time, so thousands of groups fit into the processor's cache.
 */
export class Statistics {
  private counts = new Int32Array(0);
  private readonly measures: Float64Array[];
  /** Keyed by measure, then by group: the exact sum of the large values. Hardly any group has large values. */
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
    const previousCount = this.counts.length / COUNT_FIELDS;
    if (count <= previousCount) return;
    const groups = Math.max(count, 2 * previousCount);
    const counts = new Int32Array(groups * COUNT_FIELDS);
    counts.set(this.counts);
    for (let offset = previousCount * COUNT_FIELDS; offset < counts.length; offset += COUNT_FIELDS) {
      counts[offset + FIRST_DAY] = NO_FIRST_DAY;
      counts[offset + LAST_DAY] = NO_LAST_DAY;
    }
    this.counts = counts;
    this.measures.forEach((numbers, measure) => {
      const grown = new Float64Array(groups * MEASURE_FIELDS);
      grown.set(numbers);
      for (let offset = previousCount * MEASURE_FIELDS; offset < grown.length; offset += MEASURE_FIELDS) {
        grown[offset + LOWEST] = Infinity;
        grown[offset + HIGHEST] = -Infinity;
      }
      this.measures[measure] = grown;
    });
  }

  /** Counts the record at `positions[i]` in group `groups[i]`, and extends the days of the group by its period. */
  addRecords(groups: Uint32Array, positions: Uint32Array, codes: NarrowNumbers, periods: Int32Array): void {
    const { counts } = this;
    for (let start = 0, end = 0; start < positions.length; start = end) {
      const group = groups[start] ?? 0;
      const offset = group * COUNT_FIELDS;
      let firstDay = counts[offset + FIRST_DAY] ?? 0;
      let lastDay = counts[offset + LAST_DAY] ?? 0;
      // Consecutive records are often in the same group. Its fields are then stored only once.
      for (; end < positions.length && groups[end] === group; end++) {
        const code = codes[positions[end] ?? 0] ?? 0;
        if (code === 0) continue;
        const first = periods[2 * code] ?? 0;
        const last = periods[2 * code + 1] ?? 0;
        if (first < firstDay) firstDay = first;
        if (last > lastDay) lastDay = last;
      }
      counts[offset + RECORDS] = (counts[offset + RECORDS] ?? 0) + end - start;
      counts[offset + FIRST_DAY] = firstDay;
      counts[offset + LAST_DAY] = lastDay;
    }
  }

  /** Adds the value at `positions[i]` to group `groups[i]`; NaN means no value. */
  addValues(measure: number, groups: Uint32Array, positions: Uint32Array, values: Float64Array): void {
    const numbers = this.getNumbers(measure);
    for (let start = 0, end = 0; start < positions.length; start = end) {
      const group = groups[start] ?? 0;
      const offset = group * MEASURE_FIELDS;
      let count = numbers[offset + VALUES] ?? 0;
      let sum = numbers[offset + SUM] ?? 0;
      let lost = numbers[offset + LOST] ?? 0;
      let lowest = numbers[offset + LOWEST] ?? 0;
      let highest = numbers[offset + HIGHEST] ?? 0;
      for (; end < positions.length && groups[end] === group; end++) {
        const value = values[positions[end] ?? 0] ?? NaN;
        if (Number.isNaN(value)) continue;
        const nextSum = sum + value;
        lost += computeLoss(sum, value, nextSum);
        sum = nextSum;
        count++;
        if (value < lowest) lowest = value;
        if (value > highest) highest = value;
      }
      numbers[offset + VALUES] = count;
      numbers[offset + LOWEST] = lowest;
      numbers[offset + HIGHEST] = highest;
      if (lowest >= -LARGE && highest <= LARGE) {
        numbers[offset + SUM] = sum;
        numbers[offset + LOST] = lost;
      } else {
        for (; start < end; start++) this.addToSum(measure, group, values[positions[start] ?? 0] ?? NaN);
      }
    }
  }

  addPlace(group: number): void {
    const offset = group * COUNT_FIELDS + PLACES;
    this.counts[offset] = (this.counts[offset] ?? 0) + 1;
  }

  /** Merges a group of `other` into a group. */
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
      const offset = group * MEASURE_FIELDS;
      const from = otherGroup * MEASURE_FIELDS;
      numbers[offset + VALUES] = (numbers[offset + VALUES] ?? 0) + (others[from + VALUES] ?? 0);
      numbers[offset + LOWEST] = Math.min(numbers[offset + LOWEST] ?? 0, others[from + LOWEST] ?? 0);
      numbers[offset + HIGHEST] = Math.max(numbers[offset + HIGHEST] ?? 0, others[from + HIGHEST] ?? 0);
      addCompensated(numbers, offset, others[from + SUM] ?? 0);
      addCompensated(numbers, offset, others[from + LOST] ?? 0);
      this.addLarge(measure, group, other.getLargeSum(measure, otherGroup));
    }
  }

  getRecordCount(group: number): number {
    return numberAt(this.counts, group * COUNT_FIELDS + RECORDS);
  }

  getPlaceCount(group: number): number {
    return numberAt(this.counts, group * COUNT_FIELDS + PLACES);
  }

  /** Undefined if no record of the group has an effective day. */
  getDays(group: number): DaySpan | undefined {
    const first = numberAt(this.counts, group * COUNT_FIELDS + FIRST_DAY);
    const last = numberAt(this.counts, group * COUNT_FIELDS + LAST_DAY);
    return first <= last ? { first, last } : undefined;
  }

  getMeasure(group: number, measure: number): MeasureStatistics {
    const offset = group * MEASURE_FIELDS;
    const numbers = this.getNumbers(measure).subarray(offset, offset + MEASURE_FIELDS);
    const [count = 0, sum = 0, lost = 0, lowest = 0, highest = 0] = numbers;
    if (count === 0) return { count, sum: null, mean: null, lowest: null, highest: null };
    const large = this.getLargeSum(measure, group);
    if (large === 0n)
      return { count, sum: roundToDigits(sum + lost), mean: roundToDigits((sum + lost) / count), lowest, highest };
    const wholePart = large + BigInt(Math.trunc(sum)) + BigInt(Math.trunc(lost));
    const total = Number(wholePart) + (sum % 1) + (lost % 1);
    const isDouble = Number.isFinite(total);
    const mean = isDouble ? total / count : Number(wholePart / BigInt(count));
    return { count, sum: isDouble ? roundToDigits(total) : null, mean: roundToDigits(mean), lowest, highest };
  }

  /** Adds a value to the sum of a group; NaN means no value. */
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

/** More decimals of a share would be meaningless. */
const SHARE_DECIMALS = 6;

/**
 * The share of the largest value, by magnitude, in the sum, at most 1 (D72). Null if there is no sum or the sum is 0.
 */
export function computeLargestShare({ sum, lowest, highest }: MeasureStatistics): number | null {
  if (sum === null || sum === 0 || lowest === null || highest === null) return null;
  const share = Math.max(Math.abs(lowest), Math.abs(highest)) / Math.abs(sum);
  return share < 1 ? Number(share.toFixed(SHARE_DECIMALS)) : 1;
}

/** Adds a value to a group's sum with compensation. `offset` is where the group starts in `numbers`. */
function addCompensated(numbers: Float64Array, offset: number, value: number): void {
  const sum = numbers[offset + SUM] ?? 0;
  const nextSum = sum + value;
  numbers[offset + SUM] = nextSum;
  numbers[offset + LOST] = (numbers[offset + LOST] ?? 0) + computeLoss(sum, value, nextSum);
}

/** Computes the rounding error of `nextSum`, which is `sum` plus `value` (Neumaier 1974). */
function computeLoss(sum: number, value: number, nextSum: number): number {
  return Math.abs(sum) >= Math.abs(value) ? sum - nextSum + value : value - nextSum + sum;
}

/** Rounds to 15 digits, unless the result would exceed the largest double. */
function roundToDigits(value: number): number {
  if (Number.isInteger(value) && Math.abs(value) < MAX_EXACT_INTEGER) return value + 0;
  const digits = Number(value.toPrecision(DIGITS)) + 0;
  return Number.isFinite(digits) ? digits : value;
}
