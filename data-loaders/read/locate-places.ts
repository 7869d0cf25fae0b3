// Checks the location of a site or reporting unit: its point, its geometry and its coordinate system (submissions.md, 3
// and 4).

import { readGeometry } from '../../shared/values/boundary';
import { encodeGeometry } from '../../shared/values/encode-geometry';
import { boundingBox } from '../../shared/values/geometry';
import { readPoint } from '../../shared/values/site-point';
import { writeWkt } from '../../shared/values/wkt';
import { type RowFinding } from '../format/findings';
import { type ReportingUnitRow, type SiteRow } from '../format/submission-files';

export function checkPoint({ Longitude: longitude, Latitude: latitude }: SiteRow): readonly RowFinding[] {
  const point = readPoint(longitude, latitude);
  if (point !== undefined) {
    const { latitude: degrees } = point;
    return isNearPole(degrees) ? [{ rule: 'near-pole', column: 'Latitude', value: latitude ?? '' }] : [];
  }
  const isProjected = areProjected(Number(longitude ?? NaN), Number(latitude ?? NaN));
  const rule = isProjected ? 'projected-coordinates' : 'no-point';
  return [{ rule, column: 'Longitude', value: `${longitude ?? ''} ${latitude ?? ''}` }];
}

/** Maps in Web Mercator end at 85.05 degrees, and no place with water data is near a pole. */
const MAX_MAP_LATITUDE = 85;

function isNearPole(latitude: number): boolean {
  return Math.abs(latitude) > MAX_MAP_LATITUDE;
}

/**
 * A larger ordinate is not a typing error in degrees, such as a lost decimal point in -111.8. It is in meters or feet.
 */
const MIN_PROJECTED = 10_000;

/**
 * Whether coordinates are projected: eastings and northings of UTM, state planes and Web Mercator are far larger than
 * degrees.
 */
function areProjected(easting: number, northing: number): boolean {
  return Math.abs(easting) >= MIN_PROJECTED && Math.abs(northing) >= MIN_PROJECTED;
}

/** The first two numbers of a text of WKT or GeoJSON. */
const FIRST_POSITION = /[([]\s*(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)/;

/** The code of a coordinate system in any notation: `4326`, `4326.0`, `EPSG:4326`. */
const EPSG_CODE = /(?:^|\D)(\d{4,6})(?:\.0+)?$/;

const WGS_84 = '4326';

/** The findings on a place, from the warnings on its coordinates and its coordinate system (ADR 0051). */
export function checkCoordinateSystem(
  { EPSGCodeCV: system, ...row }: Pick<ReportingUnitRow, 'EPSGCodeCV'> & Partial<SiteRow>,
  warnings: readonly RowFinding[],
  geometry: Uint8Array | null,
): RowFinding[] {
  const [, code = WGS_84] = EPSG_CODE.exec(system ?? '') ?? [];
  if (code === WGS_84) return [...warnings];
  const systemFinding = { column: 'EPSGCodeCV', value: system ?? '' };
  if (warnings.some(({ rule }) => rule === 'projected-coordinates'))
    return [{ rule: 'projected-system', ...systemFinding }];
  const isInDegrees = geometry !== null || readPoint(row.Longitude ?? null, row.Latitude ?? null) !== undefined;
  return isInDegrees ? [...warnings, { rule: 'other-system', ...systemFinding }] : [...warnings];
}

/** The first eight of the twelve digits of a HUC12 (D11). */
export function toSubbasin(huc12: string | null): string | null {
  return huc12 !== null && /^\d{12}$/.test(huc12) ? huc12.slice(0, 8) : null;
}

interface NormalizedGeometry {
  readonly geometry: Uint8Array | null;
  /** WKT (D28). A text that cannot be read is kept as submitted. */
  readonly text: string | null;
  readonly problem: readonly RowFinding[];
}

/** Reads WKT or GeoJSON (D15). */
export function normalizeGeometry(text: string | null): NormalizedGeometry {
  if (text === null) return { text, geometry: null, problem: [] };
  const read = readGeometry(text);
  if (!read.ok) {
    const value = `${read.problem}: ${text.slice(0, 200)}`;
    const [, easting, northing] = FIRST_POSITION.exec(text) ?? [];
    const rule = areProjected(Number(easting), Number(northing)) ? 'projected-coordinates' : 'unusable-geometry';
    return { text, geometry: null, problem: [{ rule, column: 'Geometry', value }] };
  }
  // GeoJSON is rewritten as WKT; its positions have two numbers.
  const wkt = text.startsWith('{') ? writeWkt(read.value) : text;
  const [, south, , north] = boundingBox(read.value);
  const problem: RowFinding[] = [south, north].filter(isNearPole).map((latitude) => ({
    rule: 'near-pole',
    column: 'Geometry',
    value: `latitude ${latitude}`,
  }));
  return { text: wkt, geometry: encodeGeometry(read.value), problem: problem.slice(0, 1) };
}
