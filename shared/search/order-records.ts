// The records of a page in an order that was asked for (D36, D61): by a column that every release has, or by its
// index of owners. Orders are sorted when somebody asks, and kept in memory: no release stores one (ADR 0059).

import type { Order } from '../query/order-parameter';
import type { NumberColumn } from '../records/data-sets';
import { CHUNK_RECORDS } from '../store/artifacts';
import { giveWayIfSliceOver, runInSteps } from '../store/deadline';
import { BitSet } from '../values/bytes/bit-set';
import { findFirstNotBelow, numberAt } from '../values/numbers';
import { listOwnerRuns } from './index/owner-index';
import { AllRecords, type RecordSet } from './index/record-set';
import { loadNumberChunk, loadOwnerIndex, loadPeriodColumn } from './index/release-index';
import type { SearchableRelease } from './index/search-caches';

/** Fewer records than this part of a release are sorted for themselves while nobody sorted the release. */
const SMALL_PART = 1 / 8;

/** The ranks of a page among the records found: from one to before another. */
export interface Ranks {
  readonly from: number;
  readonly to: number;
}

/** Record numbers in the page's order: by key, missing keys last, equal keys by number (D17). */
export async function orderRecords(
  searched: SearchableRelease,
  found: RecordSet,
  order: Order,
  ranks: Ranks,
): Promise<Uint32Array> {
  const { releaseId, records } = searched.reader.facts;
  const cache = searched.caches.getCache<Uint32Array>('orders');
  const name = `${releaseId}/${order.key}${order.isDescending ? ' descending' : ''}`;
  const known = cache.get(name);
  if (known === undefined && found.size < records * SMALL_PART) {
    const numbers = found.slice();
    const sorted = await sortByKey(await readSortKeys(searched, numbers, order));
    return sorted.subarray(ranks.from, ranks.to).map((at) => numberAt(numbers, at));
  }
  const all = known ?? (await sortByKey(await readSortKeys(searched, new AllRecords(records).slice(), order)));
  if (known === undefined) cache.set(name, all, all.byteLength);
  return found.size === records ? all.subarray(ranks.from, ranks.to) : selectRanks(all, found, ranks);
}

/** Those of all records in order that were found and have these ranks among them. */
async function selectRanks(all: Uint32Array, found: RecordSet, { from, to }: Ranks): Promise<Uint32Array> {
  const isFound = new BitSet(all.length);
  const numbers = found.slice();
  await runInSteps(numbers.length, STEP, (start, end) => {
    for (let at = start; at < end; at++) isFound.add(numbers[at] ?? 0);
  });
  const chosen = new Uint32Array(to - from);
  let rank = 0;
  await runInSteps(all.length, STEP, (start, end) => {
    for (let at = start; at < end && rank < to; at++) {
      const record = all[at] ?? 0;
      if (!isFound.has(record)) continue;
      if (rank >= from) chosen[rank - from] = record;
      rank++;
    }
  });
  return chosen;
}

/** Numbers in the order of which the records stand, with what is missing after everything. */
async function readSortKeys(
  searched: SearchableRelease,
  numbers: Uint32Array,
  { key, isDescending }: Order,
): Promise<Float64Array> {
  const keys = await readAscendingKeys(searched, numbers, key);
  await runInSteps(keys.length, STEP, (from, to) => {
    for (let at = from; at < to; at++) {
      const value = keys[at] ?? NaN;
      if (Number.isNaN(value)) keys[at] = Infinity;
      // Not the negative zero, which comes before zero.
      else if (isDescending) keys[at] = 0 - value;
    }
  });
  return keys;
}

/** NaN where a record has none. */
function readAscendingKeys(
  searched: SearchableRelease,
  numbers: Uint32Array,
  key: Order['key'],
): Promise<Float64Array> {
  switch (key) {
    case 'firstDay':
    case 'lastDay':
      return readDays(searched, numbers, key);
    case 'owner':
      return readOwnerRanks(searched, numbers);
    case 'amount':
    case 'flow':
    case 'volume':
      return readColumnValues(searched, numbers, key);
  }
}

/** The effective first or last day of each record (D7). */
async function readDays(
  searched: SearchableRelease,
  numbers: Uint32Array,
  end: 'firstDay' | 'lastDay',
): Promise<Float64Array> {
  const { periods, codes } = await loadPeriodColumn(searched, 'periods');
  const offset = end === 'firstDay' ? 0 : 1;
  const keys = new Float64Array(numbers.length);
  await runInSteps(numbers.length, STEP, (from, to) => {
    for (let at = from; at < to; at++) {
      const code = codes[numbers[at] ?? 0] ?? 0;
      keys[at] = code === 0 ? NaN : (periods[2 * code + offset] ?? NaN);
    }
  });
  return keys;
}

/** The place of each record's owner among the folded owners of the release, which are in the order of their bytes. */
async function readOwnerRanks(searched: SearchableRelease, numbers: Uint32Array): Promise<Float64Array> {
  const index = await loadOwnerIndex(searched);
  const ofRecords = new Float64Array(searched.reader.facts.records).fill(NaN);
  await runInSteps(index.ends.length, STEP, (from, to) => {
    for (let owner = from; owner < to; owner++) {
      for (const [first, last] of listOwnerRuns(owner, index)) ofRecords.fill(owner, first, last + 1);
    }
  });
  return Float64Array.from(numbers, (number) => numberAt(ofRecords, number));
}

async function readColumnValues(
  searched: SearchableRelease,
  numbers: Uint32Array,
  column: NumberColumn,
): Promise<Float64Array> {
  const keys = new Float64Array(numbers.length);
  for (let at = 0; at < numbers.length;) {
    const chunk = Math.floor(numberAt(numbers, at) / CHUNK_RECORDS);
    const values = await loadNumberChunk(searched, column, chunk);
    const first = chunk * CHUNK_RECORDS;
    const end = findFirstNotBelow(numbers, first + CHUNK_RECORDS, at);
    for (; at < end; at++) keys[at] = values[(numbers[at] ?? 0) - first] ?? NaN;
    await giveWayIfSliceOver();
  }
  return keys;
}

// Sorts records by a number: a radix sort of the numbers' bits, 16 at a time from the lowest, which keeps the order of
// equal ones. It goes on in slices, so that short requests need not wait for it (ADR 0058).

const DIGIT_VALUES = 0x10000;

/** Digits of 16 bits in a double, of which the machine stores the lowest first. */
const DIGITS = 4;

/** So many are worked on before the clock is asked: less than a millisecond. */
const STEP = 0x10000;

/** The indices of the keys in ascending order, equal ones in their own. The keys have no NaN, and are lost. */
async function sortByKey(keys: Float64Array): Promise<Uint32Array> {
  const digits = new Uint16Array(keys.buffer, keys.byteOffset, DIGITS * keys.length);
  await runInSteps(keys.length, STEP, (from, to) => {
    toOrderedBits(digits, from, to);
  });
  return sortByDigits(digits);
}

/** As `sortByKey`, of keys of 64 bits, each as four digits of 16, of which the lowest is first. */
export async function sortByDigits(digits: Uint16Array): Promise<Uint32Array> {
  const count = digits.length / DIGITS;
  let order = new Uint32Array(count);
  await runInSteps(count, STEP, (from, to) => {
    for (let index = from; index < to; index++) order[index] = index;
  });
  let sorted = new Uint32Array(count);
  for (let digit = 0; digit < DIGITS; digit++) {
    const ends = new Uint32Array(DIGIT_VALUES);
    await runInSteps(count, STEP, (from, to) => {
      countDigits(digits, digit, ends, { from, to });
    });
    // Nothing to do where all keys have the same digit, as days and whole numbers have in their lowest.
    if (ends.includes(count)) continue;
    let sum = 0;
    const next = ends.map((ofDigit) => (sum += ofDigit) - ofDigit);
    const source = order;
    const target = sorted;
    await runInSteps(count, STEP, (from, to) => {
      for (let index = from; index < to; index++) {
        const key = source[index] ?? 0;
        const value = digits[DIGITS * key + digit] ?? 0;
        const place = next[value] ?? 0;
        target[place] = key;
        next[value] = place + 1;
      }
    });
    [order, sorted] = [target, source];
  }
  return order;
}

/** Makes of the bits of doubles, which stand as sign and size, ones that are in order as whole numbers. */
function toOrderedBits(digits: Uint16Array, from: number, to: number): void {
  for (let start = DIGITS * from; start < DIGITS * to; start += DIGITS) {
    const highest = digits[start + DIGITS - 1] ?? 0;
    if (highest < 0x8000) {
      digits[start + DIGITS - 1] = highest | 0x8000;
      continue;
    }
    for (let at = start; at < start + DIGITS; at++) digits[at] = ~(digits[at] ?? 0);
  }
}

function countDigits(
  digits: Uint16Array,
  digit: number,
  counts: Uint32Array,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  for (let at = DIGITS * from + digit; at < DIGITS * to; at += DIGITS) {
    const value = digits[at] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
  }
}
