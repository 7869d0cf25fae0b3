// Explains coordinates and geometries in notations that are not supported, and what to write instead (D73). These hints
// appear only in findings; no value is guessed.

import { readNumber } from '../../shared/values/numbers';
import { readPoint } from '../../shared/values/site-point';

/** Separators of degrees, minutes and seconds. Does not include a capital S, because it is a hemisphere. */
const SEPARATORS = /[°ºd:'′’m"″”s]/g;
const HYPHEN_BETWEEN_DIGITS = /(?<=\d)-(?=\d)/g;
const HEMISPHERE = /[NSEWnew]/g;
const UNSIGNED = /^\d{1,3}(?:\.\d{1,12})?$/;

const MINUS_SIGNS = /[\u2212\u2010-\u2015]/g;
const DECIMAL_COMMA = /^[-+]?\d{1,3},\d+$/;
const DECIMALS = 6;

/** The hint for coordinates that are not a valid point, such as `write -111.9 and 40.5`. */
export function explainCoordinates(longitude: string, latitude: string): string | undefined {
  const west = readDegrees(longitude, 'EW');
  const north = readDegrees(latitude, 'NS');
  if (west !== undefined && north !== undefined && readPoint(west, north) !== undefined) {
    if (west === longitude && north === latitude) return undefined;
    const isSigned = /[-\u2212\u2010-\u2015EW]/i.test(longitude);
    // The minus sign of a western longitude is often omitted together with its letter.
    const remark = isSigned ? '' : ', with a minus sign where the longitude is west';
    return `write ${west} and ${north}${remark}`;
  }
  return readPoint(latitude, longitude) === undefined ? undefined : 'Longitude and Latitude look swapped';
}

/** Formats a coordinate in decimal degrees; undefined if its notation is ambiguous. */
function readDegrees(text: string, hemispheres: string): string | undefined {
  const plain = text.trim().replace(MINUS_SIGNS, '-');
  if (readNumber(plain) !== undefined) return plain;
  if (DECIMAL_COMMA.test(plain)) return plain.replace(',', '.');
  return readSexagesimal(plain, hemispheres);
}

/** Reads degrees, minutes and seconds, with a sign, or with a hemisphere letter before or after them. */
function readSexagesimal(text: string, hemispheres: string): string | undefined {
  const letters = text.match(HEMISPHERE) ?? [];
  const letter = letters[0]?.toUpperCase();
  if (letters.length > 1 || (letter !== undefined && !hemispheres.includes(letter))) return undefined;
  const isSigned = /^[-+]/.test(text);
  if (isSigned && letter !== undefined) return undefined;
  const numbers = text
    .replace(/^[-+]/, '')
    .replace(HYPHEN_BETWEEN_DIGITS, ' ')
    .replace(SEPARATORS, ' ')
    .replace(HEMISPHERE, ' ')
    .split(' ')
    .filter((part) => part !== '');
  if (numbers.length < 1 || numbers.length > 3 || !numbers.every((part) => UNSIGNED.test(part))) return undefined;
  const [degrees = 0, minutes = 0, seconds = 0] = numbers.map(Number);
  if (minutes >= 60 || seconds >= 60) return undefined;
  const isNegative = text.startsWith('-') || letter === 'W' || letter === 'S';
  const value = degrees + minutes / 60 + seconds / 3600;
  return String(Number((isNegative ? -value : value).toFixed(DECIMALS)));
}

/** Matches WKT, GeoJSON or a list of positions without any position. */
const EMPTY_WKT =
  /^(?:SRID=\d+;)?\s*(?:POINT|LINESTRING|POLYGON|MULTIPOINT|MULTILINESTRING|MULTIPOLYGON|GEOMETRYCOLLECTION|GEOMETRY|CIRCULARSTRING|COMPOUNDCURVE|CURVEPOLYGON|MULTICURVE|MULTISURFACE|POLYHEDRALSURFACE|TIN|TRIANGLE)\s*(?:ZM|Z|M)?\s*(?:EMPTY|\((?:\s|[(),]|EMPTY|NaN|(?:MULTI)?(?:POINT|LINESTRING|POLYGON))*\))$/i;

/** Whether a geometry stands for a missing one, in the notations of R, PostGIS and GDAL. */
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

/** Recognizable notations of geometries, with advice for each. */
const OTHER_NOTATIONS: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [
    /^(?:\\?x|0x)?0[01](?:[0-9a-f]{2}){4,}$/i,
    'well-known binary in hexadecimal, as PostGIS writes it: export ST_AsText(geom)',
  ],
  [/^A[QA][A-Za-z0-9+/]{20,}={0,2}$/, 'well-known binary in base64: export the geometry as well-known text'],
  [
    /^\{\s*"(?:rings|paths|points|x|hasZ|hasM|spatialReference)"/,
    'JSON of Esri: export the geometry as well-known text or GeoJSON',
  ],
  [
    /^[[(]?-?\d+(?:\.\d+)?[ ,]{1,3}-?\d+(?:\.\d+)?[\])]?$/,
    'two numbers without a keyword: write POINT (longitude latitude)',
  ],
];

function explainMarkup(text: string): string {
  const language = text.includes('gml') || !text.includes('coordinates') ? 'GML' : 'KML';
  return `${language}: export the geometry as well-known text`;
}

/** The hint for a geometry that cannot be read; undefined if its notation is unknown. */
export function explainGeometry(text: string): string | undefined {
  const trimmed = text.trim();
  // For a long text, the start is enough.
  const start = trimmed.length > MAX_EMPTY_LENGTH ? trimmed.slice(0, MAX_EMPTY_LENGTH) : trimmed;
  if (start.startsWith('<')) return explainMarkup(start);
  const known = OTHER_NOTATIONS.find(([pattern]) => pattern.test(start));
  if (known !== undefined) return known[1];
  return isLatitudeFirst(start) ? 'latitude first: exchange the two numbers of each position' : undefined;
}

const NUMBERS = /-?\d+(?:\.\d+)?/g;

/**
 * Whether the positions probably have latitude first: with longitude first, some are not on Earth; with latitude first,
 * all are.
 */
function isLatitudeFirst(text: string): boolean {
  const numbers = (text.match(NUMBERS) ?? []).map(Number);
  const latitudes = numbers.filter((_, index) => index % 2 === 0);
  const longitudes = numbers.filter((_, index) => index % 2 === 1);
  return (
    latitudes.every((latitude) => Math.abs(latitude) <= 90) &&
    longitudes.every((longitude) => Math.abs(longitude) <= 180) &&
    longitudes.some((longitude) => Math.abs(longitude) > 90)
  );
}
