// The terms of the index of names (D60, ADR 0059): which terms a place or a right has, and which prefixes and terms a
// search looks for.

import { splitWords } from '../../values/fold-text';

/**
 * What a term begins with: a word of a name, followed by a space and its position; the number of words of a name; a word
 * of an identifier of several words; or a whole identifier.
 */
const MARKS = { name: 'n', wordCount: 'c', identifier: 'i', oneWord: '1', severalWords: '2' } as const;

/** Positions and counts are encoded as a character: this code plus the number. */
const FIRST_POSITION = 0x21;

/** The marks of terms that support prefix search. */
const PREFIX_SEARCH_MARKS: readonly string[] = [MARKS.name, MARKS.identifier, MARKS.oneWord];

/** Builds the distinct terms of a place or a right. Native identifiers count as much as universal identifiers. */
export function buildNameTerms(name: string | null, identifiers: readonly (string | null)[]): Iterable<string> {
  const nameWords = splitWords(name ?? '');
  const terms = new Set(nameWords.map((word, position) => addPosition(MARKS.name + word, position)));
  if (nameWords.length > 0) terms.add(toWordCountTerm(nameWords.length));
  for (const identifier of identifiers) {
    const words = splitWords(identifier ?? '');
    if (words.length === 0) continue;
    terms.add(toIdentifierTerm(words));
    if (words.length > 1) for (const word of words) terms.add(MARKS.identifier + word);
  }
  return terms;
}

/** Returns the term of the identifiers that are equal to the words. */
export function toIdentifierTerm(words: readonly string[]): string {
  return (words.length === 1 ? MARKS.oneWord : MARKS.severalWords) + words.join(' ');
}

export function toWordCountTerm(words: number): string {
  return MARKS.wordCount + String.fromCharCode(FIRST_POSITION + words);
}

/**
 * Returns the prefixes of all terms for which a word of a name, or of an identifier, begins with the text. Prefixes of
 * names come first.
 */
export function toSearchPrefixes(text: string): readonly string[] {
  return PREFIX_SEARCH_MARKS.map((mark) => mark + text);
}

/** Returns the prefix of all terms for this word of a name, at any position. */
export function toWholeWordPrefix(word: string): string {
  return `${MARKS.name}${word} `;
}

/** Only words of names have a position. The prefixes of other terms are returned unchanged. */
export function addPosition(prefix: string, position: number): string {
  return isNameTerm(prefix) ? `${prefix} ${String.fromCharCode(FIRST_POSITION + position)}` : prefix;
}

/** Reads the position of the word in a name; 0 for other terms. */
export function readPosition(term: string): number {
  return isNameTerm(term) ? term.charCodeAt(term.length - 1) - FIRST_POSITION : 0;
}

function isNameTerm(term: string): boolean {
  return term.startsWith(MARKS.name);
}

/** Whether this kind of term supports a search by its beginning. */
export function supportsPrefixSearch(term: string): boolean {
  return PREFIX_SEARCH_MARKS.includes(term.charAt(0));
}
