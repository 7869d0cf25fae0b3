// Folding: texts that a filter treats as equal fold to the same text (D8, D9, D12). Both the query's value and the
// record's value are folded.

/** Trims, composes (NFC), lowers the case and makes each run of white space one space (D8). */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ');
}

/** Folds as `foldText` does, and removes white space, commas, underscores, hyphens and slashes (D9). */
export function foldVariable(text: string): string {
  return foldText(text).replace(/[\s,_\-/]+/g, '');
}

/** Folds as `foldText` does, and ignores a trailing "County" (D12). */
export function foldCounty(text: string): string {
  const folded = foldText(text);
  return folded.endsWith(' county') ? folded.slice(0, -' county'.length) : folded;
}

/**
 * The words of a name, by which it is found (D60): without letter case and diacritics. Whatever is no letter or digit
 * parts words, but an apostrophe inside one vanishes.
 */
export function splitWords(text: string): readonly string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '');
  return plain.replace(/(?<=[\p{L}\p{N}])['’ʼ](?=[\p{L}\p{N}])/gu, '').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Its words with a space between: two names with the same are equal but for their bytes. */
export function foldName(name: string): string {
  return splitWords(name).join(' ');
}
