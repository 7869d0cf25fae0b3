// The records of a page in a requested order (D36, D61): by a column that every release has, or by its index of owners.
// A release is sorted on request and its order kept in memory; releases store no order (ADR 0059).

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

/** Matches below this share of a release are sorted alone, unless the order of the whole release is in memory. */
const SMALL_SHARE = 1 / 8;

/** Records between two checks of the clock: less than a millisecond. */
const STEP = 0x10000;

/** The ranks of a page among the matches; `to` is excluded. */
export interface Ranks {
  readonly from: number;
  readonly to: number;
}

/** The record numbers of the page in its order: by key, missing keys last, equal keys by number (D17). */
export async function orderRecords(
  release: SearchableRelease,
  matches: RecordSet,
  order: Order,
  ranks: Ranks,
): Promise<Uint32Array> {
  const { releaseId, records } = release.reader.facts;
  const cache = release.caches.getCache<Uint32Array>('orders');
  const cacheKey = `${releaseId}/${order.key}${order.isDescending ? ' descending' : ''}`;
  const cached = cache.get(cacheKey);
  if (cached === undefined && matches.size < records * SMALL_SHARE) {
    const numbers = matches.slice();
    const sorted = await sortDoubles(await readSortKeys(release, numbers, order));
    return sorted.subarray(ranks.from, ranks.to).map((index) => numberAt(numbers, index));
  }
  const allInOrder = cached ?? (await sortDoubles(await readSortKeys(release, new AllRecords(records).slice(), order)));
  if (cached === undefined) cache.set(cacheKey, allInOrder, allInOrder.byteLength);
  return matches.size === records ? allInOrder.subarray(ranks.from, ranks.to) : selectRanks(allInOrder, matches, ranks);
}

/** Of all records in order, the matches with these ranks among the matches. */
async function selectRanks(allInOrder: Uint32Array, matches: RecordSet, { from, to }: Ranks): Promise<Uint32Array> {
  const isMatch = new BitSet(allInOrder.length);
  const numbers = matches.slice();
  await runInSteps(numbers.length, STEP, (start, end) => {
    for (let index = start; index < end; index++) isMatch.add(numbers[index] ?? 0);
  });
  const selected = new Uint32Array(to - from);
  let rank = 0;
  await runInSteps(allInOrder.length, STEP, (start, end) => {
    for (let index = start; index < end && rank < to; index++) {
      const record = allInOrder[index] ?? 0;
      if (!isMatch.has(record)) continue;
      if (rank >= from) selected[rank - from] = record;
      rank++;
    }
  });
  return selected;
}

/** The keys that sort the records in ascending order. Records without a value have Infinity and come last. */
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
      // Unlike the operator -, a subtraction never gives a negative zero, which would come before zero.
      else if (isDescending) keys[index] = 0 - value;
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

/** The effective first or last day of each record (D7). */
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

/** The number of each record's owner: the folded owners of a release are in the order of their bytes. */
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
