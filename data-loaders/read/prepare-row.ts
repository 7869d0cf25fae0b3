// What follows from a row alone (submissions.md, 3 and 4): how it is staged, its key, its references and findings. No
// other row is asked, so that this can be done in another thread than the one that knows the other rows. No row is
// changed: what differs is a copy.

import { readGeometry } from '../../shared/values/boundary';
import { writeWkt } from '../../shared/values/wkt';
import { encodeGeometry } from '../../shared/values/geometry';
import { readPoint } from '../../shared/values/numbers';
import {
  amountDefinitions,
  sortableKey,
  usesOf,
  type AllocationRow,
  type AmountDefinition,
  type CommonAmountRow,
} from '../format/amount-definitions';
import {
  waterAllocationsFile,
  lookupFiles,
  type ReportingUnitRow,
  type SiteRow,
  type WaterSourceRow,
} from '../format/submission-files';
import type { SubmissionFile } from '../format/column';
import { NO_FINDINGS, type RowFinding } from '../format/findings';

export interface PreparedRow {
  /** As it is staged if all that it refers to is there. */
  readonly row: Readonly<Record<string, unknown>>;
  /** The sortable key of an amount, the identifier of a place; else empty. */
  readonly key: string;
  /** What an amount refers to, as amountReferences gives it, or the water sources of a site; else empty. */
  readonly references: readonly (string | null)[];
  /** Those of an amount (usesOf). */
  readonly uses: readonly string[];
  /** As encodeGeometry writes it; null without a usable one. */
  readonly geometry: Uint8Array | null;
  readonly warnings: readonly RowFinding[];
  /** A finding that is listed once for all rows of the file with the same value; nearly all rows have none. */
  readonly ofFile?: RowFinding;
  /** Why it is rejected, behind the reasons that follow from other rows. */
  readonly reasons: readonly RowFinding[];
}

/** A way to prepare the rows of one file; `raw` gives a cell as it stands there. A method, so that one type has all. */
export interface RowPreparation<Row = Readonly<Record<string, unknown>>> {
  prepare(row: Row, raw: (column: string) => string): PreparedRow;
}

export function preparationOf(file: SubmissionFile): RowPreparation {
  const definition = Object.values(amountDefinitions).find((each) => each.file === file);
  if (definition !== undefined) return amountPreparation(definition);
  // Each file's rows are those of its columns.
  if (file === lookupFiles.sites) return sites;
  if (file === lookupFiles.reportingunits) return reportingUnits;
  return file === lookupFiles.watersources ? waterSources : plain;
}

const NOTHING = { key: '', references: [], uses: [], geometry: null, warnings: NO_FINDINGS, reasons: NO_FINDINGS };

/** The rows of files that nothing is changed or said of. */
const plain: RowPreparation = { prepare: (row) => ({ ...NOTHING, row }) };

/** A site has its HUC8 from its HUC12 if need be (D11). */
const sites: RowPreparation<SiteRow> = {
  prepare: (row) => {
    const { text, geometry, problem } = normaliseGeometry(row.Geometry);
    return {
      ...NOTHING,
      row: { ...row, Geometry: text, HUC8: row.HUC8 ?? subbasinOf(row.HUC12) },
      ...{ key: row.SiteUUID, references: row.WaterSourceUUIDs, geometry },
      ...inSystem(row, [...pointWarnings(row), ...problem], geometry),
    };
  },
};

const reportingUnits: RowPreparation<ReportingUnitRow> = {
  prepare: (row) => {
    const { text, geometry, problem } = normaliseGeometry(row.Geometry);
    const said = inSystem(row, problem, geometry);
    return { ...NOTHING, row: { ...row, Geometry: text }, key: row.ReportingUnitUUID, geometry, ...said };
  },
};

/** No search asks for the geometry of a water source, so only its text is kept. */
const waterSources: RowPreparation<WaterSourceRow> = {
  prepare: (row) => {
    const { text, problem } = normaliseGeometry(row.Geometry);
    return { ...NOTHING, row: { ...row, Geometry: text }, warnings: problem };
  },
};

function amountPreparation(definition: AmountDefinition): RowPreparation {
  const isRight = definition.file === waterAllocationsFile;
  return {
    prepare: (read, raw) => {
      const row = read as CommonAmountRow; // The file is the definition's own.
      return {
        ...{ row: read, key: sortableKey(definition.key(row)), references: amountReferences(definition, row) },
        ...{ uses: usesOf(row), geometry: null },
        warnings: definition.isReversed(row) === true ? [reversed(raw)] : NO_FINDINGS,
        reasons: isRight ? identifierReasons(row as AllocationRow) : NO_FINDINGS, // Rows of its file.
      };
    },
  };
}

/** What a row refers to: organization, variable, method and water source, then its places. */
function amountReferences(definition: AmountDefinition, row: CommonAmountRow): readonly (string | null)[] {
  const { OrganizationUUID, VariableSpecificUUID, MethodUUID, WaterSourceUUID } = row;
  return [OrganizationUUID, VariableSpecificUUID, MethodUUID, WaterSourceUUID, ...definition.places(row)];
}

function identifierReasons({ AllocationUUID, AllocationNativeID }: AllocationRow): readonly RowFinding[] {
  return AllocationUUID === null && AllocationNativeID === null
    ? [{ rule: 'no-identifier', column: 'AllocationUUID', value: '' }]
    : NO_FINDINGS;
}

function reversed(raw: (column: string) => string): RowFinding {
  const value = `${raw('TimeframeStart')} after ${raw('TimeframeEnd')}`;
  return { rule: 'reversed-timeframe', column: 'TimeframeStart', value };
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
): Pick<PreparedRow, 'warnings' | 'reasons' | 'ofFile'> {
  const [, code = WGS_84] = EPSG_CODE.exec(system ?? '') ?? [];
  if (code === WGS_84) return { warnings, reasons: NO_FINDINGS };
  const found = { column: 'EPSGCodeCV', value: system ?? '' };
  if (warnings.some(({ rule }) => rule === 'projected-coordinates')) {
    return { warnings, reasons: [{ rule: 'projected-system', ...found }] };
  }
  const isInDegrees = geometry !== null || readPoint(row.Longitude ?? null, row.Latitude ?? null) !== undefined;
  const ofFile: Pick<PreparedRow, 'ofFile'> = isInDegrees ? { ofFile: { rule: 'other-system', ...found } } : {};
  return { warnings, reasons: NO_FINDINGS, ...ofFile };
}

/** The first eight of the twelve digits of a HUC12 (D11). */
function subbasinOf(huc12: string | null): string | null {
  return huc12 !== null && /^\d{12}$/.test(huc12) ? huc12.slice(0, 8) : null;
}

interface NormalisedGeometry extends Pick<PreparedRow, 'geometry'> {
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
