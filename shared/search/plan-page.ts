// A page over all releases of a catalog state. The total is the sum of what each release finds; the page is a slice of
// these results in order (D17, D18, D20).

import { type Condition, conjunctsOf, conjunctsOfKind } from '../query/condition';
import type { Order } from '../query/paging-and-format';
import type { DataSetKind } from '../records/data-sets';
import { type CatalogEntry, type CatalogState, type DataSetName, entryOf } from '../store/catalog-types';
import { ReleaseGoneError, type ReleaseReader, type Store, UnknownFormatError } from '../store/port';
import { foldText } from '../values/text';
import { canMatch, evaluate, type SearchedRelease } from './evaluate';
import { AllRecords, NO_RECORDS, type RecordSet } from './index/record-set';
import { openEntry } from './index/release-index';
import type { SearchCaches, SearchContext } from './index/search-caches';
import { orderedRecords, type Ranks } from './order-records';
import { changesSince } from './release-changes';
import { textMatcher } from './text-matcher';

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
 * FormerVersionGoneError when the version that changes are asked since is not.
 */
export async function openReleases(
  { store, caches }: SearchContext,
  state: CatalogState,
  dataSet: DataSetKind,
  condition: Condition,
): Promise<readonly ReadRelease[]> {
  const [changes] = conjunctsOfKind(condition, 'changedSince');
  const formers = changes && (await openFormer(store, changes.version));
  const opened = await Promise.all(
    entriesRead(state, dataSet, condition).map(async (entry): Promise<readonly ReadRelease[]> => {
      const reader = await openEntry(store, entry);
      const comparedWith = await formers?.(entry);
      if (comparedWith?.facts.releaseId === entry.releaseId) return [];
      return (await canMatch(reader, condition, caches)) ? [{ entry, reader, comparedWith }] : [];
    }),
  );
  return opened.flat();
}

/** The data sets of a state that a search of the kind looks at: those of the organizations that are asked for (D34). */
export function entriesRead(
  { entries }: CatalogState,
  dataSet: DataSetKind,
  condition: Condition,
): readonly CatalogEntry[] {
  const tests = conjunctsOf(condition).flatMap((one) =>
    one.kind === 'text' && one.member.kind === 'organization' && one.test.isFolded ? [textMatcher(one.test)] : [],
  );
  const isNamed = ({ organizationUuid }: CatalogEntry): boolean =>
    tests.every((test) => test(foldText(organizationUuid)));
  return entries.filter((entry) => entry.dataSet === dataSet && isNamed(entry));
}

/** Throws ReleaseGoneError when a release was deleted after it was opened, and DeadlinePassedError. */
export async function planPage(
  releases: readonly ReadRelease[],
  condition: Condition,
  page: Page,
  caches: SearchCaches,
): Promise<PlannedPage> {
  const found = await Promise.all(releases.map((release) => evaluate(condition, release, caches)));
  return sliceOf(releases, found, page, caches);
}

/** `found` has the records of each release. */
async function sliceOf(
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

// The releases of a former data version, with which those of a later one are compared (D37).

/** The data version that changes are asked since is not held, or only a former program can read its releases. */
export class FormerVersionGoneError extends Error {}

/** Opens the release that a data set had; undefined when it had none. Throws FormerVersionGoneError. */
type OpenFormer = (entry: DataSetName) => Promise<ReleaseReader | undefined>;

/** Throws FormerVersionGoneError. */
async function openFormer(store: Store, version: string): Promise<OpenFormer> {
  const state = await formerState(store, version);
  return async (dataSet) => {
    const former = entryOf(state, dataSet);
    return former && openFormerEntry(store, former);
  };
}

/** Throws FormerVersionGoneError. */
async function formerState(store: Store, version: string): Promise<CatalogState> {
  const state = await store.stateOf(version);
  if (state === undefined) throw new FormerVersionGoneError();
  return state;
}

/** Throws FormerVersionGoneError. */
export async function openFormerEntry(store: Store, entry: CatalogEntry): Promise<ReleaseReader> {
  try {
    return await openEntry(store, entry);
  } catch (error) {
    if (error instanceof ReleaseGoneError || error instanceof UnknownFormatError) throw new FormerVersionGoneError();
    throw error;
  }
}

// The records that a former data version had and a later one has not (D37).

/**
 * The releases of the version that changes are asked since which are not current any more, in the order of D17, each
 * compared with the current one of its data set, if there is one. Throws ReleaseGoneError and FormerVersionGoneError.
 */
export async function openReplaced(
  { store }: SearchContext,
  state: CatalogState,
  dataSet: DataSetKind,
  condition: Condition,
): Promise<readonly ReadRelease[]> {
  const [changes] = conjunctsOfKind(condition, 'changedSince');
  const formerly = await formerState(store, changes?.version ?? state.version);
  const opened = entriesRead(formerly, dataSet, condition).map(async (former): Promise<readonly ReadRelease[]> => {
    const entry = entryOf(state, former);
    if (entry?.releaseId === former.releaseId) return [];
    const reader = await openFormerEntry(store, former);
    return [{ entry: entry ?? former, reader, comparedWith: entry && (await openEntry(store, entry)) }];
  });
  return (await Promise.all(opened)).flat();
}

/** A page of the records that `openReplaced` releases have and the current ones lack. Throws as a search does. */
export async function planRemoved(
  releases: readonly ReadRelease[],
  page: Page,
  caches: SearchCaches,
): Promise<PlannedPage> {
  const found: RecordSet[] = [];
  for (const { reader, comparedWith } of releases) {
    const changes = comparedWith && (await changesSince(reader, comparedWith, caches));
    found.push(changes?.removed ?? new AllRecords(reader.facts.records));
  }
  return sliceOf(releases, found, page, caches);
}
