// Whose data is shown, how to cite it and under which terms it may be used, from the inventory.

import { facetValues, type Facets } from '../../requests/operations';
import { SOURCES_FACET, type Session } from '../../session/session';
import { kindOf } from '../../state/kinds';

/** What stands below a picture: whose data it shows, of which version, and when and where it was taken. */
export function sourceNotes(session: Session): readonly string[] {
  const names = sourcesOf(session).map(({ name }) => name);
  const day = new Date().toISOString().slice(0, 10);
  return [
    `Source: ${names.join('; ')}.`,
    `Data version ${shownVersion(session)}, taken from ${location.origin}${session.client.base}/explore on ${day}.`,
  ];
}

/** The version that is asked for, or the current one. */
export function shownVersion({ state, inventory }: Pick<Session, 'state' | 'inventory'>): string {
  return state.value.filters['DataVersion']?.[0] ?? inventory.latest?.DataVersion ?? '';
}

export interface CitedSource {
  readonly name: string;
  readonly citation: string;
  /** Its licence and its terms of use, in sentences. */
  readonly terms: string;
  readonly contact: string | null;
}

/** The organizations of which anything is found; each with the citation that it gives, or one made. */
export function sourcesOf({
  state,
  inventory,
  facets,
}: Pick<Session, 'state' | 'inventory' | 'facets'>): readonly CitedSource[] {
  const { kind, filters } = state.value;
  const { dataSet, label } = kindOf(kind);
  const { Organizations } = inventory.latest ?? NOTHING;
  const version = `Data version ${shownVersion({ state, inventory })}.`;
  const isFound = foundOrganizations(facets.latest, filters[SOURCES_FACET]);
  return Organizations.flatMap(({ OrganizationUUID, OrganizationName, DataSets }): readonly CitedSource[] => {
    const found = DataSets.find((one) => one.DataSet === dataSet);
    if (found === undefined || !isFound(OrganizationUUID)) return [];
    const { Citation, License, TermsOfUse, Contact } = found.Submission;
    const published = found.PublishedAt.slice(0, 10);
    const made = `${OrganizationName} (${published.slice(0, 4)}). ${label}, published ${published}.`;
    const licence = License === null ? 'No licence is stated.' : `Licence: ${License}.`;
    const terms = TermsOfUse === null ? licence : `${licence} Terms of use: ${TermsOfUse}.`;
    return [{ name: OrganizationName, citation: `${Citation ?? made} ${version}`, terms, contact: Contact }];
  });
}

const NOTHING = { Organizations: [] } as const;

/** A facet counts as if its own filter were not set (D41), so that filter is asked too. */
function foundOrganizations(
  answer: Facets | undefined,
  chosen: readonly string[] = [],
): (organization: string) => boolean {
  const values = facetValues(answer, SOURCES_FACET);
  const counted = new Set(values.filter(({ Count }) => Count > 0).map(({ Value }) => Value));
  return (organization) => counted.has(organization) && (chosen.length === 0 || chosen.includes(organization));
}
