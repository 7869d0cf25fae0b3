// Names characters in findings by their code point, because many of them cannot be seen.

/** Such as `U+00AD`. */
export function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
