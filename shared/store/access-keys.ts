// Access keys (D30): random, shown once, stored as a hash, compared in constant time.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { KEY_TEXT } from '../parameters/paging-and-access';
import type { KeyRecord } from './catalog-types';
import type { KeyStore } from './port';

export interface IssuedKey {
  readonly record: KeyRecord;
  /** The key itself; it cannot be had again. */
  readonly key: string;
}

const ID_BYTES = 6;
const SECRET_BYTES = 32;
const WHOLE_KEY = new RegExp(`^${KEY_TEXT.source}$`);

/** `expiresAt` is the first moment, ISO 8601 UTC, at which the key is no longer good. */
export function makeKey(owner: string, issuedAt: string, expiresAt: string | null): IssuedKey {
  const id = randomBytes(ID_BYTES).toString('base64url').replaceAll(/[-_]/g, 'x');
  const key = `wdk_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { key, record: { id, hash: hashOf(key), owner, issuedAt, expiresAt, revokedAt: null } };
}

export function isKeyText(text: string): boolean {
  return WHOLE_KEY.test(text);
}

/** Whether a key is known, not expired and not revoked. All four refusals look the same from outside. */
export async function isAccepted(
  key: string,
  keys: KeyStore,
  now: Date,
  developmentKey: string | undefined,
): Promise<boolean> {
  if (!isKeyText(key)) return false;
  const hash = hashOf(key);
  if (developmentKey !== undefined && equalHashes(hash, hashOf(developmentKey))) return true;
  const record = await keys.find(key.slice('wdk_'.length, 'wdk_'.length + 8));
  if (record === undefined || !equalHashes(hash, record.hash)) return false;
  return record.revokedAt === null && (record.expiresAt === null || now.toISOString() < record.expiresAt);
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function equalHashes(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));
}
