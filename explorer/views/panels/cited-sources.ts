// Whose data is shown, how to cite it and under which terms it may be used, from the inventory.

import type { Inventory } from '../../requests/operations';
import { kindOf } from '../../state/kinds';
import type { ExplorerState } from '../../state/state';

export interface CitedSource {
  readonly name: string;
  readonly citation: string;
  readonly license: string | null;
  readonly terms: string | null;
  readonly contact: string | null;
}

/** The organizations that are filtered for, or all of the kind; each with the citation that it gives, or one made. */
export function sourcesOf({ Organizations, DataVersion }: Inventory, state: ExplorerState): readonly CitedSource[] {
  const { dataSet, label } = kindOf(state.kind);
  const chosen = state.filters['OrganizationUUID'] ?? [];
  return Organizations.flatMap(({ OrganizationUUID, OrganizationName, DataSets }): readonly CitedSource[] => {
    const found = DataSets.find((one) => one.DataSet === dataSet);
    if (found === undefined || (chosen.length > 0 && !chosen.includes(OrganizationUUID))) return [];
    const { Citation, License, TermsOfUse, Contact } = found.Submission;
    const published = found.PublishedAt.slice(0, 10);
    const made = `${OrganizationName} (${published.slice(0, 4)}). ${label}, published ${published}, data version ${DataVersion}.`;
    return [
      { name: OrganizationName, citation: Citation ?? made, license: License, terms: TermsOfUse, contact: Contact },
    ];
  });
}
