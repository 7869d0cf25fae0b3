// GeoJSON text to coordinates (RFC 7946), and the older `crs` member where it says what RFC 7946 says anyway. Members
// are read only where the object holds them itself: `__proto__` or `constructor` in a request is a member like any
// other.

import { checkGeometry, GEOMETRY_TYPES, type Geometry, type ToDegrees } from './geometry';
import { failure, success, type Result } from './result';

type JsonObject = Readonly<Record<string, unknown>>;

// A MultiPolygon in a Feature needs six levels. More than ten is never a boundary, and is refused before anything walks
// it (D15).
const NESTING_LIMIT = 10;

// The spellings of WGS 84 in the field: urn:ogc:def:crs:OGC:1.3:CRS84, urn:ogc:def:crs:EPSG::4326,
// http://www.opengis.net/def/crs/EPSG/0/4326 ...
const WGS84_NAME =
  /^(?:urn:ogc:def:crs:|https?:\/\/www\.opengis\.net\/def\/crs\/)?(?:OGC[:/](?:[\d.]*[:/])?CRS84|EPSG[:/](?:[\d.]*[:/])?4326|CRS84|WGS ?84)$/i;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** `text` begins with `{`. A Feature stands for its geometry (D15). */
export function readGeoJson(text: string, toDegrees?: ToDegrees): Result<Geometry> {
  const extent = checkExtent(text);
  if (!extent.ok) return extent;
  const json = parseJson(text);
  if (!json.ok) return json;
  return readFeatureOrGeometry(json.value, toDegrees);
}

/** One pass over the brackets, so that neither deep nesting nor trailing text reaches JSON.parse. */
function checkExtent(text: string): Result<undefined> {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
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
        if (depth > NESTING_LIMIT) return failure(`the GeoJSON is nested more than ${NESTING_LIMIT} levels deep`);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1;
        if (depth > 0) break;
        return at === text.length - 1
          ? success(undefined)
          : failure(`there is text after the end of the GeoJSON at character ${at + 2}`);
    }
  }
  return failure('the GeoJSON ends before its last bracket is closed');
}

function parseJson(text: string): Result<unknown> {
  try {
    return success(JSON.parse(text));
  } catch (error) {
    // The parser's own message may quote the text at length; only its position is worth having.
    const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    const place = position === undefined ? '' : ` at character ${Number(position) + 1}`;
    return failure(`the GeoJSON is not valid JSON${place}`);
  }
}

function readFeatureOrGeometry(value: unknown, toDegrees?: ToDegrees): Result<Geometry> {
  if (!isObject(value) || member(value, 'type') !== 'Feature') return readGeometryObject(value, toDegrees);
  const problem = crsProblem(value);
  if (problem !== undefined) return failure(problem);
  const geometry = member(value, 'geometry');
  if (geometry === null || geometry === undefined) return failure('the geometry is empty: the Feature has none');
  return readGeometryObject(geometry, toDegrees);
}

function readGeometryObject(value: unknown, toDegrees?: ToDegrees): Result<Geometry> {
  if (!isObject(value)) return failure('the GeoJSON geometry is not an object');
  const type = member(value, 'type');
  if (type === 'GeometryCollection') return failure('a geometry collection is not supported: send one geometry');
  if (type === 'FeatureCollection') return failure('a FeatureCollection is not supported: send one geometry');
  const known = GEOMETRY_TYPES.find((one) => one === type);
  if (known === undefined) {
    return failure(`the GeoJSON is not of one of the types ${GEOMETRY_TYPES.join(', ')}, or a Feature of these`);
  }
  const problem = crsProblem(value);
  if (problem !== undefined) return failure(problem);
  return checkGeometry(known, member(value, 'coordinates'), toDegrees);
}

/** A `crs` of null says nothing (GeoJSON of 2008), as a missing one does. */
function crsProblem(object: JsonObject): string | undefined {
  const crs = member(object, 'crs');
  if (crs === undefined || crs === null) return undefined;
  const name = isObject(crs) ? crsName(crs) : undefined;
  if (typeof name === 'string' && WGS84_NAME.test(name)) return undefined;
  return 'the crs is not supported: write longitude and latitude in WGS 84 and leave crs out';
}

/** `{"type": "name", "properties": {"name": ...}}` is the form that the field writes. */
function crsName(crs: JsonObject): unknown {
  const properties = member(crs, 'properties');
  return isObject(properties) ? member(properties, 'name') : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
