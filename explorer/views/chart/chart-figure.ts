// What a chart of totals shows, made of the rows that the service added up: a place for each time, and a column for
// each piece of its bars. Every figure is one of the answer; only what is gathered as "other" is added here.

import {
  buildSeriesName,
  chooseSeries,
  listSeries,
  toNumber,
  type TotalsAnswer,
  type TotalsAnswerRow,
  toText,
} from '../../requests/totals';
import { getKind, getLabel, type Measure } from '../../state/kinds';
import { getValueColor } from '../../state/palette';
import { type ExplorerState, getChartStack, getChartTime } from '../../state/state';
import { formatColumn, formatCount } from '../parts/texts';
import type { Chart, Column } from './chart';

/** As many colors as can be told apart; what is beyond is one piece. */
const MAX_PIECES = 9;

const OTHER = 'all others';
const NONE = 'not stated';

/** The pixels that a text below the axis needs, and every so many places have one. */
const TICK_WIDTH = 62;
const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500];

/** Statistics whose sum is an amount of water; a sum of means is none. */
const SUMMABLE_STATISTIC = /Cumulative|Total|Sum/i;

/** The one that is chosen; else the first of the kind, but means of a series whose sum says nothing. */
export function chooseMeasure({ kind, chart }: ExplorerState, totals?: TotalsAnswer): Measure {
  const { measures } = getKind(kind);
  const shown = chart.series || chooseSeries(listSeries(totals?.Totals ?? []), '');
  const defaultMeasure = measures.find(({ name }) => name !== 'Sum' || shown === '' || SUMMABLE_STATISTIC.test(shown));
  const measure = measures.find(({ name }) => name === chart.measure) ?? defaultMeasure;
  if (measure === undefined) throw new Error(`nothing can be added up of ${kind}`);
  return measure;
}

/** `whole` has the rows of the same records by time alone. */
export function buildTotalsChart(answer: TotalsAnswer, state: ExplorerState, whole = answer): Chart {
  const time = getChartTime(state);
  const measure = chooseMeasure(state, whole);
  const stack = getChartStack(state);
  const choices = measure.unit === '' ? listSeries(whole.Totals) : [];
  const series = chooseSeries(choices, state.chart.series);
  const isOfSeries = (row: TotalsAnswerRow): boolean => measure.unit !== '' || buildSeriesName(row) === series;
  const rows = answer.Totals.filter(isOfSeries);
  const rowsOfWhole = whole.Totals.filter(isOfSeries);
  const times = listTimes(rows, time);
  const rowsWithoutTime = rowsOfWhole.filter((row) => row[time] === null);
  const untimed = sumRows(rowsWithoutTime, 'RecordsCount');
  // The service says whether records can be in several groups; the counts, whether any is.
  const overlaps = answer.GroupsOverlap && sumRows(rows, 'RecordsCount') > sumRows(rowsOfWhole, 'RecordsCount');
  const isMean = measure.name === 'Mean';
  const isOfShares = state.chart.showsShares && stack !== '' && !isMean;
  const title = `${measure.label} by ${getLabel(time).toLowerCase()}`;
  const groups = { time, measure: measure.name, times };
  const [all] = buildPieces(rowsOfWhole, { ...groups, stack: '' });
  const pieces = buildPieces(rows, { ...groups, stack });
  const unit = isOfShares ? '%' : measure.unit || toText(rows[0]?.['AmountUnitCV']);
  const columnOf = ({ name, sum, ...piece }: Piece, color?: string): Column => {
    const names = { name: name === '' ? unit : `${name} (${unit})`, label: name || title };
    return { ...piece, ...names, color, sum: isMean ? undefined : sum };
  };
  const columns = pieces.map((piece, index) => columnOf(piece, getValueColor(stack, piece.name, index)));
  const ofAll = columnOf({ values: [], sum: 0, ...all, name: isMean ? 'All together' : 'Total' });
  // Shares are of a whole that is in another unit.
  const shown = isOfShares
    ? columns.map((one) => toShares(one, ofAll))
    : pieces.length < 2
      ? columns
      : [...columns, ofAll];
  const isStacked = !isMean && !(isOfShares && overlaps);
  const notes = [
    overlaps &&
      `A record with several values stands in each of them, so ${isOfShares ? 'shares' : 'pieces'} add up to more than the whole.`,
    untimed > 0 && `Without a time that can be drawn: ${formatCount(untimed)}.`,
    shown.length > 1 && !isStacked && 'What does not add up is drawn as lines.',
  ];
  return {
    title: isOfShares ? `Share of the ${title.toLowerCase()}` : title,
    unit,
    subject: describeSubject(state),
    choices,
    series,
    isStacked,
    notes: notes.filter((note) => note !== false),
    axis: buildTimeAxis(formatColumn(time), times),
    positions: [...times.keys()],
    columns: shown,
    legend: shown,
    bands: [],
  };
}

/** The same as its share of the whole of its time. */
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
      // Round years stand under their bars, whatever year is the first.
      return shown.filter((at) => ((Number(times[0]) || 0) + at) % step === 0);
    },
  };
}

/** Says in words what is drawn: the kind and what is filtered of it. */
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

/** The largest first; the smallest of more than there are colors are one, unless they are means. */
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

/** Times in order; years and decades between the first and the last, too, so that gaps are seen. */
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
