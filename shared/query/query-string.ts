// Splits a query string, or a body of the same form, into names and values.

import { isUtf8 } from 'node:buffer';

export interface QueryItem {
  readonly name: string;
  readonly value: string;
  /** Whether a percent escape could not be decoded. If so, name and value are as sent. */
  readonly isBroken: boolean;
  /** Whether the parameter was in the body of a POST, where no access key is accepted (D68). */
  readonly isInBody?: boolean;
}

/**
 * Splits the query of a URL (without the question mark). Does not use URLSearchParams, which turns a broken escape into
 * a replacement character: a filter with such a value would match nothing, and no error would say why.
 */
export function splitQuery(query: string): readonly QueryItem[] {
  const items = query.split('&').filter((item) => item !== '');
  return items.map(readItem);
}

/** Counts the parameters in a query string. Stops at `limit`. */
export function countParameters(query: string, limit: number): number {
  let count = 0;
  for (let start = 0; start < query.length && count < limit;) {
    const separator = query.indexOf('&', start);
    const end = separator === -1 ? query.length : separator;
    if (end > start) count++;
    start = end + 1;
  }
  return count;
}

/** Splits a body of type `application/x-www-form-urlencoded`, read as a string. */
export function splitBody(body: string): readonly QueryItem[] {
  return splitQuery(body).map((item): QueryItem => ({ ...item, isInBody: true }));
}

/**
 * Reads a form body as a string. The body may contain UTF-8 that is not percent-encoded. In a body that is not valid
 * UTF-8, all bytes above 127 become percent escapes, which are rejected when parameters are read.
 */
export function readBodyText(body: Uint8Array): string {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return isUtf8(buffer) ? buffer.toString() : escapeHighBytes(buffer);
}

const PERCENT_SIGN = 0x25;
const HEX_DIGITS = '0123456789abcdef';

/** Loops over bytes, because calling a replacement function for each byte would take 0.2 seconds per megabyte. */
function escapeHighBytes(body: Buffer): string {
  const escaped = Buffer.alloc(3 * body.length);
  let length = 0;
  for (const byte of body) {
    if (byte < 0x80) {
      escaped[length] = byte;
      length++;
    } else {
      escaped[length] = PERCENT_SIGN;
      escaped[length + 1] = HEX_DIGITS.charCodeAt(byte >> 4);
      escaped[length + 2] = HEX_DIGITS.charCodeAt(byte & 0xf);
      length += 3;
    }
  }
  return escaped.toString('latin1', 0, length);
}

function readItem(item: string): QueryItem {
  const equalsSign = item.indexOf('=');
  const rawName = equalsSign === -1 ? item : item.slice(0, equalsSign);
  const rawValue = equalsSign === -1 ? '' : item.slice(equalsSign + 1);
  const [name, value] = [rawName, rawValue].map((text) => decodeEscapes(text.replaceAll('+', ' ')));
  return { name: name ?? rawName, value: value ?? rawValue, isBroken: name === undefined || value === undefined };
}

/** Decodes percent escapes. Undefined if an escape is broken. */
export function decodeEscapes(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
