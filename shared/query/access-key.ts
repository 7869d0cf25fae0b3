// The access key as a parameter (D30), and how keys are kept out of whatever repeats what a client sent.

import { success } from '../values/result';
import type { Parameter } from './parameter';

/** A key or a part of one, escaped or not: errors, logs and links must not repeat it (D30). */
export const KEY_TRACE = /(w|%77)(d|%64)(k|%6b)(_|%5f)[^\s&"'<>]*/gi;

/** Read before all other parameters, and never repeated in an error. */
export const accessKey: Parameter<string> = {
  name: 'key',
  synonyms: [],
  isRepeatable: false,
  type: 'string',
  meaning: 'The access key; the header X-API-Key is the better place for it, and wins.',
  example: 'YOUR-KEY',
  read: success,
};

/** The beginning of a client's text, at most `maxLength` characters of it, with keys blotted out (D30). */
export function shownText(text: string, maxLength: number): string {
  const cut = withoutKeys(text).slice(0, maxLength);
  // A character of two UTF-16 units is shown whole or not at all.
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** The text with every key, or what may be a part of one, blotted out (D30). */
export function withoutKeys(text: string): string {
  return text.replaceAll(KEY_TRACE, '[key]');
}
