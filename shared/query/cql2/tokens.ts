// Splits CQL2 text into tokens.

import { TextProblem } from '../../values/result';

export interface Token {
  readonly kind: 'word' | 'property' | 'string' | 'number' | 'symbol' | 'end';
  /** A word as written, or the content of a quoted string. */
  readonly text: string;
  /** Offset of the first character. */
  readonly start: number;
  /** Offset after the last character. */
  readonly end: number;
}

const SPACE = /\s*/y;

// No character can match two parts of a pattern, so each token is read in one pass without backtracking.
const TOKEN_PATTERNS: readonly (readonly [Token['kind'], RegExp])[] = [
  ['word', /[:_\p{L}][:._\p{L}\p{M}\p{N}]*/uy],
  ['number', /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy],
  ['symbol', /<>|<=|>=|[<>=(),+-]/y],
  ['property', /"(?:[^"]|"")*"/y],
  ['string', /'(?:[^'\\]|''|\\[^])*'/y],
];

/** Reads the first token at or after an offset. Throws a TextProblem if there is none. */
export function readToken(text: string, offset: number): Token {
  const start = offset + (matchAt(SPACE, text, offset) ?? '').length;
  if (start >= text.length) return { kind: 'end', text: '', start: text.length, end: text.length };
  for (const [kind, pattern] of TOKEN_PATTERNS) {
    const match = matchAt(pattern, text, start);
    if (match !== undefined) return { kind, text: unquote(kind, match), start, end: start + match.length };
  }
  const [character = ''] = text.slice(start, start + 2);
  const problem = /['"]/.test(character) ? `the quote ${character} is not closed` : `${character} is not allowed here`;
  throw new TextProblem(`at character ${start + 1}: ${problem}`);
}

function matchAt(pattern: RegExp, text: string, offset: number): string | undefined {
  // A sticky pattern keeps its own offset, which must be set before each use.
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}

/** Within a string, a quote is escaped by doubling it or with a backslash. Other backslashes are literal. */
function unquote(kind: Token['kind'], match: string): string {
  if (kind === 'string') return match.slice(1, -1).replaceAll(/''|\\'/g, "'");
  return kind === 'property' ? match.slice(1, -1).replaceAll('""', '"') : match;
}
