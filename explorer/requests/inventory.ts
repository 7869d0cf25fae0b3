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
      readonly Submission: Readonly<Record<'Contact' | 'TermsOfUse' | 'License' | 'Citation', string | null>>;
    }[];
  }[];
}

/** An empty version is the current one. */
export function fetchInventory(client: ServiceClient, version = ''): Promise<Reply<Inventory>> {
  return client.request('v1/Inventory', { DataVersion: version || undefined });
}
