// The parameter for an access key in a query (D30). Errors, logs and links must never repeat the key.

import { success } from '../values/result';
import type { Parameter } from './parameter';

/** Matches a key or part of a key, percent-escaped or not. */
export const KEY_PATTERN = /(w|%77)(d|%64)(k|%6b)(_|%5f)[^\s&"'<>]*/gi;

/** This parameter is read before all others. */
export const accessKey: Parameter<string> = {
  name: 'key',
  type: 'string',
  meaning: 'The access key. Prefer the header X-API-Key, which takes precedence.',
  example: 'YOUR-KEY',
  read: success,
};

/** Returns the first `maxLength` characters of a string from a client, with keys redacted. */
export function shortenForDisplay(text: string, maxLength: number): string {
  const cut = redactKeys(text).slice(0, maxLength);
  // Do not split a surrogate pair.
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** Replaces every key and every part of a key. */
export function redactKeys(text: string): string {
  return text.replaceAll(KEY_PATTERN, '[key]');
}
