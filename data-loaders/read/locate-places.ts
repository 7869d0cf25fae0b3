// Checks the location of a site or reporting unit: its point, its geometry and its coordinate system (submissions.md, 3
// and 4).

import { readGeometry } from '../../shared/values/boundary';
import { encodeGeometry } from '../../shared/values/encode-geometry';
import { findDegreeSystem, isWgs84 } from '../../shared/values/geographic-systems';
import { boundingBox } from '../../shared/values/geometry';
import { readPoint } from '../../shared/values/site-point';
import { writeWkt } from '../../shared/values/wkt';
import { appendHint, type RowFinding } from '../format/findings';
import { type ReportingUnitRow, type SiteRow } from '../format/submission-files';
import { explainCoordinates, explainGeometry, isEmptyGeometry } from './position-notations';

/** `hasGeometry`: whether the site has a usable geometry. Searches can then find it even without coordinates. */
export function checkPoint(
  { Longitude: longitude, Latitude: latitude }: SiteRow,
  hasGeometry: boolean,
): readonly RowFinding[] {
  if (longitude === null && latitude === null) {
    return hasGeometry ? [] : [{ rule: 'no-position', column: 'Longitude', value: '' }];
  }
  const point = readPoint(longitude, latitude);
  if (point !== undefined) {
    const { latitude: degrees } = point;
    return isNearPole(degrees) ? [{ rule: 'near-pole', column: 'Latitude', value: latitude ?? '' }] : [];
  }
  const isProjected = areProjected(Number(longitude ?? NaN), Number(latitude ?? NaN));
  const rule = isProjected ? 'projected-coordinates' : 'no-point';
  const value = `${longitude ?? ''} ${latitude ?? ''}`;
  return [{ rule, column: 'Longitude', value: appendHint(value, explainCoordinates(longitude ?? '', latitude ?? '')) }];
}

/** Maps in Web Mercator end at 85.05 degrees, and no place with water data is near a pole. */
const MAX_MAP_LATITUDE = 85;

function isNearPole(latitude: number): boolean {
  return Math.abs(latitude) > MAX_MAP_LATITUDE;
}

/**
 * A larger number is in meters or feet. It is not a wrong number of degrees, such as -111.8 without its decimal point.
 */
const MIN_PROJECTED = 10_000;

/**
 * Whether coordinates are projected: eastings and northings in UTM, state plane systems and Web Mercator are far larger
 * than degrees.
 */
function areProjected(easting: number, northing: number): boolean {
  return Math.abs(easting) >= MIN_PROJECTED && Math.abs(northing) >= MIN_PROJECTED;
}

/** Matches the first two numbers in WKT or GeoJSON. */
const FIRST_POSITION = /[([]\s*(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)/;

/** The findings about a place, based on the warnings about its coordinates and on its coordinate system (ADR 0051). */
export function checkCoordinateSystem(
  { EPSGCodeCV: system, ...row }: Pick<ReportingUnitRow, 'EPSGCodeCV'> & Partial<SiteRow>,
  warnings: readonly RowFinding[],
  geometry: Uint8Array | null,
): RowFinding[] {
  if (system === null || isWgs84(findDegreeSystem(system) ?? '')) return [...warnings];
  const systemFinding = { column: 'EPSGCodeCV', value: system };
  if (warnings.some(({ rule }) => rule === 'projected-coordinates'))
    return [{ rule: 'projected-system', ...systemFinding }];
  const isInDegrees = geometry !== null || readPoint(row.Longitude ?? null, row.Latitude ?? null) !== undefined;
  if (!isInDegrees) return [...warnings];
  // The geometry may also specify the system.
  return [...warnings.filter(({ rule }) => rule !== 'other-system'), { rule: 'other-system', ...systemFinding }];
}

/** The HUC8: the first 8 of the 12 digits of a HUC12 (D11). */
export function toSubbasin(huc12: string | null): string | null {
  return huc12 !== null && /^\d{12}$/.test(huc12) ? huc12.slice(0, 8) : null;
}

interface NormalizedGeometry {
  readonly geometry: Uint8Array | null;
  /** The geometry as WKT (D28). An unreadable text is kept as submitted. */
  readonly text: string | null;
  readonly problem: readonly RowFinding[];
}

/** Reads WKT or GeoJSON (D15). A geometry without positions counts as an empty cell (D73). */
export function normalizeGeometry(text: string | null): NormalizedGeometry {
  if (text === null || isEmptyGeometry(text)) return { text: null, geometry: null, problem: [] };
  const read = readGeometry(text);
  if (!read.ok) return { text, geometry: null, problem: [describeUnusableGeometry(text, read.problem)] };
  // GeoJSON is converted to WKT with two numbers per position.
  const wkt = text.startsWith('{') ? writeWkt(read.value) : text;
  const [, south, , north] = boundingBox(read.value);
  const poles: RowFinding[] = [south, north].filter(isNearPole).map((latitude) => ({
    rule: 'near-pole',
    column: 'Geometry',
    value: `latitude ${latitude}`,
  }));
  return { text: wkt, geometry: encodeGeometry(read.value), problem: [...poles.slice(0, 1), ...remarkOnSystem(text)] };
}

/** The number of characters of a cell's text that a finding shows before the explanation. */
const SHOWN_CHARACTERS = 60;

function describeUnusableGeometry(text: string, problem: string): RowFinding {
  const shown = text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}...`;
  const [, easting, northing] = FIRST_POSITION.exec(text) ?? [];
  const rule = areProjected(Number(easting), Number(northing)) ? 'projected-coordinates' : 'unusable-geometry';
  return { rule, column: 'Geometry', value: `${shown} (${explainGeometry(text) ?? problem})` };
}

/** Matches the coordinate system at the start of a geometry, as PostGIS and old GeoJSON write it. */
const DECLARED_SYSTEM = /^\s*SRID\s*=\s*(\d+)|"crs"\s*:\s*\{[^]*?"name"\s*:\s*"([^"]+)"/;
const SYSTEM_START = 1000;

function remarkOnSystem(text: string): readonly RowFinding[] {
  const [, srid, name] = DECLARED_SYSTEM.exec(text.slice(0, SYSTEM_START)) ?? [];
  const system = srid ?? name;
  if (system === undefined || isWgs84(findDegreeSystem(system) ?? '')) return [];
  return [{ rule: 'other-system', column: 'Geometry', value: system }];
}
