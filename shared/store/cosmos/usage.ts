// The use of keys, a document for each key and day. Several instances count the same key: each adds to the document. A write whose answer
// was lost may count twice.

import { compareUtf8 } from '../../values/utf8-order';
import { addedUse, type KeyUse } from '../catalog-types';
import type { UsageStore } from '../port';
import { changeDocument } from './change-document';
import type { CosmosCalls } from './cosmos-calls';
import type { CosmosDocument } from './documents';
import { STATEMENTS } from './statements';

const USAGE = 'usage';

type UseDocument = CosmosDocument & KeyUse & { readonly kind: 'use' };

export class CosmosUsage implements UsageStore {
  constructor(private readonly calls: CosmosCalls) {}

  async add(uses: readonly KeyUse[]): Promise<void> {
    for (const use of uses) {
      const id = `${use.day}-${use.keyId}`;
      await changeDocument<UseDocument>(this.calls, USAGE, id, (held) => ({
        ...addedUse(held === undefined ? undefined : useOf(held), use),
        ...{ id, partition: USAGE, kind: 'use' },
      }));
    }
  }

  async list(): Promise<readonly KeyUse[]> {
    const found = await this.calls.query<UseDocument>({ partition: USAGE, text: STATEMENTS.usage });
    return found.map(useOf).sort((a, b) => compareUtf8(a.day, b.day) || compareUtf8(a.keyId, b.keyId));
  }
}

/** Without what the service adds. */
function useOf({ day, keyId, requests, records, refused, lastUsedAt }: KeyUse): KeyUse {
  return { day, keyId, requests, records, refused, lastUsedAt };
}
