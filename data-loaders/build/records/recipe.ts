// What differs between the three kinds of data set when a submission is loaded: the file, the key, the places, the
// timeframe and the record. All else is one pipeline.

import type { DataSetKind } from '../../../shared/records/data-sets';
import { dayOf, dayOfIsoDate, type Day } from '../../../shared/values/dates';
import type { SubmissionFile } from '../../format/column';
import type { RowFinding } from '../../format/findings';
import type { References } from '../../stage/references';
import type { RepeatedLookups } from './repeated-lookups';

/** What every amounts row has, whatever its kind. */
export interface CommonAmountRow {
  readonly OrganizationUUID: string;
  readonly VariableSpecificUUID: string;
  readonly MethodUUID: string;
  WaterSourceUUID: string | null;
  readonly BeneficialUseCategory: readonly string[];
  readonly PrimaryUseCategory: string | null;
  readonly DataPublicationDate: string | null;
}

export interface EffectivePeriod {
  readonly first: Day;
  readonly last: Day;
}

/** A row as it was found in its file. */
export interface FoundRow {
  /** To be added to. */
  readonly warnings: RowFinding[];
  /** The cell of a column as it stands in the file. */
  readonly raw: (column: string) => string;
}

export interface AmountRecipe<Row extends CommonAmountRow = CommonAmountRow> {
  readonly kind: DataSetKind;
  readonly file: SubmissionFile;
  readonly placeTable: 'sites' | 'reportingunits';
  /** Checks the references to places and what only this kind demands; may drop unknown sites from a list. */
  readonly check: (row: Row, references: References, reasons: RowFinding[], found: FoundRow) => void;
  /** Identifiers of the row's places, after `check`. */
  readonly places: (row: Row) => readonly string[];
  /** In the order of D17; together they are the key of submissions.md, 4. */
  readonly key: (row: Row) => readonly (string | null)[];
  /** The columns of which the key is made, for people. */
  readonly keyColumns: readonly string[];
  readonly period: (row: Row) => EffectivePeriod | undefined;
  /** What is compared and added up between releases, in the order of measuresOfKind. */
  readonly measures: (row: Row) => readonly (number | null)[];
  /** Whether the timeframe starts after it ends; undefined without both dates. */
  readonly isReversed: (row: Row) => boolean | undefined;
  /** The record's JSON text. */
  readonly write: (row: Row, lookups: RepeatedLookups) => string;
}

/** A recipe whose row type only itself knows: rows go in as the pipeline read them by the recipe's own file. */
export function anyRecipe<Row extends CommonAmountRow>(recipe: AmountRecipe<Row>): AmountRecipe {
  return recipe as unknown as AmountRecipe; // Sound as long as rows come from `recipe.file`, which is all the pipeline does.
}

/** What amounts at sites and amounts of reporting units have in common. */
export interface TimeSeriesRow extends CommonAmountRow {
  readonly TimeframeStart: string | null;
  readonly TimeframeEnd: string | null;
  readonly ReportYearCV: string | null;
  readonly CommunityWaterSupplySystem: string | null;
  readonly Amount: number;
}

/** The key of a time series amount at a place, in the order of D17. */
export function timeSeriesKey(place: string, row: TimeSeriesRow): readonly (string | null)[] {
  return [
    place,
    row.VariableSpecificUUID,
    row.TimeframeStart,
    row.TimeframeEnd,
    row.ReportYearCV,
    row.WaterSourceUUID,
    row.MethodUUID,
    row.PrimaryUseCategory,
    usesKey(row.BeneficialUseCategory),
    row.CommunityWaterSupplySystem,
  ];
}

export const TIME_SERIES_KEY_COLUMNS = [
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

/** D7: reversed dates are read as earlier to later, a missing one is the other one, none at all the report year. */
export function timeSeriesPeriod(row: TimeSeriesRow): EffectivePeriod | undefined {
  const { TimeframeStart: start, TimeframeEnd: end, ReportYearCV: year } = row;
  const [one, other] = [start ?? end, end ?? start];
  if (one !== null && other !== null) {
    const [a, b] = [dayOfIsoDate(one), dayOfIsoDate(other)];
    return a <= b ? { first: a, last: b } : { first: b, last: a };
  }
  if (year === null || !/^\d{4}$/.test(year)) return undefined;
  const [first, last] = [dayOf(Number(year), 1, 1), dayOf(Number(year), 12, 31)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** Of a single date, `YYYY-MM-DD`: without it the record never matches once a bound is given (D7, D34). */
export function periodOfDay(date: string | null): EffectivePeriod | undefined {
  if (date === null) return undefined;
  const day = dayOfIsoDate(date);
  return { first: day, last: day };
}

export function checkTimeframe(row: TimeSeriesRow, { warnings, raw }: FoundRow): void {
  if (isReversed(row) !== true) return;
  const value = `${raw('TimeframeStart')} after ${raw('TimeframeEnd')}`;
  warnings.push({ rule: 'reversed-timeframe', column: 'TimeframeStart', value });
}

/** Undefined without both dates. */
export function isReversed({ TimeframeStart: start, TimeframeEnd: end }: TimeSeriesRow): boolean | undefined {
  return start === null || end === null ? undefined : start > end;
}

/** The set of uses as one part of a key; a use has no comma, since lists are split on them. */
function usesKey(uses: readonly string[]): string | null {
  return uses.length === 0 ? null : [...uses].sort().join(',');
}

/** A key as one text whose order by UTF-8 bytes is the order of its parts, missing first (D17). */
export function sortableKey(parts: readonly (string | null)[]): string {
  const texts = parts.map((part) => part ?? '');
  const isPlain = !HAS_LOWEST.test(texts.join(''));
  return (isPlain ? texts : texts.map(escapeLowest)).join(SEPARATOR);
}

const SEPARATOR = '\u0001';
const LOWEST = ['\u0000', SEPARATOR, '\u0002'] as const;
const HAS_LOWEST = new RegExp(`[${LOWEST.join('')}]`);

/** The separator must not stand in a part; the lowest characters keep their order among themselves. */
function escapeLowest(part: string): string {
  return LOWEST.reduceRight((text, character, index) => text.replaceAll(character, `\u0002${index}`), part);
}
