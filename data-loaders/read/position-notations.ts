// Says what is wrong with coordinates and geometries in notations that are not read, and what to write instead (D73).
// Nothing is guessed: these hints appear in findings only.

import { readNumber } from '../../shared/values/numbers';
import { readPoint } from '../../shared/values/site-point';

/** Degrees, optional minutes and seconds, and a hemisphere letter before or behind, in the usual notations. */
const SEXAGESIMAL =
  /^(?<before>[NSEW])?\s*(?<sign>[-+])?(?<degrees>\d{1,3}(?:\.\d+)?)\s*(?:[°ºd:\s-]\s*(?:(?<minutes>\d{1,2}(?:\.\d+)?)\s*(?:['′’m:\s-]\s*(?:(?<seconds>\d{1,2}(?:\.\d+)?)\s*(?:["″”s]|''|′′)?)?)?)?)?\s*(?<behind>[NSEW])?$/i;

const MINUS_SIGNS = /[\u2212\u2010-\u2015]/g;
const DECIMAL_COMMA = /^[-+]?\d{1,3},\d+$/;
const DECIMALS = 6;

/** The hint for coordinates that are no point on Earth, such as `write -111.9 and 40.5`. */
export function explainCoordinates(longitude: string, latitude: string): string | undefined {
  const west = readDegrees(longitude, 'EW');
  const north = readDegrees(latitude, 'NS');
  if (west !== undefined && north !== undefined && readPoint(west, north) !== undefined) {
    if (west === longitude && north === latitude) return undefined;
    const isSigned = /[-\u2212\u2010-\u2015EW]/i.test(longitude);
    // The sign of a western longitude is often left out together with its letter.
    const remark = isSigned ? '' : ', with a minus sign where the longitude is west';
    return `write ${west} and ${north}${remark}`;
  }
  return readPoint(latitude, longitude) === undefined ? undefined : 'Longitude and Latitude look exchanged';
}

/** A coordinate in decimal degrees as text; undefined where its notation is not certain. */
function readDegrees(text: string, hemispheres: string): string | undefined {
  const plain = text.trim().replace(MINUS_SIGNS, '-');
  if (readNumber(plain) !== undefined) return plain;
  if (DECIMAL_COMMA.test(plain)) return plain.replace(',', '.');
  const groups = SEXAGESIMAL.exec(plain)?.groups;
  if (groups === undefined) return undefined;
  const { before, sign, degrees = '', minutes = '0', seconds = '0', behind } = groups;
  const letter = (before ?? behind ?? '').toUpperCase();
  if (letter !== '' && (!hemispheres.includes(letter) || sign !== undefined)) return undefined;
  if (before !== undefined && behind !== undefined) return undefined;
  if (Number(minutes) >= 60 || Number(seconds) >= 60) return undefined;
  const isNegative = sign === '-' || letter === 'W' || letter === 'S';
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  return String(Number((isNegative ? -value : value).toFixed(DECIMALS)));
}

/** Well-known text, GeoJSON or a list of positions without any position. */
const EMPTY_WKT =
  /^(?:SRID=\d+;)?\s*(?:POINT|LINESTRING|POLYGON|MULTIPOINT|MULTILINESTRING|MULTIPOLYGON|GEOMETRYCOLLECTION|GEOMETRY|CIRCULARSTRING|COMPOUNDCURVE|CURVEPOLYGON|MULTICURVE|MULTISURFACE|POLYHEDRALSURFACE|TIN|TRIANGLE)\s*(?:ZM|Z|M)?\s*(?:EMPTY|\((?:\s|[(),]|EMPTY|NaN|(?:MULTI)?(?:POINT|LINESTRING|POLYGON))*\))$/i;

/** Whether a geometry says that there is none, as R, PostGIS and GDAL write it. */
export function isEmptyGeometry(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith('{') ? isEmptyGeoJson(trimmed) : EMPTY_WKT.test(trimmed);
}

const MAX_EMPTY_LENGTH = 1000;

function isEmptyGeoJson(text: string): boolean {
  if (text.length > MAX_EMPTY_LENGTH) return false;
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/\bNaN\b/g, 'null'));
  } catch {
    return false;
  }
  return typeof value === 'object' && value !== null && hasNoPosition(value);
}

function hasNoPosition(value: object): boolean {
  if ('geometry' in value) return value.geometry === null || isEmptyObject(value.geometry);
  if ('coordinates' in value) return Array.isArray(value.coordinates) && hasNoNumber(value.coordinates);
  return 'geometries' in value && Array.isArray(value.geometries) && value.geometries.every(isEmptyObject);
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && hasNoPosition(value);
}

function hasNoNumber(values: readonly unknown[]): boolean {
  return values.every((value) => value === null || (Array.isArray(value) && hasNoNumber(value)));
}

/** Notations of geometries that can be recognized, and what to do about each. */
const OTHER_NOTATIONS: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [
    /^(?:\\\\?x|0x)?0[01](?:[0-9a-f]{2}){4,}$/i,
    'well-known binary in hexadecimal, as PostGIS writes it: export ST_AsText(geom)',
  ],
  [/^(?:AQ|AA)[A-Za-z0-9+/]{20,}={0,2}$/, 'well-known binary in base64: export the geometry as well-known text'],
  [
    /^<(?:\w+:)?(?:Point|Polygon|LineString|MultiGeometry)\b[^>]*>\s*<(?:\w+:)?(?:coordinates|outerBoundaryIs|tessellate|extrude|altitudeMode)\b/i,
    'KML: export the geometry as well-known text',
  ],
  [/^<(?:\?xml|kml|Placemark)\b/i, 'XML: export the geometry as well-known text'],
  [/^<(?:gml:)?\w+/i, 'GML: export the geometry as well-known text'],
  [
    /^\{\s*"(?:rings|paths|points|x|hasZ|hasM|spatialReference)"/,
    'JSON of Esri: export the geometry as well-known text or GeoJSON',
  ],
  [
    /^[[(]?\s*-?\d+(?:\.\d+)?[\s,]+-?\d+(?:\.\d+)?\s*[\])]?$/,
    'two numbers without a keyword: write POINT (longitude latitude)',
  ],
];

/** The hint for a geometry that cannot be read; undefined when its notation is not known. */
export function explainGeometry(text: string): string | undefined {
  const trimmed = text.trim();
  // Long texts are recognized by their start.
  const start = trimmed.length > MAX_EMPTY_LENGTH ? trimmed.slice(0, MAX_EMPTY_LENGTH) : trimmed;
  const known = OTHER_NOTATIONS.find(([pattern]) => pattern.test(start));
  if (known !== undefined) return known[1];
  return isLatitudeFirst(start) ? 'latitude first: exchange the two numbers of each position' : undefined;
}

const POSITION = /(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)/g;

/** Whether every position is one on Earth only with its numbers exchanged, or some are and the others allow it. */
function isLatitudeFirst(text: string): boolean {
  const positions = Array.from(
    text.matchAll(POSITION),
    ([, first, second]) => [Number(first), Number(second)] as const,
  );
  const canBeExchanged = positions.every(([first, second]) => Math.abs(first) <= 90 && Math.abs(second) <= 180);
  return canBeExchanged && positions.some(([, second]) => Math.abs(second) > 90);
}
