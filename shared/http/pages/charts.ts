// Charts drawn as SVG with a text alternative, so that a page needs no script (D49): a data set's records by year, and
// the amounts of a series.

import type { YearCounts } from './published-releases';
import { calendarDateOf, dayOf, isoDateOfDay, type Day } from '../../values/dates';
import { html, textIn, type Html } from './page';
import type { SeriesFigures, TimeSpan } from './series-figures';

/** Wide enough to see each on a narrow screen; a longer span of years has several to a bar. */
const MOST_BARS = 100;

/** In the units of the drawing, in which a bar and its gap are 1 wide. */
const YEARS_HEIGHT = 20;
const BAR_WIDTH = 0.8;
/** A year with few records is still seen. */
const LEAST_BAR_HEIGHT = 1;

/** Nothing for fewer than two years, which a chart says less of than the figures beside it. */
export function yearChart({ firstYear, records, withoutYear }: YearCounts): Html | '' {
  if (records.length < 2) return '';
  const yearsPerBar = Math.ceil(records.length / MOST_BARS);
  const bars = Array.from({ length: Math.ceil(records.length / yearsPerBar) }, (_, bar) =>
    records.slice(bar * yearsPerBar, (bar + 1) * yearsPerBar).reduce((sum, count) => sum + count),
  );
  const most = Math.max(...bars);
  const nameOf = (bar: number): string => {
    const year = firstYear + bar * yearsPerBar;
    const last = Math.min(year + yearsPerBar, firstYear + records.length) - 1;
    return last === year ? `${year}` : `${year} to ${last}`;
  };
  const path = bars.map((count, bar) => {
    const height = Math.max(LEAST_BAR_HEIGHT, (YEARS_HEIGHT * count) / most);
    return count === 0 ? '' : `M${bar} ${YEARS_HEIGHT}v-${height.toFixed(1)}h${BAR_WIDTH}V${YEARS_HEIGHT}z`;
  });
  const without = withoutYear === 0 ? '' : `; ${formatNumber(withoutYear)} without a year`;
  const text = `Records by year, ${firstYear} to ${firstYear + records.length - 1}: most in ${nameOf(bars.indexOf(most))} (${formatNumber(most)})${without}.`;
  return html`<svg class="chart" role="img" viewBox="0 0 ${bars.length} ${YEARS_HEIGHT}" preserveAspectRatio="none">
    <title>${text}</title>
    <path d="${path.join('')}" />
  </svg>`;
}

/** The picture, and its part in which data are drawn. */
const [WIDTH, HEIGHT] = [360, 190];
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 352, 22, 168];

/** A line has so many stretches at most; each shows its least and its greatest value. */
const STRETCHES = RIGHT - LEFT;

const [MOST_TICKS, MOST_YEARS] = [4, 6];

/** A distance of more than so many times the usual one is a gap. */
const GAP = 2.5;

/** A timeframe of more days is a year's, or longer. */
const LEAST_DAYS_OF_A_YEAR = 350;

/** A figure and where it is drawn. */
interface Mark extends TimeSpan {
  readonly value: number;
}

interface Scales {
  readonly x: (day: number) => number;
  readonly y: (value: number) => number;
}

/** What the figures of a timeframe with several amounts, such as one for each use, are drawn as. */
export type DrawnAs = 'amount' | 'sum' | 'mean';

export function drawnAs({ timeframes, variable }: SeriesFigures): DrawnAs {
  if (timeframes.every(({ records }) => records === 1)) return 'amount';
  return variable['AggregationStatisticCV'] === 'Cumulative' ? 'sum' : 'mean';
}

/** Nothing for fewer than two timeframes with an amount: the table says it as well. */
export function seriesChart(series: SeriesFigures, name: string): Html | '' {
  const figure = drawnAs(series) === 'mean' ? 'mean' : 'sum';
  const marks = series.timeframes.flatMap(({ time, ...figures }) => {
    const value = figures[figure];
    return value === null ? [] : [{ ...time, value }];
  });
  const [first] = marks;
  if (first === undefined || marks.length < 2) return '';
  const unit = textIn(series.variable, 'AmountUnitCV') ?? 'no unit stated';
  const least = marks.reduce((low, mark) => (mark.value < low.value ? mark : low));
  const most = marks.reduce((high, mark) => (mark.value > high.value ? mark : high));
  const isOfBars = marks.every((mark) => mark.last - mark.first >= LEAST_DAYS_OF_A_YEAR);
  const [lowest, highest] = bounds(least.value, most.value, isOfBars);
  const lastDay = marks.reduce((last, mark) => Math.max(last, mark.last), first.last);
  const top = highest === lowest ? lowest + 1 : highest;
  const scales: Scales = {
    x: (day) => LEFT + ((day - first.first) / (lastDay + 1 - first.first)) * (RIGHT - LEFT),
    y: (value) => BOTTOM - ((value - lowest) / (top - lowest)) * (BOTTOM - TOP),
  };
  const drawing = isOfBars ? barsOf(marks, scales) : lineOf(marks, scales);
  return html`<svg class="series" role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}">
    <title>${name}, in ${unit}: ${textOf(marks, least, most)}</title>
    <g class="axis">
      <text x="2" y="12">${unit}</text>
      ${roundNumbers(lowest, top, MOST_TICKS).map((value) => valueTick(value, scales))}
      ${timeTicks(first.first, lastDay, scales)}
    </g>
    ${drawing}
  </svg>`;
}

/** Bars stand on zero. A line is shown from its least value on where that is far from zero, as levels are. */
function bounds(least: number, most: number, isOfBars: boolean): readonly [lowest: number, highest: number] {
  if (!isOfBars && least > most / 2) return [least, most];
  return [Math.min(0, least), Math.max(0, most)];
}

function barsOf(marks: readonly Mark[], { x, y }: Scales): Html {
  const base = y(0);
  const path = marks.map(({ first, last, value }) => {
    const [from, to] = [x(first), x(last + 1)];
    const gap = Math.min(1.5, (to - from) * 0.2);
    // A bar of nothing is still seen: it is an amount, and not a gap.
    const height = Math.max(1, Math.abs(base - y(value)));
    const start = value < 0 ? base : base - height;
    return `M${at(from)} ${at(start)}h${at(to - from - gap)}v${at(height)}h-${at(to - from - gap)}z`;
  });
  return html`<path class="bars" d="${path.join('')}" />`;
}

function lineOf(marks: readonly Mark[], { x, y }: Scales): Html {
  const points = marks.map(({ first, last, value }) => ({ day: (first + last + 1) / 2, value }));
  const steps = points.slice(1).map(({ day }, index) => day - (points[index]?.day ?? day));
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  // A gap that is narrower than the line could not be seen.
  const oneUnit = ((points.at(-1)?.day ?? 0) - (points[0]?.day ?? 0)) / STRETCHES;
  const gap = Math.max(GAP * usual, oneUnit);
  const path = seen(points, oneUnit).map(({ day, value, before }) => {
    return `${before === undefined || day - before > gap ? 'M' : 'L'}${at(x(day))} ${at(y(value))}`;
  });
  // A point alone between two gaps is a dot, by the round ends of a line of no length.
  const dotted = path.map((step, index) => {
    return step.startsWith('M') && path[index + 1]?.startsWith('L') !== true ? `${step}h0` : step;
  });
  return html`<path class="line" d="${dotted.join('')}" />`;
}

interface Point {
  readonly day: number;
  readonly value: number;
}

/** The least and the greatest point of each stretch in their order, with the day of the point of the data before. */
function seen(points: readonly Point[], width: number): readonly (Point & { readonly before: number | undefined })[] {
  const start = points[0]?.day ?? 0;
  const known = points.map((point, index) => ({ ...point, before: points[index - 1]?.day }));
  const stretches = Map.groupBy(known, ({ day }) => (width === 0 ? 0 : Math.floor((day - start) / width)));
  return [...stretches.values()].flatMap((stretch) => {
    const least = stretch.reduce((low, point) => (point.value < low.value ? point : low));
    const most = stretch.reduce((high, point) => (point.value > high.value ? point : high));
    const [one, other] = least.day <= most.day ? [least, most] : [most, least];
    // A gap lies before the first point of a stretch, whichever of its points are drawn.
    const opening = { ...one, before: stretch[0]?.before };
    return one === other ? [opening] : [opening, { ...other, before: one.day }];
  });
}

function valueTick(value: number, { y }: Scales): Html {
  return html`<path d="M${LEFT} ${at(y(value))}H${RIGHT}" />
    <text x="${LEFT - 5}" y="${at(y(value) + 4)}" text-anchor="end">${SHORT.format(value)}</text>`;
}

/** Years, or the first and the last day where these are within fewer than two years. */
function timeTicks(firstDay: Day, lastDay: Day, { x }: Scales): readonly Html[] {
  const [from, to] = [calendarDateOf(firstDay), calendarDateOf(lastDay)];
  const start = from.month === 1 && from.day === 1 ? from.year : from.year + 1;
  if (to.year <= start) {
    return [timeTick(LEFT, isoDateOfDay(firstDay), 'start'), timeTick(RIGHT, isoDateOfDay(lastDay), 'end')];
  }
  const years = roundNumbers(start, to.year, MOST_YEARS).filter(Number.isInteger);
  return years.map((year) => timeTick(x(dayOf(year, 1, 1) ?? firstDay), String(year), 'middle'));
}

function timeTick(place: number, text: string, anchor: 'start' | 'middle' | 'end'): Html {
  return html`<path d="M${at(place)} ${BOTTOM}v4" /><text x="${at(place)}" y="${BOTTOM + 16}" text-anchor="${anchor}"
      >${text}</text
    >`;
}

/** The picture in words. */
function textOf(marks: readonly Mark[], least: Mark, most: Mark): string {
  const last = marks.at(-1) ?? most;
  const span = `${marks.length} figures from ${isoDateOfDay(marks[0]?.first ?? 0)} to ${isoDateOfDay(last.last)}`;
  const shown = (mark: Mark): string => `${formatNumber(mark.value)} (${dayText(mark)})`;
  return `${span}; least ${shown(least)}, most ${shown(most)}, last ${shown(last)}.`;
}

function dayText({ first, last }: TimeSpan): string {
  return first === last ? isoDateOfDay(first) : `${isoDateOfDay(first)} to ${isoDateOfDay(last)}`;
}

/** A coordinate in a drawing, with the digits that can be seen. */
export function at(number: number): string {
  return String(Number(number.toFixed(1)));
}

const STEPS = [1, 2, 5, 10];

/** Quotients of decimals are off by less. */
const ROUNDING = 1e-9;

/** The round numbers between two bounds, at most so many. */
function roundNumbers(lowest: number, highest: number, most: number): readonly number[] {
  const rough = (highest - lowest) / most;
  if (!(rough > 0) || !Number.isFinite(rough)) return [lowest];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((one) => one * power >= rough * (1 - ROUNDING)) ?? 10) * power;
  const first = Math.ceil(lowest / step - ROUNDING);
  const count = Math.floor(highest / step + ROUNDING) - first + 1;
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });

/** More digits than doubles have, so that none is lost. */
const LONG = new Intl.NumberFormat('en-US', { maximumFractionDigits: 100 });

/** With all its digits. */
export function formatNumber(value: number): string {
  return LONG.format(value);
}
