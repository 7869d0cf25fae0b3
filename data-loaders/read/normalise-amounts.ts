// From a row of an amounts file as its cells say to the row that is staged (submissions.md, 3 and 4): references that the
// submission does not have are left out with a warning where they may be missing, and reject the row where they may not.

import type { DataSetKind } from '../../shared/records/data-sets';
import {
  isReversed,
  type AggregatedAmountRow,
  type AllocationRow,
  type CommonAmountRow,
  type SiteAmountRow,
  type TimeSeriesRow,
} from '../format/amount-definitions';
import type { RowFinding } from '../format/findings';
import type { RuleName } from '../format/rules';
import type { References } from '../stage/references';
import type { LookupTable } from '../stage/staging-database';

/** The row to stage with what is to be said of it, or why it cannot be taken. */
export type Normalised<Row> =
  | { readonly kind: 'accepted'; readonly row: Row; readonly warnings: readonly RowFinding[] }
  | { readonly kind: 'rejected'; readonly reasons: readonly RowFinding[] };

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

/** What only one kind demands of its rows, and how it changes them. */
interface KindRules<Row> {
  /** Why the row is rejected, after the reasons of all kinds. */
  reasons(row: Row, context: NormaliseContext): readonly RowFinding[];
  /** The row with its places, and what is said of them and of its timeframe. */
  normalise(row: Row, context: NormaliseContext): { readonly row: Row; readonly warnings: readonly RowFinding[] };
}

const NO_FINDINGS: readonly RowFinding[] = [];

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

/** Reasons come in the order of REQUIRED_REFERENCES, then those of the kind; a row has warnings only when it has no reasons. */
export function normaliseAmount(
  kind: DataSetKind,
  row: CommonAmountRow,
  context: NormaliseContext,
): Normalised<CommonAmountRow> {
  const reasons = rejectionReasons(kind, row, context);
  if (reasons.length > 0) return { kind: 'rejected', reasons };
  const ofKind = kindRules[kind].normalise(row, context);
  const withSource = withKnownWaterSource(ofKind.row, context.references);
  if (withSource === ofKind.row) return { kind: 'accepted', row: withSource, warnings: ofKind.warnings };
  const value = row.WaterSourceUUID ?? '';
  const unknown: RowFinding = { rule: 'unknown-water-source', column: 'WaterSourceUUID', value };
  return { kind: 'accepted', row: withSource, warnings: [...ofKind.warnings, unknown] };
}

/** The row itself, unless it names a water source that the submission does not have. A deletion's key is made of such a row. */
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
