// From a row as its cells say to the row that is staged (submissions.md, 3 and 4). References that the submission does
// not have are left out with a warning where they may be missing, and reject the row where they may not. No row is
// changed: what differs is a copy.

import type { DataSetKind } from '../../shared/records/data-sets';
import { readWkt } from '../../shared/values/boundary/wkt';
import { encodeGeometry } from '../../shared/values/geometry';
import { readPoint } from '../../shared/values/numbers';
import {
  isReversed,
  type AggregatedAmountRow,
  type AllocationRow,
  type CommonAmountRow,
  type SiteAmountRow,
  type TimeSeriesRow,
} from '../format/amount-definitions';
import { NO_FINDINGS, type CheckedRow, type RowFinding } from '../format/findings';
import type { RelationRow, ReportingUnitRow, SiteRow } from '../format/lookup-files';
import type { RuleName } from '../format/rules';
import type { References } from '../stage/references';
import type { LookupTable } from '../stage/staging-database';

/**
 * The row to stage, what is to be said of it, and its geometry as encodeGeometry writes it; null without a usable one.
 */
export interface NormalisedLookup<Row> {
  readonly row: Row;
  readonly warnings: readonly RowFinding[];
  readonly geometry: Uint8Array | null;
}

/** Rows of the files that nothing is changed or said of. */
export function normalisePlainLookup<Row>(row: Row): NormalisedLookup<Row> {
  return { row, warnings: NO_FINDINGS, geometry: null };
}

/** A site has its HUC8 from its HUC12 if need be (D11), and only water sources that the submission has. */
export function normaliseSite(row: SiteRow, references: References): NormalisedLookup<SiteRow> {
  const warnings: RowFinding[] = [];
  if (readPoint(row.Longitude, row.Latitude) === undefined) {
    warnings.push({ rule: 'no-point', column: 'Longitude', value: `${row.Longitude ?? ''} ${row.Latitude ?? ''}` });
  }
  const known: string[] = [];
  for (const id of row.WaterSourceUUIDs) {
    if (references.find('watersources', id) !== undefined) known.push(id);
    else warnings.push({ rule: 'unknown-water-source', column: 'WaterSourceUUIDs', value: id });
  }
  const { geometry, problem } = usableGeometry(row.Geometry);
  return {
    row: { ...row, HUC8: row.HUC8 ?? subbasinOf(row.HUC12), WaterSourceUUIDs: known },
    warnings: [...warnings, ...problem],
    geometry,
  };
}

export function normaliseReportingUnit(row: ReportingUnitRow): NormalisedLookup<ReportingUnitRow> {
  const { geometry, problem } = usableGeometry(row.Geometry);
  return { row, warnings: problem, geometry };
}

/** Why a relation between sites cannot be taken; none for one whose sites the submission has. */
export function relationReasons(row: RelationRow, references: References): readonly RowFinding[] {
  return (['PODSiteUUID', 'POUSiteUUID'] as const).flatMap((column) => {
    const value = row[column];
    return references.find('sites', value) === undefined ? [{ rule: 'relation-without-site', column, value }] : [];
  });
}

/** The first eight of the twelve digits of a HUC12 (D11). */
function subbasinOf(huc12: string | null): string | null {
  return huc12 !== null && /^\d{12}$/.test(huc12) ? huc12.slice(0, 8) : null;
}

/** For searches by boundary; the text itself stays in the row whatever it is. */
function usableGeometry(text: string | null): {
  readonly geometry: Uint8Array | null;
  readonly problem: readonly RowFinding[];
} {
  if (text === null) return { geometry: null, problem: NO_FINDINGS };
  const read = readWkt(text);
  if (read.ok) return { geometry: encodeGeometry(read.value), problem: NO_FINDINGS };
  const value = `${read.problem}: ${text.slice(0, 200)}`;
  return { geometry: null, problem: [{ rule: 'unusable-geometry', column: 'Geometry', value }] };
}

export interface NormaliseContext {
  readonly references: References;
  /** The cell of a column as it stands in the file. */
  readonly raw: (column: string) => string;
}

/** The references that every kind must have: column, table and the rule that a missing one breaks. */
export const REQUIRED_REFERENCES: readonly {
  readonly column: 'OrganizationUUID' | 'VariableSpecificUUID' | 'MethodUUID';
  readonly table: LookupTable;
  readonly rule: RuleName;
}[] = [
  { column: 'OrganizationUUID', table: 'organizations', rule: 'unknown-organization' },
  { column: 'VariableSpecificUUID', table: 'variables', rule: 'unknown-variable' },
  { column: 'MethodUUID', table: 'methods', rule: 'unknown-method' },
];

/** The demands of one kind on its rows, and how it changes them. */
interface KindRules<Row> {
  /** Why the row is rejected, after the reasons of all kinds. */
  reasons(row: Row, context: NormaliseContext): readonly RowFinding[];
  /** The row with its places, and what is said of them and of its timeframe. */
  normalise(row: Row, context: NormaliseContext): { readonly row: Row; readonly warnings: readonly RowFinding[] };
}

const siteVariableAmounts: KindRules<SiteAmountRow> = {
  reasons: ({ SiteUUID: value }, { references }) =>
    references.find('sites', value) === undefined ? [{ rule: 'unknown-site', column: 'SiteUUID', value }] : NO_FINDINGS,
  normalise: (row, context) => ({ row, warnings: timeframeWarnings(row, context) }),
};

const aggregatedAmounts: KindRules<AggregatedAmountRow> = {
  reasons: ({ ReportingUnitUUID: value }, { references }) =>
    references.find('reportingunits', value) === undefined
      ? [{ rule: 'unknown-reporting-unit', column: 'ReportingUnitUUID', value }]
      : NO_FINDINGS,
  normalise: (row, context) => ({ row, warnings: timeframeWarnings(row, context) }),
};

const waterAllocations: KindRules<AllocationRow> = {
  reasons: ({ AllocationUUID, AllocationNativeID }) =>
    AllocationUUID === null && AllocationNativeID === null
      ? [{ rule: 'no-identifier', column: 'AllocationUUID', value: '' }]
      : NO_FINDINGS,
  normalise: (row, { references }) => {
    const known = row.SiteUUID.filter((id) => references.find('sites', id) !== undefined);
    if (known.length > 0 && known.length === row.SiteUUID.length) return { row, warnings: NO_FINDINGS };
    const warnings: RowFinding[] = row.SiteUUID.filter((id) => references.find('sites', id) === undefined).map(
      (value) => ({ rule: 'unknown-site-in-list', column: 'SiteUUID', value }),
    );
    if (known.length === 0) warnings.push({ rule: 'without-site', column: 'SiteUUID', value: '' });
    return { row: { ...row, SiteUUID: known }, warnings };
  },
};

// The pipeline hands each kind only rows of that kind's file.
const kindRules: Readonly<Record<DataSetKind, KindRules<CommonAmountRow>>> = {
  SiteVariableAmounts: siteVariableAmounts,
  AggregatedAmounts: aggregatedAmounts,
  WaterAllocations: waterAllocations,
};

/**
 * Reasons come in the order of REQUIRED_REFERENCES, then those of the kind; a row has warnings only when it has no
 * reasons.
 */
export function normaliseAmount(
  kind: DataSetKind,
  row: CommonAmountRow,
  context: NormaliseContext,
): CheckedRow<CommonAmountRow> {
  const reasons = rejectionReasons(kind, row, context);
  if (reasons.length > 0) return { kind: 'rejected', reasons };
  const ofKind = kindRules[kind].normalise(row, context);
  const withSource = withKnownWaterSource(ofKind.row, context.references);
  if (withSource === ofKind.row) return { kind: 'accepted', row: withSource, warnings: ofKind.warnings };
  const value = row.WaterSourceUUID ?? '';
  const unknown: RowFinding = { rule: 'unknown-water-source', column: 'WaterSourceUUID', value };
  return { kind: 'accepted', row: withSource, warnings: [...ofKind.warnings, unknown] };
}

/**
 * The row itself, unless it names a water source that the submission does not have. A deletion's key is made of such a
 * row.
 */
export function withKnownWaterSource(row: CommonAmountRow, references: References): CommonAmountRow {
  const { WaterSourceUUID: source } = row;
  const isKnown = source === null || references.find('watersources', source) !== undefined;
  return isKnown ? row : { ...row, WaterSourceUUID: null };
}

function rejectionReasons(kind: DataSetKind, row: CommonAmountRow, context: NormaliseContext): readonly RowFinding[] {
  const ofKind = kindRules[kind].reasons(row, context);
  let reasons: RowFinding[] | undefined;
  for (const { column, table, rule } of REQUIRED_REFERENCES) {
    const value = row[column];
    if (context.references.find(table, value) === undefined) (reasons ??= []).push({ rule, column, value });
  }
  return reasons === undefined ? ofKind : [...reasons, ...ofKind];
}

function timeframeWarnings(row: TimeSeriesRow, { raw }: NormaliseContext): readonly RowFinding[] {
  if (isReversed(row) !== true) return NO_FINDINGS;
  const value = `${raw('TimeframeStart')} after ${raw('TimeframeEnd')}`;
  return [{ rule: 'reversed-timeframe', column: 'TimeframeStart', value }];
}
