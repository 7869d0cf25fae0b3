// From a row as its cells say to the row that is staged (submissions.md, 3 and 4): unknown references are left out with
// a warning or reject the row. No row is changed: what differs is a copy.

import { writeWkt } from '../../shared/values/boundary/wkt';
import type { DataSetKind } from '../../shared/records/data-sets';
import { readGeometry } from '../../shared/values/boundary/boundary';
import { encodeGeometry } from '../../shared/values/geometry';
import { readPoint } from '../../shared/values/numbers';
import { isReversed, type AllocationRow, type CommonAmountRow, type TimeSeriesRow } from '../format/amount-definitions';
import { joinFindings, NO_FINDINGS, type CheckedRow, type RowFinding } from '../format/findings';
import type { RelationRow, ReportingUnitRow, SiteRow, WaterSourceRow } from '../format/lookup-files';
import type { RuleName } from '../format/rules';
import type { References } from '../stage/references';
import type { LookupTable } from '../stage/staging-database';

/** The row to stage, and its warnings. */
export interface NormalisedLookup<Row> {
  readonly row: Row;
  readonly warnings: readonly RowFinding[];
}

export interface NormalisedPlace<Row> extends NormalisedLookup<Row> {
  /** Staged numbers of the place's water sources. */
  readonly waterSources: readonly number[];
  /** As encodeGeometry writes it; null without a usable one. */
  readonly geometry: Uint8Array | null;
}

/** Rows of the files that nothing is changed or said of. */
export function normalisePlainLookup<Row>(row: Row): NormalisedLookup<Row> {
  return { row, warnings: NO_FINDINGS };
}

/** A site has its HUC8 from its HUC12 if need be (D11), and only water sources that the submission has. */
export function normaliseSite(row: SiteRow, references: References): NormalisedPlace<SiteRow> {
  const warnings: RowFinding[] = [];
  if (readPoint(row.Longitude, row.Latitude) === undefined) {
    warnings.push({ rule: 'no-point', column: 'Longitude', value: `${row.Longitude ?? ''} ${row.Latitude ?? ''}` });
  }
  const known: string[] = [];
  const waterSources: number[] = [];
  for (const id of row.WaterSourceUUIDs) {
    const number = references.findNumber('watersources', id);
    if (number === undefined) {
      warnings.push({ rule: 'unknown-water-source', column: 'WaterSourceUUIDs', value: id });
      continue;
    }
    known.push(id);
    waterSources.push(number);
  }
  const { text, geometry, problem } = normaliseGeometry(row.Geometry);
  return {
    row: { ...row, Geometry: text, HUC8: row.HUC8 ?? subbasinOf(row.HUC12), WaterSourceUUIDs: known },
    warnings: [...warnings, ...problem],
    waterSources,
    geometry,
  };
}

/** No search asks for the geometry of a water source, so only its text is kept. */
export function normaliseWaterSource(row: WaterSourceRow): NormalisedLookup<WaterSourceRow> {
  const { text, problem } = normaliseGeometry(row.Geometry);
  return { row: { ...row, Geometry: text }, warnings: problem };
}

export function normaliseReportingUnit(row: ReportingUnitRow): NormalisedPlace<ReportingUnitRow> {
  const { text, geometry, problem } = normaliseGeometry(row.Geometry);
  return { row: { ...row, Geometry: text }, warnings: problem, waterSources: [], geometry };
}

/** Why a relation between sites cannot be taken: a site that the submission does not have. */
export function relationReasons(row: RelationRow, references: References): readonly RowFinding[] {
  const [table, rule] = ['sites', 'relation-without-site'] as const;
  return (['PODSiteUUID', 'POUSiteUUID'] as const).flatMap((column) =>
    unknownReferences([{ column, table, rule }], row, references),
  );
}

/** The first eight of the twelve digits of a HUC12 (D11). */
function subbasinOf(huc12: string | null): string | null {
  return huc12 !== null && /^\d{12}$/.test(huc12) ? huc12.slice(0, 8) : null;
}

interface NormalisedGeometry {
  /** WKT (D28); a text that cannot be read stays as it was submitted. */
  readonly text: string | null;
  /** For searches by boundary, as encodeGeometry writes it. */
  readonly geometry: Uint8Array | null;
  readonly problem: readonly RowFinding[];
}

/** Reads WKT or GeoJSON (D15). */
function normaliseGeometry(text: string | null): NormalisedGeometry {
  if (text === null) return { text, geometry: null, problem: NO_FINDINGS };
  const read = readGeometry(text);
  if (!read.ok) {
    const value = `${read.problem}: ${text.slice(0, 200)}`;
    return { text, geometry: null, problem: [{ rule: 'unusable-geometry', column: 'Geometry', value }] };
  }
  // Positions that were read have two numbers.
  const wkt = text.startsWith('{') ? writeWkt(read.value) : text;
  return { text: wkt, geometry: encodeGeometry(read.value), problem: NO_FINDINGS };
}

/** `raw` gives the cell of a column as it stands in the file. */
interface NormaliseContext {
  readonly references: References;
  readonly raw: (column: string) => string;
}

/** A column that must name a row of a lookup table, and the rule that it breaks otherwise. */
interface Reference<Column extends string> {
  readonly column: Column;
  readonly table: LookupTable;
  readonly rule: RuleName;
}

const REQUIRED_REFERENCES = [
  { column: 'OrganizationUUID', table: 'organizations', rule: 'unknown-organization' },
  { column: 'VariableSpecificUUID', table: 'variables', rule: 'unknown-variable' },
  { column: 'MethodUUID', table: 'methods', rule: 'unknown-method' },
] as const satisfies readonly Reference<string>[];

function unknownReferences<Column extends string>(
  required: readonly Reference<Column>[],
  row: Readonly<Record<Column, string>>,
  references: References,
): readonly RowFinding[] {
  let unknown: RowFinding[] | undefined;
  for (const { column, table, rule } of required) {
    const value = row[column];
    if (references.findNumber(table, value) === undefined) (unknown ??= []).push({ rule, column, value });
  }
  return unknown ?? NO_FINDINGS;
}

/** The demands of one kind on its rows, and how it changes them. */
interface KindRules<Row> {
  /** Why the row is rejected, after the reasons of all kinds. */
  reasons(row: Row, references: References): readonly RowFinding[];
  /** The row with its places, and what is said of them and of its timeframe. */
  normalise(row: Row, context: NormaliseContext): { readonly row: Row; readonly warnings: readonly RowFinding[] };
}

function timeSeries<Column extends string>(
  place: Reference<Column>,
): KindRules<TimeSeriesRow & Readonly<Record<Column, string>>> {
  return {
    reasons: (row, references) => unknownReferences([place], row, references),
    normalise: (row, context) => ({ row, warnings: timeframeWarnings(row, context) }),
  };
}

const waterAllocations: KindRules<AllocationRow> = {
  reasons: ({ AllocationUUID, AllocationNativeID }) =>
    AllocationUUID === null && AllocationNativeID === null
      ? [{ rule: 'no-identifier', column: 'AllocationUUID', value: '' }]
      : NO_FINDINGS,
  normalise: (row, { references }) => {
    const known = row.SiteUUID.filter((id) => references.findNumber('sites', id) !== undefined);
    if (known.length > 0 && known.length === row.SiteUUID.length) return { row, warnings: NO_FINDINGS };
    const unknown = row.SiteUUID.filter((id) => !known.includes(id));
    const warnings = unknown.map((value): RowFinding => ({ rule: 'unknown-site-in-list', column: 'SiteUUID', value }));
    if (known.length === 0) warnings.push({ rule: 'without-site', column: 'SiteUUID', value: '' });
    return { row: { ...row, SiteUUID: known }, warnings };
  },
};

// The pipeline hands each kind only rows of that kind's file.
const kindRules: Readonly<Record<DataSetKind, KindRules<CommonAmountRow>>> = {
  SiteVariableAmounts: timeSeries({ column: 'SiteUUID', table: 'sites', rule: 'unknown-site' }),
  AggregatedAmounts: timeSeries({
    column: 'ReportingUnitUUID',
    table: 'reportingunits',
    rule: 'unknown-reporting-unit',
  }),
  WaterAllocations: waterAllocations,
};

/** Reasons come in the order of REQUIRED_REFERENCES, then the kind's; only a row without any has warnings. */
export function normaliseAmount(
  kind: DataSetKind,
  row: CommonAmountRow,
  context: NormaliseContext,
): CheckedRow<CommonAmountRow> {
  const { references } = context;
  const unknownLookups = unknownReferences(REQUIRED_REFERENCES, row, references);
  const reasons = joinFindings(unknownLookups, kindRules[kind].reasons(row, references));
  if (reasons.length > 0) return { kind: 'rejected', reasons };
  const ofKind = kindRules[kind].normalise(row, context);
  const withSource = withKnownWaterSource(ofKind.row, references);
  if (withSource === ofKind.row) return { kind: 'accepted', row: withSource, warnings: ofKind.warnings };
  const value = row.WaterSourceUUID ?? '';
  const unknown: RowFinding = { rule: 'unknown-water-source', column: 'WaterSourceUUID', value };
  return { kind: 'accepted', row: withSource, warnings: [...ofKind.warnings, unknown] };
}

/** The row itself, or a copy without the water source that the submission does not have. */
export function withKnownWaterSource(row: CommonAmountRow, references: References): CommonAmountRow {
  const { WaterSourceUUID: source } = row;
  const isKnown = source === null || references.findNumber('watersources', source) !== undefined;
  return isKnown ? row : { ...row, WaterSourceUUID: null };
}

function timeframeWarnings(row: TimeSeriesRow, { raw }: NormaliseContext): readonly RowFinding[] {
  if (isReversed(row) !== true) return NO_FINDINGS;
  const value = `${raw('TimeframeStart')} after ${raw('TimeframeEnd')}`;
  return [{ rule: 'reversed-timeframe', column: 'TimeframeStart', value }];
}
