// Charts of amounts by year: one for each organization and series. Organizations may publish the same water, and
// different statistics and units never add up (D40, D78), so no chart has two of them.

import { buildSeriesName, formatSeries } from '../requests/series';
import { toNumber, type TotalsAnswer, type TotalsAnswerRow, toText } from '../requests/totals';
import { listDefaultSeries } from '../requests/unit-types';
import { INITIAL_STATE } from '../state/address';
import { type ExplorerState, NO_STACK } from '../state/state';
import type { Chart } from '../views/chart/chart';
import { buildTotalsChart, chooseMeasure } from '../views/chart/totals-chart';

/** A year of a series, as the service added it up. */
export interface YearRow {
  /** Empty for amounts without a date. */
  readonly year: string;
  readonly amount: number | null;
  readonly records: number;
  readonly places: number;
}

export interface AmountChart {
  readonly organization: string;
  readonly series: string;
  readonly heading: string;
  /** "Sum" or "Mean". */
  readonly measure: string;
  readonly unit: string;
  readonly records: number;
  readonly rows: readonly YearRow[];
  /** Undefined if no amount has a year. */
  readonly chart: Chart | undefined;
}

/** Within each organization, summable series come first, then those with the most places. */
export function buildAmountCharts(
  totals: readonly TotalsAnswerRow[],
  kind: 'series' | 'aggregates',
): readonly AmountChart[] {
  const byOrganization = Map.groupBy(totals, (row) => toText(row['OrganizationUUID']));
  return [...byOrganization].flatMap(([organization, rows]) =>
    listDefaultSeries(rows).map((series) => {
      const ofSeries = rows.filter((row) => buildSeriesName(row) === series);
      return buildAmountChart(ofSeries, { organization, series, kind });
    }),
  );
}

interface ChartKey {
  readonly organization: string;
  readonly series: string;
  readonly kind: 'series' | 'aggregates';
}

function buildAmountChart(rows: readonly TotalsAnswerRow[], { organization, series, kind }: ChartKey): AmountChart {
  const answer: TotalsAnswer = { TotalGroupsCount: rows.length, Totals: rows };
  const state: ExplorerState = {
    ...INITIAL_STATE,
    kind,
    chart: { ...INITIAL_STATE.chart, time: 'Year', stack: NO_STACK, series },
  };
  const measure = chooseMeasure(state, answer).name;
  const chart = buildTotalsChart(answer, state);
  return {
    organization,
    series,
    heading: formatSeries(series),
    measure,
    unit: chart.unit,
    records: rows.reduce((sum, row) => sum + toNumber(row['RecordsCount']), 0),
    rows: rows.map((row) => toYearRow(row, measure)).toSorted(compareYears),
    chart: chart.positions.length === 0 ? undefined : { ...chart, title: '' },
  };
}

function toYearRow(row: TotalsAnswerRow, measure: string): YearRow {
  const amount = row[measure];
  return {
    year: toText(row['Year']),
    amount: typeof amount === 'number' ? amount : null,
    records: toNumber(row['RecordsCount']),
    places: toNumber(row['PlacesCount']),
  };
}

/** Puts amounts without a date last. */
function compareYears({ year: a }: YearRow, { year: b }: YearRow): number {
  if (a === '' || b === '') return Number(a === '') - Number(b === '');
  return a < b ? -1 : Number(a > b);
}
