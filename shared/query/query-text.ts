// The query string as it was sent: names and values, decoded strictly. URLSearchParams would turn a broken escape into
// a replacement character, and a filter by that text would find nothing without saying why.

export interface QueryItem {
  readonly name: string;
  readonly value: string;
  /** Set when the escapes could not be decoded; name and value are then as sent. */
  readonly isBroken: boolean;
}

/** `text` is what follows the question mark of a URL, or empty. */
export function splitQuery(text: string): readonly QueryItem[] {
  return text
    .split('&')
    .filter((piece) => piece !== '')
    .map(readPiece);
}

function readPiece(piece: string): QueryItem {
  const equals = piece.indexOf('=');
  const rawName = equals === -1 ? piece : piece.slice(0, equals);
  const rawValue = equals === -1 ? '' : piece.slice(equals + 1);
  const name = decode(rawName);
  const value = decode(rawValue);
  const isBroken = name === undefined || value === undefined;
  return { name: name ?? rawName, value: value ?? rawValue, isBroken };
}

function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
