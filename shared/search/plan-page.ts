// A page over all releases of a catalog state. The total is the sum of what each release finds; the page is a slice of
// these results in order (D17, D18, D20).

import type { DataSetKind } from '../records/data-sets';
import type { CatalogEntry, CatalogState } from '../store/catalog-types';
import type { ReleaseReader } from '../store/port';
import { foldText } from '../values/text';
import { criteriaKey, type Criteria } from '../query/criteria';
import { openFormer } from './former-releases';
import { openEntry } from './release/release-index';
import type { Order } from '../query/paging-and-format';
import { orderedRecords, type Ranks } from './order-records';
import { NO_RECORDS, type RecordSet } from './index/record-set';
import type { SearchCaches, SearchContext } from './release/search-caches';
import { canMatch, searchRelease, type SearchedRelease } from './search-release';

/** A release that an answer is read from, and how the catalog lists it. */
export interface ReadRelease extends SearchedRelease {
  readonly entry: CatalogEntry;
}

export interface PageSlice {
  readonly reader: ReleaseReader;
  /** Record numbers of the page in this release, ascending. */
  readonly numbers: Uint32Array;
  /** Where the records of the page stand in `numbers`, one after the other, when an order was asked for (D36). */
  readonly order?: Uint32Array;
}

/** Which records of all that were found, by their index. */
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

/**
 * The releases that can have records of the answer, in the order of D17, judged without a search; those left out could
 * add nothing to the answer. Throws ReleaseGoneError when a release of the state is no longer held, and
 * FormerVersionGoneError when the version of `changedSince` is not.
 */
export async function openReleases(
  { store, caches }: SearchContext,
  state: CatalogState,
  dataSet: DataSetKind,
  criteria: Criteria,
): Promise<readonly ReadRelease[]> {
  const formers = criteria.changedSince === undefined ? undefined : await openFormer(store, criteria.changedSince);
  const opened = await Promise.all(
    entriesRead(state, dataSet, criteria).map(async (entry): Promise<readonly ReadRelease[]> => {
      const reader = await openEntry(store, entry);
      const comparedWith = await formers?.(entry);
      if (comparedWith?.facts.releaseId === entry.releaseId) return [];
      return (await canMatch(reader, criteria, caches)) ? [{ entry, reader, comparedWith }] : [];
    }),
  );
  return opened.flat();
}

/** The data sets of a state that a search of the kind looks at. */
export function entriesRead(
  { entries }: CatalogState,
  dataSet: DataSetKind,
  { organizations }: Criteria,
): readonly CatalogEntry[] {
  const isNamed = ({ organizationUuid }: CatalogEntry): boolean =>
    organizations?.includes(foldText(organizationUuid)) ?? true;
  return entries.filter((entry) => entry.dataSet === dataSet && isNamed(entry));
}

/** Throws ReleaseGoneError when a release was deleted after it was opened, and DeadlinePassedError. */
export async function planPage(
  releases: readonly ReadRelease[],
  criteria: Criteria,
  page: Page,
  caches: SearchCaches,
): Promise<PlannedPage> {
  const key = criteriaKey(criteria);
  const found = await Promise.all(releases.map((release) => searchRelease(release, criteria, key, caches)));
  return sliceOf(releases, found, page, caches);
}

/** `found` has the records of each release. */
export async function sliceOf(
  releases: readonly SearchedRelease[],
  found: readonly RecordSet[],
  page: Page,
  caches: SearchCaches,
): Promise<PlannedPage> {
  const slices: PageSlice[] = [];
  let before = 0;
  for (const [index, { reader }] of releases.entries()) {
    const records = found[index] ?? NO_RECORDS;
    const from = Math.max(0, page.startIndex - before);
    const to = Math.min(records.size, page.startIndex + page.recordCount - before);
    before += records.size;
    if (from >= to) continue;
    if (page.order === undefined) slices.push({ reader, numbers: records.slice(from, to) });
    else slices.push(await orderedSlice(reader, records, { order: page.order, ranks: { from, to } }, caches));
  }
  return { total: before, slices };
}

async function orderedSlice(
  reader: ReleaseReader,
  found: RecordSet,
  asked: { readonly order: Order; readonly ranks: Ranks },
  caches: SearchCaches,
): Promise<PageSlice> {
  const ordered = await orderedRecords(reader, found, asked, caches);
  const numbers = ordered.toSorted();
  const placeOf = new Map(Array.from(numbers, (number, place) => [number, place]));
  return { reader, numbers, order: ordered.map((number) => placeOf.get(number) ?? NaN) };
}
