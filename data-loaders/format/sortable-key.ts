// Keys of records as text: sorting the texts by their UTF-8 bytes sorts the keys part by part (D17).

/** A key as one text whose order by UTF-8 bytes is the order of its parts, missing first (D17). */
export function buildSortableKey(parts: readonly (string | null)[]): string {
  const texts = parts.map((part) => part ?? '');
  const isPlain = !HAS_LOWEST_CHARACTERS.test(texts.join(''));
  return (isPlain ? texts : texts.map(escapeLowestCharacters)).join(SEPARATOR);
}

const SEPARATOR = '\u0001';
const LOWEST_CHARACTERS = ['\u0000', SEPARATOR, '\u0002'] as const;
const HAS_LOWEST_CHARACTERS = new RegExp(`[${LOWEST_CHARACTERS.join('')}]`);

/** Escapes the separator. The lowest characters keep their order. */
function escapeLowestCharacters(part: string): string {
  return LOWEST_CHARACTERS.reduceRight((text, character, index) => text.replaceAll(character, `\u0002${index}`), part);
}
