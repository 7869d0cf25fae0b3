// The charts and the small maps of pages, drawn as SVG on the server with a text alternative, so that a page needs no
// script and no other host (D49): the amounts of a series, and points, lines and areas with a scale.

import booleanPointInPolygon from '@turf/boolean-point-in-polygon';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { SearchCaches } from '../../search/index/search-caches';
import { type Day, type DaySpan, formatIsoDate, toCalendarDate, toDay } from '../../values/dates';
import { boundingBox, type Geometry, toParts } from '../../values/geometry';
import { Html, html, readText } from './page';
import { readExplorerStates } from './page-files';
import type { SeriesFigures } from './series-figures';

/** A coordinate in a drawing, with the digits that can be seen. */
function formatCoordinate(number: number): string {
  return String(Number(number.toFixed(1)));
}

/** A step of a path: a line to a point, or the beginning of another one. */
function formatPathStep([x, y]: readonly [x: number, y: number], isStart: boolean): string {
  return `${isStart ? 'M' : 'L'}${formatCoordinate(x)} ${formatCoordinate(y)}`;
}

/** Quotients of decimals are off by less. */
const ROUNDING = 1e-9;

/** The multiples of a step between two bounds. */
function listMultiples(min: number, max: number, step: number): readonly number[] {
  const first = Math.ceil(min / step - ROUNDING);
  const count = Math.floor(max / step + ROUNDING) - first + 1;
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
const PIXEL_COLUMNS = RIGHT - LEFT;

const MAX_TICKS = 4;
const MAX_YEARS = 6;

/** A distance of more than so many times the usual one is a gap. */
const GAP_FACTOR = 2.5;

/** A timeframe of more days is a year's, or longer. */
const MIN_DAYS_OF_A_YEAR = 350;

/** A figure and where it is drawn. */
interface Mark extends DaySpan {
  readonly value: number;
}

interface Scales {
  readonly x: (day: number) => number;
  readonly y: (value: number) => number;
}

/** What the figures of a timeframe with several amounts, such as one for each use, are drawn as. */
export type DrawnFigure = 'amount' | 'sum' | 'mean';

export function chooseDrawnFigure({ timeframes, variable }: SeriesFigures): DrawnFigure {
  if (timeframes.every(({ records }) => records === 1)) return 'amount';
  return variable['AggregationStatisticCV'] === 'Cumulative' ? 'sum' : 'mean';
}

/** Nothing for fewer than two timeframes with an amount: the table says it as well. */
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
  const hasBars = marks.every((mark) => mark.last - mark.first >= MIN_DAYS_OF_A_YEAR);
  const [min, max] = chooseBounds(minMark.value, maxMark.value, hasBars);
  const lastDay = marks.reduce((last, mark) => Math.max(last, mark.last), first.last);
  const top = max === min ? min + 1 : max;
  const scales: Scales = {
    x: (day) => LEFT + ((day - first.first) / (lastDay + 1 - first.first)) * (RIGHT - LEFT),
    y: (value) => BOTTOM - ((value - min) / (top - min)) * (BOTTOM - TOP),
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

/** Bars stand on zero. A line is shown from its least value on where that is far from zero, as levels are. */
function chooseBounds(min: number, max: number, hasBars: boolean): readonly [lowest: number, highest: number] {
  if (!hasBars && min > max / 2) return [min, max];
  return [Math.min(0, min), Math.max(0, max)];
}

function drawBars(marks: readonly Mark[], { x, y }: Scales): Html {
  const base = y(0);
  const path = marks.map(({ first, last, value }) => {
    const from = x(first);
    const to = x(last + 1);
    const gap = Math.min(1.5, (to - from) * 0.2);
    // A bar of nothing is still seen: it is an amount, and not a gap.
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
  // A gap that is narrower than the line could not be seen.
  const pixelDays = ((points.at(-1)?.day ?? 0) - (points[0]?.day ?? 0)) / PIXEL_COLUMNS;
  const minGap = Math.max(GAP_FACTOR * medianStep, pixelDays);
  const path = reducePoints(points, pixelDays).map(({ day, value, before }) => {
    return formatPathStep([x(day), y(value)], before === undefined || day - before > minGap);
  });
  // A point alone between two gaps is a dot, by the round ends of a line of no length.
  const dottedPath = path.map((step, index) => {
    return step.startsWith('M') && path[index + 1]?.startsWith('L') !== true ? `${step}h0` : step;
  });
  return html`<path class="line" d="${dottedPath.join('')}" />`;
}

interface Point {
  readonly day: number;
  readonly value: number;
}

/** The least and the greatest point of each stretch in their order, with the day of the point of the data before. */
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
    // A gap lies before the first point of a stretch, whichever of its points are drawn.
    const firstPoint = { ...first, before: column[0]?.before };
    return first === second ? [firstPoint] : [firstPoint, { ...second, before: first.day }];
  });
}

function drawValueTick(value: number, { y }: Scales): Html {
  return html`<path d="M${LEFT} ${formatCoordinate(y(value))}H${RIGHT}" />
    <text x="${LEFT - 5}" y="${formatCoordinate(y(value) + 4)}" text-anchor="end">${SHORT_FORMAT.format(value)}</text>`;
}

/** Years, or the first and the last day where these are within fewer than two years. */
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

/** The picture in words. */
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

/** The round numbers between two bounds, at most so many. */
function listRoundNumbers(min: number, max: number, maxCount: number): readonly number[] {
  const idealStep = (max - min) / maxCount;
  if (!(idealStep > 0) || !Number.isFinite(idealStep)) return [min];
  const power = 10 ** Math.floor(Math.log10(idealStep));
  const step = (ROUND_STEPS.find((candidate) => candidate * power >= idealStep * (1 - ROUNDING)) ?? 10) * power;
  return listMultiples(min, max, step);
}

const SHORT_FORMAT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });

/** More digits than doubles have, so that none is lost. */
const LONG_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 100 });

/** With all its digits. */
export function formatNumber(value: number): string {
  return LONG_FORMAT.format(value);
}

/** The sides of the pictures of a place and of its state, and how far shapes stay from their edges. */
const SIDE = 320;
const PLACE = { side: SIDE, margin: 40 };
const STATE = { side: 160, margin: 8 };

/** A single point is shown with so many degrees around it. */
const MIN_DEGREES = 0.2;

/** Degrees between two lines of the graticule; the first that gives few enough is taken. */
const GRATICULE_STEPS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];
const MAX_LINES = 4;

/** A text at a meridian takes so much of the width. */
const LABEL_WIDTH = 50;

/** A corner that is nearer to the one before it than this cannot be seen. */
const MIN_STEP = 0.6;

interface Axis {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly number[];
}

type Project = (position: Position) => readonly [x: number, y: number];

interface Square {
  readonly horizontal: Axis;
  readonly vertical: Axis;
  readonly project: Project;
}

export function drawPlaceMap(geometry: Geometry, title: string): Html {
  const minDegrees = geometry.type.endsWith('Point') ? MIN_DEGREES : MIN_DEGREES / 20;
  const { horizontal, vertical, project } = fitSquare(geometry, minDegrees, PLACE);
  return html`<svg class="map" viewBox="0 0 ${SIDE} ${SIDE}" role="img">
    <title>${title}</title>
    <g class="axis">
      ${horizontal.lines.map((line) => drawMeridian(line, toPixels(horizontal, line, SIDE)))}
      ${vertical.lines.map((line) => drawParallel(line, SIDE - toPixels(vertical, line, SIDE)))}
    </g>
    ${drawShape(geometry, project, 5)}
  </svg>`;
}

/** The state in which the middle of the geometry lies, with the geometry in it; nothing where that is no state. */
export function drawStateMap(geometry: Geometry, states: readonly StateOutline[]): Html | '' {
  const [west, south, east, north] = boundingBox(geometry);
  const middle = [(west + east) / 2, (south + north) / 2];
  const state = states.find(({ area }) => booleanPointInPolygon(middle, area));
  if (state === undefined) return '';
  const { project } = fitSquare(state.area, MIN_DEGREES, STATE);
  return html`<svg class="map state" viewBox="0 0 ${STATE.side} ${STATE.side}" role="img">
    <title>Where it lies in ${state.name}</title>
    <path class="ground" d="${listOutlinePaths(state.area, project)}" />
    ${drawShape(geometry, project, 4)}
  </svg>`;
}

/** The least square around a geometry, of so many degrees of latitude at least. */
function fitSquare(geometry: Geometry, minDegrees: number, { side, margin }: typeof PLACE): Square {
  const [west, south, east, north] = boundingBox(geometry);
  // A degree of longitude is as much shorter as the parallel is.
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const span = Math.max((east - west) * shrink, north - south, minDegrees);
  const scale = side / (side - 2 * margin);
  const horizontal = createAxis(west, east, (span / shrink) * scale);
  const vertical = createAxis(south, north, span * scale);
  const project: Project = ([longitude = NaN, latitude = NaN]) => [
    toPixels(horizontal, longitude, side),
    side - toPixels(vertical, latitude, side),
  ];
  return { horizontal, vertical, project };
}

function drawMeridian(line: number, x: number): Html {
  const label = x > SIDE - LABEL_WIDTH ? '' : formatDegrees(line, 'E', 'W');
  return html`<path d="M${formatCoordinate(x)} 0V${SIDE}" /><text x="${formatCoordinate(x + 3)}" y="${SIDE - 5}"
      >${label}</text
    >`;
}

function drawParallel(line: number, y: number): Html {
  return html`<path d="M0 ${formatCoordinate(y)}H${SIDE}" /><text x="3" y="${formatCoordinate(y - 3)}"
      >${formatDegrees(line, 'N', 'S')}</text
    >`;
}

function drawShape(geometry: Geometry, project: Project, radius: number): Html {
  const parts = toParts(geometry);
  switch (geometry.type) {
    case 'Point':
    case 'MultiPoint': {
      const points = parts.flat(2).map(project);
      const positions = new Set(points.map(([x, y]) => `cx="${formatCoordinate(x)}" cy="${formatCoordinate(y)}"`));
      return html`<g class="points"
        >${[...positions].map((position) => html`<circle ${new Html(position)} r="${radius}" />`)}</g
      >`;
    }
    case 'LineString':
    case 'MultiLineString':
      return html`<path class="line" d="${parts.flat().map((path) => formatPath(path, project))}" />`;
    case 'Polygon':
    case 'MultiPolygon':
      return html`<path class="area" d="${listOutlinePaths(geometry, project)}" />`;
  }
}

function listOutlinePaths(area: Polygon | MultiPolygon, project: Project): readonly string[] {
  return toParts(area).flatMap((rings) => rings.map((ring) => `${formatPath(ring, project)}z`));
}

/** With the corners that can be seen. */
function formatPath(path: readonly Position[], project: Project): string {
  let lastX = NaN;
  let lastY = NaN;
  const visiblePoints = path.map(project).filter(([x, y], index) => {
    const isVisible = index === 0 || Math.hypot(x - lastX, y - lastY) >= MIN_STEP;
    if (isVisible) [lastX, lastY] = [x, y];
    return isVisible;
  });
  return visiblePoints.map((point, index) => formatPathStep(point, index === 0)).join('');
}

/** Has so many degrees, with the middle of the two bounds in its middle. */
function createAxis(min: number, max: number, span: number): Axis {
  const middle = (min + max) / 2;
  const from = middle - span / 2;
  const to = middle + span / 2;
  const step = GRATICULE_STEPS.find((candidate) => (to - from) / candidate <= MAX_LINES) ?? 90;
  return { from, to, lines: listMultiples(from, to, step) };
}

function toPixels({ from, to }: Axis, value: number, side: number): number {
  return ((value - from) / (to - from)) * side;
}

function formatDegrees(value: number, positive: string, negative: string): string {
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
export function getStateOutlines(caches: SearchCaches): readonly StateOutline[] {
  const cache = caches.getCache<readonly StateOutline[]>('state outlines');
  const cached = cache.get('');
  if (cached !== undefined) return cached;
  const text = readExplorerStates();
  if (text === undefined) return [];
  const topology = JSON.parse(text) as StateTopology; // Our build wrote it.
  const outlines = feature(topology, topology.objects.states).features.map(({ properties: { name }, geometry }) => {
    return { name, area: geometry as Polygon | MultiPolygon }; // Our build writes areas alone.
  });
  cache.set('', outlines, BYTES_PER_POSITION * topology.arcs.reduce((sum, { length }) => sum + length, 0));
  return outlines;
}
