// Plans a page over all releases of a catalog state. The total is the sum of the matches of each release. The page is a
// slice of the matches of all releases in order (D17, D18, D20, D69).

import type { Condition } from '../query/condition';
import type { Order } from '../query/order-parameter';
import type { ReleaseReader } from '../store/port';
import { getOrAdd } from '../values/maps';
import { findFirstNotBelow } from '../values/number-arrays';
import { type ComparedRelease, evaluate } from './evaluate';
import { AllRecords, NO_RECORDS, type RecordSet } from './index/record-set';
import type { CatalogRelease } from './open-releases';
import { orderReleases } from './order-releases';
import { findChanges } from './release-changes';

export interface PageSlice {
  readonly reader: ReleaseReader;
  /** The numbers of the records of the page in this release, ascending. */
  readonly numbers: Uint32Array;
  readonly order?: SliceOrder;
}

/** The positions of a slice's records on a page with a requested order (D69). */
export interface SliceOrder {
  /** The indices in `numbers` of the records, in the order of the page. */
  readonly indices: Uint32Array;
  /** The position on the page of each record in `indices`. Positions in between belong to records of other slices. */
  readonly positions: Uint32Array;
}

/** Selects by index which of the matches are on the page. */
export interface Page {
  readonly startIndex: number;
  readonly recordCount: number;
  /** Undefined means the default order (D17). */
  readonly order?: Order | undefined;
}

export interface PlannedPage {
  readonly total: number;
  /**
   * In the order of D17, or of their first records on the page (D69). Releases without a record on the page have no
   * slice.
   */
  readonly slices: readonly PageSlice[];
}

/** Throws ReleaseGoneError when a release was deleted after it was opened, and DeadlinePassedError. */
export async function planPage(
  releases: readonly CatalogRelease[],
  condition: Condition,
  page: Page,
): Promise<PlannedPage> {
  const matches = await Promise.all(releases.map((release) => evaluate(condition, release)));
  return cutPage(releases, matches, page);
}

/**
 * Plans a page of removed records: records of `releases`, which openReplacedReleases opened, that are not in the
 * current releases (D37). Throws the same errors as a search.
 */
export async function planRemovedPage(releases: readonly CatalogRelease[], page: Page): Promise<PlannedPage> {
  const removed: RecordSet[] = [];
  for (const { reader, comparedWith, caches } of releases) {
    const changes = comparedWith && (await findChanges(reader, comparedWith, caches));
    removed.push(changes?.removed ?? new AllRecords(reader.facts.records));
  }
  return cutPage(releases, removed, page);
}

/** `matches` contains the records of each release. */
async function cutPage(
  releases: readonly ComparedRelease[],
  matches: readonly RecordSet[],
  page: Page,
): Promise<PlannedPage> {
  const total = matches.reduce((sum, { size }) => sum + size, 0);
  const slices =
    page.order === undefined
      ? cutInPlace(releases, matches, page)
      : await cutOrdered(releases, matches, { ...page, order: page.order }, total);
  return { total, slices };
}

/** Cuts the page in the order of D17, which is already the order of the records in each release. */
function cutInPlace(
  releases: readonly ComparedRelease[],
  matches: readonly RecordSet[],
  { startIndex, recordCount }: Page,
): readonly PageSlice[] {
  const slices: PageSlice[] = [];
  let passed = 0;
  for (const [index, { reader }] of releases.entries()) {
    const records = matches[index] ?? NO_RECORDS;
    const from = Math.max(0, startIndex - passed);
    const to = Math.min(records.size, startIndex + recordCount - passed);
    passed += records.size;
    if (from < to) slices.push({ reader, numbers: records.slice(from, to) });
  }
  return slices;
}

async function cutOrdered(
  releases: readonly ComparedRelease[],
  matches: readonly RecordSet[],
  { startIndex, recordCount, order }: Page & { readonly order: Order },
  total: number,
): Promise<readonly PageSlice[]> {
  const ranks = { from: startIndex, to: Math.min(total, startIndex + recordCount) };
  if (ranks.from >= ranks.to) return [];
  const recordsByRelease = new Map<number, { readonly ordered: number[]; readonly positions: number[] }>();
  let position = 0;
  for (const { release, numbers } of await orderReleases(releases, matches, order, ranks)) {
    const { ordered, positions } = getOrAdd(recordsByRelease, release, () => ({ ordered: [], positions: [] }));
    for (const number of numbers) {
      ordered.push(number);
      positions.push(position);
      position++;
    }
  }
  return Array.from(recordsByRelease).flatMap(([release, { ordered, positions }]) => {
    const { reader } = releases[release] ?? {};
    return reader === undefined ? [] : [toOrderedSlice(reader, ordered, Uint32Array.from(positions))];
  });
}

/** `ordered` contains the record numbers in the order of the page. */
function toOrderedSlice(reader: ReleaseReader, ordered: readonly number[], positions: Uint32Array): PageSlice {
  const numbers = Uint32Array.from(ordered).sort();
  const indices = Uint32Array.from(ordered, (number) => findFirstNotBelow(numbers, number, 0));
  return { reader, numbers, order: { indices, positions } };
}
