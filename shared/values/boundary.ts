// Boundaries of requests (D15): a geometry as text, or a name. A name takes a few characters where a polygon would take
// thousands, and many proxies and platforms limit a request line to 2,048 or 4,096 bytes (ADR 0036).

import type { ToDegrees } from './check-geometry';
import { readGeoJson } from './geojson';
import { boxToRing, countPositions, type Geometry } from './geometry';
import { readNumber } from './numbers';
import { catchTextProblem, failure, type Result, success } from './result';
import { readStateCode } from './states';
import { MAX_TEXT_LENGTH, TEXT_TOO_LONG } from './text-length';
import { readWkt } from './wkt';

/**
 * The area of a search: a geometry, the geometry of a named place, or an area that records state. The `name` of a
 * county starts with its state: `UT/Cache`.
 */
export type SearchArea =
  | { readonly kind: 'geometry'; readonly geometry: Geometry }
  | { readonly kind: 'reportingunit' | 'site' | 'huc8' | 'county' | 'state'; readonly name: string };

export const NAMED_BOUNDARY_SYNTAX =
  'huc8:14010001, county:UT/Cache, state:UT, reportingunit:UUID, site:UUID, bbox:west,south,east,north';

/** Matches no WKT or GeoJSON, where the first colon follows a bracket, a quote or an equals sign. */
const NAMED_BOUNDARY = /^\s*(\w{1,40})\s*:\s*(.*)$/su;

// A request line of 256 KiB holds this many positions at about 50 characters each. The limit bounds the work of one
// request (D15). Stored geometries have no limit: they are read once, when they are loaded.
export const BOUNDARY_POSITION_LIMIT = 5_000;

/** Reading a place of a million positions as a boundary would block other requests for 5 seconds. */
export const NAMED_BOUNDARY_POSITION_LIMIT = 200_000;

/**
 * Reads WKT or GeoJSON of any size, as in a cell of a submission. Linear in the length of the text. Coordinates are
 * longitude and latitude unless `toDegrees` converts them.
 */
export function readGeometry(text: string, toDegrees?: ToDegrees): Result<Geometry> {
  const trimmed = text.trim();
  if (trimmed === '') return failure('the text is empty');
  const parse = trimmed.startsWith('{') ? readGeoJson : readWkt;
  return catchTextProblem(() => parse(trimmed, toDegrees));
}

/** Reads the boundary of a request: a geometry of limited size, or a name. */
export function readBoundary(text: string): Result<SearchArea> {
  const named = readNamedBoundary(text);
  if (named !== undefined) return named;
  const geometry = readGeometry(text);
  if (!geometry.ok)
    return /[({]/.test(text) ? geometry : failure(`${geometry.problem}; a named boundary is ${NAMED_BOUNDARY_SYNTAX}`);
  const positions = countPositions(geometry.value);
  return positions <= BOUNDARY_POSITION_LIMIT
    ? success({ kind: 'geometry', geometry: geometry.value })
    : failure(`the boundary has ${positions} positions; at most ${BOUNDARY_POSITION_LIMIT} are allowed: simplify it`);
}

/** Returns undefined if the text does not have the syntax of a name. */
export function readNamedBoundary(text: string): Result<SearchArea> | undefined {
  const parts = NAMED_BOUNDARY.exec(text);
  if (parts === null) return undefined;
  const kind = parts[1]?.toLowerCase() ?? '';
  const name = parts[2]?.trim() ?? '';
  if (name.length > MAX_TEXT_LENGTH) return failure(`${kind}: the name ${TEXT_TOO_LONG}`);
  switch (kind) {
    case 'huc8':
      return /^\d{8}$/.test(name) ? success({ kind, name }) : failure('huc8: must be followed by 8 digits');
    case 'county':
      return readCounty(name);
    case 'state': {
      const code = readStateCode(name);
      if (code !== undefined) return success({ kind, name: code });
      return failure('state: must be followed by a two-letter postal abbreviation, such as UT');
    }
    case 'reportingunit':
    case 'site':
      return name === '' ? failure(`${kind}: must be followed by an identifier`) : success({ kind, name });
    case 'bbox':
      return readBox(name);
    default:
      return failure(`is not a named boundary: use ${NAMED_BOUNDARY_SYNTAX}`);
  }
}

function readCounty(text: string): Result<SearchArea> {
  const slash = text.indexOf('/');
  const state = readStateCode(text.slice(0, Math.max(0, slash)).trim());
  const county = text.slice(slash + 1).trim();
  if (slash === -1 || state === undefined || county === '') {
    return failure('county: must be followed by a two-letter state, a slash and a name, such as UT/Cache');
  }
  return success({ kind: 'county', name: `${state}/${county}` });
}

/** In degrees. Programs that convert coordinates miss the edge of the world by up to this much (D70). */
const EDGE_TOLERANCE = 1e-6;

export function snapToEdge(degrees: number, edge: number): number {
  const beyond = Math.abs(degrees) - edge;
  return beyond > 0 && beyond <= EDGE_TOLERANCE ? Math.sign(degrees) * edge : degrees;
}

/** As in a GeoJSON bbox, a box with west > east crosses the antimeridian. Such a box is read as two boxes. */
function readBox(text: string): Result<SearchArea> {
  const numbers = text.split(',').map((part) => readNumber(part.trim()));
  const [west, south, east, north, ...rest] = numbers.map((number, index) =>
    number === undefined ? undefined : snapToEdge(number, index % 2 === 0 ? 180 : 90),
  );
  const hasFourNumbers = west !== undefined && south !== undefined && east !== undefined && north !== undefined;
  if (!hasFourNumbers || rest.length > 0) {
    return failure('bbox: must be followed by four numbers, west,south,east,north, such as -112,40,-111,41');
  }
  if ([west, east].some((longitude) => Math.abs(longitude) > 180)) {
    return failure('bbox: west and east, the first and third numbers, must be between -180 and 180');
  }
  if ([south, north].some((latitude) => Math.abs(latitude) > 90)) {
    return failure('bbox: south and north, the second and fourth numbers, must be between -90 and 90');
  }
  if (south > north) return failure('bbox: south, the second number, must not be greater than north, the fourth');
  const boxes = west <= east ? [[west, east] as const] : [[west, 180] as const, [-180, east] as const];
  const polygons = boxes.map(([from, to]) => [boxToRing([from, south, to, north])]);
  return success({ kind: 'geometry', geometry: { type: 'MultiPolygon', coordinates: polygons } });
}
