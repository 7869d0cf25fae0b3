// Opens the releases of a catalog state from which an answer with places is read.

import type { Condition } from '../../query/condition';
import type { Operation } from '../../query/operations';
import { dataSetLayouts, findDataSetsAtPlaces, type PlaceKind } from '../../records/data-sets';
import type { CatalogState } from '../../store/catalog-types';
import { openEntry } from '../index/open-release';
import type { SearchContext } from '../index/search-caches';
import { type CatalogRelease, openReleases, selectEntries } from '../open-releases';
import { canHavePlaces } from './evaluate-places';

/**
 * Opens the releases of the organizations that can have places of the answer, in the order of D17. Opens all releases
 * of such an organization, because a site from its amounts is returned with data from its rights, and vice versa.
 * Throws the same errors as openReleases.
 */
export async function openPlaceReleases(
  { store, caches }: SearchContext,
  state: CatalogState,
  placeKind: PlaceKind,
  condition: Condition,
): Promise<readonly CatalogRelease[]> {
  const selected = new Set(
    findDataSetsAtPlaces(placeKind).flatMap((dataSet) => selectEntries(state, dataSet, condition)),
  );
  const entries = state.entries.filter((entry) => selected.has(entry));
  const matchingOrganizations = new Set<string>();
  const opened = await Promise.all(
    entries.map(async (entry) => {
      const release = { entry, reader: await openEntry(store, entry), caches };
      if (await canHavePlaces(release, condition)) matchingOrganizations.add(entry.organizationUuid);
      return release;
    }),
  );
  return opened.filter(({ entry }) => matchingOrganizations.has(entry.organizationUuid));
}

/** Opens the releases for an operation that lists records or places. Throws the same errors as openReleases. */
export function openListedReleases(
  { kind, dataSet }: Pick<Operation, 'kind' | 'dataSet'>,
  state: CatalogState,
  condition: Condition,
  context: SearchContext,
): Promise<readonly CatalogRelease[]> {
  if (kind === 'places') return openPlaceReleases(context, state, dataSetLayouts[dataSet].placeKind, condition);
  return openReleases(context, state, dataSet, condition);
}
