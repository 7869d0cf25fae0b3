// The data sets that a brief shows.

import type { Brief } from '../requests/brief';
import { getFacetValues } from '../requests/facets';
import { type TotalsAnswer, toText } from '../requests/totals';
import type { Kind } from '../state/kinds';
import { citeDataSets, type CitedSource } from '../views/parts/citations';

/** The data sets with records of the area. */
export function listBriefSources({ inventory, version, rights, sites, units }: Brief): readonly CitedSource[] {
  const cite = (kind: Kind, organizations: readonly string[]): readonly CitedSource[] =>
    citeDataSets(inventory, kind, { organizations, version });
  const ofRights = getFacetValues(rights?.facets, 'OrganizationUUID').map(({ Value }) => Value);
  return [
    ...cite('rights', ofRights),
    ...cite('series', listOrganizations(sites?.byYear)),
    ...cite('aggregates', listOrganizations(units?.byYear)),
  ];
}

function listOrganizations(totals: TotalsAnswer | undefined): readonly string[] {
  return (totals?.Totals ?? []).map((row) => toText(row['OrganizationUUID']));
}
