// Whose data is shown, how to cite it and under which terms it may be used, from the inventory.

import type { Facets } from '../../requests/operations';
import { SOURCES_FACET, type Session } from '../../session/session';
import { kindOf } from '../../state/kinds';

export interface CitedSource {
  readonly name: string;
  readonly citation: string;
  readonly license: string | null;
  readonly terms: string | null;
  readonly contact: string | null;
}

/** The organizations of which anything is found; each with the citation that it gives, or one made. */
export function sourcesOf({ state, inventory, facets }: Session): readonly CitedSource[] {
  const { kind, filters } = state.value;
  const { dataSet, label } = kindOf(kind);
  const { Organizations, DataVersion } = inventory.current.value.answer?.value ?? NOTHING;
  const isFound = foundOrganizations(facets.current.value.answer?.value, filters[SOURCES_FACET]);
  return Organizations.flatMap(({ OrganizationUUID, OrganizationName, DataSets }): readonly CitedSource[] => {
    const found = DataSets.find((one) => one.DataSet === dataSet);
    if (found === undefined || !isFound(OrganizationUUID)) return [];
    const { Citation, License, TermsOfUse, Contact } = found.Submission;
    const published = found.PublishedAt.slice(0, 10);
    const made = `${OrganizationName} (${published.slice(0, 4)}). ${label}, published ${published}, data version ${DataVersion}.`;
    return [
      { name: OrganizationName, citation: Citation ?? made, license: License, terms: TermsOfUse, contact: Contact },
    ];
  });
}

const NOTHING = { Organizations: [], DataVersion: '' } as const;

/** A facet counts as if its own filter were not set (D41), so that filter is asked too. */
function foundOrganizations(
  answer: Facets | undefined,
  chosen: readonly string[] = [],
): (organization: string) => boolean {
  const values = answer?.Facets.find(({ Name }) => Name === SOURCES_FACET)?.Values ?? [];
  const counted = new Set(values.filter(({ Count }) => Count > 0).map(({ Value }) => Value));
  return (organization) => counted.has(organization) && (chosen.length === 0 || chosen.includes(organization));
}
