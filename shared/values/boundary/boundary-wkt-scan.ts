// One pass over well-known text that refuses what is malformed and writes the rest in the one form that `wellknown`
// reads rightly: no Z or M, one space between the two numbers of a position. Linear in the text; it recurses no deeper
// than the type allows (three), so that a text of nothing but parentheses is refused at the fourth.

import type { Geometry } from '../geometry';
import { failure, success, type Result } from '../result';

export interface WktGrammar {
  readonly type: Geometry['type'];
  /** How many parentheses stand around a position; a MULTIPOINT may leave the inner ones out. */
  readonly depth: number;
  /** Whether the innermost parentheses hold a single position. */
  readonly onePositionOnly: boolean;
}

// Digits can be matched in one way only: with `\d+\.?\d*` a text of 256 KB of digits would take a minute to refuse.
const NUMBER = '[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[+-]?\\d+)?';
const LONE_NUMBER = new RegExp(NUMBER, 'iy');
const POSITION = new RegExp(`(${NUMBER})\\s+(${NUMBER})(\\s+${NUMBER})?(\\s+${NUMBER})?`, 'iy');
const SPACE = /\s*/y;
const EMPTY = /EMPTY/iy;
// `1.` is a number to the standard and not to wellknown.
const BARE_DECIMAL_POINT = /\.(?=e|$)/i;

export class WktScan {
  private readonly pieces: string[] = [];

  /**
   * `ordinates` is what the header says about the numbers in each position; the first position tells where it says
   * nothing.
   */
  constructor(
    private readonly text: string,
    private at: number,
    private ordinates: number | undefined,
  ) {}

  rewrite(grammar: WktGrammar): Result<string> {
    const problem = this.readParentheses(grammar, grammar.depth);
    if (problem !== undefined) return failure(problem);
    this.skipSpace();
    if (this.at < this.text.length) return failure(`there is text after the end of the geometry${this.place()}`);
    return success(`${grammar.type} ${this.pieces.join('')}`);
  }

  /** `depth` counts the parentheses still to come around a position. Returns what is wrong, here and below. */
  private readParentheses(grammar: WktGrammar, depth: number): string | undefined {
    this.skipSpace();
    if (this.matches(EMPTY)) return `the geometry is empty${this.place()}`;
    if (!this.take('(')) return this.unexpected('"("');
    this.skipSpace();
    if (this.text[this.at] === ')') return `the geometry is empty${this.place()}`;
    do {
      const problem = this.readItem(grammar, depth - 1);
      if (problem !== undefined) return problem;
      this.skipSpace();
    } while (this.mayRepeat(grammar, depth) && this.take(','));
    return this.take(')') ? undefined : this.unexpected(this.mayRepeat(grammar, depth) ? '"," or ")"' : '")"');
  }

  private readItem(grammar: WktGrammar, depth: number): string | undefined {
    this.skipSpace();
    if (depth === 0) return this.readPosition();
    const isBarePoint = grammar.type === 'MultiPoint' && this.text[this.at] !== '(' && !this.matches(EMPTY);
    return isBarePoint ? this.readPosition() : this.readParentheses(grammar, depth);
  }

  private readPosition(): string | undefined {
    POSITION.lastIndex = this.at;
    const match = POSITION.exec(this.text);
    if (match === null) return this.positionProblem();
    const [whole, longitude = '', latitude = '', third, fourth] = match;
    const ordinates = 2 + (third === undefined ? 0 : 1) + (fourth === undefined ? 0 : 1);
    this.ordinates ??= ordinates;
    if (ordinates !== this.ordinates) {
      return `a position has ${ordinates} numbers where ${this.ordinates} are expected${this.place()}`;
    }
    this.pieces.push(`${plainNumber(longitude)} ${plainNumber(latitude)}`);
    this.at += whole.length;
    return undefined;
  }

  private positionProblem(): string {
    if (this.text[this.at] === '(') return `the WKT is nested deeper than its type allows${this.place()}`;
    if (this.matches(EMPTY)) return `the geometry is empty${this.place()}`;
    if (this.matches(LONE_NUMBER)) return `a position has fewer than two numbers${this.place()}`;
    return this.unexpected('a position');
  }

  /** A POINT, and a point in the inner parentheses of a MULTIPOINT, is one position. */
  private mayRepeat(grammar: WktGrammar, depth: number): boolean {
    return depth > 1 || !grammar.onePositionOnly;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.pieces.push(character);
    this.at += 1;
    return true;
  }

  private skipSpace(): void {
    SPACE.lastIndex = this.at;
    SPACE.test(this.text);
    this.at = SPACE.lastIndex;
  }

  private matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  private unexpected(expected: string): string {
    const found = this.text[this.at];
    if (found === undefined) return `the WKT ends before its last parenthesis is closed`;
    return `the WKT cannot be read: ${expected} is expected${this.place()}, not ${JSON.stringify(found)}`;
  }

  private place(): string {
    return ` at character ${this.at + 1}`;
  }
}

function plainNumber(text: string): string {
  return text.replace(BARE_DECIMAL_POINT, '');
}
