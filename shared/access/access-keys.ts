// Access keys (D30): random, shown once, stored as a hash, compared in constant time.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { KEY_TEXT } from '../query/paging-and-access';
import type { KeyLimits, KeyRecord } from '../store/catalog-types';
import type { KeyStore } from '../store/port';

export interface IssuedKey {
  readonly record: KeyRecord;
  /** The key itself; it cannot be had again. */
  readonly key: string;
}

const ID_BYTES = 6;
const SECRET_BYTES = 32;
const WHOLE_KEY = new RegExp(`^${KEY_TEXT.source}$`);

/** What an accepted key may do; null for the service's own limit. */
export type AcceptedKey = Pick<KeyRecord, 'id' | keyof KeyLimits>;

/** It has no record: this stands for it in counts. */
const DEVELOPMENT: AcceptedKey = { id: 'development', requestsPerMinute: null, recordsPerMinute: null };

/** `expiresAt` is the first moment, ISO 8601 UTC, at which the key is no longer good. */
export function makeKey(
  owner: string,
  issuedAt: string,
  expiresAt: string | null,
  own: Partial<Pick<KeyRecord, keyof KeyLimits | 'replaces'>> = {},
): IssuedKey {
  const id = randomBytes(ID_BYTES).toString('base64url').replaceAll(/[-_]/g, 'x');
  const key = `wdk_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const { requestsPerMinute = null, recordsPerMinute = null, replaces = null } = own;
  const limits = { requestsPerMinute, recordsPerMinute };
  return { key, record: { id, hash: hashOf(key), owner, issuedAt, expiresAt, revokedAt: null, ...limits, replaces } };
}

export function isKeyText(text: string): boolean {
  return WHOLE_KEY.test(text);
}

/** The key, if it is known, not expired and not revoked; else undefined: all four refusals look the same from outside. */
export async function acceptedKey(
  key: string,
  keys: KeyStore,
  now: Date,
  developmentKey: string | undefined,
): Promise<AcceptedKey | undefined> {
  if (!isKeyText(key)) return undefined;
  if (developmentKey !== undefined && areEqual(key, developmentKey)) return DEVELOPMENT;
  const record = await keys.find(key.slice('wdk_'.length, 'wdk_'.length + 8));
  return record !== undefined && areEqual(hashOf(key), record.hash) && isAlive(record, now) ? record : undefined;
}

export function isAlive({ revokedAt, expiresAt }: KeyRecord, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || now.toISOString() < expiresAt);
}

function hashOf(key: string): string {
  return hash('sha256', key);
}

/** Of keys, or of their hashes: in a time that says nothing of where two of one length differ. */
function areEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
