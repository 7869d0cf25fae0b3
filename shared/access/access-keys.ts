// Access keys (D30): random, shown once, stored as a hash, compared in constant time.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyLimits, KeyRecord } from '../store/catalog-types';
import type { KeyStore } from '../store/service-documents';

export interface IssuedKey {
  readonly record: KeyRecord;
  /** The key itself. It is not stored, so an owner who loses the key needs a new one. */
  readonly key: string;
}

/** Identifies the caller and its limits. */
type AcceptedKey = Pick<KeyRecord, 'id' | 'chainId' | 'mayReadMetrics' | 'submits' | keyof KeyLimits>;

/** Why a key is refused (D55). A malformed key counts as unknown. */
export type KeyFault = 'missing' | 'unknown' | 'revoked' | 'expired';

const ID_BYTES = 6;
/** The length of the id in base64 characters. */
const ID_LENGTH = 8;
const SECRET_BYTES = 32;
const KEY_PREFIX = 'wdk_';
const KEY_SHAPE = new RegExp(`^${KEY_PREFIX}[A-Za-z0-9]{${ID_LENGTH}}_[A-Za-z0-9_-]{43}$`);

/** The development key, as usage counts identify it. It has no stored record. */
const DEVELOPMENT: AcceptedKey = {
  id: 'development',
  chainId: 'development',
  requestsPerMinute: null,
  recordsPerMinute: null,
  mayReadMetrics: true,
};

/**
 * `expiresAt` is the first moment at which the key is no longer valid (ISO 8601, UTC); null if the key never expires.
 */
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

/** Whether a string has the form of an access key: an id and a secret (D30). */
export function isKeyText(text: string): boolean {
  return KEY_SHAPE.test(text);
}

/** Returns the id that a key contains. */
export function readKeyId(key: string): string {
  return key.slice(KEY_PREFIX.length, KEY_PREFIX.length + ID_LENGTH);
}

/**
 * Checks a key. Reports that it was revoked or has expired only if the whole key is correct, so that someone who
 * guesses keys does not learn it.
 */
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
 * Revokes one key, without the other keys of its rotation chain. A key that was already revoked keeps its earlier time.
 * This function and the two below resolve to false if the key does not exist.
 */
export async function revokeKey(keys: KeyStore, id: string, at: string): Promise<boolean> {
  return (await keys.change(id, (key) => markRevoked(key, at))) !== undefined;
}

/** Marks a key as revoked at a time (ISO 8601, UTC), unless it is already revoked. */
export function markRevoked(key: KeyRecord, at: string): KeyRecord {
  return { ...removePerson(key), revokedAt: key.revokedAt ?? at };
}

/**
 * Removes the owner's name from a self-service key (D56). A name that an operator entered is kept, because it is the
 * operator's to remove.
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

/** Sets the limits of a key, from its next lookup on. */
export async function limitKey(keys: KeyStore, id: string, limits: KeyLimits): Promise<boolean> {
  return (await keys.change(id, (key) => setLimits(key, limits))) !== undefined;
}

export function setLimits(key: KeyRecord, { requestsPerMinute, recordsPerMinute }: KeyLimits): KeyRecord {
  return { ...key, requestsPerMinute, recordsPerMinute };
}

/**
 * Compares keys, or their hashes, in constant time: for strings of the same length, the time does not depend on where
 * they differ.
 */
function areEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
