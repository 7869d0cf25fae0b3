// Copies access keys from one store to another.

import { expireKey, limitKey, revokeKey } from '../../shared/access/access-keys';
import { type KeyRecord } from '../../shared/store/catalog-types';
import type { Store } from '../../shared/store/port';
import type { KeyStore } from '../../shared/store/service-documents';

/**
 * Copies the keys. If a key already exists in the target, it gets the revocation, expiry, limits and replacement from
 * the source. Returns the number of added keys, and the number of keys that now end earlier.
 */
export async function copyKeys(from: Store, to: Store): Promise<{ readonly added: number; readonly ended: number }> {
  const targetKeys = new Map((await to.keys.list()).map((key) => [key.id, key]));
  let added = 0;
  let ended = 0;
  for (const key of await from.keys.list()) {
    const previous = targetKeys.get(key.id);
    if (previous === undefined) {
      await to.keys.add(key);
      added++;
    } else if (previous.hash === key.hash) {
      if (await copyKeyEnd(key, previous, to.keys)) ended++;
      await limitKey(to.keys, key.id, key);
      if (key.replacedBy !== previous.replacedBy) await copyReplacement(key, to.keys);
    }
  }
  return { added, ended };
}

/** Ends `key` when the original key ends, if that is earlier. Returns whether the key now ends earlier. */
async function copyKeyEnd({ revokedAt, expiresAt }: KeyRecord, key: KeyRecord, keys: KeyStore): Promise<boolean> {
  const isRevoked = revokedAt !== null && key.revokedAt === null;
  const isShorter = expiresAt !== null && (key.expiresAt === null || expiresAt < key.expiresAt);
  if (isRevoked) await revokeKey(keys, key.id, revokedAt);
  if (isShorter) await expireKey(keys, key.id, expiresAt);
  return isRevoked || isShorter;
}

/** A key that was already replaced in the target keeps its replacement. */
async function copyReplacement({ id, replacedBy }: KeyRecord, keys: KeyStore): Promise<void> {
  await keys.change(id, (key) => ({ ...key, replacedBy: key.replacedBy ?? replacedBy }));
}
