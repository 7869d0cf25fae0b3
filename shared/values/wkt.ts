// Reads and writes well-known text (WKT). `wellknown` writes it. We do not use its reader, which accepts broken texts
// (rings without a comma between them, six numbers as one position, `MULTIPOLYGON Z` as no polygons, anything after the
// end) and refuses valid ones (two spaces between numbers, `1.`, `POINTZ`). A test compares our reader with `wellknown`
// on texts that both accept (ADR 0002).

import type { Position } from 'geojson';
import { type GeoJSONGeometry, stringify } from 'wellknown';
import { checkGeometry, type ToDegrees } from './check-geometry';
import { findDegreeSystem } from './geographic-systems';
import type { Geometry } from './geometry';
import { TextProblem } from './result';

interface WktGrammar {
  readonly type: Geometry['type'];
  /** The number of parentheses around a position. A MULTIPOINT may omit the inner ones. */
  readonly depth: number;
}

interface Header {
  readonly grammar: WktGrammar;
  /** The number of ordinates of each position. Undefined when the first position decides. */
  readonly ordinates: number | undefined;
  readonly end: number;
}

/** A position, or a nested list of positions. checkGeometry validates it. */
type Coordinates = Position | readonly Coordinates[];

const GRAMMARS: ReadonlyMap<string, WktGrammar> = new Map<string, WktGrammar>([
  ['POINT', { type: 'Point', depth: 1 }],
  ['LINESTRING', { type: 'LineString', depth: 1 }],
  ['POLYGON', { type: 'Polygon', depth: 2 }],
  ['MULTIPOINT', { type: 'MultiPoint', depth: 2 }],
  ['MULTILINESTRING', { type: 'MultiLineString', depth: 2 }],
  ['MULTIPOLYGON', { type: 'MultiPolygon', depth: 3 }],
]);

// Longitude first, in WGS 84 (D15) or a system that is read as WGS 84 (D73).
const SRID_PREFIX = /^SRID\s*=\s*(\d{1,10})\s*;\s*/i;
const TYPE_NAME = /^[a-z]+/i;
// Z, M or ZM may follow the type, with or without white space: `POINT Z`, `POINTZ`.
const DIMENSIONS = /^\s*(ZM|Z|M)?(?![a-z])/i;
const ATTACHED_DIMENSIONS = /(?:ZM|Z|M)$/;

// Each digit can match in one way only. With `\d+\.?\d*`, refusing a text of 256 KB of digits would take a minute.
const NUMBER = '[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[+-]?\\d+)?';
const LONE_NUMBER = new RegExp(NUMBER, 'iy');
const POSITION = new RegExp(`(${NUMBER})\\s+(${NUMBER})(\\s+${NUMBER})?(\\s+${NUMBER})?`, 'iy');
const SPACE = /\s*/y;
const EMPTY = /EMPTY/iy;

const OPENING = '('.charCodeAt(0);
const CLOSING = ')'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const SPACE_CODE = ' '.charCodeAt(0);
const BEYOND_ASCII = 0x80;

/** Writes longitude before latitude. */
export function writeWkt(geometry: Geometry): string {
  return stringify(geometry as GeoJSONGeometry); // The type only adds readonly, and stringify changes nothing.
}

/** Reads the number of the system in a prefix such as `SRID=4326;`; undefined without a prefix. */
export function readSrid(text: string): string | undefined {
  return SRID_PREFIX.exec(text)?.[1];
}

/**
 * Reads WKT in any letter case, with an optional prefix such as `SRID=4326;`. Drops Z and M (D15). Linear in the length of the
 * text. Throws a TextProblem.
 */
export function readWkt(text: string, toDegrees?: ToDegrees): Geometry {
  const srid = SRID_PREFIX.exec(text);
  if (srid !== null && findDegreeSystem(srid[1] ?? '') === undefined) {
    throw new TextProblem(
      `SRID ${srid[1] ?? ''} is not supported: write longitude and latitude in WGS 84 (SRID 4326) or NAD83 (4269)`,
    );
  }
  const { grammar, ordinates, end } = readHeader(text, srid?.[0].length ?? 0);
  return checkGeometry(grammar.type, new WktScan(text, end, ordinates).read(grammar), toDegrees);
}

function readHeader(text: string, start: number): Header {
  const typeName = TYPE_NAME.exec(text.slice(start))?.[0] ?? '';
  const upper = typeName.toUpperCase();
  const attached = ATTACHED_DIMENSIONS.exec(upper)?.[0] ?? '';
  const bareName = upper.slice(0, upper.length - attached.length);
  if (upper.startsWith('GEOMETRYCOLLECTION')) {
    throw new TextProblem('a geometry collection is not supported: send one geometry');
  }
  const grammar = GRAMMARS.get(bareName);
  if (grammar === undefined) {
    const names = [...GRAMMARS.keys()].join(', ');
    throw new TextProblem(`the text is neither GeoJSON nor WKT that begins with one of ${names}`);
  }
  const nameEnd = start + typeName.length;
  const separate = attached === '' ? DIMENSIONS.exec(text.slice(nameEnd)) : null;
  const dimensions = separate?.[1] ?? attached;
  const ordinates = dimensions === '' ? undefined : 2 + dimensions.length;
  return { grammar, ordinates, end: nameEnd + (separate?.[0].length ?? 0) };
}

/**
 * Parses in one pass, linear in the length of the text. It recurses only as deep as the type allows (three levels), so
 * a text of parentheses is refused at the fourth.
 */
class WktScan {
  /** `offset` is where the header ends. `ordinates` has the same meaning as in Header. */
  constructor(
    private readonly text: string,
    private offset: number,
    private ordinates: number | undefined,
  ) {}

  read(grammar: WktGrammar): Coordinates {
    const coordinates = this.readParentheses(grammar, grammar.depth);
    this.skipSpace();
    if (this.offset < this.text.length) this.fail('there is text after the end of the geometry');
    // A POINT is the only position in its parentheses.
    return grammar.type === 'Point' ? (coordinates[0] ?? []) : coordinates;
  }

  /** `depth` is the number of parentheses still expected around a position. */
  private readParentheses(grammar: WktGrammar, depth: number): Coordinates[] {
    this.skipSpace();
    if (this.matches(EMPTY)) this.fail('the geometry is empty');
    if (!this.consume(OPENING)) this.failUnexpected('"("');
    this.skipSpace();
    if (this.peekCode() === CLOSING) this.fail('the geometry is empty');
    const items: Coordinates[] = [];
    // A POINT, and each inner pair of parentheses of a MULTIPOINT, holds a single position.
    const mayRepeat = depth > 1 || (grammar.type !== 'Point' && grammar.type !== 'MultiPoint');
    do {
      items.push(this.readItem(grammar, depth - 1));
      this.skipSpace();
    } while (mayRepeat && this.consume(COMMA));
    return this.consume(CLOSING) ? items : this.failUnexpected(mayRepeat ? '"," or ")"' : '")"');
  }

  private readItem(grammar: WktGrammar, depth: number): Coordinates {
    this.skipSpace();
    if (depth === 0) return this.readPosition();
    if (grammar.type !== 'MultiPoint') return this.readParentheses(grammar, depth);
    if (this.peekCode() !== OPENING && !this.matches(EMPTY)) return this.readPosition();
    return this.readParentheses(grammar, depth)[0] ?? [];
  }

  private readPosition(): Position {
    POSITION.lastIndex = this.offset;
    const match = POSITION.exec(this.text);
    if (match === null) return this.failPosition();
    const [text, longitude, latitude, third, fourth] = match;
    const ordinates = 2 + (third === undefined ? 0 : 1) + (fourth === undefined ? 0 : 1);
    this.ordinates ??= ordinates;
    if (ordinates !== this.ordinates) {
      this.fail(`a position has ${ordinates} numbers where ${this.ordinates} are expected`);
    }
    this.offset += text.length;
    return [Number(longitude), Number(latitude)];
  }

  private failPosition(): never {
    if (this.peekCode() === OPENING) this.fail('the WKT is nested deeper than its type allows');
    if (this.matches(EMPTY)) this.fail('the geometry is empty');
    if (this.matches(LONE_NUMBER)) this.fail('a position has fewer than two numbers');
    this.failUnexpected('a position');
  }

  private peekCode(): number {
    return this.text.charCodeAt(this.offset);
  }

  private consume(code: number): boolean {
    if (this.peekCode() !== code) return false;
    this.offset += 1;
    return true;
  }

  private skipSpace(): void {
    // Most positions follow their comma directly or after one space.
    if (this.peekCode() === SPACE_CODE) this.offset += 1;
    if (this.peekCode() > SPACE_CODE && this.peekCode() < BEYOND_ASCII) return;
    SPACE.lastIndex = this.offset;
    SPACE.test(this.text);
    this.offset = SPACE.lastIndex;
  }

  private matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.offset;
    return pattern.test(this.text);
  }

  private failUnexpected(expected: string): never {
    const character = this.text[this.offset];
    if (character === undefined) throw new TextProblem('the WKT ends before its last parenthesis is closed');
    this.fail(`the WKT cannot be read: ${expected} is expected`, `, not ${JSON.stringify(character)}`);
  }

  private fail(problem: string, rest = ''): never {
    throw new TextProblem(`${problem} at character ${this.offset + 1}${rest}`);
  }
}
