// Builds the chart of totals from the rows that the service added up. All figures are from the answer, except "all
// others", which this file adds up from the smallest values.

import { buildSeriesName, isSummable, listSeries } from '../../requests/series';
import { toNumber, type TotalsAnswer, type TotalsAnswerRow, toText } from '../../requests/totals';
import { listDefaultSeries } from '../../requests/unit-types';
import { getKind, type Measure } from '../../state/kinds';
import { getLabel } from '../../state/labels';
import {
  assignColors,
  describeSeveral,
  getColor,
  NOT_STATED_COLOR,
  OTHERS_COLOR,
  SEVERAL_COLOR,
  SEVERAL_VALUES,
} from '../../state/palette';
import { type ExplorerState, getChartStack, getChartTime } from '../../state/state';
import { formatColumn } from '../parts/cell-texts';
import { formatTotal } from '../parts/texts';
import type { Chart, Column } from './chart';

const OTHER = 'all others';
const NONE = 'not stated';

/** The width of an axis label in pixels, and the possible steps between labels. */
const TICK_WIDTH = 62;
const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500];

/** The chosen measure, else the default: the first of the kind, or the mean if sums are meaningless. */
export function chooseMeasure({ kind, chart }: ExplorerState, totals?: TotalsAnswer): Measure {
  const { measures } = getKind(kind);
  const rows = totals?.Totals ?? [];
  const series = chooseChartSeries(rows, chart.series);
  const ofSeries = rows.filter((row) => buildSeriesName(row) === series);
  const addsUp = ofSeries.length === 0 || ofSeries.every(isSummable);
  const defaultMeasure = measures.find(({ name }) => name !== 'Sum' || addsUp);
  const measure = measures.find(({ name }) => name === chart.measure) ?? defaultMeasure;
  if (measure === undefined) throw new Error(`${kind} have no measure that can be added up`);
  return measure;
}

/**
 * Returns the chosen series if it exists, else the default: a summable series if there is one, with the most places.
 */
function chooseChartSeries(rows: readonly TotalsAnswerRow[], chosen: string): string {
  const names = listDefaultSeries(rows);
  return names.find((name) => name === chosen) ?? names[0] ?? '';
}

/** `bars` are the rows of the same records grouped by time only, so that each record counts once. */
export function buildTotalsChart(answer: TotalsAnswer, state: ExplorerState, bars = answer): Chart {
  const time = getChartTime(state);
  const measure = chooseMeasure(state, bars);
  const stack = getChartStack(state);
  const choices = measure.unit === '' ? listSeries(bars.Totals) : [];
  const series = measure.unit === '' ? chooseChartSeries(bars.Totals, state.chart.series) : '';
  const isOfSeries = (row: TotalsAnswerRow): boolean => measure.unit !== '' || buildSeriesName(row) === series;
  const rows = answer.Totals.filter(isOfSeries);
  const barRows = bars.Totals.filter(isOfSeries);
  const times = listTimes(rows, time);
  const isMean = measure.name === 'Mean';
  const showsShares = state.chart.showsShares && stack !== '' && !isMean;
  const isStacked = !isMean;
  const title = `${measure.label} by ${getLabel(time).toLowerCase()}`;
  const unit = showsShares ? '%' : measure.unit || toText(rows[0]?.['AmountUnitCV']);
  const groups = { time, stack, measure: measure.name, times };
  const isAddedUp = barRows.every(isSummable);
  const hasSeveral = rows.some((row) => row[stack] === SEVERAL_VALUES);
  const columns = buildColumns(rows, barRows, { ...groups, unit, title, showsShares });
  const countWithoutTime = sumRows(
    barRows.filter((row) => row[time] === null),
    'RecordsCount',
  );
  const notes = [
    measure.name === 'Sum' &&
      !isAddedUp &&
      'These are means, levels, rates or concentrations: their sum is not an amount of water.',
    hasSeveral &&
      `Records with ${describeSeveral(stack)} are counted once, under their primary use if one is recorded.`,
    countWithoutTime > 0 && `Not shown because they have no date: ${formatTotal(state.kind, countWithoutTime)}.`,
    columns.length > 1 && !isStacked && 'Means do not add up, so they are drawn as lines.',
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

/**
 * Returns a column for each piece (a segment of the stacked bars), then a column for the total if there are several
 * pieces. Shares have no total column, because its unit differs.
 */
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
  const columns = pieces.map((piece) => toColumn(piece, piece.color));
  const [all] = buildPieces(barRows, { ...groups, stack: '' });
  const total = toColumn({ values: [], sum: 0, color: '', ...all, name: isMean ? 'All together' : 'Total' });
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
      // Labels round years, regardless of the first year.
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
  readonly color: string;
  readonly values: readonly (number | null)[];
  readonly sum: number;
}

/** The rows of a segment of the stacked bars, not yet combined into "all others". */
interface NamedRows {
  readonly name: string;
  readonly rows: readonly TotalsAnswerRow[];
  readonly sum: number;
}

/**
 * Orders the segments of the stacked bars: the largest first, then "all others", several values and no value. If there
 * are more segments than colors, the smallest are combined, unless they are means.
 */
function buildPieces(rows: readonly TotalsAnswerRow[], groups: Groups): readonly Piece[] {
  const { time, stack, measure, times } = groups;
  const knownTimes = new Set(times);
  const rowsWithFigure = rows.filter((row) => knownTimes.has(toText(row[time])) && typeof row[measure] === 'number');
  const byName = Map.groupBy(rowsWithFigure, (row) => (stack === '' ? '' : toText(row[stack])));
  const toNamed = (name: string, ofName: readonly TotalsAnswerRow[]): NamedRows => {
    return { name, rows: ofName, sum: sumRows(ofName, measure) };
  };
  const pieces = Array.from(byName, ([name, ofName]) => toNamed(name, ofName));
  if (stack === '') return pieces.map((piece) => toPiece(piece, getColor(0), groups));
  const isValue = ({ name }: NamedRows): boolean => name !== '' && name !== SEVERAL_VALUES;
  const values = pieces.filter(isValue).sort((a, b) => b.sum - a.sum || (a.name < b.name ? -1 : 1));
  const colors = assignColors(
    stack,
    values.map(({ name }) => name),
  );
  const named = values.filter(({ name }) => colors.has(name));
  const others = values.filter(({ name }) => !colors.has(name)).flatMap((piece) => piece.rows);
  const [several] = pieces.filter(({ name }) => name === SEVERAL_VALUES);
  const [none] = pieces.filter(({ name }) => name === '');
  return [
    ...named.map((piece) => toPiece(piece, colors.get(piece.name) ?? OTHERS_COLOR, groups)),
    ...(others.length > 0 && measure !== 'Mean' ? [toPiece(toNamed(OTHER, others), OTHERS_COLOR, groups)] : []),
    ...(several ? [toPiece({ ...several, name: describeSeveral(stack) }, SEVERAL_COLOR, groups)] : []),
    ...(none ? [toPiece({ ...none, name: NONE }, NOT_STATED_COLOR, groups)] : []),
  ];
}

function toPiece({ name, rows, sum }: NamedRows, color: string, { time, measure, times }: Groups): Piece {
  const byTime = Map.groupBy(rows, (row) => toText(row[time]));
  const values = times.map((text) => {
    const ofTime = byTime.get(text);
    return ofTime === undefined ? null : sumRows(ofTime, measure);
  });
  return { name, color, values, sum };
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
