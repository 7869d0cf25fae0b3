// The records of a page in an order that was asked for (D36), chosen among those found by a column that every release
// has: no order is stored (ADR 0067).

import type { Order } from '../query/paging-and-format';
import { CHUNK_RECORDS } from '../store/artifacts';
import { currentDeadline } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { numberAt } from '../values/numbers';
import type { RecordSet } from './index/record-set';
import { numberChunkOf } from './release-columns';
import { periodColumnOf } from './release-index';
import type { SearchCaches } from './search-caches';

/** The ranks of a page among the records found: from one to before another. */
export interface Ranks {
  readonly from: number;
  readonly to: number;
}

/** Record numbers in the page's order: by key, missing keys last, equal keys by number (D17). */
export async function orderedRecords(
  reader: ReleaseReader,
  found: RecordSet,
  { order, ranks }: { readonly order: Order; readonly ranks: Ranks },
  caches: SearchCaches,
): Promise<Uint32Array> {
  const numbers = found.numbers();
  const keys = order.key === 'day' ? await firstDays(reader, numbers, caches) : await amounts(reader, numbers, caches);
  for (let at = 0; at < keys.length; at++) {
    const key = numberAt(keys, at);
    // Ascending from here on, with what is missing after everything.
    if (Number.isNaN(key)) keys[at] = Infinity;
    else if (order.isDescending) keys[at] = -key;
  }
  return chosen(keys, ranks).map((at) => numberAt(numbers, at));
}

/** The effective first day of each record (D7), NaN where it has none. */
async function firstDays(reader: ReleaseReader, numbers: Uint32Array, caches: SearchCaches): Promise<Float64Array> {
  const { periods, codes } = await periodColumnOf(reader, 'periods', caches);
  const dayOfCode = Float64Array.from({ length: periods.length / 2 }, (_, code) =>
    code === 0 ? NaN : numberAt(periods, 2 * code),
  );
  return Float64Array.from(numbers, (number) => numberAt(dayOfCode, numberAt(codes, number)));
}

async function amounts(reader: ReleaseReader, numbers: Uint32Array, caches: SearchCaches): Promise<Float64Array> {
  const deadline = currentDeadline();
  const keys = new Float64Array(numbers.length);
  for (let at = 0; at < numbers.length;) {
    const chunk = Math.floor(numberAt(numbers, at) / CHUNK_RECORDS);
    const values = await numberChunkOf(reader, 'amount', chunk, caches);
    const first = chunk * CHUNK_RECORDS;
    for (; at < numbers.length && numberAt(numbers, at) < first + values.length; at++) {
      keys[at] = numberAt(values, numberAt(numbers, at) - first);
    }
    if (deadline.isSliceOver()) await deadline.giveWay();
  }
  return keys;
}

/** The positions of the keys with these ranks, in their order; equal keys in the order of their positions. */
function chosen(keys: Float64Array, { from, to }: Ranks): Uint32Array {
  const work = keys.slice();
  const lowest = keyOfRank(work, from);
  const highest = keyOfRank(work, to - 1);
  const [below, equal, between] = [keys.filter((key) => key < lowest).length, [] as number[], [] as number[]];
  let atHighest = 0;
  const skipped = from - below;
  const most = to - from;
  for (let at = 0, seen = 0; at < keys.length; at++) {
    const key = numberAt(keys, at);
    if (key < lowest || key > highest) continue;
    if (key === lowest) {
      if (seen++ >= skipped && equal.length < most) equal.push(at);
    } else if (key < highest || atHighest++ < most) between.push(at);
  }
  between.sort((a, b) => numberAt(keys, a) - numberAt(keys, b) || a - b);
  return Uint32Array.from([...equal, ...between].slice(0, most));
}

/** The key that has a rank among them, which are moved: Hoare's algorithm FIND, in time linear in their number. */
function keyOfRank(keys: Float64Array, rank: number): number {
  let low = 0;
  let high = keys.length - 1;
  while (low < high) {
    const pivot = numberAt(keys, (low + high) >>> 1);
    let left = low;
    let right = high;
    while (left <= right) {
      while (numberAt(keys, left) < pivot) left++;
      while (numberAt(keys, right) > pivot) right--;
      if (left > right) break;
      const moved = numberAt(keys, left);
      keys[left++] = numberAt(keys, right);
      keys[right--] = moved;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else break;
  }
  return numberAt(keys, rank);
}
