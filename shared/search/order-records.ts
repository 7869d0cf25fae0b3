// Sorts the records of one release in a requested order (D36, D61): by a column that every release has, or by its index
// of owners. A release is sorted on request, and its order is kept in memory; releases store no order (ADR 0059).

import type { Order } from '../query/order-parameter';
import type { NumberColumn } from '../records/data-sets';
import { CHUNK_RECORDS } from '../store/artifacts';
import { giveWayIfSliceOver, runInSteps } from '../store/deadline';
import { BitSet } from '../values/bytes/bit-set';
import { findFirstNotBelow, numberAt } from '../values/number-arrays';
import { listOwnerRuns } from './index/owner-index';
import { AllRecords, type RecordSet } from './index/record-set';
import { loadNumberChunk, loadOwnerIndex, loadPeriodColumn } from './index/release-index';
import type { SearchableRelease } from './index/search-caches';
import { sortDoubles } from './radix-sort';

/** Below this share of a release, only the matches are sorted, unless the order of the whole release is in memory. */
const SMALL_SHARE = 1 / 8;

/** Number of records between two checks of the clock, for steps of less than a millisecond. */
const STEP = 0x10000;

/** Records ordered by sort key, and by number if the keys are equal (D17). */
export interface OrderedRecords {
  readonly numbers: Uint32Array;
  /** The distinct sort keys, ascending. Records without a value have Infinity. */
  readonly keys: Float64Array;
  /** Keyed by index of the sort key: the index in `numbers` after its last record. */
  readonly ends: Uint32Array;
}

/**
 * Returns the first `count` matches in the requested order, or all matches. The keys of owners differ between releases.
 */
export async function orderRecords(
  release: SearchableRelease,
  matches: RecordSet,
  order: Order,
  count: number,
): Promise<OrderedRecords> {
  const { releaseId, records } = release.reader.facts;
  const cache = release.caches.getCache<OrderedRecords>('orders');
  const cacheKey = `${releaseId}/${order.key}${order.isDescending ? ' descending' : ''}`;
  const cached = cache.get(cacheKey);
  if (cached === undefined && matches.size < records * SMALL_SHARE) {
    return sortByKey(release, matches.slice(), order);
  }
  const allInOrder = cached ?? (await sortByKey(release, new AllRecords(records).slice(), order));
  if (cached === undefined) cache.set(cacheKey, allInOrder, countBytes(allInOrder));
  return matches.size === records ? allInOrder : selectFirst(allInOrder, matches, Math.min(count, matches.size));
}

function countBytes({ numbers, keys, ends }: OrderedRecords): number {
  return numbers.byteLength + keys.byteLength + ends.byteLength;
}

/** `numbers` are ascending. */
async function sortByKey(release: SearchableRelease, numbers: Uint32Array, order: Order): Promise<OrderedRecords> {
  const keys = await readSortKeys(release, numbers, order);
  const sorted = await sortDoubles(keys);
  const collector = new OrderCollector(sorted.length, await countDistinct(keys, sorted));
  await runInSteps(sorted.length, STEP, (from, to) => {
    for (let index = from; index < to; index++) {
      const position = sorted[index] ?? 0;
      collector.add(numbers[position] ?? 0, keys[position] ?? 0);
    }
  });
  return collector.finish();
}

async function countDistinct(keys: Float64Array, sorted: Uint32Array): Promise<number> {
  let count = 0;
  let previous = NaN;
  await runInSteps(sorted.length, STEP, (from, to) => {
    for (let index = from; index < to; index++) {
      const key = keys[sorted[index] ?? 0] ?? 0;
      if (key !== previous) count++;
      previous = key;
    }
  });
  return count;
}

/** Selects the first `count` matches in the order of all records. */
async function selectFirst(
  { numbers, keys, ends }: OrderedRecords,
  matches: RecordSet,
  count: number,
): Promise<OrderedRecords> {
  const isMatch = new BitSet(numbers.length);
  const matchNumbers = matches.slice();
  await runInSteps(matchNumbers.length, STEP, (start, end) => {
    for (let index = start; index < end; index++) isMatch.add(matchNumbers[index] ?? 0);
  });
  const collector = new OrderCollector(count, Math.min(count, keys.length));
  let run = 0;
  await runInSteps(numbers.length, STEP, (start, end) => {
    for (let index = start; index < end && !collector.isFull; index++) {
      while (index >= (ends[run] ?? Infinity)) run++;
      const record = numbers[index] ?? 0;
      if (isMatch.has(record)) collector.add(record, keys[run] ?? Infinity);
    }
  });
  return collector.finish();
}

/** Collects records that are added in ascending order of their keys. */
class OrderCollector {
  private readonly numbers: Uint32Array;
  private readonly keys: Float64Array;
  private readonly ends: Uint32Array;
  private recordCount = 0;
  private keyCount = 0;

  constructor(maxRecords: number, maxKeys: number) {
    this.numbers = new Uint32Array(maxRecords);
    this.keys = new Float64Array(maxKeys);
    this.ends = new Uint32Array(maxKeys);
  }

  get isFull(): boolean {
    return this.recordCount === this.numbers.length;
  }

  add(record: number, key: number): void {
    if (this.keyCount === 0 || key !== this.keys[this.keyCount - 1]) {
      this.keys[this.keyCount] = key;
      this.keyCount++;
    }
    this.numbers[this.recordCount] = record;
    this.recordCount++;
    this.ends[this.keyCount - 1] = this.recordCount;
  }

  finish(): OrderedRecords {
    const { numbers, keys, ends, recordCount, keyCount } = this;
    return {
      numbers: numbers.subarray(0, recordCount),
      keys: keys.subarray(0, keyCount),
      ends: ends.subarray(0, keyCount),
    };
  }
}

/** Reads the keys that sort the records in ascending order. Records without a value have Infinity and come last. */
async function readSortKeys(
  release: SearchableRelease,
  numbers: Uint32Array,
  { key, isDescending }: Order,
): Promise<Float64Array> {
  const keys = await readAscendingKeys(release, numbers, key);
  await runInSteps(keys.length, STEP, (from, to) => {
    for (let index = from; index < to; index++) {
      const value = keys[index] ?? NaN;
      if (Number.isNaN(value)) keys[index] = Infinity;
      // Neither expression can return a negative zero, which would sort before zero.
      else keys[index] = isDescending ? 0 - value : 0 + value;
    }
  });
  return keys;
}

/** NaN for a record without a value. */
function readAscendingKeys(release: SearchableRelease, numbers: Uint32Array, key: Order['key']): Promise<Float64Array> {
  switch (key) {
    case 'firstDay':
    case 'lastDay':
      return readDays(release, numbers, key);
    case 'owner':
      return readOwnerRanks(release, numbers);
    case 'amount':
    case 'flow':
    case 'volume':
      return readColumnValues(release, numbers, key);
  }
}

/** Reads the effective first or last day of each record (D7). */
async function readDays(
  release: SearchableRelease,
  numbers: Uint32Array,
  end: 'firstDay' | 'lastDay',
): Promise<Float64Array> {
  const { periods, codes } = await loadPeriodColumn(release, 'periods');
  const offset = end === 'firstDay' ? 0 : 1;
  const keys = new Float64Array(numbers.length);
  await runInSteps(numbers.length, STEP, (from, to) => {
    for (let index = from; index < to; index++) {
      const code = codes[numbers[index] ?? 0] ?? 0;
      keys[index] = code === 0 ? NaN : (periods[2 * code + offset] ?? NaN);
    }
  });
  return keys;
}

/**
 * Reads the number of each record's owner. It serves as a sort key, because the folded owners of a release are in the
 * order of their bytes.
 */
async function readOwnerRanks(release: SearchableRelease, numbers: Uint32Array): Promise<Float64Array> {
  const index = await loadOwnerIndex(release);
  const ranks = new Float64Array(release.reader.facts.records).fill(NaN);
  await runInSteps(index.ends.length, STEP, (from, to) => {
    for (let owner = from; owner < to; owner++) {
      for (const [first, last] of listOwnerRuns(owner, index)) ranks.fill(owner, first, last + 1);
    }
  });
  return Float64Array.from(numbers, (number) => numberAt(ranks, number));
}

/** `numbers` are ascending. */
async function readColumnValues(
  release: SearchableRelease,
  numbers: Uint32Array,
  column: NumberColumn,
): Promise<Float64Array> {
  const keys = new Float64Array(numbers.length);
  let index = 0;
  while (index < numbers.length) {
    const chunk = Math.floor(numberAt(numbers, index) / CHUNK_RECORDS);
    const values = await loadNumberChunk(release, column, chunk);
    const first = chunk * CHUNK_RECORDS;
    const end = findFirstNotBelow(numbers, first + CHUNK_RECORDS, index);
    for (; index < end; index++) keys[index] = values[(numbers[index] ?? 0) - first] ?? NaN;
    await giveWayIfSliceOver();
  }
  return keys;
}
