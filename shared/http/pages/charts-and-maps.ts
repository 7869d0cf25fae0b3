// The charts and the small maps of pages, drawn as SVG on the server with a text alternative, so that a page needs no
// script and no other host (D49): the amounts of a series, and points, lines and areas with a scale.

import booleanPointInPolygon from '@turf/boolean-point-in-polygon';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { SearchCaches } from '../../search/index/search-caches';
import { toCalendarDate, type Day, toDay, type DaySpan, formatIsoDate } from '../../values/dates';
import { boundingBox, type Geometry, toParts } from '../../values/geometry';
import { Html, html, textIn } from './page';
import { explorerStates } from './page-files';
import type { SeriesFigures } from './series-figures';

/** A coordinate in a drawing, with the digits that can be seen. */
function at(number: number): string {
  return String(Number(number.toFixed(1)));
}

/** A step of a path: a line to a point, or the beginning of another one. */
function stepTo([x, y]: readonly [x: number, y: number], isStart: boolean): string {
  return `${isStart ? 'M' : 'L'}${at(x)} ${at(y)}`;
}

/** Quotients of decimals are off by less. */
const ROUNDING = 1e-9;

/** The multiples of a step between two bounds. */
function multiplesBetween(lowest: number, highest: number, step: number): readonly number[] {
  const first = Math.ceil(lowest / step - ROUNDING);
  const count = Math.floor(highest / step + ROUNDING) - first + 1;
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** The picture, and its part in which data are drawn. */
const WIDTH = 360;
const HEIGHT = 190;
const LEFT = 52;
const RIGHT = 352;
const TOP = 22;
const BOTTOM = 168;

/** A line has so many stretches at most; each shows its least and its greatest value. */
const STRETCHES = RIGHT - LEFT;

const MOST_TICKS = 4;
const MOST_YEARS = 6;

/** A distance of more than so many times the usual one is a gap. */
const GAP = 2.5;

/** A timeframe of more days is a year's, or longer. */
const LEAST_DAYS_OF_A_YEAR = 350;

/** A figure and where it is drawn. */
interface Mark extends DaySpan {
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
    const from = x(first);
    const to = x(last + 1);
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
    return stepTo([x(day), y(value)], before === undefined || day - before > gap);
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
  const from = toCalendarDate(firstDay);
  const to = toCalendarDate(lastDay);
  const start = from.month === 1 && from.day === 1 ? from.year : from.year + 1;
  if (to.year <= start) {
    return [timeTick(LEFT, formatIsoDate(firstDay), 'start'), timeTick(RIGHT, formatIsoDate(lastDay), 'end')];
  }
  const years = roundNumbers(start, to.year, MOST_YEARS).filter(Number.isInteger);
  return years.map((year) => timeTick(x(toDay(year, 1, 1) ?? firstDay), String(year), 'middle'));
}

function timeTick(place: number, text: string, anchor: 'start' | 'middle' | 'end'): Html {
  return html`<path d="M${at(place)} ${BOTTOM}v4" /><text x="${at(place)}" y="${BOTTOM + 16}" text-anchor="${anchor}"
      >${text}</text
    >`;
}

/** The picture in words. */
function textOf(marks: readonly Mark[], least: Mark, most: Mark): string {
  const last = marks.at(-1) ?? most;
  const span = `${marks.length} figures from ${formatIsoDate(marks[0]?.first ?? 0)} to ${formatIsoDate(last.last)}`;
  const shown = (mark: Mark): string => `${formatNumber(mark.value)} (${dayText(mark)})`;
  return `${span}; least ${shown(least)}, most ${shown(most)}, last ${shown(last)}.`;
}

function dayText({ first, last }: DaySpan): string {
  return first === last ? formatIsoDate(first) : `${formatIsoDate(first)} to ${formatIsoDate(last)}`;
}

const STEPS = [1, 2, 5, 10];

/** The round numbers between two bounds, at most so many. */
function roundNumbers(lowest: number, highest: number, most: number): readonly number[] {
  const rough = (highest - lowest) / most;
  if (!(rough > 0) || !Number.isFinite(rough)) return [lowest];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((one) => one * power >= rough * (1 - ROUNDING)) ?? 10) * power;
  return multiplesBetween(lowest, highest, step);
}

const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });

/** More digits than doubles have, so that none is lost. */
const LONG = new Intl.NumberFormat('en-US', { maximumFractionDigits: 100 });

/** With all its digits. */
export function formatNumber(value: number): string {
  return LONG.format(value);
}

/** The sides of the pictures of a place and of its state, and how far shapes stay from their edges. */
const SIDE = 320;
const PLACE = { side: SIDE, margin: 40 };
const STATE = { side: 160, margin: 8 };

/** A single point is shown with so many degrees around it. */
const LEAST_DEGREES = 0.2;

/** Degrees between two lines of the graticule; the first that gives few enough is taken. */
const GRATICULE_STEPS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];
const MOST_LINES = 4;

/** A text at a meridian takes so much of the width. */
const LABEL = 50;

/** A corner that is nearer to the one before it than this cannot be seen. */
const LEAST_STEP = 0.6;

interface Axis {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly number[];
}

type Project = (position: Position) => readonly [x: number, y: number];

interface Square {
  readonly across: Axis;
  readonly up: Axis;
  readonly project: Project;
}

export function placeMap(geometry: Geometry, title: string): Html {
  const least = geometry.type.endsWith('Point') ? LEAST_DEGREES : LEAST_DEGREES / 20;
  const { across, up, project } = squareAround(geometry, least, PLACE);
  return html`<svg class="map" viewBox="0 0 ${SIDE} ${SIDE}" role="img">
    <title>${title}</title>
    <g class="axis">
      ${across.lines.map((line) => meridian(line, placeOn(across, line, SIDE)))}
      ${up.lines.map((line) => parallel(line, SIDE - placeOn(up, line, SIDE)))}
    </g>
    ${shapeOf(geometry, project, 5)}
  </svg>`;
}

/** The state in which the middle of the geometry lies, with the geometry in it; nothing where that is no state. */
export function stateMap(geometry: Geometry, states: readonly StateOutline[]): Html | '' {
  const [west, south, east, north] = boundingBox(geometry);
  const middle = [(west + east) / 2, (south + north) / 2];
  const state = states.find(({ area }) => booleanPointInPolygon(middle, area));
  if (state === undefined) return '';
  const { project } = squareAround(state.area, LEAST_DEGREES, STATE);
  return html`<svg class="map state" viewBox="0 0 ${STATE.side} ${STATE.side}" role="img">
    <title>Where it lies in ${state.name}</title>
    <path class="ground" d="${outlineOf(state.area, project)}" />
    ${shapeOf(geometry, project, 4)}
  </svg>`;
}

/** The least square around a geometry, of so many degrees of latitude at least. */
function squareAround(geometry: Geometry, least: number, { side, margin }: typeof PLACE): Square {
  const [west, south, east, north] = boundingBox(geometry);
  // A degree of longitude is as much shorter as the parallel is.
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const span = Math.max((east - west) * shrink, north - south, least);
  const share = side / (side - 2 * margin);
  const across = axisOf(west, east, (span / shrink) * share);
  const up = axisOf(south, north, span * share);
  const project: Project = ([longitude = NaN, latitude = NaN]) => [
    placeOn(across, longitude, side),
    side - placeOn(up, latitude, side),
  ];
  return { across, up, project };
}

function meridian(line: number, place: number): Html {
  const label = place > SIDE - LABEL ? '' : degrees(line, 'E', 'W');
  return html`<path d="M${at(place)} 0V${SIDE}" /><text x="${at(place + 3)}" y="${SIDE - 5}">${label}</text>`;
}

function parallel(line: number, place: number): Html {
  return html`<path d="M0 ${at(place)}H${SIDE}" /><text x="3" y="${at(place - 3)}">${degrees(line, 'N', 'S')}</text>`;
}

function shapeOf(geometry: Geometry, project: Project, radius: number): Html {
  const parts = toParts(geometry);
  switch (geometry.type) {
    case 'Point':
    case 'MultiPoint': {
      const places = parts.flat(2).map(project);
      const distinct = new Set(places.map(([x, y]) => `cx="${at(x)}" cy="${at(y)}"`));
      return html`<g class="points"
        >${[...distinct].map((place) => html`<circle ${new Html(place)} r="${radius}" />`)}</g
      >`;
    }
    case 'LineString':
    case 'MultiLineString':
      return html`<path class="line" d="${parts.flat().map((path) => pathOf(path, project))}" />`;
    case 'Polygon':
    case 'MultiPolygon':
      return html`<path class="area" d="${outlineOf(geometry, project)}" />`;
  }
}

function outlineOf(area: Polygon | MultiPolygon, project: Project): readonly string[] {
  return toParts(area).flatMap((rings) => rings.map((ring) => `${pathOf(ring, project)}z`));
}

/** With the corners that can be seen. */
function pathOf(path: readonly Position[], project: Project): string {
  let lastX = NaN;
  let lastY = NaN;
  const seen = path.map(project).filter(([x, y], index) => {
    const isSeen = index === 0 || Math.hypot(x - lastX, y - lastY) >= LEAST_STEP;
    if (isSeen) [lastX, lastY] = [x, y];
    return isSeen;
  });
  return seen.map((point, index) => stepTo(point, index === 0)).join('');
}

/** Has so many degrees, with the middle of the two bounds in its middle. */
function axisOf(least: number, most: number, span: number): Axis {
  const middle = (least + most) / 2;
  const from = middle - span / 2;
  const to = middle + span / 2;
  const step = GRATICULE_STEPS.find((one) => (to - from) / one <= MOST_LINES) ?? 90;
  return { from, to, lines: multiplesBetween(from, to, step) };
}

function placeOn({ from, to }: Axis, value: number, side: number): number {
  return ((value - from) / (to - from)) * side;
}

function degrees(value: number, positive: string, negative: string): string {
  const text = String(Number(Math.abs(value).toFixed(2)));
  return `${text}° ${value < 0 ? negative : positive}`;
}

export interface StateOutline {
  readonly name: string;
  readonly area: Polygon | MultiPolygon;
}

/** Their borders are arcs that neighbours share: https://github.com/topojson/topojson-specification. */
export type StateTopology = Topology<{ readonly states: GeometryCollection<{ readonly name: string }> }>;

/** What a position takes in memory, about. */
const BYTES_PER_POSITION = 100;

/** The outlines that the explorer has of the states (us-atlas, simplified); none where it was not built. */
export function stateOutlines(caches: SearchCaches): readonly StateOutline[] {
  const cache = caches.getCache<readonly StateOutline[]>('state outlines');
  const known = cache.get('');
  if (known !== undefined) return known;
  const text = explorerStates();
  if (text === undefined) return [];
  const topology = JSON.parse(text) as StateTopology; // Our build wrote it.
  const outlines = feature(topology, topology.objects.states).features.map(({ properties: { name }, geometry }) => {
    return { name, area: geometry as Polygon | MultiPolygon }; // Our build writes areas alone.
  });
  cache.set('', outlines, BYTES_PER_POSITION * topology.arcs.reduce((sum, { length }) => sum + length, 0));
  return outlines;
}
