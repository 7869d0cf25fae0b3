// Folding: texts that a filter treats as equal fold to the same text (D8, D9, D12). Both the query's value and the
// record's value are folded.

/** Marks, without the joiner that `normalizeText` inserts, so that normalizing twice changes nothing. */
const LONG_RUN_OF_MARKS = /[^\P{M}\u034f]{30}(?=[^\P{M}\u034f])/gu;

const GRAPHEME_JOINER = '\u034f';

/**
 * Normalizes in linear time. `normalize` sorts the marks of a letter, which takes the square of their number, so a run
 * of more than 30 is split by a joiner (Stream-Safe Text Format, Unicode Standard Annex 15). No language has such runs.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  if (!BEYOND_ASCII.test(text)) return text;
  return text.replace(LONG_RUN_OF_MARKS, `$&${GRAPHEME_JOINER}`).normalize(form);
}

/**
 * Matches characters outside of ASCII. ASCII needs no normalization; nearly all texts are ASCII, and skipping them
 * saves 2 percent of the time of a load.
 */
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Trims, composes (NFC), lowers the case and collapses white space (D8). */
export function foldText(text: string): string {
  return normalizeText(text, 'NFC').toLowerCase().trim().replace(/\s+/g, ' ');
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
 * Splits a name into the words by which it is found (D60), ignoring letter case and diacritics. Characters other than
 * letters and digits separate words, but an apostrophe inside a word is dropped.
 */
export function splitWords(text: string): readonly string[] {
  const plain = normalizeText(text.toLowerCase(), 'NFD').replace(/\p{M}+/gu, '');
  return plain.replace(/(?<=[\p{L}\p{N}])['’ʼ](?=[\p{L}\p{N}])/gu, '').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of a name, separated by spaces. Names with equal results are treated as equal. */
export function foldName(name: string): string {
  return splitWords(name).join(' ');
}
