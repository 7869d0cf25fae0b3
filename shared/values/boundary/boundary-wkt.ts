// Well-known text to coordinates. `wellknown` does it, but it reads broken texts without a word (rings without a comma
// between them, six numbers as one position, `MULTIPOLYGON Z` as no polygons, anything after the end) and refuses sound
// ones (two spaces between numbers, `1.`, `POINTZ`). So a scan first decides whether the text is well formed and writes
// it anew, plainly.

import { parse } from 'wellknown';
import { checkGeometry } from './boundary-rules';
import { WktScan, type WktGrammar } from './boundary-wkt-scan';
import type { Geometry } from '../geometry';
import { failure, success, type Result } from '../result';

interface Header {
  readonly grammar: WktGrammar;
  /** Numbers in each position; undefined where the first position tells. */
  readonly ordinates: number | undefined;
  readonly end: number;
}

const GRAMMARS: ReadonlyMap<string, WktGrammar> = new Map<string, WktGrammar>([
  ['POINT', { type: 'Point', depth: 1, onePositionOnly: true }],
  ['LINESTRING', { type: 'LineString', depth: 1, onePositionOnly: false }],
  ['POLYGON', { type: 'Polygon', depth: 2, onePositionOnly: false }],
  ['MULTIPOINT', { type: 'MultiPoint', depth: 2, onePositionOnly: true }],
  ['MULTILINESTRING', { type: 'MultiLineString', depth: 2, onePositionOnly: false }],
  ['MULTIPOLYGON', { type: 'MultiPolygon', depth: 3, onePositionOnly: false }],
]);

// WGS 84 with longitude first: the only reference system that is read (D15).
const SRID = '4326';
const SRID_PREFIX = /^SRID\s*=\s*(\d{1,10})\s*;\s*/i;
const TYPE_NAME = /^[a-z]+/i;
// The type's name may carry Z, M or ZM, after white space or at once: `POINT Z`, `POINTZ`.
const DIMENSIONS = /^\s*(ZM|Z|M)?(?![a-z])/i;
const ATTACHED_DIMENSIONS = /(?:ZM|Z|M)$/;

/** Reads WKT in any letter case, with or without `SRID=4326;` before it; Z and M are dropped (D15). */
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
  if (upper.startsWith('GEOMETRYCOLLECTION'))
    return failure('a geometry collection is not supported: send one geometry');
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
