// Rotation chains: a key, the keys that it replaced and the keys that replaced it. All keys of a chain have one owner
// and share their limits, and revoking one of them revokes all of them (D56).

import { isDeepStrictEqual } from 'node:util';
import type { KeyLimits, KeyRecord } from '../store/catalog-types';
import type { KeyStore } from '../store/service-documents';
import { type IssuedKey, isUsable, makeKey, markRevoked, setLimits } from './access-keys';

export type Replacement =
  | { readonly kind: 'replaced'; readonly issued: IssuedKey; readonly previousExpiresAt: string }
  /** The key is unknown, revoked or expired. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'replaced before'; readonly replacedBy: string };

interface ReplacementOptions {
  readonly now: Date;
  /** How long the previous key stays valid, in milliseconds, unless it expires earlier. */
  readonly overlapMs: number;
  /** When the new key expires; if missing, when the previous key would have expired. */
  readonly expiresAt?: string | undefined;
}

/**
 * Replaces a key with a new one that has the same owner and limits. A refused replacement stores nothing. If the key
 * changes at the same time (revoked, limited or replaced), the decision is made again, so a new key never outlives a
 * revocation of the previous one.
 */
export async function replaceKey(
  keys: KeyStore,
  id: string,
  { now, overlapMs, expiresAt }: ReplacementOptions,
): Promise<Replacement> {
  const end = new Date(now.getTime() + overlapMs).toISOString();
  for (;;) {
    const previous = await keys.findCurrent(id);
    if (previous === undefined || !isUsable(previous, now)) return { kind: 'ended' };
    if (previous.replacedBy !== null) return { kind: 'replaced before', replacedBy: previous.replacedBy };
    const issued = makeKey(previous.owner, now.toISOString(), expiresAt ?? previous.expiresAt, {
      ...previous,
      replaces: id,
    });
    const replacedBy = issued.record.id;
    const previousExpiresAt = previous.expiresAt !== null && previous.expiresAt < end ? previous.expiresAt : end;
    const isReplaced = await keys.replace(id, issued.record, (stored) => {
      // A store that got no response to a write retries it, and then sees that the key is already replaced.
      if (stored.replacedBy === replacedBy) return stored;
      return isDeepStrictEqual(stored, previous)
        ? { ...previous, replacedBy, expiresAt: previousExpiresAt }
        : undefined;
    });
    if (isReplaced) return { kind: 'replaced', issued, previousExpiresAt };
  }
}

/**
 * Revokes the chains of some keys. A key that was already revoked keeps its earlier time. Returns the ids of the
 * changed keys.
 */
export function revokeChain(keys: KeyStore, ids: readonly string[], at: string): Promise<readonly string[]> {
  return changeChain(keys, ids, (key) => markRevoked(key, at));
}

/**
 * Revokes a key and the keys that it replaced, but not the keys that replaced it. Returns the ids of the changed keys.
 */
export function revokeReplaced(keys: KeyStore, id: string, at: string): Promise<readonly string[]> {
  return changeChain(keys, [id], (key) => markRevoked(key, at), false);
}

/**
 * Sets the limits of the chains of some keys, from the next lookup of each key on. Returns the ids of the changed keys.
 */
export function limitChain(keys: KeyStore, ids: readonly string[], limits: KeyLimits): Promise<readonly string[]> {
  return changeChain(keys, ids, (key) => setLimits(key, limits));
}

/**
 * Changes some keys, the keys that replaced them, and the keys that they replaced. Goes back only to the first key that
 * was already revoked, because all keys before it are revoked, too. Reads `replacedBy` together with the change, so
 * that a simultaneous rotation is not missed.
 */
export async function changeChain(
  keys: KeyStore,
  ids: readonly string[],
  update: (key: KeyRecord) => KeyRecord,
  includesReplacements = true,
): Promise<readonly string[]> {
  const visited = new Set(ids);
  const changedIds: string[] = [];
  // A Set also iterates over elements added during the iteration.
  for (const id of visited) {
    let before: KeyRecord | undefined;
    const key = await keys.change(id, (stored) => {
      before = stored;
      return update(stored);
    });
    if (key === undefined || before === undefined) continue;
    changedIds.push(id);
    if (includesReplacements && key.replacedBy !== null) visited.add(key.replacedBy);
    if (key.replaces !== null && before.revokedAt === null) visited.add(key.replaces);
  }
  return changedIds;
}

/**
 * Lists the ids of the chain of a key, the key itself first; empty if the key does not exist. `all` are all keys of a
 * store. Also finds links that `replacedBy` lacks, because older versions did not set it when an operator rotated a
 * key.
 */
export function listChain(all: readonly KeyRecord[], id: string): readonly string[] {
  const byId = new Map(all.map((key) => [key.id, key]));
  if (!byId.has(id)) return [];
  const replacements = Map.groupBy(all, ({ replaces }) => replaces);
  const chain = new Set([id]);
  for (const member of chain) {
    const previous = byId.get(member)?.replaces ?? null;
    if (previous !== null && byId.has(previous)) chain.add(previous);
    for (const replacement of replacements.get(member) ?? []) chain.add(replacement.id);
  }
  return [...chain];
}
