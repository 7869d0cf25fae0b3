// Boundaries: the text of a geometry, from a request or a submission, to the geometry (D15).

import { readGeoJson } from './boundary-geojson';
import { readWkt } from './boundary-wkt';
import { countPositions, type Geometry } from '../geometry';
import { BOUNDARY_FORMS, readNamedBoundary, type SearchArea } from './boundary-names';
import { failure, success, type Result } from '../result';

// What a request line of 256 KiB holds at some 50 characters a position, and a bound on the work that one request can
// ask for (D15). Stored geometries have no limit: they are read once, when they are loaded.
const BOUNDARY_POSITION_LIMIT = 5_000;

/** Reads WKT or GeoJSON of any size, as a submission's cell holds it. Linear in the length of the text. */
export function readGeometry(text: string): Result<Geometry> {
  const trimmed = text.trim();
  if (trimmed === '') return failure('the text is empty');
  return trimmed.startsWith('{') ? readGeoJson(trimmed) : readWkt(trimmed);
}

/** Reads a request's boundary: a geometry of limited size, or one by name. */
export function readBoundary(text: string): Result<SearchArea> {
  const named = readNamedBoundary(text);
  if (named !== undefined) return named;
  const geometry = readGeometry(text);
  if (!geometry.ok) return /[({]/.test(text) ? geometry : failure(`${geometry.problem}; by name: ${BOUNDARY_FORMS}`);
  const positions = countPositions(geometry.value);
  return positions <= BOUNDARY_POSITION_LIMIT
    ? success({ form: 'geometry', geometry: geometry.value })
    : failure(`the boundary has ${positions} positions; ${BOUNDARY_POSITION_LIMIT} are allowed: simplify it`);
}
