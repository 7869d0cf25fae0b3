// Tests whether a text equals or contains one of a list of texts, matches a pattern, or is between two texts. A test
// takes at most the length of the text times the length of the operand.

import type { TextTest } from '../query/condition';
import type { VocabularyValue } from '../query/vocabulary';
import { getCurrentDeadline } from '../store/deadline';
import { compareUtf8 } from '../values/compare-utf8';
import { foldText, normalizeText } from '../values/fold-text';
import { createPatternMatcher } from './like-pattern';

export type Matcher = (text: string) => boolean;

/** Keyed by ordinal, from 1: one byte per value. */
export interface MatchedValues {
  /** 1 where all spellings of the value match. */
  readonly full: Uint8Array;
  /** 1 if some spellings of the value match and others do not. */
  readonly partial: Uint8Array;
}

/** Creates a matcher for texts as submitted. */
export function createTextMatcher(test: TextTest): Matcher {
  const matches = createFoldedMatcher(test);
  return test.isFolded ? (text) => matches(foldText(text)) : matches;
}

/** Creates a matcher for texts that are already folded if the test is folded. */
export function createFoldedMatcher(test: TextTest): Matcher {
  const fold = test.isFolded ? foldText : (value: string): string => value;
  switch (test.kind) {
    case 'one of': {
      const values = new Set(test.values.map(fold));
      return (text) => values.has(text);
    }
    case 'contains': {
      const parts = test.values.map(fold);
      return (text) => parts.some((part) => text.includes(part));
    }
    case 'like':
      return createPatternMatcher(test.isFolded ? normalizeText(test.pattern, 'NFC').toLowerCase() : test.pattern);
    case 'between': {
      const { min, max } = test;
      const minText = min && fold(min.value);
      const maxText = max && fold(max.value);
      return (text) =>
        (minText === undefined || isBefore(minText, text, min?.isIncluded === true)) &&
        (maxText === undefined || isBefore(text, maxText, max?.isIncluded === true));
    }
  }
}

/** Gives way between values. Throws DeadlinePassedError. */
export async function matchValues(values: readonly VocabularyValue[], matches: Matcher): Promise<MatchedValues> {
  const deadline = getCurrentDeadline();
  const full = new Uint8Array(values.length + 1);
  const partial = new Uint8Array(values.length + 1);
  for (const [index, value] of values.entries()) {
    if (deadline.isSliceOver()) await deadline.giveWay();
    const spellings = listSpellings(value);
    const matchCount = spellings.filter(matches).length;
    full[index + 1] = Number(matchCount === spellings.length);
    partial[index + 1] = Number(matchCount > 0 && matchCount < spellings.length);
  }
  return { full, partial };
}

/** Returns a byte per text: 1 for a match. Gives way between texts. Throws DeadlinePassedError. */
export async function matchTexts(texts: readonly string[], matches: Matcher): Promise<Uint8Array> {
  const deadline = getCurrentDeadline();
  const isMatch = new Uint8Array(texts.length);
  for (const [index, text] of texts.entries()) {
    if (deadline.isSliceOver()) await deadline.giveWay();
    isMatch[index] = Number(matches(text));
  }
  return isMatch;
}

export function listSpellings([value, , others = []]: VocabularyValue): readonly string[] {
  return [value, ...others];
}

/** Compares by UTF-8 bytes. */
function isBefore(a: string, b: string, mayBeEqual: boolean): boolean {
  const order = compareUtf8(a, b);
  return order < 0 || (mayBeEqual && order === 0);
}
