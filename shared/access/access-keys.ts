// Access keys (D30): random, shown once, stored as a hash, compared in constant time.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyLimits, KeyRecord } from '../store/catalog-types';
import type { KeyStore } from '../store/service-documents';

export interface IssuedKey {
  readonly record: KeyRecord;
  /** The key itself. It is not stored, so an owner who loses it needs a new one. */
  readonly key: string;
}

/** Identifies the caller and its limits. */
type AcceptedKey = Pick<KeyRecord, 'id' | 'chainId' | 'mayReadMetrics' | 'submits' | keyof KeyLimits>;

/** Why a key is refused (D55). A malformed key counts as unknown. */
export type KeyFault = 'missing' | 'unknown' | 'revoked' | 'expired';

const ID_BYTES = 6;
/** The characters of the id in base64. */
const ID_LENGTH = 8;
const SECRET_BYTES = 32;
const KEY_PREFIX = 'wdk_';
const KEY_SHAPE = new RegExp(`^${KEY_PREFIX}[A-Za-z0-9]{${ID_LENGTH}}_[A-Za-z0-9_-]{43}$`);

/** Identifies the development key, which has no record, in usage counts. */
const DEVELOPMENT: AcceptedKey = {
  id: 'development',
  chainId: 'development',
  requestsPerMinute: null,
  recordsPerMinute: null,
  mayReadMetrics: true,
};

/** `expiresAt` is the first moment, ISO 8601 UTC, at which the key is no longer valid; null if it never expires. */
export function makeKey(
  owner: string,
  issuedAt: string,
  expiresAt: string | null,
  options: Partial<
    Pick<KeyRecord, keyof KeyLimits | 'replaces' | 'chainId' | 'mayReadMetrics' | 'submits' | 'email'>
  > = {},
): IssuedKey {
  const id = randomBytes(ID_BYTES).toString('base64url').replaceAll(/[-_]/g, 'x');
  const key = `${KEY_PREFIX}${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const { requestsPerMinute = null, recordsPerMinute = null, replaces = null } = options;
  const { chainId = id, mayReadMetrics = false, submits, email = null } = options;
  const limits = { requestsPerMinute, recordsPerMinute };
  const stored = { id, hash: hash('sha256', key), owner, issuedAt, expiresAt, revokedAt: null };
  const rights = { mayReadMetrics, ...(submits === undefined ? {} : { submits }) };
  return { key, record: { ...stored, ...limits, replaces, replacedBy: null, chainId, ...rights, email } };
}

/** Whether a text looks like an access key: an id and a secret (D30). */
export function isKeyText(text: string): boolean {
  return KEY_SHAPE.test(text);
}

/** The id in the text of a key. */
export function readKeyId(key: string): string {
  return key.slice(KEY_PREFIX.length, KEY_PREFIX.length + ID_LENGTH);
}

/** Reports that a key was revoked or has expired only if the whole key is correct, so that nobody else learns it. */
export async function checkKey(
  key: string,
  keys: Pick<KeyStore, 'find'>,
  now: Date,
  developmentKey: string | undefined,
): Promise<AcceptedKey | KeyFault> {
  if (key === '') return 'missing';
  if (!isKeyText(key)) return 'unknown';
  if (developmentKey !== undefined && areEqual(key, developmentKey)) return DEVELOPMENT;
  const record = await keys.find(readKeyId(key));
  if (record === undefined || !areEqual(hash('sha256', key), record.hash)) return 'unknown';
  if (record.revokedAt !== null) return 'revoked';
  return isUsable(record, now) ? record : 'expired';
}

export function isUsable({ revokedAt, expiresAt }: KeyRecord, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || now.toISOString() < expiresAt);
}

/**
 * Revokes one key, without its chain of rotations. A key that was already revoked keeps its earlier time. This function
 * and the two below resolve to false if the key does not exist.
 */
export async function revokeKey(keys: KeyStore, id: string, at: string): Promise<boolean> {
  return (await keys.change(id, (key) => markRevoked(key, at))) !== undefined;
}

/** Marks a key as revoked at a time (ISO 8601, UTC), unless it is already revoked. */
export function markRevoked(key: KeyRecord, at: string): KeyRecord {
  return { ...removePerson(key), revokedAt: key.revokedAt ?? at };
}

/**
 * Removes the name of the owner from a self-service key (D56). Owners that an operator named are kept, because they are
 * up to the operator.
 */
export function removePerson(key: KeyRecord): KeyRecord {
  return key.email === null ? key : { ...key, owner: '', email: '' };
}

/** Makes a key expire at a time (ISO 8601, UTC), unless it expires earlier. */
export async function expireKey(keys: KeyStore, id: string, at: string): Promise<boolean> {
  const changed = await keys.change(id, (key) => {
    const isEarlier = key.expiresAt !== null && key.expiresAt < at;
    return { ...key, expiresAt: isEarlier ? key.expiresAt : at };
  });
  return changed !== undefined;
}

/** Sets the limits of a key. They apply from the next lookup of the key on. */
export async function limitKey(keys: KeyStore, id: string, limits: KeyLimits): Promise<boolean> {
  return (await keys.change(id, (key) => setLimits(key, limits))) !== undefined;
}

export function setLimits(key: KeyRecord, { requestsPerMinute, recordsPerMinute }: KeyLimits): KeyRecord {
  return { ...key, requestsPerMinute, recordsPerMinute };
}

/** Compares keys, or their hashes, in a time that does not depend on where two texts of the same length differ. */
function areEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
