// Keys of records as text: sorting these texts by their UTF-8 bytes sorts the keys part by part (D17).

/** A key as one text. Sorting such texts by UTF-8 bytes sorts the keys by their parts, missing parts first (D17). */
export function buildSortableKey(parts: readonly (string | null)[]): string {
  const texts = parts.map((part) => part ?? '');
  const isPlain = !HAS_LOWEST_CHARACTERS.test(texts.join(''));
  return (isPlain ? texts : texts.map(escapeLowestCharacters)).join(SEPARATOR);
}

const SEPARATOR = '\u0001';
const LOWEST_CHARACTERS = ['\u0000', SEPARATOR, '\u0002'] as const;
const HAS_LOWEST_CHARACTERS = new RegExp(`[${LOWEST_CHARACTERS.join('')}]`);

/** Escapes the separator and the characters below it, keeping their order. */
function escapeLowestCharacters(part: string): string {
  return LOWEST_CHARACTERS.reduceRight((text, character, index) => text.replaceAll(character, `\u0002${index}`), part);
}
