// Reads CQL2 text: a small parser by recursive descent (ADR 0075). A problem says at which character it is and what was
// expected there.

import { type CoordinateSystem, CRS84 } from '../../values/coordinate-systems';
import { type Result, catchTextProblem, TextProblem } from '../../values/result';
import {
  COMPARISON_OPERATORS,
  type Expression,
  MAX_NESTING,
  type Operand,
  readBoxLiteral,
  readGeometryText,
  type SpatialOperand,
  TOO_DEEP,
  unknownFunction,
} from './parse-json';

/** Geometries of the result are in degrees; boxes are as they were written, in the system of the filter. */
export function parseCqlText(text: string, system: CoordinateSystem = CRS84): Result<Expression> {
  return catchTextProblem(() => new TextParser(text, system).whole());
}

const GEOMETRY_WORD = /^(multi)?(point|linestring|polygon)$|^geometrycollection$/i;

class TextParser {
  private token: Token;
  private nesting = 0;

  constructor(
    private readonly text: string,
    private readonly system: CoordinateSystem,
  ) {
    this.token = tokenAt(text, 0);
  }

  whole(): Expression {
    const expression = this.disjunction();
    if (this.token.kind !== 'end') this.fail('expected AND, OR or the end');
    return expression;
  }

  private disjunction(): Expression {
    const args = [this.conjunction()];
    while (this.takes('or')) args.push(this.conjunction());
    return joined('or', args);
  }

  private conjunction(): Expression {
    const args = [this.factor()];
    while (this.takes('and')) args.push(this.factor());
    return joined('and', args);
  }

  private factor(): Expression {
    if (!this.takes('not')) return this.primary();
    return this.nested((): Expression => ({ op: 'not', args: [this.factor()] }));
  }

  private primary(): Expression {
    if (this.takes('(')) {
      const expression = this.nested(() => this.disjunction());
      this.expect(')');
      return expression;
    }
    if (this.takes('s_intersects')) {
      this.expect('(');
      const first = this.spatial();
      this.expect(',');
      const second = this.spatial();
      this.expect(')');
      return { op: 's_intersects', args: [first, second] };
    }
    return this.predicate();
  }

  private predicate(): Expression {
    const operand = this.operand('a property, a value, NOT or (');
    const operator = COMPARISON_OPERATORS.find((symbol) => this.token.kind === 'symbol' && this.token.text === symbol);
    if (operator !== undefined) {
      this.advance();
      return { op: operator, args: [operand, this.operand('a value')] };
    }
    if (this.takes('is')) {
      const isNegated = this.takes('not');
      this.expect('null');
      return negated(isNegated, { op: 'isNull', args: [operand] });
    }
    const isNegated = this.takes('not');
    if (this.takes('like')) return negated(isNegated, { op: 'like', args: [operand, this.operand('a pattern')] });
    if (this.takes('between')) {
      const low = this.operand('a value');
      this.expect('and');
      return negated(isNegated, { op: 'between', args: [operand, low, this.operand('a value')] });
    }
    if (this.takes('in')) return negated(isNegated, { op: 'in', args: [operand, this.list()] });
    if (typeof operand === 'boolean' && !isNegated) return operand;
    return this.fail(
      isNegated ? 'expected LIKE, BETWEEN or IN' : 'expected =, <>, <, >, <=, >=, LIKE, BETWEEN, IN or IS',
    );
  }

  private list(): readonly Operand[] {
    this.expect('(');
    const items = [this.operand('a value')];
    while (this.takes(',')) items.push(this.operand('a value'));
    this.expect(')');
    return items;
  }

  private operand(expected: string): Operand {
    const { kind, text } = this.token;
    if (kind === 'string' || kind === 'number' || kind === 'property') {
      const number = Number(text);
      if (kind === 'number' && !Number.isFinite(number)) this.fail('expected a number that is not too large');
      this.advance();
      // JSON has no negative zero.
      return kind === 'string' ? text : kind === 'number' ? number + 0 : { property: text };
    }
    if (kind !== 'word' || /^(and|or|not|like|between|in|is|null)$/i.test(text)) this.fail(`expected ${expected}`);
    this.advance();
    if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
    return this.takes('(') ? this.call(text) : { property: text };
  }

  /** What stands behind the name of a function and its bracket. */
  private call(name: string): Operand {
    switch (name.toLowerCase()) {
      case 'casei': {
        const argument = this.nested(() => this.operand('a property or a text'));
        this.expect(')');
        return { op: 'casei', args: [argument] };
      }
      case 'date':
      case 'timestamp': {
        const { kind, text } = this.token;
        if (kind !== 'string') this.fail('expected a date in quotes');
        this.advance();
        this.expect(')');
        return name.toLowerCase() === 'date' ? { date: text } : { timestamp: text };
      }
      default:
        throw new TextProblem(unknownFunction(name));
    }
  }

  private spatial(): SpatialOperand {
    const { kind, text, start } = this.token;
    if (kind === 'word' && GEOMETRY_WORD.test(text)) {
      const end = this.endOfBrackets(start);
      const geometry = this.known(readGeometryText(this.text.slice(start, end), this.system), start);
      this.token = tokenAt(this.text, end);
      return geometry;
    }
    if (kind === 'word' && text.toLowerCase() === 'bbox') {
      this.advance();
      return this.known(readBoxLiteral(this.list()), start);
    }
    if (kind !== 'word' && kind !== 'property') this.fail('expected geometry, a geometry as WKT or BBOX');
    this.advance();
    return { property: text };
  }

  /** Where the bracket closes that opens first behind a place. */
  private endOfBrackets(start: number): number {
    let depth = 0;
    for (let at = start; at < this.text.length; at++) {
      if (this.text[at] === '(') depth++;
      else if (this.text[at] === ')' && --depth <= 0) return at + 1;
    }
    throw new TextProblem(`at character ${start + 1}: the geometry has no closing bracket`);
  }

  private known<Value>(result: Result<Value>, start: number): Value {
    if (result.ok) return result.value;
    throw new TextProblem(`at character ${start + 1}: ${result.problem}`);
  }

  private nested<Value>(read: () => Value): Value {
    if (++this.nesting > MAX_NESTING) throw new TextProblem(TOO_DEEP);
    const value = read();
    this.nesting--;
    return value;
  }

  /** Whether the next token is this keyword or symbol; it is passed over then. */
  private takes(wanted: string): boolean {
    const { kind, text } = this.token;
    const isWanted = (kind === 'word' || kind === 'symbol') && text.toLowerCase() === wanted;
    if (isWanted) this.advance();
    return isWanted;
  }

  private expect(wanted: string): void {
    if (!this.takes(wanted)) this.fail(`expected ${wanted.toUpperCase()}`);
  }

  private advance(): void {
    this.token = tokenAt(this.text, this.token.end);
  }

  private fail(expected: string): never {
    const { kind, start, end } = this.token;
    const found = kind === 'end' ? 'the end' : this.text.slice(start, Math.min(end, start + 40));
    throw new TextProblem(`at character ${start + 1}: ${expected}, found ${found}`);
  }
}

function joined(op: 'and' | 'or', args: readonly Expression[]): Expression {
  const [first] = args;
  return first !== undefined && args.length === 1 ? first : { op, args };
}

function negated(isNegated: boolean, expression: Expression): Expression {
  return isNegated ? { op: 'not', args: [expression] } : expression;
}

// The words of a CQL2 text, each with the place where it begins.

interface Token {
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
function tokenAt(text: string, from: number): Token {
  const start = from + (matchAt(SPACE, text, from) ?? '').length;
  if (start >= text.length) return { kind: 'end', text: '', start: text.length, end: text.length };
  for (const [kind, shape] of KINDS) {
    const found = matchAt(shape, text, start);
    if (found !== undefined) return { kind, text: contentOf(kind, found), start, end: start + found.length };
  }
  const [character = ''] = text.slice(start, start + 2);
  const problem = /['"]/.test(character) ? `the quote ${character} has no end` : `${character} has no meaning here`;
  throw new TextProblem(`at character ${start + 1}: ${problem}`);
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
