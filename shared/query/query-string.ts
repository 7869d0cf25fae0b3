// Splits a query string into names and values.

export interface QueryItem {
  readonly name: string;
  readonly value: string;
  /** Whether a percent escape could not be decoded. Name and value are then as sent. */
  readonly isBroken: boolean;
}

/**
 * Splits the query of a URL, without its question mark. URLSearchParams would turn a broken escape into a replacement
 * character, and a filter by that text would find nothing without saying why.
 */
export function splitQuery(query: string): readonly QueryItem[] {
  const items = query.split('&').filter((item) => item !== '');
  return items.map(readItem);
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
