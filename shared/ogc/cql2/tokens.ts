// The words of a CQL2 text, each with the place where it begins.

import { failure, success, type Result } from '../../values/result';

export interface Token {
  readonly kind: 'word' | 'property' | 'string' | 'number' | 'symbol' | 'end';
  /** A word as it was written; the content of a text in quotes. */
  readonly text: string;
  /** Where it begins, and where what follows begins. */
  readonly start: number;
  readonly end: number;
}

const SPACE = /\s*/y;

// No character can be taken by two parts of an expression, so that each text is read in one pass.
const KINDS: readonly (readonly [Token['kind'], RegExp])[] = [
  ['word', /[:_\p{L}][:._\p{L}\p{M}\p{N}]*/uy],
  ['number', /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy],
  ['symbol', /<>|<=|>=|[<>=(),]/y],
  ['property', /"(?:[^"]|"")*"/y],
  ['string', /'(?:[^'\\]|''|\\[^])*'/y],
];

/** The token from a place on. */
export function tokenAt(text: string, from: number): Result<Token> {
  const start = from + (matchAt(SPACE, text, from) ?? '').length;
  if (start >= text.length) return success({ kind: 'end', text: '', start: text.length, end: text.length });
  for (const [kind, shape] of KINDS) {
    const found = matchAt(shape, text, start);
    if (found !== undefined) return success({ kind, text: contentOf(kind, found), start, end: start + found.length });
  }
  const [character = ''] = text.slice(start, start + 2);
  const problem = /['"]/.test(character) ? `the quote ${character} has no end` : `${character} has no meaning here`;
  return failure(`at character ${start + 1}: ${problem}`);
}

function matchAt(shape: RegExp, text: string, from: number): string | undefined {
  // A sticky expression has a place of its own, which is set before each use.
  shape.lastIndex = from;
  return shape.exec(text)?.[0];
}

/** In a string, a quote is doubled or stands behind a backslash; other backslashes stand for themselves. */
function contentOf(kind: Token['kind'], found: string): string {
  if (kind === 'string') return found.slice(1, -1).replaceAll(/''|\\'/g, "'");
  return kind === 'property' ? found.slice(1, -1).replaceAll('""', '"') : found;
}
