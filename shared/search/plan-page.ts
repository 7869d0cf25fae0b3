// A page over all releases of a catalog state. The total is the sum of the matches of each release. The page is a slice
// of the matches of all releases in order (D17, D18, D20).

import type { Condition } from '../query/condition';
import type { Order } from '../query/order-parameter';
import type { ReleaseReader } from '../store/port';
import { findFirstNotBelow } from '../values/number-arrays';
import { type ComparedRelease, evaluate } from './evaluate';
import { AllRecords, NO_RECORDS, type RecordSet } from './index/record-set';
import type { CatalogRelease } from './open-releases';
import { orderRecords } from './order-records';
import { findChanges } from './release-changes';

export interface PageSlice {
  readonly reader: ReleaseReader;
  /** The numbers of the records of the page in this release, ascending. */
  readonly numbers: Uint32Array;
  /** With a requested order (D36): the indices in `numbers` of the records in the order of the page. */
  readonly order?: Uint32Array;
}

/** Which of the matches are on the page, by index. */
export interface Page {
  readonly startIndex: number;
  readonly recordCount: number;
  /** Undefined for the order of D17. */
  readonly order?: Order | undefined;
}

export interface PlannedPage {
  readonly total: number;
  /** In the order of D17; releases without a record on the page have none. */
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
 * A page of the records that `releases`, which openReplacedReleases opened, have and the current releases lack (D37).
 * Throws as a search does.
 */
export async function planRemovedPage(releases: readonly CatalogRelease[], page: Page): Promise<PlannedPage> {
  const removed: RecordSet[] = [];
  for (const { reader, comparedWith, caches } of releases) {
    const changes = comparedWith && (await findChanges(reader, comparedWith, caches));
    removed.push(changes?.removed ?? new AllRecords(reader.facts.records));
  }
  return cutPage(releases, removed, page);
}

/** `matches` has the records of each release. */
async function cutPage(
  releases: readonly ComparedRelease[],
  matches: readonly RecordSet[],
  page: Page,
): Promise<PlannedPage> {
  const slices: PageSlice[] = [];
  let total = 0;
  for (const [index, release] of releases.entries()) {
    const records = matches[index] ?? NO_RECORDS;
    const from = Math.max(0, page.startIndex - total);
    const to = Math.min(records.size, page.startIndex + page.recordCount - total);
    total += records.size;
    if (from >= to) continue;
    const { reader } = release;
    if (page.order === undefined) slices.push({ reader, numbers: records.slice(from, to) });
    else slices.push(toOrderedSlice(reader, await orderRecords(release, records, page.order, { from, to })));
  }
  return { total, slices };
}

/** `ordered` has the record numbers in the order of the page. */
function toOrderedSlice(reader: ReleaseReader, ordered: Uint32Array): PageSlice {
  const numbers = ordered.toSorted();
  return { reader, numbers, order: ordered.map((number) => findFirstNotBelow(numbers, number, 0)) };
}
