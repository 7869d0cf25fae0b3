// Parses CQL2 text by recursive descent (ADR 0075). Problems state the position of the character, and what was expected
// there.

import { type CoordinateSystem, CRS84 } from '../../values/coordinate-systems';
import { catchTextProblem, type Result, TextProblem } from '../../values/result';
import { isBracketedOperand } from './bracketed-operand';
import {
  COMPARISON_OPERATORS,
  describeUnknownFunction,
  type Expression,
  MAX_NESTING,
  type Operand,
  type SpatialOperand,
  TOO_DEEP,
} from './expression';
import { readBoxLiteral, readGeometryText } from './geometry-literals';
import { readToken, type Token } from './tokens';

/** Returns geometries in degrees. Boxes stay as written, in the coordinate system of the filter. */
export function parseCqlText(text: string, system: CoordinateSystem = CRS84): Result<Expression> {
  return catchTextProblem(() => new TextParser(text, system).parse());
}

const GEOMETRY_WORD = /^(multi)?(point|linestring|polygon)$|^geometrycollection$/i;

class TextParser {
  private token: Token;
  private nesting = 0;

  constructor(
    private readonly text: string,
    private readonly system: CoordinateSystem,
  ) {
    this.token = readToken(text, 0);
  }

  parse(): Expression {
    const expression = this.readDisjunction();
    if (this.token.kind !== 'end') this.fail('expected AND, OR or the end');
    return expression;
  }

  private readDisjunction(): Expression {
    const args = [this.readConjunction()];
    while (this.accept('or')) args.push(this.readConjunction());
    return joinArguments('or', args);
  }

  private readConjunction(): Expression {
    const args = [this.readFactor()];
    while (this.accept('and')) args.push(this.readFactor());
    return joinArguments('and', args);
  }

  private readFactor(): Expression {
    if (!this.accept('not')) return this.readPrimary();
    return this.nest((): Expression => ({ op: 'not', args: [this.readFactor()] }));
  }

  private readPrimary(): Expression {
    if (this.isAt('(') && !isBracketedOperand(this.text, this.token.start)) {
      this.advance();
      const expression = this.nest(() => this.readDisjunction());
      this.expect(')');
      return expression;
    }
    if (this.accept('s_intersects')) {
      this.expect('(');
      const first = this.readSpatial();
      this.expect(',');
      const second = this.readSpatial();
      this.expect(')');
      return { op: 's_intersects', args: [first, second] };
    }
    return this.readPredicate();
  }

  private readPredicate(): Expression {
    const operand = this.readOperand('a property, a value, NOT or (');
    const operator = COMPARISON_OPERATORS.find((symbol) => this.token.kind === 'symbol' && this.token.text === symbol);
    if (operator !== undefined) {
      this.advance();
      return { op: operator, args: [operand, this.readOperand('a value')] };
    }
    if (this.accept('is')) {
      const isNegated = this.accept('not');
      this.expect('null');
      return negateIf(isNegated, { op: 'isNull', args: [operand] });
    }
    const isNegated = this.accept('not');
    if (this.accept('like')) return negateIf(isNegated, { op: 'like', args: [operand, this.readOperand('a pattern')] });
    if (this.accept('between')) {
      const low = this.readOperand('a value');
      this.expect('and');
      return negateIf(isNegated, { op: 'between', args: [operand, low, this.readOperand('a value')] });
    }
    if (this.accept('in')) return negateIf(isNegated, { op: 'in', args: [operand, this.readList()] });
    if (typeof operand === 'boolean' && !isNegated) return operand;
    return this.fail(
      isNegated ? 'expected LIKE, BETWEEN or IN' : 'expected =, <>, <, >, <=, >=, LIKE, BETWEEN, IN or IS',
    );
  }

  private readList(): readonly Operand[] {
    this.expect('(');
    const items = [this.readOperand('a value')];
    while (this.accept(',')) items.push(this.readOperand('a value'));
    this.expect(')');
    return items;
  }

  private readOperand(expected: string): Operand {
    if (this.accept('(')) {
      const operand = this.nest(() => this.readOperand(expected));
      this.expect(')');
      return operand;
    }
    if (this.accept('-')) return this.readSigned(-1);
    if (this.accept('+')) return this.readSigned(1);
    const { kind, text } = this.token;
    if (kind === 'string' || kind === 'number' || kind === 'property') {
      const number = Number(text);
      if (kind === 'number' && !Number.isFinite(number)) this.fail('expected a number that is not too large');
      this.advance();
      if (kind === 'string') return text;
      // Adding zero turns negative zero into zero.
      return kind === 'number' ? number + 0 : { property: text };
    }
    if (kind !== 'word' || /^(and|or|not|like|between|in|is|null)$/i.test(text)) this.fail(`expected ${expected}`);
    this.advance();
    if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
    return this.accept('(') ? this.readCall(text) : { property: text };
  }

  /** Reads what follows a sign that is not part of a number literal, as in `-(5)` and `- 5`. */
  private readSigned(sign: 1 | -1): Operand {
    const { start } = this.token;
    const operand = this.nest(() => this.readOperand('a number'));
    if (typeof operand === 'number') return sign * operand + 0;
    throw new TextProblem(`at character ${start + 1}: expected a number after the sign`);
  }

  /** Reads the arguments of a function, after its name and opening bracket. */
  private readCall(name: string): Operand {
    switch (name.toLowerCase()) {
      case 'casei': {
        const argument = this.nest(() => this.readOperand('a property or a string'));
        this.expect(')');
        return { op: 'casei', args: [argument] };
      }
      case 'date':
      case 'timestamp': {
        const text = this.readOperand('a date in quotes');
        if (typeof text !== 'string') this.fail('expected a date in quotes');
        this.expect(')');
        return name.toLowerCase() === 'date' ? { date: text } : { timestamp: text };
      }
      default:
        throw new TextProblem(describeUnknownFunction(name));
    }
  }

  private readSpatial(): SpatialOperand {
    const { kind, text, start } = this.token;
    if (kind === 'word' && GEOMETRY_WORD.test(text)) {
      const end = this.findBracketEnd(start);
      const geometry = this.unwrap(readGeometryText(this.text.slice(start, end), this.system), start);
      this.token = readToken(this.text, end);
      return geometry;
    }
    if (kind === 'word' && text.toLowerCase() === 'bbox') {
      this.advance();
      return this.unwrap(readBoxLiteral(this.readList()), start);
    }
    if (kind !== 'word' && kind !== 'property') this.fail('expected geometry, a geometry as WKT or BBOX');
    this.advance();
    return { property: text };
  }

  /** Returns the offset after the bracket that closes the first bracket at or after an offset. */
  private findBracketEnd(start: number): number {
    let depth = 0;
    for (let offset = start; offset < this.text.length; offset++) {
      const character = this.text[offset];
      if (character === '(') depth++;
      if (character !== ')') continue;
      depth--;
      if (depth <= 0) return offset + 1;
    }
    throw new TextProblem(`at character ${start + 1}: the geometry has no closing bracket`);
  }

  private unwrap<Value>(result: Result<Value>, start: number): Value {
    if (result.ok) return result.value;
    throw new TextProblem(`at character ${start + 1}: ${result.problem}`);
  }

  private nest<Value>(read: () => Value): Value {
    this.nesting++;
    if (this.nesting > MAX_NESTING) throw new TextProblem(TOO_DEEP);
    const value = read();
    this.nesting--;
    return value;
  }

  /** Whether the next token is this keyword or symbol. */
  private isAt(expected: string): boolean {
    const { kind, text } = this.token;
    return (kind === 'word' || kind === 'symbol') && text.toLowerCase() === expected;
  }

  /** Advances past the next token if it is this keyword or symbol. */
  private accept(expected: string): boolean {
    const isExpected = this.isAt(expected);
    if (isExpected) this.advance();
    return isExpected;
  }

  private expect(expected: string): void {
    if (!this.accept(expected)) this.fail(`expected ${expected.toUpperCase()}`);
  }

  private advance(): void {
    this.token = readToken(this.text, this.token.end);
  }

  private fail(expected: string): never {
    const { kind, start, end } = this.token;
    const actual = kind === 'end' ? 'the end' : this.text.slice(start, Math.min(end, start + 40));
    throw new TextProblem(`at character ${start + 1}: ${expected}, found ${actual}`);
  }
}

function joinArguments(op: 'and' | 'or', args: readonly Expression[]): Expression {
  const [first] = args;
  return first !== undefined && args.length === 1 ? first : { op, args };
}

function negateIf(isNegated: boolean, expression: Expression): Expression {
  return isNegated ? { op: 'not', args: [expression] } : expression;
}
