// Patterns of LIKE: `%` stands for any text, `_` for any one character, and a backslash makes the next character stand
// for itself. They never become regular expressions: a match takes at most the length of the text times that of the
// pattern, whatever a client sends, and looks at the deadline of the request.

import { getCurrentDeadline } from '../store/deadline';

/** The characters between two `%` signs; `undefined` for any one character. */
type Segment = readonly (string | undefined)[];

/**
 * The first segment must be at the beginning of the text and the last at its end. Each one between is matched at its
 * first occurrence after the one before.
 */
export function createPatternMatcher(pattern: string): (text: string) => boolean {
  const [first = [], ...others] = parsePattern(pattern);
  const last = others.pop();
  const minLength = [first, ...others, last ?? []].reduce((sum, segment) => sum + segment.length, 0);
  return (text) => {
    if (text.length < minLength) return false;
    const characters = Array.from(text);
    if (!matchesAt(first, characters, 0)) return false;
    if (last === undefined) return characters.length === first.length;
    let from = first.length;
    for (const segment of others) {
      const start = findSegment(segment, characters, from);
      if (start === undefined) return false;
      from = start + segment.length;
    }
    const lastFrom = characters.length - last.length;
    return lastFrom >= from && matchesAt(last, characters, lastFrom);
  };
}

/** Comparisons of characters between two looks at the deadline: some milliseconds at most. */
const COMPARISONS_AT_ONCE = 1_000_000;

/** The first occurrence at or after `from`. Throws DeadlinePassedError. */
function findSegment(segment: Segment, characters: readonly string[], from: number): number | undefined {
  const startsAtOnce = Math.ceil(COMPARISONS_AT_ONCE / (segment.length + 1));
  const lastStart = characters.length - segment.length;
  for (let start = from; start <= lastStart; start++) {
    if (matchesAt(segment, characters, start)) return start;
    if ((start - from) % startsAtOnce === startsAtOnce - 1) getCurrentDeadline().check();
  }
  return undefined;
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
