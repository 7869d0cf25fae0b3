// Charts of amounts by year: one for each organization and series. Organizations may publish the same water, and
// different statistics and units never add up (D40, D78), so a chart never combines two of them.

import { buildSeriesName, formatSeries } from '../requests/series';
import { toNumber, type TotalsAnswer, type TotalsAnswerRow, toText } from '../requests/totals';
import { listDefaultSeries } from '../requests/unit-types';
import { INITIAL_STATE } from '../state/address';
import { USE_COLOR } from '../state/kinds';
import { type ExplorerState, NO_STACK } from '../state/state';
import type { Chart } from '../views/chart/chart';
import { buildTotalsChart, chooseMeasure } from '../views/chart/totals-chart';

/** The figures of a series for one year, computed by the service. */
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

/**
 * Within each organization, summable series come first, then those with the most places. `pieces` are the same totals
 * by use category, for stacked bars. If it is empty, bars are not stacked.
 */
export function buildAmountCharts(
  totals: readonly TotalsAnswerRow[],
  kind: 'series' | 'aggregates',
  pieces: readonly TotalsAnswerRow[] = [],
): readonly AmountChart[] {
  const byOrganization = Map.groupBy(totals, (row) => toText(row['OrganizationUUID']));
  return [...byOrganization].flatMap(([organization, rows]) =>
    listDefaultSeries(rows).map((series) => {
      const isOfSeries = (row: TotalsAnswerRow): boolean => buildSeriesName(row) === series;
      const piecesOfSeries = pieces.filter((row) => row['OrganizationUUID'] === organization && isOfSeries(row));
      return buildAmountChart(rows.filter(isOfSeries), { organization, series, kind, pieces: piecesOfSeries });
    }),
  );
}

interface ChartKey {
  readonly organization: string;
  readonly series: string;
  readonly kind: 'series' | 'aggregates';
  readonly pieces: readonly TotalsAnswerRow[];
}

function buildAmountChart(rows: readonly TotalsAnswerRow[], key: ChartKey): AmountChart {
  const { organization, series, kind, pieces } = key;
  const bars = toAnswer(rows);
  const withStack = (stack: string): ExplorerState => {
    return { ...INITIAL_STATE, kind, chart: { ...INITIAL_STATE.chart, time: 'Year', stack, series } };
  };
  const measure = chooseMeasure(withStack(NO_STACK), bars).name;
  // Bars of means are not stacked: the means of use categories do not add up to the overall mean.
  const isStacked = measure === 'Sum' && pieces.some((row) => row[USE_COLOR] !== null);
  const chart = isStacked
    ? buildTotalsChart(toAnswer(pieces), withStack(USE_COLOR), bars)
    : buildTotalsChart(bars, withStack(NO_STACK));
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

function toAnswer(rows: readonly TotalsAnswerRow[]): TotalsAnswer {
  return { TotalGroupsCount: rows.length, Totals: rows };
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
