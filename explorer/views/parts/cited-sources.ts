// The data sets that are shown, how to cite them, and their terms of use, from the inventory.

import { getFacetValues } from '../../requests/facets';
import { SOURCES_FACET } from '../../session/questions';
import type { Session } from '../../session/session';
import { citeDataSets, type CitedSource } from './citations';

/** Notes below a picture: sources, data version, date and address. */
export function buildSourceNotes(session: Session): readonly string[] {
  const names = listSources(session).map(({ name }) => name);
  const day = new Date().toISOString().slice(0, 10);
  return [
    `Source: ${names.join('; ')}.`,
    `Data version ${getShownVersion(session)}, taken from ${location.origin}${session.client.base}/explore on ${day}.`,
  ];
}

/** The pinned data version, or the current one. */
export function getShownVersion({ state, inventory }: Session): string {
  return state.value.filters['DataVersion']?.[0] ?? inventory.latest?.DataVersion ?? '';
}

/** The organizations with matching records, each with its own citation or a default one. */
export function listSources(session: Session): readonly CitedSource[] {
  const { kind, filters } = session.state.value;
  // A facet ignores its own filter (D41), so the filter is applied here.
  const chosen = filters[SOURCES_FACET];
  const organizationsWithRecords = getFacetValues(session.facets.latest, SOURCES_FACET)
    .filter(({ Value, Count }) => Count > 0 && (chosen?.includes(Value) ?? true))
    .map(({ Value }) => Value);
  return citeDataSets(session.inventory.latest, kind, {
    organizations: organizationsWithRecords,
    version: getShownVersion(session),
  });
}
