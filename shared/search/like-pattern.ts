// LIKE patterns: `%` stands for any text, `_` for any one character, and a backslash makes the next character literal.
// They are never converted to regular expressions: for any pattern, matching takes about 32 operations for each
// character of the text, and checks the deadline of the request.

import { getCurrentDeadline } from '../store/deadline';

/** The characters between two `%` signs; `undefined` for any one character. */
type Segment = readonly (string | undefined)[];

/**
 * The first segment must be at the beginning of the text and the last at its end. Each segment between them is matched
 * at its first occurrence after the previous segment.
 */
export function createPatternMatcher(pattern: string): (text: string) => boolean {
  const [first = [], ...others] = parsePattern(pattern);
  const last = others.pop();
  const searches = others.filter((segment) => segment.length > 0).map(createSearch);
  const minLength = [first, ...others, last ?? []].reduce((sum, segment) => sum + segment.length, 0);
  return (text) => {
    if (text.length < minLength) return false;
    const characters = Array.from(text);
    if (!matchesAt(first, characters, 0)) return false;
    if (last === undefined) return characters.length === first.length;
    let from = first.length;
    for (const findEnd of searches) {
      const end = findEnd(characters, from);
      if (end === undefined) return false;
      from = end;
    }
    const lastFrom = characters.length - last.length;
    return lastFrom >= from && matchesAt(last, characters, lastFrom);
  };
}

/** Returns the end of the first occurrence that begins at or after `from`. Throws DeadlinePassedError. */
type SegmentSearch = (characters: readonly string[], from: number) => number | undefined;

/** The bits of a word of a bitmap. */
const WORD_BITS = 32;

/** Characters compared between two checks of the deadline: a few milliseconds for the longest segment. */
const CHARACTERS_AT_ONCE = 10_000;

function createSearch(segment: Segment): SegmentSearch {
  return segment.length <= WORD_BITS ? createShortSearch(segment) : createLongSearch(segment);
}

function createShortSearch(segment: Segment): SegmentSearch {
  return (characters, from) => {
    const lastStart = characters.length - segment.length;
    for (let start = from; start <= lastStart; start++) {
      if (matchesAt(segment, characters, start)) return start + segment.length;
      checkDeadline(start - from);
    }
    return undefined;
  };
}

function checkDeadline(count: number): void {
  if (count % CHARACTERS_AT_ONCE === CHARACTERS_AT_ONCE - 1) getCurrentDeadline().check();
}

/**
 * Shift-And (Baeza-Yates and Gonnet, A new approach to text searching, 1992): bit i of the state says whether the first
 * i + 1 characters of the segment match the text that ends here. Each character of the text takes one operation per 32
 * characters of the segment; comparing at every position could take one operation per character.
 */
function createLongSearch(segment: Segment): SegmentSearch {
  const words = Math.ceil(segment.length / WORD_BITS);
  const { anyCharacter, byCharacter } = createMasks(segment, words);
  const lastWord = words - 1;
  const lastBit = 1 << ((segment.length - 1) % WORD_BITS);
  return (characters, from) => {
    const state = new Uint32Array(words);
    for (let index = from; index < characters.length; index++) {
      const mask = byCharacter.get(characters[index] ?? '') ?? anyCharacter;
      let carry = 1;
      for (let word = 0; word < words; word++) {
        const bits = state[word] ?? 0;
        state[word] = ((bits << 1) | carry) & (mask[word] ?? 0);
        carry = bits >>> (WORD_BITS - 1);
      }
      if (((state[lastWord] ?? 0) & lastBit) !== 0) return index + 1;
      checkDeadline(index - from);
    }
    return undefined;
  };
}

/** Bit i of a mask says whether the character may be at position i of the segment. */
function createMasks(
  segment: Segment,
  words: number,
): { readonly anyCharacter: Uint32Array; readonly byCharacter: ReadonlyMap<string, Uint32Array> } {
  const anyCharacter = new Uint32Array(words);
  const setBit = (mask: Uint32Array, position: number): void => {
    const word = Math.floor(position / WORD_BITS);
    mask[word] = (mask[word] ?? 0) | (1 << (position % WORD_BITS));
  };
  segment.forEach((character, position) => {
    if (character === undefined) setBit(anyCharacter, position);
  });
  const byCharacter = new Map<string, Uint32Array>();
  segment.forEach((character, position) => {
    if (character === undefined) return;
    const mask = byCharacter.get(character) ?? anyCharacter.slice();
    setBit(mask, position);
    byCharacter.set(character, mask);
  });
  return { anyCharacter, byCharacter };
}

function matchesAt(segment: Segment, characters: readonly string[], from: number): boolean {
  if (from + segment.length > characters.length) return false;
  for (let index = 0; index < segment.length; index++) {
    const character = segment[index];
    if (character !== undefined && character !== characters[from + index]) return false;
  }
  return true;
}

function parsePattern(pattern: string): readonly Segment[] {
  const segments: (string | undefined)[][] = [[]];
  let isEscaped = false;
  for (const character of pattern) {
    if (isEscaped || !/[\\%_]/.test(character)) segments.at(-1)?.push(character);
    else if (character === '%') segments.push([]);
    else if (character === '_') segments.at(-1)?.push(undefined);
    isEscaped = !isEscaped && character === '\\';
  }
  return segments;
}
