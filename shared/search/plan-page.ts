// A page over all releases of a catalog state. The total is the sum of what each release finds; the page is a slice of
// these results in order (D17, D18, D20).

import { type Condition, findConjuncts, listConjuncts } from '../query/condition';
import type { Order } from '../query/order-parameter';
import type { DataSetKind } from '../records/data-sets';
import { type CatalogEntry, type CatalogState, findEntry } from '../store/catalog-types';
import { ReleaseGoneError, type ReleaseReader, type Store, UnknownFormatError } from '../store/port';
import { findFirstNotBelow } from '../values/numbers';
import { canMatch, type ComparedRelease, evaluate } from './evaluate';
import { AllRecords, NO_RECORDS, type RecordSet } from './index/record-set';
import { openEntry } from './index/release-index';
import type { SearchContext } from './index/search-caches';
import { orderRecords } from './order-records';
import { findChanges } from './release-changes';
import { createTextMatcher } from './text-matcher';

/** A release that an answer is read from, and how the catalog lists it. */
export interface CatalogRelease extends ComparedRelease {
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
 * FormerVersionGoneError when the version that changes are asked since is not.
 */
export async function openReleases(
  { store, caches }: SearchContext,
  state: CatalogState,
  dataSet: DataSetKind,
  condition: Condition,
): Promise<readonly CatalogRelease[]> {
  const [changes] = findConjuncts(condition, 'changedSince');
  const formerly = changes && (await openPreviousState(store, changes.version));
  const opened = await Promise.all(
    selectEntries(state, dataSet, condition).map(async (entry): Promise<readonly CatalogRelease[]> => {
      const reader = await openEntry(store, entry);
      const former = formerly && findEntry(formerly, entry);
      if (former?.releaseId === entry.releaseId) return [];
      const comparedWith = former && (await openPreviousEntry(store, former));
      const release = { entry, reader, comparedWith, caches };
      return (await canMatch(release, condition)) ? [release] : [];
    }),
  );
  return opened.flat();
}

/** The data sets of a state that a search of the kind looks at: those of the organizations that are asked for (D34). */
export function selectEntries(
  { entries }: CatalogState,
  dataSet: DataSetKind,
  condition: Condition,
): readonly CatalogEntry[] {
  const tests = listConjuncts(condition).flatMap((one) =>
    one.kind === 'text' && one.member.kind === 'organization' && one.test.isFolded ? [createTextMatcher(one.test)] : [],
  );
  const isNamed = ({ organizationUuid }: CatalogEntry): boolean => tests.every((test) => test(organizationUuid));
  return entries.filter((entry) => entry.dataSet === dataSet && isNamed(entry));
}

/** Throws ReleaseGoneError when a release was deleted after it was opened, and DeadlinePassedError. */
export async function planPage(
  releases: readonly CatalogRelease[],
  condition: Condition,
  page: Page,
): Promise<PlannedPage> {
  const found = await Promise.all(releases.map((release) => evaluate(condition, release)));
  return cutPage(releases, found, page);
}

/** `found` has the records of each release. */
async function cutPage(
  releases: readonly ComparedRelease[],
  found: readonly RecordSet[],
  page: Page,
): Promise<PlannedPage> {
  const slices: PageSlice[] = [];
  let before = 0;
  for (const [index, release] of releases.entries()) {
    const records = found[index] ?? NO_RECORDS;
    const from = Math.max(0, page.startIndex - before);
    const to = Math.min(records.size, page.startIndex + page.recordCount - before);
    before += records.size;
    if (from >= to) continue;
    const { reader } = release;
    if (page.order === undefined) slices.push({ reader, numbers: records.slice(from, to) });
    else slices.push(toOrderedSlice(reader, await orderRecords(release, records, page.order, { from, to })));
  }
  return { total: before, slices };
}

function toOrderedSlice(reader: ReleaseReader, ordered: Uint32Array): PageSlice {
  const numbers = ordered.toSorted();
  return { reader, numbers, order: ordered.map((number) => findFirstNotBelow(numbers, number, 0)) };
}

// The releases of a former data version, with which those of a later one are compared (D37).

/** The data version that changes are asked since is not held, or only a former program can read its releases. */
export class PreviousVersionGoneError extends Error {}

/** Throws FormerVersionGoneError. */
async function openPreviousState(store: Store, version: string): Promise<CatalogState> {
  const state = await store.findState(version);
  if (state === undefined) throw new PreviousVersionGoneError();
  return state;
}

/** Throws FormerVersionGoneError. */
export async function openPreviousEntry(store: Store, entry: CatalogEntry): Promise<ReleaseReader> {
  try {
    return await openEntry(store, entry);
  } catch (error) {
    if (error instanceof ReleaseGoneError || error instanceof UnknownFormatError) throw new PreviousVersionGoneError();
    throw error;
  }
}

// The records that a former data version had and a later one has not (D37).

/**
 * The releases of the version that changes are asked since which are not current any more, in the order of D17, each
 * compared with the current one of its data set, if there is one. Throws ReleaseGoneError and FormerVersionGoneError.
 */
export async function openReplacedReleases(
  { store, caches }: SearchContext,
  state: CatalogState,
  dataSet: DataSetKind,
  condition: Condition,
): Promise<readonly CatalogRelease[]> {
  const [changes] = findConjuncts(condition, 'changedSince');
  const formerly = await openPreviousState(store, changes?.version ?? state.version);
  const opened = selectEntries(formerly, dataSet, condition).map(async (former): Promise<readonly CatalogRelease[]> => {
    const entry = findEntry(state, former);
    if (entry?.releaseId === former.releaseId) return [];
    const reader = await openPreviousEntry(store, former);
    return [{ entry: entry ?? former, reader, comparedWith: entry && (await openEntry(store, entry)), caches }];
  });
  return (await Promise.all(opened)).flat();
}

/** A page of the records that `openReplaced` releases have and the current ones lack. Throws as a search does. */
export async function planRemovedPage(releases: readonly CatalogRelease[], page: Page): Promise<PlannedPage> {
  const found: RecordSet[] = [];
  for (const { reader, comparedWith, caches } of releases) {
    const changes = comparedWith && (await findChanges(reader, comparedWith, caches));
    found.push(changes?.removed ?? new AllRecords(reader.facts.records));
  }
  return cutPage(releases, found, page);
}
