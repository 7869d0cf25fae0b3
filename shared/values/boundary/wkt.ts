// Well-known text to coordinates. `wellknown` does it, but it reads broken texts without a word (rings without a comma
// between them, six numbers as one position, `MULTIPOLYGON Z` as no polygons, anything after the end) and refuses sound
// ones (two spaces between numbers, `1.`, `POINTZ`). So a scan first refuses what is malformed and writes the rest in
// the one form that `wellknown` reads rightly: no Z or M, one space between the two numbers of a position.

import { parse, stringify, type GeoJSONGeometry } from 'wellknown';
import type { Geometry } from '../geometry';
import { failure, success, type Result } from '../result';
import { checkGeometry } from './geometry-rules';

interface WktGrammar {
  readonly type: Geometry['type'];
  /** How many parentheses stand around a position; a MULTIPOINT may leave the inner ones out. */
  readonly depth: number;
}

interface Header {
  readonly grammar: WktGrammar;
  /** How many numbers each position has; undefined where the first position decides. */
  readonly ordinates: number | undefined;
  readonly end: number;
}

const GRAMMARS: ReadonlyMap<string, WktGrammar> = new Map<string, WktGrammar>([
  ['POINT', { type: 'Point', depth: 1 }],
  ['LINESTRING', { type: 'LineString', depth: 1 }],
  ['POLYGON', { type: 'Polygon', depth: 2 }],
  ['MULTIPOINT', { type: 'MultiPoint', depth: 2 }],
  ['MULTILINESTRING', { type: 'MultiLineString', depth: 2 }],
  ['MULTIPOLYGON', { type: 'MultiPolygon', depth: 3 }],
]);

// WGS 84 with longitude first: the only reference system that is read (D15).
const SRID = '4326';
const SRID_PREFIX = /^SRID\s*=\s*(\d{1,10})\s*;\s*/i;
const TYPE_NAME = /^[a-z]+/i;
// The type's name may carry Z, M or ZM, after white space or at once: `POINT Z`, `POINTZ`.
const DIMENSIONS = /^\s*(ZM|Z|M)?(?![a-z])/i;
const ATTACHED_DIMENSIONS = /(?:ZM|Z|M)$/;

// Digits can be matched in one way only: with `\d+\.?\d*` a text of 256 KB of digits would take a minute to refuse.
const NUMBER = '[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[+-]?\\d+)?';
const LONE_NUMBER = new RegExp(NUMBER, 'iy');
const POSITION = new RegExp(`(${NUMBER})\\s+(${NUMBER})(\\s+${NUMBER})?(\\s+${NUMBER})?`, 'iy');
const SPACE = /\s*/y;
const EMPTY = /EMPTY/iy;
// `1.` is a number by the standard, but wellknown does not read it.
const BARE_DECIMAL_POINT = /\.(?=e|$)/i;

/** The geometry as well-known text, longitude before latitude. */
export function writeWkt(geometry: Geometry): string {
  return stringify(geometry as GeoJSONGeometry); // Ours is readonly; stringify changes nothing.
}

/** Reads WKT in any letter case, with or without `SRID=4326;` before it; drops Z and M (D15). Linear in the text. */
export function readWkt(text: string): Result<Geometry> {
  const srid = SRID_PREFIX.exec(text);
  if (srid !== null && srid[1] !== SRID) {
    return failure(`SRID ${srid[1] ?? ''} is not supported: write longitude and latitude in WGS 84 (SRID ${SRID})`);
  }
  const header = readHeader(text, srid?.[0].length ?? 0);
  if (!header.ok) return header;
  const { grammar, ordinates, end } = header.value;
  const plainText = new WktScan(text, end, ordinates).rewrite(grammar);
  if (!plainText.ok) return plainText;

  const parsed = parse(plainText.value);
  if (parsed === null || parsed.type === 'GeometryCollection') throw new Error('wellknown refused well-formed WKT.');
  return checkGeometry(grammar.type, parsed.coordinates);
}

function readHeader(text: string, start: number): Result<Header> {
  const typeName = TYPE_NAME.exec(text.slice(start))?.[0] ?? '';
  const upper = typeName.toUpperCase();
  const attached = ATTACHED_DIMENSIONS.exec(upper)?.[0] ?? '';
  const bareName = upper.slice(0, upper.length - attached.length);
  if (upper.startsWith('GEOMETRYCOLLECTION')) {
    return failure('a geometry collection is not supported: send one geometry');
  }
  const grammar = GRAMMARS.get(bareName);
  if (grammar === undefined) {
    return failure(`the text is neither GeoJSON nor WKT that begins with one of ${[...GRAMMARS.keys()].join(', ')}`);
  }
  const nameEnd = start + typeName.length;
  const separate = attached === '' ? DIMENSIONS.exec(text.slice(nameEnd)) : null;
  const dimensions = separate?.[1] ?? attached;
  const ordinates = dimensions === '' ? undefined : 2 + dimensions.length;
  return success({ grammar, ordinates, end: nameEnd + (separate?.[0].length ?? 0) });
}

/**
 * One pass over the text, linear in its length. It recurses no deeper than the type allows (three), so that a text of
 * nothing but parentheses is refused at the fourth.
 */
class WktScan {
  private readonly pieces: string[] = [];

  /** `ordinates` as in Header; `at` is where the text goes on after the header. */
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

  /** A POINT, and each inner pair of parentheses of a MULTIPOINT, holds a single position. */
  private mayRepeat({ type }: WktGrammar, depth: number): boolean {
    return depth > 1 || (type !== 'Point' && type !== 'MultiPoint');
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
