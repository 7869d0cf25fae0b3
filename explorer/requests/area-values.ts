// Derives the value of each area of the map from totals: one series, in one year or all years.

import type { LabeledName } from '../state/labels';
import { buildSeriesName, chooseSeries, listSeries } from './series';
import { toNumber, type TotalsAnswer, type TotalsAnswerRow, toText } from './totals';
import { listDefaultSeries } from './unit-types';

export interface AreaValues {
  /** Keyed by feature identifier, ORGANIZATION~UNIT. */
  readonly values: ReadonlyMap<string, number>;
  /** The values of all years, so that a shade means the same in every year. */
  readonly valuesOfAllYears: readonly number[];
  readonly unit: string;
  /** The shown series, and all series of the answer, most records first. */
  readonly series: string;
  readonly choices: readonly LabeledName[];
}

/** Falls back to another series if `series` is missing. An empty `year` uses sums of all years. */
export function computeAreaValues(answer: TotalsAnswer, series: string, year: string): AreaValues {
  const choices = listSeries(answer.Totals);
  const shown = chooseSeries(choices, series);
  const seriesRows = answer.Totals.filter((row) => buildSeriesName(row) === shown);
  const yearRows = seriesRows.filter((row) => year === '' || row['Year'] === year);
  const values = yearRows.flatMap(({ Sum, OrganizationUUID, ReportingUnitUUID }): [string, number][] =>
    typeof Sum === 'number' ? [[`${toText(OrganizationUUID)}~${toText(ReportingUnitUUID)}`, Sum]] : [],
  );
  const unit = toText(seriesRows[0]?.['AmountUnitCV']);
  const ofAllYears = seriesRows.flatMap(({ Sum }) => (typeof Sum === 'number' ? [Sum] : []));
  return { values: new Map(values), valuesOfAllYears: ofAllYears, unit, series: shown, choices };
}

/** The chosen series if it exists, else the one that shades the most areas; empty if no area can be shaded. */
export function chooseAreaSeries(rows: readonly TotalsAnswerRow[], chosen: string): string {
  return chosen === '' ? (listDefaultSeries(rows)[0] ?? '') : chosen;
}

/** Sorted, without rows that have no year. */
export function listYears(rows: readonly TotalsAnswerRow[]): readonly string[] {
  const years = rows.flatMap(({ Year }) => (typeof Year === 'string' ? [Year] : []));
  return [...new Set(years)].sort();
}

/** The newest year in which most areas of a series have amounts; empty if its amounts have no year. */
export function findNewestFullYear(allRows: readonly TotalsAnswerRow[], series: string): string {
  const rows = allRows.filter((row) => typeof row['Year'] === 'string' && buildSeriesName(row) === series);
  const countAreas = (row: TotalsAnswerRow): number => toNumber(row['PlacesCount']);
  const maxAreas = Math.max(0, ...rows.map(countAreas));
  const full = rows.filter((row) => 2 * countAreas(row) > maxAreas).map(({ Year }) => toText(Year));
  return full.sort().at(-1) ?? '';
}
