// Fetches the keys of records that an earlier data version had (D37).

import { getKind } from '../state/kinds';
import type { Selection } from '../state/state';
import type { ServiceClient } from './client';
import type { Reply } from './reply';

export interface Removed {
  readonly TotalRemovedCount: number;
  readonly Removed: readonly {
    readonly OrganizationUUID: string;
    readonly Key: Readonly<Record<string, unknown>>;
  }[];
}

/** Records of an earlier data version that the current one no longer has (D37): the first 100, and their number. */
export function fetchRemoved(client: ServiceClient, selection: Selection, since: string): Promise<Reply<Removed>> {
  const { OrganizationUUID } = selection.filters;
  return client.request(`${getKind(selection.kind).route}/Removed`, {
    Since: since,
    OrganizationUUID,
    RecordCount: '100',
  });
}
