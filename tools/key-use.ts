// `npm run keys -- usage`: what each key was used for, by day, as the store holds it (ADR 0044).

import type { KeyUse } from '../shared/store/catalog-types';
import type { Store } from '../shared/store/port';
import type { ExitCode } from './command';

interface NamedUse extends KeyUse {
  /** Null for the development key, which has no record. */
  readonly owner: string | null;
}

export async function printKeyUse({ keys, usage }: Store, isJson: boolean): Promise<ExitCode> {
  const owners = new Map((await keys.list()).map(({ id, owner }) => [id, owner]));
  const uses = (await usage.list()).map((use): NamedUse => ({ ...use, owner: owners.get(use.keyId) ?? null }));
  if (isJson) {
    console.log(JSON.stringify(uses));
    return 0;
  }
  if (uses.length === 0) console.log('No key was used, as far as this store was told.');
  for (const { day, keyId, owner, requests, records, refused, lastUsedAt } of uses) {
    const who = owner === null ? keyId : `${keyId} (${owner})`;
    console.log(
      `${day}  ${who}: ${requests} requests, ${records} records, ${refused} refused, last used ${lastUsedAt}`,
    );
  }
  return 0;
}
