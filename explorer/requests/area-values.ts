// The value of each area, of the rows that the service added up: one measure of one series, since what differs in unit,
// interval or statistic is never added up (D40).

import { numberOf, seriesName, seriesOf, shownSeries, textOf } from './added-series';
import { kindOf, type Named } from '../state/kinds';
import type { Filters } from '../state/state';
import type { ServiceClient } from './client';
import { askTotals, type TotalsAnswer, type TotalsAnswerRow } from './operations';
import { EVERYWHERE } from './placed';
import type { Reply } from './reply';

/** By organization and unit, and by year or of all years together. */
export function askAreaTotals(
  client: ServiceClient,
  filters: Filters,
  isOfYears: boolean,
): Promise<Reply<TotalsAnswer>> {
  const groups = ['OrganizationUUID', 'ReportingUnitUUID', ...(isOfYears ? ['Year'] : [])];
  return askTotals(client, { kind: 'aggregates', filters }, groups);
}

/** The years of areas that have a shape. */
export function askAreaYears(client: ServiceClient, filters: Filters): Promise<Reply<TotalsAnswer>> {
  const { boundary } = kindOf('aggregates');
  return askTotals(client, { kind: 'aggregates', filters: { [boundary]: [EVERYWHERE], ...filters } }, ['Year']);
}

export interface AreaValues {
  /** By the identifier that features have, ORGANIZATION~UNIT. */
  readonly values: ReadonlyMap<string, number>;
  /** Those of all years of the answer, so that a shade stands for the same sums in each of them. */
  readonly ofAllYears: readonly number[];
  readonly unit: string;
  /** The name of the series that is shown, and of all that there are, the one with the most records first. */
  readonly series: string;
  readonly choices: readonly Named[];
}

/** `series` is the chosen one, or another that is there where it is not. `year` is empty for sums of all years. */
export function areaValuesOf(answer: TotalsAnswer, series: string, year: string): AreaValues {
  const choices = seriesOf(answer.Totals);
  const shown = shownSeries(choices, series);
  const ofSeries = answer.Totals.filter((row) => seriesName(row) === shown);
  const ofYear = ofSeries.filter((row) => year === '' || row['Year'] === year);
  const values = ofYear.flatMap((row): [string, number][] => {
    const sum = row['Sum'];
    return typeof sum === 'number'
      ? [[`${textOf(row['OrganizationUUID'])}~${textOf(row['ReportingUnitUUID'])}`, sum]]
      : [];
  });
  const unit = textOf(ofSeries[0]?.['AmountUnitCV']);
  const ofAllYears = ofSeries.flatMap(({ Sum }) => (typeof Sum === 'number' ? [Sum] : []));
  return { values: new Map(values), ofAllYears, unit, series: shown, choices };
}

/** In order; those of the rows without a year are left out. */
export function yearsOfTotals(answer: TotalsAnswer | undefined): readonly string[] {
  const years = (answer?.Totals ?? []).flatMap(({ Year }) => (typeof Year === 'string' ? [Year] : []));
  return [...new Set(years)].sort();
}

/** The newest year in which a series has amounts of most of its areas; empty where its amounts have no year. */
export function newestFullYear(answer: TotalsAnswer, series: string): string {
  const shown = shownSeries(seriesOf(answer.Totals), series);
  const rows = answer.Totals.filter((row) => typeof row['Year'] === 'string' && seriesName(row) === shown);
  const areasOf = (row: TotalsAnswerRow): number => numberOf(row['PlacesCount']);
  const most = Math.max(0, ...rows.map(areasOf));
  const full = rows.filter((row) => 2 * areasOf(row) > most).map(({ Year }) => textOf(Year));
  return full.sort().at(-1) ?? '';
}
