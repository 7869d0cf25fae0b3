// Which releases each data set has had, from the history of the catalog. The history is scanned once, not by each request.

import type { DataSetKind } from '../records/data-sets';
import type { CatalogEntry, CatalogState } from '../store/catalog-types';
import type { SearchContext } from './index/search-caches';

/** A release that was current in one or more states in a row. */
export interface PastRelease {
  readonly entry: CatalogEntry;
  /** The newest of these states. */
  readonly state: CatalogState;
  /** The index of that state in the history, whose newest state has 0. */
  readonly position: number;
  /**
   * The releases of this history that turned out to be deleted, so that no request looks for them again. A release that
   * is published again changes the history.
   */
  readonly deletedReleases: Set<string>;
}

/** By organization, newest first. */
type ReleaseHistory = ReadonlyMap<string, readonly PastRelease[]>;

/** The releases of an organization with their states, newest first. A release that became current again is listed twice. */
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
  let newerReleases = new Map<string, string>();
  for (const [position, state] of states.entries()) {
    const releases = new Map<string, string>();
    for (const entry of state.entries) {
      const { organizationUuid, dataSet, releaseId } = entry;
      const name = `${dataSet} ${organizationUuid}`;
      releases.set(name, releaseId);
      if (newerReleases.get(name) === releaseId) continue;
      const ofOrganization = history.get(organizationUuid) ?? [];
      ofOrganization.push({ entry, state, position, deletedReleases });
      history.set(organizationUuid, ofOrganization);
    }
    newerReleases = releases;
  }
  return history;
}
