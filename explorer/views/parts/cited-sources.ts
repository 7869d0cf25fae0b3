// Whose data is shown, how to cite it, and its terms of use, from the inventory.

import { getFacetValues } from '../../requests/facets';
import type { Inventory } from '../../requests/inventory';
import { SOURCES_FACET } from '../../session/questions';
import type { Session } from '../../session/session';
import { getKind, type Kind } from '../../state/kinds';

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

export interface CitedSource {
  readonly name: string;
  readonly citation: string;
  /** The license and terms of use, as sentences. */
  readonly terms: string;
  readonly contact: string | null;
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

/** The data sets of a kind of these organizations, by their identifiers, in the order of the inventory. */
export function citeDataSets(
  inventory: Inventory | undefined,
  kind: Kind,
  { organizations, version }: { readonly organizations: readonly string[]; readonly version: string },
): readonly CitedSource[] {
  const { dataSet, label } = getKind(kind);
  const published = inventory?.Organizations ?? [];
  return published.flatMap(({ OrganizationUUID, OrganizationName, DataSets }): readonly CitedSource[] => {
    const dataSetEntry = DataSets.find((one) => one.DataSet === dataSet);
    if (dataSetEntry === undefined || !organizations.includes(OrganizationUUID)) return [];
    const { Citation, License, TermsOfUse, Contact } = dataSetEntry.Submission;
    const day = dataSetEntry.PublishedAt.slice(0, 10);
    const defaultCitation = `${OrganizationName} (${day.slice(0, 4)}). ${label}, published ${day}.`;
    const license = License === null ? 'No license is stated.' : `License: ${License}.`;
    const terms = TermsOfUse === null ? license : `${license} Terms of use: ${TermsOfUse}.`;
    const citation = `${Citation ?? defaultCitation} Data version ${version}.`;
    return [{ name: OrganizationName, citation, terms, contact: Contact }];
  });
}
