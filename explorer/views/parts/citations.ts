// How to cite data sets, and their terms of use, from the inventory.

import type { Inventory } from '../../requests/inventory';
import { getKind, type Kind } from '../../state/kinds';

export interface CitedSource {
  readonly name: string;
  readonly citation: string;
  /** The license and terms of use, as sentences. */
  readonly terms: string;
  readonly contact: string | null;
}

/** The data sets of one kind from these organizations (given by identifier), in inventory order. */
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
