// Encodes keys of records as strings. Sorting the strings by their UTF-8 bytes sorts the keys part by part (D17).

/**
 * Encodes a key as one string. Sorting such strings by UTF-8 bytes sorts the keys part by part, missing parts first
 * (D17).
 */
export function buildSortableKey(parts: readonly (string | null)[]): string {
  const texts = parts.map((part) => part ?? '');
  const isPlain = !HAS_LOWEST_CHARACTERS.test(texts.join(''));
  return (isPlain ? texts : texts.map(escapeLowestCharacters)).join(SEPARATOR);
}

const SEPARATOR = '\u0001';
const LOWEST_CHARACTERS = ['\u0000', SEPARATOR, '\u0002'] as const;
const HAS_LOWEST_CHARACTERS = new RegExp(`[${LOWEST_CHARACTERS.join('')}]`);

/** Escapes the separator and the characters below it, preserving their order. */
function escapeLowestCharacters(part: string): string {
  return LOWEST_CHARACTERS.reduceRight((text, character, index) => text.replaceAll(character, `\u0002${index}`), part);
}
