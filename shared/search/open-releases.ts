// The releases of a catalog state that a search reads. For a search for changes (D37), each release comes with the
// release of its data set in an earlier state.

import { type Condition, findConjuncts, listConjuncts } from '../query/condition';
import type { DataSetKind } from '../records/data-sets';
import { type CatalogEntry, type CatalogState, findEntry } from '../store/catalog-types';
import { ReleaseGoneError, type ReleaseReader, type Store, UnknownFormatError } from '../store/port';
import { canMatch, type ComparedRelease } from './evaluate';
import { openEntry } from './index/open-release';
import type { SearchContext } from './index/search-caches';
import { createTextMatcher } from './text-matcher';

/** A release that an answer is read from, with its entry in the catalog. */
export interface CatalogRelease extends ComparedRelease {
  readonly entry: CatalogEntry;
}

/** The data version for a search of changes is no longer available, or this program cannot read its releases. */
export class PreviousVersionGoneError extends Error {}

/**
 * Opens the releases that can have records of the answer, in the order of D17. Selects them by their terms and periods,
 * without a search. Throws ReleaseGoneError if the store no longer holds a release of the state, and
 * PreviousVersionGoneError if it no longer holds the version that a search for changes compares with.
 */
export async function openReleases(
  { store, caches }: SearchContext,
  state: CatalogState,
  dataSet: DataSetKind,
  condition: Condition,
): Promise<readonly CatalogRelease[]> {
  const [changes] = findConjuncts(condition, 'changedSince');
  const previousState = changes && (await openPreviousState(store, changes.version));
  const opened = await Promise.all(
    selectEntries(state, dataSet, condition).map(async (entry): Promise<readonly CatalogRelease[]> => {
      const reader = await openEntry(store, entry);
      const previous = previousState && findEntry(previousState, entry);
      if (previous?.releaseId === entry.releaseId) return [];
      const comparedWith = previous && (await openPreviousEntry(store, previous));
      const release = { entry, reader, comparedWith, caches };
      return (await canMatch(release, condition)) ? [release] : [];
    }),
  );
  return opened.flat();
}

/**
 * Opens the releases of the ChangedSince version that are no longer current, in the order of D17. Each is compared with
 * the current release of its data set, if there is one. Throws ReleaseGoneError and PreviousVersionGoneError.
 */
export async function openReplacedReleases(
  { store, caches }: SearchContext,
  state: CatalogState,
  dataSet: DataSetKind,
  condition: Condition,
): Promise<readonly CatalogRelease[]> {
  const [changes] = findConjuncts(condition, 'changedSince');
  const previousState = await openPreviousState(store, changes?.version ?? state.version);
  const opened = await Promise.all(
    selectEntries(previousState, dataSet, condition).map(async (previous): Promise<readonly CatalogRelease[]> => {
      const entry = findEntry(state, previous);
      if (entry?.releaseId === previous.releaseId) return [];
      const reader = await openPreviousEntry(store, previous);
      const comparedWith = entry && (await openEntry(store, entry));
      return [{ entry: entry ?? previous, reader, comparedWith, caches }];
    }),
  );
  return opened.flat();
}

/** Selects the entries of a kind of data set, except those of organizations that the condition excludes (D34). */
export function selectEntries(
  { entries }: CatalogState,
  dataSet: DataSetKind,
  condition: Condition,
): readonly CatalogEntry[] {
  const organizationTests = listConjuncts(condition).flatMap((conjunct) =>
    conjunct.kind === 'text' && conjunct.member.kind === 'organization' && conjunct.test.isFolded
      ? [createTextMatcher(conjunct.test)]
      : [],
  );
  return entries.filter(
    (entry) => entry.dataSet === dataSet && organizationTests.every((matches) => matches(entry.organizationUuid)),
  );
}

/** Throws PreviousVersionGoneError. */
async function openPreviousState(store: Store, version: string): Promise<CatalogState> {
  const state = await store.findState(version);
  if (state === undefined) throw new PreviousVersionGoneError();
  return state;
}

/** Throws PreviousVersionGoneError. */
export async function openPreviousEntry(store: Store, entry: CatalogEntry): Promise<ReleaseReader> {
  try {
    return await openEntry(store, entry);
  } catch (error) {
    if (error instanceof ReleaseGoneError || error instanceof UnknownFormatError) throw new PreviousVersionGoneError();
    throw error;
  }
}
