// What the landing page says of the data: from the catalog and the facts of its releases, without a search.

import { dataSetLayouts, type DataSetKind } from '../../records/data-sets';
import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import type { Store } from '../../store/port';

export interface PublishedDataSet {
  readonly kind: DataSetKind;
  readonly records: number;
  /** YYYY-MM-DD; null when no record has a date. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

export interface PublishedOrganization {
  readonly name: string;
  /** Two letters, and the full name. */
  readonly stateCode: string;
  readonly state: string;
  readonly dataSets: readonly PublishedDataSet[];
}

export interface WhatIsThere {
  readonly dataVersion: string;
  /** ISO 8601; null for a new store. */
  readonly since: string | null;
  readonly isSample: boolean;
  readonly organizations: readonly PublishedOrganization[];
}

/** A release that is gone since the state was read is left out. */
export async function readWhatIsThere(store: Store, state: CatalogState): Promise<WhatIsThere> {
  const read = await Promise.all(state.entries.map((entry) => readDataSet(store, entry)));
  const organizations = new Map<string, PublishedOrganization>();
  for (const { uuid, organization } of read.flat()) {
    const known = organizations.get(uuid);
    const dataSets = [...(known?.dataSets ?? []), ...organization.dataSets];
    organizations.set(uuid, { ...organization, dataSets });
  }
  return {
    dataVersion: state.version,
    since: state.since,
    isSample: state.entries.some(({ isSample }) => isSample),
    organizations: [...organizations.values()],
  };
}

export function countRecords(there: WhatIsThere, kind: DataSetKind): number {
  const dataSets = there.organizations.flatMap((organization) => organization.dataSets);
  return dataSets.reduce((sum, dataSet) => sum + (dataSet.kind === kind ? dataSet.records : 0), 0);
}

async function readDataSet(
  store: Store,
  { organizationUuid, dataSet, releaseId, records }: CatalogEntry,
): Promise<readonly { readonly uuid: string; readonly organization: PublishedOrganization }[]> {
  const reader = await store.openRelease(releaseId);
  if (reader === undefined) return [];
  const { organization, firstDay, lastDay } = reader.facts;
  const { kind } = dataSetLayouts[dataSet];
  const { OrganizationName: name, OrganizationState: stateCode, State: state } = organization;
  const dataSets = [{ kind, records, firstDay, lastDay }];
  return [{ uuid: organizationUuid, organization: { name, stateCode, state, dataSets } }];
}
