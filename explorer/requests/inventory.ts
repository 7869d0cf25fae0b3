// Fetches the inventory: the published data sets and the data versions that are still held.

import type { ServiceClient } from './client';
import type { Reply } from './reply';

/** The members of /v1/Inventory that the explorer reads. */
export interface Inventory {
  readonly DataVersion: string;
  readonly FormerDataVersions?: readonly { readonly DataVersion: string; readonly Since: string | null }[];
  readonly Organizations: readonly {
    readonly OrganizationUUID: string;
    readonly OrganizationName: string;
    readonly DataSets: readonly {
      readonly DataSet: string;
      readonly PublishedAt: string;
      readonly IsSample: boolean;
      /** The values of filters with their record counts. The service may not list all values. */
      readonly Vocabulary: Readonly<Record<string, readonly { readonly Value: string; readonly Records: number }[]>>;
      readonly Submission: Readonly<Record<'Contact' | 'TermsOfUse' | 'License' | 'Citation', string | null>>;
    }[];
  }[];
}

/** Lists the states of the area amounts that these organizations published; empty if one of them states none. */
export function listPublishedStates(
  inventory: Pick<Inventory, 'Organizations'> | undefined,
  organizations: readonly string[],
): readonly string[] {
  const published = inventory?.Organizations.filter((one) => organizations.includes(one.OrganizationUUID)) ?? [];
  const states = published.map(({ DataSets }) =>
    DataSets.filter(({ DataSet }) => DataSet === 'AggregatedAmounts').flatMap(({ Vocabulary }) =>
      (Vocabulary['State'] ?? []).map(({ Value }) => Value),
    ),
  );
  return states.some((ofOne) => ofOne.length === 0) ? [] : [...new Set(states.flat())];
}

/** An empty version is the current one. */
export function fetchInventory(client: ServiceClient, version = ''): Promise<Reply<Inventory>> {
  return client.request('v1/Inventory', { DataVersion: version || undefined });
}
