// Shows characters in findings as code points, because many of them are invisible.

/** Returns the code point, for example `U+00AD`. */
export function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
