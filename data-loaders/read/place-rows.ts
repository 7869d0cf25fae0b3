// What a row of a file of places says of where it lies (submissions.md, 3 and 4): its point, its geometry, and the
// coordinate system that it names. No row is changed: what differs is a copy.

import { readGeometry } from '../../shared/values/boundary';
import { writeWkt } from '../../shared/values/wkt';
import { encodeGeometry } from '../../shared/values/geometry';
import { readPoint } from '../../shared/values/numbers';
import type { ReportingUnitRow, SiteRow, WaterSourceRow } from '../format/submission-files';
import { NO_FINDINGS, type RowFinding } from '../format/findings';

export interface LocatedRow<Row> {
  /** The row with its geometry as WKT. */
  readonly row: Row;
  /** As encodeGeometry writes it; null without a usable one. */
  readonly geometry: Uint8Array | null;
  readonly warnings: readonly RowFinding[];
  /** A finding that is listed once for all rows of the file with the same value; nearly all rows have none. */
  readonly ofFile?: RowFinding;
  /** Why the row is rejected. */
  readonly reasons: readonly RowFinding[];
}

/** A site has its HUC8 from its HUC12 if need be (D11). */
export function locateSite(row: SiteRow): LocatedRow<SiteRow> {
  const { text, geometry, problem } = normaliseGeometry(row.Geometry);
  const located = { ...row, Geometry: text, HUC8: row.HUC8 ?? subbasinOf(row.HUC12) };
  return { row: located, geometry, ...inSystem(row, [...pointWarnings(row), ...problem], geometry) };
}

export function locateReportingUnit(row: ReportingUnitRow): LocatedRow<ReportingUnitRow> {
  const { text, geometry, problem } = normaliseGeometry(row.Geometry);
  return { row: { ...row, Geometry: text }, geometry, ...inSystem(row, problem, geometry) };
}

/** No search asks for the geometry of a water source, so only its text is kept. */
export function locateWaterSource(row: WaterSourceRow): LocatedRow<WaterSourceRow> {
  const { text, problem } = normaliseGeometry(row.Geometry);
  return { row: { ...row, Geometry: text }, geometry: null, warnings: problem, reasons: NO_FINDINGS };
}

function pointWarnings({ Longitude: longitude, Latitude: latitude }: SiteRow): readonly RowFinding[] {
  if (readPoint(longitude, latitude) !== undefined) return NO_FINDINGS;
  const isProjected = areProjected(Number(longitude ?? NaN), Number(latitude ?? NaN));
  const rule = isProjected ? 'projected-coordinates' : 'no-point';
  return [{ rule, column: 'Longitude', value: `${longitude ?? ''} ${latitude ?? ''}` }];
}

/** A larger ordinate is no slip in degrees, such as a lost decimal point of -111.8: it is in metres or feet. */
const LEAST_PROJECTED = 10_000;

/** Easting and northing of UTM, of state planes and of WebMercator are far larger than degrees. */
function areProjected(easting: number, northing: number): boolean {
  return Math.abs(easting) >= LEAST_PROJECTED && Math.abs(northing) >= LEAST_PROJECTED;
}

/** The first two numbers of a text of WKT or GeoJSON. */
const FIRST_POSITION = /[([]\s*(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)/;

/** The code of a coordinate system, however it is written: `4326`, `4326.0`, `EPSG:4326`. */
const EPSG_CODE = /(?:^|\D)(\d{4,6})(?:\.0+)?$/;

const WGS_84 = '4326';

/** The findings of a place, from the warnings on its coordinates and the system that it names (ADR 0051). */
function inSystem(
  { EPSGCodeCV: system, ...row }: Pick<ReportingUnitRow, 'EPSGCodeCV'> & Partial<SiteRow>,
  warnings: readonly RowFinding[],
  geometry: Uint8Array | null,
): Omit<LocatedRow<SiteRow>, 'row' | 'geometry'> {
  const [, code = WGS_84] = EPSG_CODE.exec(system ?? '') ?? [];
  if (code === WGS_84) return { warnings, reasons: NO_FINDINGS };
  const found = { column: 'EPSGCodeCV', value: system ?? '' };
  if (warnings.some(({ rule }) => rule === 'projected-coordinates')) {
    return { warnings, reasons: [{ rule: 'projected-system', ...found }] };
  }
  const isInDegrees = geometry !== null || readPoint(row.Longitude ?? null, row.Latitude ?? null) !== undefined;
  const ofFile: Pick<LocatedRow<SiteRow>, 'ofFile'> = isInDegrees ? { ofFile: { rule: 'other-system', ...found } } : {};
  return { warnings, reasons: NO_FINDINGS, ...ofFile };
}

/** The first eight of the twelve digits of a HUC12 (D11). */
function subbasinOf(huc12: string | null): string | null {
  return huc12 !== null && /^\d{12}$/.test(huc12) ? huc12.slice(0, 8) : null;
}

interface NormalisedGeometry {
  readonly geometry: LocatedRow<SiteRow>['geometry'];
  /** WKT (D28); a text that cannot be read stays as it was submitted. */
  readonly text: string | null;
  readonly problem: readonly RowFinding[];
}

/** Reads WKT or GeoJSON (D15). */
function normaliseGeometry(text: string | null): NormalisedGeometry {
  if (text === null) return { text, geometry: null, problem: NO_FINDINGS };
  const read = readGeometry(text);
  if (!read.ok) {
    const value = `${read.problem}: ${text.slice(0, 200)}`;
    const [, easting, northing] = FIRST_POSITION.exec(text) ?? [];
    const rule = areProjected(Number(easting), Number(northing)) ? 'projected-coordinates' : 'unusable-geometry';
    return { text, geometry: null, problem: [{ rule, column: 'Geometry', value }] };
  }
  // Positions that were read have two numbers.
  const wkt = text.startsWith('{') ? writeWkt(read.value) : text;
  return { text: wkt, geometry: encodeGeometry(read.value), problem: NO_FINDINGS };
}
