// Splits a query string, or a body of the same form, into names and values.

export interface QueryItem {
  readonly name: string;
  readonly value: string;
  /** Whether a percent escape could not be decoded. Name and value are then as sent. */
  readonly isBroken: boolean;
  /** Whether it comes from the body of a POST, where no access key is accepted (D68). */
  readonly isInBody?: boolean;
}

/**
 * Splits the query of a URL, without its question mark. URLSearchParams would turn a broken escape into a replacement
 * character, and a filter by that text would find nothing without saying why.
 */
export function splitQuery(query: string): readonly QueryItem[] {
  const items = query.split('&').filter((item) => item !== '');
  return items.map(readItem);
}

/** Splits a body of the type `application/x-www-form-urlencoded`. It may have UTF-8 that is not percent-encoded. */
export function splitBody(body: Uint8Array): readonly QueryItem[] {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const encoded = text.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  return splitQuery(encoded).map((item): QueryItem => ({ ...item, isInBody: true }));
}

function readItem(item: string): QueryItem {
  const equalsSign = item.indexOf('=');
  const rawName = equalsSign === -1 ? item : item.slice(0, equalsSign);
  const rawValue = equalsSign === -1 ? '' : item.slice(equalsSign + 1);
  const [name, value] = [rawName, rawValue].map((text) => decodeEscapes(text.replaceAll('+', ' ')));
  return { name: name ?? rawName, value: value ?? rawValue, isBroken: name === undefined || value === undefined };
}

/** Decodes percent escapes. Undefined if one is broken. */
export function decodeEscapes(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
