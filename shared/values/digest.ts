// Names derived from content: releases, catalog states and boundaries are named by the digest of their content.

import { createHash, type Hash, hash } from 'node:crypto';

/**
 * 128 bits in hexadecimal: short enough for a URL, and enough to make a collision among millions of names practically
 * impossible.
 */
const NAME_LENGTH = 32;

/** The syntax of every release id and data version. */
export const DIGEST_NAME = /^[0-9a-f]{32}$/;

export function startDigest(): Hash {
  return createHash('sha256');
}

/** Ends a digest that was started by startDigest and returns the name. */
export function finishDigest(digest: Hash): string {
  return digest.digest('hex').slice(0, NAME_LENGTH);
}

/** Returns the name of a string or of bytes. */
export function digestContent(text: string | Uint8Array): string {
  return hash('sha256', text).slice(0, NAME_LENGTH);
}
