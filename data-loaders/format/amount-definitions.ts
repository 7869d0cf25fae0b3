// Defines what differs among the three kinds of data sets: the amounts file, and how a row determines places, key,
// period and measures. All functions here read one normalized row. The rest of a load is the same for all kinds.

import type { DataSetKind } from '../../shared/records/data-sets';
import { type Day, type DaySpan, parseIsoDay, toDay } from '../../shared/values/dates';
import type { RowOf, SubmissionFile } from './column';
import { amountsFiles } from './submission-files';

export type SiteAmountRow = RowOf<typeof amountsFiles.SiteVariableAmounts>;
export type AggregatedAmountRow = RowOf<typeof amountsFiles.AggregatedAmounts>;
export type AllocationRow = RowOf<typeof amountsFiles.WaterAllocations>;

/** The members that rows of all three amounts files have. */
export type CommonAmountRow = Pick<AllocationRow, Extract<keyof AllocationRow, keyof TimeSeriesRow>>;

/** The members that rows of site amounts and of aggregated amounts have in common. */
export type TimeSeriesRow = Pick<SiteAmountRow, Extract<keyof SiteAmountRow, keyof AggregatedAmountRow>>;

/** The dates that a record shows (D62). One of them may be missing, and the start may be after the end. */
export interface ShownDates {
  readonly first: Day | undefined;
  readonly last: Day | undefined;
}

/**
 * The amounts file of one kind, and how its rows are read. The functions are declared as methods, because TypeScript
 * compares the parameters of methods bivariantly: one pipeline can then handle all kinds.
 */
export interface AmountDefinition<Row extends CommonAmountRow = CommonAmountRow> {
  readonly kind: DataSetKind;
  readonly file: SubmissionFile;
  readonly placeTable: 'sites' | 'reportingunits';
  /** The key columns, as the file names them. */
  readonly keyColumns: readonly string[];
  /** Identifiers of the places of a normalized row. */
  places(row: Row): readonly string[];
  /** The parts of the record's key (submissions.md, 4) in the order of D17. */
  key(row: Row): readonly (string | null)[];
  /** The days for which a record counts; undefined for a record that never matches a time filter (D7). */
  period(row: Row): DaySpan | undefined;
  /** The timeframe of an amount as submitted, or the priority date of a right. */
  shownDates(row: Row): ShownDates | undefined;
  /** The numbers that are summed and compared between releases, in the order of `measureNames`. */
  measures(row: Row): readonly (number | null)[];
}

const TIME_SERIES_KEY_COLUMNS = [
  'VariableSpecificUUID',
  'TimeframeStart',
  'TimeframeEnd',
  'ReportYearCV',
  'WaterSourceUUID',
  'MethodUUID',
  'PrimaryUseCategory',
  'BeneficialUseCategory',
  'CommunityWaterSupplySystem',
] as const satisfies readonly (keyof TimeSeriesRow)[];

const siteVariableAmounts = timeSeriesAmounts<SiteAmountRow>(
  { kind: 'SiteVariableAmounts', file: amountsFiles.SiteVariableAmounts, placeTable: 'sites' },
  ['SiteUUID', (row) => row.SiteUUID],
);

const aggregatedAmounts = timeSeriesAmounts<AggregatedAmountRow>(
  { kind: 'AggregatedAmounts', file: amountsFiles.AggregatedAmounts, placeTable: 'reportingunits' },
  ['ReportingUnitUUID', (row) => row.ReportingUnitUUID],
);

const waterAllocations: AmountDefinition<AllocationRow> = {
  kind: 'WaterAllocations',
  file: amountsFiles.WaterAllocations,
  placeTable: 'sites',
  keyColumns: ['AllocationUUID', 'AllocationNativeID'],
  places: (row) => row.SiteUUID,
  // With an AllocationUUID, the native identifier is not part of the key.
  key: (row) => [row.AllocationUUID, row.AllocationUUID === null ? row.AllocationNativeID : null],
  period: (row) => toSingleDayPeriod(row.AllocationPriorityDate),
  shownDates: (row) => toSingleDayPeriod(row.AllocationPriorityDate),
  measures: (row) => [row.AllocationFlow_CFS, row.AllocationVolume_AF],
};

/** In the order in which the files are read. */
export const amountDefinitions: Readonly<Record<DataSetKind, AmountDefinition>> = {
  SiteVariableAmounts: siteVariableAmounts,
  AggregatedAmounts: aggregatedAmounts,
  WaterAllocations: waterAllocations,
};

function timeSeriesAmounts<Row extends TimeSeriesRow & CommonAmountRow>(
  source: Pick<AmountDefinition, 'kind' | 'file' | 'placeTable'>,
  [placeColumn, getPlace]: readonly [column: string, valueOf: (row: Row) => string],
): AmountDefinition<Row> {
  return {
    ...source,
    keyColumns: [placeColumn, ...TIME_SERIES_KEY_COLUMNS],
    places: (row) => [getPlace(row)],
    key: (row) => [getPlace(row), ...TIME_SERIES_KEY_COLUMNS.map((column) => toKeyPart(row[column]))],
    period: readTimeSeriesPeriod,
    shownDates: ({ TimeframeStart: start, TimeframeEnd: end }) => ({
      first: start === null ? undefined : parseIsoDay(start),
      last: end === null ? undefined : parseIsoDay(end),
    }),
    measures: (row) => [row.Amount],
  };
}

/** The period of a single date, `YYYY-MM-DD`. A record without a date never matches a time filter (D7, D34). */
export function toSingleDayPeriod(date: string | null): DaySpan | undefined {
  if (date === null) return undefined;
  const day = parseIsoDay(date);
  return { first: day, last: day };
}

/** Whether the displayed dates start after they end; undefined unless both are present. Always false for rights. */
export function isReversed(shown: ShownDates | undefined): boolean | undefined {
  return shown?.first === undefined || shown.last === undefined ? undefined : shown.first > shown.last;
}

/** The uses of a row. The primary use is one of them, for filters and lookups alike (D13, D24). */
export function listUses({
  BeneficialUseCategory: uses,
  PrimaryUseCategory: primary,
}: Pick<CommonAmountRow, 'BeneficialUseCategory' | 'PrimaryUseCategory'>): readonly string[] {
  return primary === null || uses.includes(primary) ? uses : [...uses, primary];
}

/** A set of uses is one part of the key. Lists are split at commas, so no use contains one. */
function toKeyPart(value: string | readonly string[] | null): string | null {
  if (value === null || typeof value === 'string') return value;
  return value.length === 0 ? null : [...value].sort().join(',');
}

/**
 * Effective dates (D7): reversed dates are swapped, and a missing date is set to the other one. Without dates, the
 * report year is used.
 */
function readTimeSeriesPeriod(row: TimeSeriesRow): DaySpan | undefined {
  const { TimeframeStart: start, TimeframeEnd: end, ReportYearCV: year } = row;
  const one = start ?? end;
  const other = end ?? start;
  if (one !== null && other !== null) {
    const a = parseIsoDay(one);
    const b = parseIsoDay(other);
    return a <= b ? { first: a, last: b } : { first: b, last: a };
  }
  if (year === null || !/^\d{4}$/.test(year)) return undefined;
  const first = toDay(Number(year), 1, 1);
  const last = toDay(Number(year), 12, 31);
  return first === undefined || last === undefined ? undefined : { first, last };
}
