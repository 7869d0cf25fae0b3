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

/** What a former data version had and the current one has not (D37): the first of them, and how many there are. */
export function fetchRemoved(client: ServiceClient, selection: Selection, since: string): Promise<Reply<Removed>> {
  const { OrganizationUUID } = selection.filters;
  return client.request(`${getKind(selection.kind).route}/Removed`, {
    Since: since,
    OrganizationUUID,
    RecordCount: '100',
  });
}
