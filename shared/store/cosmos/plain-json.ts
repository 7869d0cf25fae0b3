// Which JSON texts can stand in the container as plain objects and come back with the same bytes.

import { INLINE_BYTES } from './documents';

/** JSON.stringify writes a lone surrogate as an escape; the service keeps texts as UTF-8, which has no lone surrogates. */
const LONE_SURROGATE = /\\ud[89a-f]/i;

/** No data member has this name, and objects made from it would get a prototype. */
const PROTOTYPE = '"__proto__"';

/**
 * The object that a text stands for; undefined where the text is anything else, or would not come back as it was: numbers that
 * no double writes so (-0, 1.0), spaces between members, one name twice.
 */
export function plainObject(json: string): Readonly<Record<string, unknown>> | undefined {
  if (!json.startsWith('{') || Buffer.byteLength(json) > INLINE_BYTES) return undefined;
  if (LONE_SURROGATE.test(json) || json.includes(PROTOTYPE)) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    // A text that starts with a brace is an object.
    return JSON.stringify(value) === json ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** How many bytes a text takes inside a document. */
export function quotedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
