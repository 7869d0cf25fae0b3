// Reads GeoJSON (RFC 7946). The older `crs` member is accepted if it specifies WGS 84 or a system that is read as WGS
// 84 (D73). Only own members of objects are read, so that `__proto__` and `constructor` in a request are members like
// any other.

import { checkGeometry, GEOMETRY_TYPES, type ToDegrees } from './check-geometry';
import { findDegreeSystem } from './geographic-systems';
import type { Geometry } from './geometry';
import { TextProblem } from './result';

type JsonObject = Readonly<Record<string, unknown>>;

// A MultiPolygon in a Feature needs six levels. Text with more than ten levels cannot be a boundary and is refused
// before it is parsed (D15).
const NESTING_LIMIT = 10;

/** Maximum number of characters of a system's name in an error message. */
const MAX_NAME = 80;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Reads a geometry or the geometry of a Feature (D15). `text` begins with `{`. Throws a TextProblem. */
export function readGeoJson(text: string, toDegrees?: ToDegrees): Geometry {
  checkExtent(text);
  const json = parseJson(text);
  if (!isObject(json) || getMember(json, 'type') !== 'Feature') return readGeometryObject(json, toDegrees);
  checkCrs(json);
  const geometry = getMember(json, 'geometry');
  if (geometry === null || geometry === undefined) {
    throw new TextProblem('the geometry is empty: the Feature has no geometry');
  }
  return readGeometryObject(geometry, toDegrees);
}

/** Checks the brackets in one pass, so that neither deep nesting nor trailing text reaches JSON.parse. */
function checkExtent(text: string): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) inString = false;
      continue;
    }
    switch (code) {
      case QUOTE:
        inString = true;
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth += 1;
        if (depth > NESTING_LIMIT) {
          throw new TextProblem(`the GeoJSON is nested more than ${NESTING_LIMIT} levels deep`);
        }
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1;
        if (depth > 0) break;
        if (index === text.length - 1) return;
        throw new TextProblem(`there is text after the end of the GeoJSON at character ${index + 2}`);
    }
  }
  throw new TextProblem('the GeoJSON ends before its last bracket is closed');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's message may quote the text at length. Only the position is useful.
    const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    const location = position === undefined ? '' : ` at character ${Number(position) + 1}`;
    throw new TextProblem(`the GeoJSON is not valid JSON${location}`);
  }
}

function readGeometryObject(value: unknown, toDegrees?: ToDegrees): Geometry {
  if (!isObject(value)) throw new TextProblem('the GeoJSON geometry is not an object');
  const type = getMember(value, 'type');
  if (type === 'GeometryCollection') throw new TextProblem('a geometry collection is not supported: send one geometry');
  if (type === 'FeatureCollection') throw new TextProblem('a FeatureCollection is not supported: send one geometry');
  const geometryType = GEOMETRY_TYPES.find((candidate) => candidate === type);
  if (geometryType === undefined) {
    throw new TextProblem(`the GeoJSON type must be one of ${GEOMETRY_TYPES.join(', ')}, or a Feature of these`);
  }
  checkCrs(value);
  return checkGeometry(geometryType, getMember(value, 'coordinates'), toDegrees);
}

/** A `crs` of null (GeoJSON of 2008) means the same as a missing `crs`. */
function checkCrs(object: JsonObject): void {
  const crs = getMember(object, 'crs');
  if (crs === undefined || crs === null) return;
  const name = readCrsName(crs);
  if (name !== undefined && findDegreeSystem(name) !== undefined) return;
  const what =
    name === undefined ? 'it has no name' : `${JSON.stringify(name.slice(0, MAX_NAME))} is neither WGS 84 nor NAD83`;
  throw new TextProblem(`the crs is not supported: ${what}. Write longitude and latitude in WGS 84 and omit crs`);
}

/** In practice, the form is `{"type": "name", "properties": {"name": ...}}`. */
function readCrsName(crs: unknown): string | undefined {
  const properties = isObject(crs) ? getMember(crs, 'properties') : undefined;
  const name = isObject(properties) ? getMember(properties, 'name') : undefined;
  return typeof name === 'string' ? name : undefined;
}

/**
 * Lists the coordinate systems that a GeoJSON text specifies, in the Feature or in its geometry. The text must be
 * valid.
 */
export function listCrsNames(text: string): readonly string[] {
  if (!text.includes('"crs"')) return [];
  const json = parseJson(text);
  const feature = isObject(json) ? json : {};
  const geometry = getMember(feature, 'geometry');
  return [feature, isObject(geometry) ? geometry : {}].flatMap((object) => readCrsName(getMember(object, 'crs')) ?? []);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function getMember(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
