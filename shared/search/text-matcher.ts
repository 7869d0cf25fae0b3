// Whether a text meets a test: equal to one of some, with one of some in it, like a pattern, or between two others.
// Each takes time linear in the texts: a pattern of a client never becomes a regular expression.

import type { TextTest } from '../query/condition';
import type { VocabularyValue } from '../query/vocabulary';
import { compareUtf8, foldText } from '../values/text';

export type Matcher = (text: string) => boolean;

/** Tests texts as they were submitted. */
export function createTextMatcher(test: TextTest): Matcher {
  const matches = createFoldedMatcher(test);
  return test.isFolded ? (text) => matches(foldText(text)) : matches;
}

/** Tests texts that are folded already where the test says so. */
export function createFoldedMatcher(test: TextTest): Matcher {
  const folded = test.isFolded ? foldText : (value: string): string => value;
  switch (test.kind) {
    case 'one of': {
      const values = new Set(test.values.map(folded));
      return (text) => values.has(text);
    }
    case 'contains': {
      const parts = test.values.map(folded);
      return (text) => parts.some((part) => text.includes(part));
    }
    case 'like':
      return createPatternMatcher(test.isFolded ? test.pattern.normalize('NFC').toLowerCase() : test.pattern);
    case 'between': {
      const { min: least, max: most } = test;
      const low = least && folded(least.value);
      const high = most && folded(most.value);
      return (text) =>
        (low === undefined || isBefore(low, text, least?.isIncluded === true)) &&
        (high === undefined || isBefore(text, high, most?.isIncluded === true));
    }
  }
}

/** By ordinal, which begins at 1: one byte for each value. */
export interface MatchedValues {
  /** 1 where all spellings of the value match. */
  readonly full: Uint8Array;
  /** 1 where some of its spellings match and others do not. */
  readonly partial: Uint8Array;
}

export function matchValues(values: readonly VocabularyValue[], matches: Matcher): MatchedValues {
  const wholes = new Uint8Array(values.length + 1);
  const parts = new Uint8Array(values.length + 1);
  values.forEach((value, index) => {
    const spellings = listSpellings(value);
    const matching = spellings.filter(matches).length;
    wholes[index + 1] = Number(matching === spellings.length);
    parts[index + 1] = Number(matching > 0 && matching < spellings.length);
  });
  return { full: wholes, partial: parts };
}

export function listSpellings([value, , others = []]: VocabularyValue): readonly string[] {
  return [value, ...others];
}

/** By UTF-8 bytes. */
function isBefore(a: string, b: string, mayBeEqual: boolean): boolean {
  const order = compareUtf8(a, b);
  return order < 0 || (mayBeEqual && order === 0);
}

/** A part of a pattern: characters that must be there, `undefined` for any one. */
type PatternSegment = readonly (string | undefined)[];

/**
 * The pieces between the `%` signs must follow one another: the first at the beginning, the last at the end, each other
 * at its first place. Time is at most the length of the text times that of the pattern.
 */
function createPatternMatcher(pattern: string): Matcher {
  const [first = [], ...others] = parsePattern(pattern);
  const last = others.pop();
  return (text) => {
    const characters = Array.from(text);
    if (!matchesAt(first, characters, 0)) return false;
    if (last === undefined) return characters.length === first.length;
    let from = first.length;
    for (const piece of others) {
      while (from + piece.length <= characters.length && !matchesAt(piece, characters, from)) from++;
      from += piece.length;
    }
    const end = characters.length - last.length;
    return end >= from && matchesAt(last, characters, end);
  };
}

function matchesAt(piece: PatternSegment, characters: readonly string[], from: number): boolean {
  if (from + piece.length > characters.length) return false;
  return piece.every((character, index) => character === undefined || character === characters[from + index]);
}

function parsePattern(pattern: string): readonly PatternSegment[] {
  const pieces: (string | undefined)[][] = [[]];
  let isEscaped = false;
  for (const character of pattern) {
    if (isEscaped || !/[\\%_]/.test(character)) pieces.at(-1)?.push(character);
    else if (character === '%') pieces.push([]);
    else if (character === '_') pieces.at(-1)?.push(undefined);
    isEscaped = !isEscaped && character === '\\';
  }
  return pieces;
}
