// The chart of a series of amounts. It is drawn as SVG on the server, with a text alternative, so that the page needs
// neither a script nor another host (D49).

import { type Day, type DaySpan, formatIsoDate, toCalendarDate, toDay } from '../../../values/dates';
import { formatNumber } from '../format-number';
import { type Html, html, readText } from '../html';
import { formatCoordinate, formatPathStep, listMultiples, ROUNDING } from './drawing';
import type { SeriesFigures } from './series-figures';

/** The size of the chart, and the area in which the data are drawn. */
const WIDTH = 360;
const HEIGHT = 190;
const LEFT = 52;
const RIGHT = 352;
const TOP = 22;
const BOTTOM = 168;

/**
 * A line is reduced to the minimum and maximum of each one-pixel column. If there are more bars than columns, a line is
 * drawn instead.
 */
const PIXEL_COLUMNS = RIGHT - LEFT;
const MAX_TICKS = 4;
const MAX_YEARS = 6;

/** A step that is more than this many times as long as the median step is a gap. */
const GAP_FACTOR = 2.5;

/** Timeframes of at least this length cover years, and are drawn as bars. */
const MIN_DAYS_OF_A_YEAR = 350;

/** A value, and the days that it covers. */
interface Mark extends DaySpan {
  readonly value: number;
}

interface Scales {
  readonly x: (day: number) => number;
  readonly y: (value: number) => number;
}

/** What is drawn if several amounts have the same timeframe, such as one per use. */
export type DrawnFigure = 'amount' | 'sum' | 'mean';

export function chooseDrawnFigure({ timeframes, variable }: SeriesFigures): DrawnFigure {
  if (timeframes.every(({ records }) => records === 1)) return 'amount';
  return variable['AggregationStatisticCV'] === 'Cumulative' ? 'sum' : 'mean';
}

/** Empty if fewer than two timeframes have an amount, because the table is enough. */
export function drawSeriesChart(series: SeriesFigures, name: string): Html | '' {
  const figure = chooseDrawnFigure(series) === 'mean' ? 'mean' : 'sum';
  const marks = series.timeframes.flatMap(({ time, ...figures }) => {
    const value = figures[figure];
    return value === null ? [] : [{ ...time, value }];
  });
  const [first] = marks;
  if (first === undefined || marks.length < 2) return '';
  const unit = readText(series.variable, 'AmountUnitCV') ?? 'no unit stated';
  const minMark = marks.reduce((low, mark) => (mark.value < low.value ? mark : low));
  const maxMark = marks.reduce((high, mark) => (mark.value > high.value ? mark : high));
  const hasBars = marks.length <= PIXEL_COLUMNS && marks.every((mark) => mark.last - mark.first >= MIN_DAYS_OF_A_YEAR);
  const [min, max] = chooseBounds(minMark.value, maxMark.value, hasBars);
  const lastDay = marks.reduce((last, mark) => Math.max(last, mark.last), first.last);
  const top = max === min ? min + 1 : max;
  const scales: Scales = {
    x: (day) => LEFT + ((day - first.first) / (lastDay + 1 - first.first)) * (RIGHT - LEFT),
    y: createValueScale(min, top),
  };
  const drawing = hasBars ? drawBars(marks, scales) : drawLine(marks, scales);
  return html`<svg class="series" role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}">
    <title>${name}, in ${unit}: ${describeMarks(marks, minMark, maxMark)}</title>
    <g class="axis">
      <text x="2" y="12">${unit}</text>
      ${listRoundNumbers(min, top, MAX_TICKS).map((value) => drawValueTick(value, scales))}
      ${drawTimeTicks(first.first, lastDay, scales)}
    </g>
    ${drawing}
  </svg>`;
}

/** Bars start at zero. A line starts at its minimum if that is far from zero, as for water levels. */
function chooseBounds(min: number, max: number, hasBars: boolean): readonly [lowest: number, highest: number] {
  if (!hasBars && min > max / 2) return [min, max];
  return [Math.min(0, min), Math.max(0, max)];
}

/**
 * Returns a function that converts values between two bounds to pixels. Divides before subtracting, because the
 * difference of two doubles may overflow.
 */
function createValueScale(min: number, max: number): Scales['y'] {
  const unit = Math.max(Math.abs(min), Math.abs(max), Number.MIN_VALUE);
  const span = max / unit - min / unit;
  return (value) => BOTTOM - (span > 0 ? (value / unit - min / unit) / span : 0) * (BOTTOM - TOP);
}

function drawBars(marks: readonly Mark[], { x, y }: Scales): Html {
  const base = y(0);
  const path = marks.map(({ first, last, value }) => {
    const from = x(first);
    const to = x(last + 1);
    const gap = Math.min(1.5, (to - from) * 0.2);
    // A zero is an amount, not a gap, so its bar must be visible.
    const height = Math.max(1, Math.abs(base - y(value)));
    const start = value < 0 ? base : base - height;
    return `M${formatCoordinate(from)} ${formatCoordinate(start)}h${formatCoordinate(to - from - gap)}v${formatCoordinate(height)}h-${formatCoordinate(to - from - gap)}z`;
  });
  return html`<path class="bars" d="${path.join('')}" />`;
}

function drawLine(marks: readonly Mark[], { x, y }: Scales): Html {
  const points = marks.map(({ first, last, value }) => ({ day: (first + last + 1) / 2, value }));
  const steps = points.slice(1).map(({ day }, index) => day - (points[index]?.day ?? day));
  const medianStep = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  // A gap that is narrower than the line would be invisible.
  const pixelDays = ((points.at(-1)?.day ?? 0) - (points[0]?.day ?? 0)) / PIXEL_COLUMNS;
  const minGap = Math.max(GAP_FACTOR * medianStep, pixelDays);
  const path = reducePoints(points, pixelDays).map(({ day, value, before }) => {
    return formatPathStep([x(day), y(value)], before === undefined || day - before > minGap);
  });
  // A single point between two gaps becomes a dot: a line of length 0 with round ends.
  const dottedPath = path.map((step, index) => {
    return step.startsWith('M') && path[index + 1]?.startsWith('L') !== true ? `${step}h0` : step;
  });
  return html`<path class="line" d="${dottedPath.join('')}" />`;
}

interface Point {
  readonly day: number;
  readonly value: number;
}

/**
 * Returns the minimum and maximum of each one-pixel column in chronological order, with the day of the preceding point.
 */
function reducePoints(
  points: readonly Point[],
  pixelDays: number,
): readonly (Point & { readonly before: number | undefined })[] {
  const start = points[0]?.day ?? 0;
  const pointsWithPrevious = points.map((point, index) => ({ ...point, before: points[index - 1]?.day }));
  const columns = Map.groupBy(pointsWithPrevious, ({ day }) =>
    pixelDays === 0 ? 0 : Math.floor((day - start) / pixelDays),
  );
  return [...columns.values()].flatMap((column) => {
    const minPoint = column.reduce((low, point) => (point.value < low.value ? point : low));
    const maxPoint = column.reduce((high, point) => (point.value > high.value ? point : high));
    const [first, second] = minPoint.day <= maxPoint.day ? [minPoint, maxPoint] : [maxPoint, minPoint];
    // A gap is always before the first point of a column, whichever of its points are drawn.
    const firstPoint = { ...first, before: column[0]?.before };
    return first === second ? [firstPoint] : [firstPoint, { ...second, before: first.day }];
  });
}

function drawValueTick(value: number, { y }: Scales): Html {
  return html`<path d="M${LEFT} ${formatCoordinate(y(value))}H${RIGHT}" />
    <text x="${LEFT - 5}" y="${formatCoordinate(y(value) + 4)}" text-anchor="end">${SHORT_FORMAT.format(value)}</text>`;
}

/** Draws years, or the first and last day if the chart covers less than two years. */
function drawTimeTicks(firstDay: Day, lastDay: Day, { x }: Scales): readonly Html[] {
  const from = toCalendarDate(firstDay);
  const to = toCalendarDate(lastDay);
  const start = from.month === 1 && from.day === 1 ? from.year : from.year + 1;
  if (to.year <= start) {
    return [drawTimeTick(LEFT, formatIsoDate(firstDay), 'start'), drawTimeTick(RIGHT, formatIsoDate(lastDay), 'end')];
  }
  const years = listRoundNumbers(start, to.year, MAX_YEARS).filter(Number.isInteger);
  return years.map((year) => drawTimeTick(x(toDay(year, 1, 1) ?? firstDay), String(year), 'middle'));
}

function drawTimeTick(x: number, text: string, anchor: 'start' | 'middle' | 'end'): Html {
  return html`<path d="M${formatCoordinate(x)} ${BOTTOM}v4" /><text
      x="${formatCoordinate(x)}"
      y="${BOTTOM + 16}"
      text-anchor="${anchor}"
      >${text}</text
    >`;
}

/** Writes the text alternative of the chart. */
function describeMarks(marks: readonly Mark[], minMark: Mark, maxMark: Mark): string {
  const last = marks.at(-1) ?? maxMark;
  const span = `${marks.length} figures from ${formatIsoDate(marks[0]?.first ?? 0)} to ${formatIsoDate(last.last)}`;
  const formatMark = (mark: Mark): string => `${formatNumber(mark.value)} (${formatDays(mark)})`;
  return `${span}; least ${formatMark(minMark)}, most ${formatMark(maxMark)}, last ${formatMark(last)}.`;
}

function formatDays({ first, last }: DaySpan): string {
  return first === last ? formatIsoDate(first) : `${formatIsoDate(first)} to ${formatIsoDate(last)}`;
}

const ROUND_STEPS = [1, 2, 5, 10];

/** Lists at most `maxCount` round numbers between two bounds. */
function listRoundNumbers(min: number, max: number, maxCount: number): readonly number[] {
  const idealStep = (max - min) / maxCount;
  if (!(idealStep > 0) || !Number.isFinite(idealStep)) return [min];
  const power = 10 ** Math.floor(Math.log10(idealStep));
  const step = (ROUND_STEPS.find((candidate) => candidate * power >= idealStep * (1 - ROUNDING)) ?? 10) * power;
  return listMultiples(min, max, step);
}

const SHORT_FORMAT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });
