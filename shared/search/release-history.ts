// Lists the past releases of each data set, from the history of the catalog. The history is scanned once, not by each
// request.

import type { DataSetKind } from '../records/data-sets';
import { type CatalogEntry, type CatalogState, subtractEntries } from '../store/catalog-types';
import { getOrAdd } from '../values/maps';
import type { SearchContext } from './index/search-caches';

/** A release that was current in one or more states in a row. */
export interface PastRelease {
  readonly entry: CatalogEntry;
  /** The newest of these states. */
  readonly state: CatalogState;
  /** The index of that state in the history. The newest state has index 0. */
  readonly position: number;
  /**
   * The releases of this history that turned out to be deleted, so that no request looks for them again. A release that
   * is published again changes the history.
   */
  readonly deletedReleases: Set<string>;
}

/** By organization, newest first. */
type ReleaseHistory = ReadonlyMap<string, readonly PastRelease[]>;

/**
 * Lists the releases of an organization with their states, newest first. A release that became current again is listed
 * twice.
 */
export async function listPastReleases(
  { store, caches }: SearchContext,
  organizationUuid: string,
  dataSets: readonly DataSetKind[],
): Promise<readonly PastRelease[]> {
  const history = caches.derive('release history', await store.history(), buildReleaseHistory);
  return (history.get(organizationUuid) ?? []).filter(({ entry }) => dataSets.includes(entry.dataSet));
}

function buildReleaseHistory(states: readonly CatalogState[]): ReleaseHistory {
  const history = new Map<string, PastRelease[]>();
  const deletedReleases = new Set<string>();
  let newerEntries: readonly CatalogEntry[] = [];
  for (const [position, state] of states.entries()) {
    for (const entry of subtractEntries(state.entries, newerEntries)) {
      const ofOrganization = getOrAdd(history, entry.organizationUuid, () => []);
      ofOrganization.push({ entry, state, position, deletedReleases });
    }
    newerEntries = state.entries;
  }
  return history;
}
