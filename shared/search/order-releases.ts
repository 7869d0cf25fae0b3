// Sorts the records of several releases together (D69). Each release is sorted separately, then the orders are merged
// by their sort keys. A page is located by its ranks, so it costs the same at any depth once the orders are in memory.

import type { Order } from '../query/order-parameter';
import { findFirst, findFirstNotBelow, getRangeStart, numberAt } from '../values/number-arrays';
import { NO_RECORDS, type RecordSet } from './index/record-set';
import type { SearchableRelease } from './index/search-caches';
import { type OrderedRecords, orderRecords } from './order-records';
import { rankOwners } from './owner-ranks';

/** Records of one release that are consecutive in the order. */
export interface OrderedRun {
  /** The index of the release. */
  readonly release: number;
  readonly numbers: Uint32Array;
}

/** The ranks of a page among the matches of all releases; `to` is excluded. */
export interface Ranks {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the matches with these ranks: by sort key, missing keys last, equal keys by release and number (D17).
 * `matches` contains the records of each release, and the releases are in the order of D17.
 */
export async function orderReleases(
  releases: readonly SearchableRelease[],
  matches: readonly RecordSet[],
  order: Order,
  ranks: Ranks,
): Promise<Iterable<OrderedRun>> {
  const orders: OrderedRecords[] = [];
  // Sorted one at a time, because sorting takes 16 bytes per record.
  for (const [index, release] of releases.entries()) {
    orders.push(await orderRecords(release, matches[index] ?? NO_RECORDS, order, ranks.to));
  }
  return mergeOrders(order.key === 'owner' ? await toCommonKeys(releases, orders, order) : orders, ranks);
}

/** Replaces the numbers of owners with their ranks across all releases. */
async function toCommonKeys(
  releases: readonly SearchableRelease[],
  orders: readonly OrderedRecords[],
  { isDescending }: Order,
): Promise<readonly OrderedRecords[]> {
  const ordered = [...orders.keys()].filter((index) => (orders[index]?.numbers.length ?? 0) > 0);
  // In a single release, the numbers of owners are in the order of their ranks.
  if (ordered.length <= 1) return orders;
  const ranks = await rankOwners(ordered.flatMap((index) => releases[index] ?? []));
  return orders.map((records, index) => {
    const releaseRanks = ranks[ordered.indexOf(index)];
    if (releaseRanks === undefined) return records;
    const keys = records.keys.map((key) => {
      if (key === Infinity) return key;
      const rank = numberAt(releaseRanks, Math.abs(key));
      return isDescending ? 0 - rank : rank;
    });
    return { ...records, keys };
  });
}

/** Each order must contain at least its first `to` records. */
function* mergeOrders(orders: readonly OrderedRecords[], { from, to }: Ranks): Generator<OrderedRun> {
  const firstKey = from === 0 ? -Infinity : findKeyAtRank(orders, from);
  const cursors = Uint32Array.from(orders, ({ keys }) => findFirstNotBelow(keys, firstKey, 0));
  let rank = orders.reduce((sum, { ends }, index) => sum + getRangeStart(ends, numberAt(cursors, index)), 0);
  while (rank < to) {
    const key = findLowestKey(orders, cursors);
    if (key === undefined) return;
    for (const [release, { numbers, keys, ends }] of orders.entries()) {
      const cursor = numberAt(cursors, release);
      if (keys[cursor] !== key) continue;
      cursors[release] = cursor + 1;
      const start = getRangeStart(ends, cursor);
      const end = numberAt(ends, cursor);
      const selected = numbers.subarray(
        start + Math.max(0, from - rank),
        Math.min(end, start + Math.max(0, to - rank)),
      );
      rank += end - start;
      if (selected.length > 0) yield { release, numbers: selected };
    }
  }
}

/** Finds the lowest of the next keys; undefined at the end of all orders. */
function findLowestKey(orders: readonly OrderedRecords[], cursors: Uint32Array): number | undefined {
  let lowest: number | undefined;
  for (let index = 0; index < orders.length; index++) {
    const key = orders[index]?.keys[cursors[index] ?? 0];
    if (key !== undefined && (lowest === undefined || key < lowest)) lowest = key;
  }
  return lowest;
}

/**
 * Finds the key of the record with this rank across all orders, or Infinity after the last record. A binary search in
 * all orders at once: each step halves the widest remaining range of keys.
 */
function findKeyAtRank(orders: readonly OrderedRecords[], rank: number): number {
  const lows = new Uint32Array(orders.length);
  const highs = Uint32Array.from(orders, ({ keys }) => keys.length);
  let keyAtRank = Infinity;
  for (;;) {
    const widths = highs.map((high, index) => high - numberAt(lows, index));
    const width = Math.max(...widths);
    if (width === 0) return keyAtRank;
    const widest = widths.indexOf(width);
    const middle = numberAt(lows, widest) + (width >>> 1);
    const key = numberAt(orders[widest]?.keys ?? [], middle);
    const afterKey = orders.map(({ keys }) => findFirst(0, keys.length, (index) => numberAt(keys, index) > key));
    const count = orders.reduce((sum, { ends }, index) => sum + getRangeStart(ends, afterKey[index] ?? 0), 0);
    const isAtOrBehind = count > rank;
    if (isAtOrBehind) keyAtRank = key;
    for (const [index, { keys }] of orders.entries()) {
      if (isAtOrBehind) highs[index] = Math.min(numberAt(highs, index), findFirstNotBelow(keys, key, 0));
      else lows[index] = Math.max(numberAt(lows, index), afterKey[index] ?? 0);
    }
  }
}
