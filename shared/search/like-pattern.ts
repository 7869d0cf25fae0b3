// Patterns of LIKE: `%` stands for any text, `_` for any one character, and a backslash makes the next character stand
// for itself. They never become regular expressions: a match takes at most the length of the text times that of the
// pattern, whatever a client sends.

/** The characters between two `%` signs; `undefined` for any one character. */
type Segment = readonly (string | undefined)[];

/**
 * The first segment must be at the beginning of the text and the last at its end. Each one between is matched at its
 * first occurrence after the one before.
 */
export function createPatternMatcher(pattern: string): (text: string) => boolean {
  const [first = [], ...others] = parsePattern(pattern);
  const last = others.pop();
  return (text) => {
    const characters = Array.from(text);
    if (!matchesAt(first, characters, 0)) return false;
    if (last === undefined) return characters.length === first.length;
    let from = first.length;
    for (const segment of others) {
      while (from + segment.length <= characters.length && !matchesAt(segment, characters, from)) from++;
      from += segment.length;
    }
    const lastFrom = characters.length - last.length;
    return lastFrom >= from && matchesAt(last, characters, lastFrom);
  };
}

function matchesAt(segment: Segment, characters: readonly string[], from: number): boolean {
  if (from + segment.length > characters.length) return false;
  return segment.every((character, index) => character === undefined || character === characters[from + index]);
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
