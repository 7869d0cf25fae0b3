// Folding: texts that a filter treats as equal fold to the same text (D8, D9, D12). Both the query's value and the
// record's value are folded.

/** Trims, composes (NFC), lowers the case and collapses white space (D8). */
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
 * The words by which a name is found (D60), without letter case and diacritics. Characters other than letters and
 * digits separate words, but an apostrophe inside a word is dropped.
 */
export function splitWords(text: string): readonly string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '');
  return plain.replace(/(?<=[\p{L}\p{N}])['’ʼ](?=[\p{L}\p{N}])/gu, '').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of a name, separated by spaces. Names with equal results are treated as equal. */
export function foldName(name: string): string {
  return splitWords(name).join(' ');
}
