// Builds the chart of totals from the rows that the service added up. Every figure is one of the answer; only the
// smallest pieces are added up here, as "all others".

import { buildSeriesName, chooseSeries, listSeries } from '../../requests/series';
import { toNumber, type TotalsAnswer, type TotalsAnswerRow, toText } from '../../requests/totals';
import { getKind, type Measure } from '../../state/kinds';
import { getLabel } from '../../state/labels';
import { getValueColor } from '../../state/palette';
import { type ExplorerState, getChartStack, getChartTime } from '../../state/state';
import { formatColumn } from '../parts/cell-texts';
import { formatCount } from '../parts/texts';
import type { Chart, Column } from './chart';

/** As many colors as a person can distinguish. All other pieces are combined. */
const MAX_PIECES = 9;

const OTHER = 'all others';
const NONE = 'not stated';

/** The width of an axis label in pixels, and the possible steps between labels. */
const TICK_WIDTH = 62;
const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500];

/** Statistics that can be added up. A sum of means is not an amount of water. */
const SUMMABLE_STATISTIC = /Cumulative|Total|Sum/i;

/** The chosen measure, else the default: the first of the kind, or the mean if sums are meaningless. */
export function chooseMeasure({ kind, chart }: ExplorerState, totals?: TotalsAnswer): Measure {
  const { measures } = getKind(kind);
  const shown = chart.series || chooseSeries(listSeries(totals?.Totals ?? []), '');
  const defaultMeasure = measures.find(({ name }) => name !== 'Sum' || shown === '' || SUMMABLE_STATISTIC.test(shown));
  const measure = measures.find(({ name }) => name === chart.measure) ?? defaultMeasure;
  if (measure === undefined) throw new Error(`nothing can be added up of ${kind}`);
  return measure;
}

/** `bars` has the rows of the same records by time alone. In it a record counts once. */
export function buildTotalsChart(answer: TotalsAnswer, state: ExplorerState, bars = answer): Chart {
  const time = getChartTime(state);
  const measure = chooseMeasure(state, bars);
  const stack = getChartStack(state);
  const choices = measure.unit === '' ? listSeries(bars.Totals) : [];
  const series = chooseSeries(choices, state.chart.series);
  const isOfSeries = (row: TotalsAnswerRow): boolean => measure.unit !== '' || buildSeriesName(row) === series;
  const rows = answer.Totals.filter(isOfSeries);
  const barRows = bars.Totals.filter(isOfSeries);
  const times = listTimes(rows, time);
  // The service says whether records can be in several groups. The counts say whether any is.
  const overlaps = answer.GroupsOverlap && sumRows(rows, 'RecordsCount') > sumRows(barRows, 'RecordsCount');
  const isMean = measure.name === 'Mean';
  const showsShares = state.chart.showsShares && stack !== '' && !isMean;
  const isStacked = !isMean && !(showsShares && overlaps);
  const title = `${measure.label} by ${getLabel(time).toLowerCase()}`;
  const unit = showsShares ? '%' : measure.unit || toText(rows[0]?.['AmountUnitCV']);
  const groups = { time, stack, measure: measure.name, times };
  const columns = buildColumns(rows, barRows, { ...groups, unit, title, showsShares });
  const countWithoutTime = sumRows(
    barRows.filter((row) => row[time] === null),
    'RecordsCount',
  );
  const notes = [
    overlaps &&
      `A record with several values stands in each of them, so ${showsShares ? 'shares' : 'pieces'} add up to more than the whole.`,
    countWithoutTime > 0 && `Without a time that can be drawn: ${formatCount(countWithoutTime)}.`,
    columns.length > 1 && !isStacked && 'What does not add up is drawn as lines.',
  ];
  return {
    title: showsShares ? `Share of the ${title.toLowerCase()}` : title,
    unit,
    subject: describeSubject(state),
    choices,
    series,
    isStacked,
    notes: notes.filter((note) => note !== false),
    axis: buildTimeAxis(formatColumn(time), times),
    positions: [...times.keys()],
    columns,
    legend: columns,
    bands: [],
  };
}

interface ColumnOptions extends Groups {
  readonly unit: string;
  readonly title: string;
  readonly showsShares: boolean;
}

/** A column for each piece, then the total where there are several pieces. Shares have no total: its unit differs. */
function buildColumns(
  rows: readonly TotalsAnswerRow[],
  barRows: readonly TotalsAnswerRow[],
  { unit, title, showsShares, ...groups }: ColumnOptions,
): readonly Column[] {
  const isMean = groups.measure === 'Mean';
  const toColumn = ({ name, sum, values }: Piece, color?: string): Column => ({
    values,
    name: name === '' ? unit : `${name} (${unit})`,
    label: name || title,
    color,
    sum: isMean ? undefined : sum,
  });
  const pieces = buildPieces(rows, groups);
  const columns = pieces.map((piece, index) => toColumn(piece, getValueColor(groups.stack, piece.name, index)));
  const [all] = buildPieces(barRows, { ...groups, stack: '' });
  const total = toColumn({ values: [], sum: 0, ...all, name: isMean ? 'All together' : 'Total' });
  if (showsShares) return columns.map((column) => toShares(column, total));
  return pieces.length < 2 ? columns : [...columns, total];
}

/** The column as shares of the total of each time. */
function toShares({ values, sum, ...column }: Column, whole: Column): Column {
  const share = (part: number | null | undefined, of: number | null | undefined): number | null =>
    typeof part === 'number' && typeof of === 'number' && of > 0 ? (100 * part) / of : null;
  return { ...column, values: values.map((value, at) => share(value, whole.values[at])), sum: share(sum, whole.sum) };
}

function buildTimeAxis(name: string, times: readonly string[]): Chart['axis'] {
  return {
    name,
    heading: `All, ${times[0] ?? ''} to ${times.at(-1) ?? ''}`,
    format: (at) => times[at] ?? '',
    getTicks: (first, last, pixels) => {
      const shown = [...times.keys()].filter((at) => at >= first && at <= last);
      const step = STEPS.find((one) => shown.length * TICK_WIDTH <= one * Math.max(TICK_WIDTH, pixels)) ?? 1000;
      // Labels round years, whatever the first year is.
      return shown.filter((at) => ((Number(times[0]) || 0) + at) % step === 0);
    },
  };
}

/** Describes the drawn records: their kind and the filters. */
function describeSubject({ kind, filters }: ExplorerState): string {
  const values = Object.values(filters)
    .flat()
    .filter((value) => value.length < 40);
  return [getKind(kind).plural, ...values].join(', ');
}

interface Groups {
  readonly time: string;
  readonly stack: string;
  readonly measure: string;
  readonly times: readonly string[];
}

interface Piece {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly sum: number;
}

/** The largest first. If there are more pieces than colors, the smallest are combined, unless they are means. */
function buildPieces(rows: readonly TotalsAnswerRow[], { time, stack, measure, times }: Groups): readonly Piece[] {
  const knownTimes = new Set(times);
  const rowsWithFigure = rows.filter((row) => knownTimes.has(toText(row[time])) && typeof row[measure] === 'number');
  const byName = Map.groupBy(rowsWithFigure, (row) => (stack === '' ? '' : toText(row[stack]) || NONE));
  const pieces = Array.from(byName, ([name, ofName]) => ({ name, rows: ofName, sum: sumRows(ofName, measure) }));
  pieces.sort((a, b) => b.sum - a.sum || (a.name < b.name ? -1 : 1));
  if (pieces.length > MAX_PIECES && measure !== 'Mean') {
    const others = pieces.splice(MAX_PIECES - 1).flatMap((piece) => piece.rows);
    pieces.push({ name: OTHER, rows: others, sum: sumRows(others, measure) });
  }
  return pieces.slice(0, MAX_PIECES).map(({ name, rows: ofName, sum }) => {
    const byTime = Map.groupBy(ofName, (row) => toText(row[time]));
    const values = times.map((text) => {
      const ofTime = byTime.get(text);
      return ofTime === undefined ? null : sumRows(ofTime, measure);
    });
    return { name, values, sum };
  });
}

/** All times in order. Years and decades have no gaps, so that missing ones are visible. */
function listTimes(rows: readonly TotalsAnswerRow[], time: string): readonly string[] {
  const sorted = [...new Set(rows.map((row) => toText(row[time])))].filter((text) => text !== '').sort();
  const first = Number(sorted[0]);
  const last = Number(sorted.at(-1));
  if (time === 'Month' || Number.isNaN(first) || last - first > 5000) return sorted;
  const step = time === 'PriorityDecade' ? 10 : 1;
  return Array.from({ length: (last - first) / step + 1 }, (_, index) => String(first + index * step));
}

function sumRows(rows: readonly TotalsAnswerRow[], measure: string): number {
  return rows.reduce((sum, row) => sum + toNumber(row[measure]), 0);
}
