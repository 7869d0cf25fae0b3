// The small maps of a feature, drawn as SVG on the server: one shows its geometry with a graticule, and one shows where
// it is in its state.

import booleanPointInPolygon from '@turf/boolean-point-in-polygon';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { boundingBox, type Geometry, toParts } from '../../../values/geometry';
import { type Html, html } from '../html';
import { formatCoordinate, formatPathStep, listMultiples } from './drawing';
import type { StateOutline } from './state-outlines';

/** The side lengths of both maps in pixels, and the margins around their shapes. */
const SIDE = 320;
const PLACE = { side: SIDE, margin: 40 };
const STATE = { side: 160, margin: 8 };

/** The minimum width and height of the map of a point, in degrees. */
const MIN_DEGREES = 0.2;

/** Possible intervals between graticule lines, in degrees. The first interval that gives few enough lines is used. */
const GRATICULE_STEPS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];
const MAX_LINES = 4;

/** The width that the label of a meridian needs. */
const LABEL_WIDTH = 50;

/** In pixels. A corner closer than this to the previous corner is left out. */
const MIN_STEP = 0.6;

/**
 * The minimum width of a degree of longitude, compared to a degree of latitude. Poleward of 84 degrees, this minimum
 * applies, because the width is 0 at a pole.
 */
const MIN_SHRINK = 0.1;

/** The maximum number of points or corners in a map. A shape with more is drawn in less detail. */
const MAX_DRAWN = 4_000;

/** The maximum number of paths in a map. If there are more, those with the most corners are drawn. */
const MAX_PATHS = 1_000;

interface Axis {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly number[];
}

/** In pixels. */
type DrawnPoint = readonly [x: number, y: number];

type Project = (position: Position) => DrawnPoint;

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

/**
 * Draws the state that contains the middle of the geometry, with the geometry in it. Empty if the middle is outside all
 * states.
 */
export function drawStateMap(geometry: Geometry, states: readonly StateOutline[]): Html | '' {
  const [west, south, east, north] = boundingBox(geometry);
  const middle = [(west + east) / 2, (south + north) / 2];
  const state = states.find(({ area }) => booleanPointInPolygon(middle, area));
  if (state === undefined) return '';
  const { project } = fitSquare(state.area, MIN_DEGREES, STATE);
  return html`<svg class="map state" viewBox="0 0 ${STATE.side} ${STATE.side}" role="img">
    <title>Location in ${state.name}</title>
    <path class="ground" d="${listOutlinePaths(state.area, project)}" />
    ${drawShape(geometry, project, 4)}
  </svg>`;
}

/** Fits the smallest square around a geometry, at least `minDegrees` of latitude high. */
function fitSquare(geometry: Geometry, minDegrees: number, { side, margin }: typeof PLACE): Square {
  const [west, south, east, north] = boundingBox(geometry);
  // Degrees of longitude shrink toward the poles.
  const shrink = Math.max(MIN_SHRINK, Math.cos((((south + north) / 2) * Math.PI) / 180));
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
    case 'MultiPoint':
      return html`<g class="points">${drawPoints(parts.flat(2).map(project), radius)}</g>`;
    case 'LineString':
    case 'MultiLineString':
      return html`<path class="line" d="${formatPaths(parts.flat(), project)}" />`;
    case 'Polygon':
    case 'MultiPolygon':
      return html`<path class="area" d="${listOutlinePaths(geometry, project)}" />`;
  }
}

/** Draws points that would cover each other only once. */
function drawPoints(points: readonly DrawnPoint[], radius: number): readonly Html[] {
  const cell = points.length > MAX_DRAWN ? radius : 0.1;
  const byCell = new Map(points.map(([x, y]) => [`${Math.round(x / cell)} ${Math.round(y / cell)}`, [x, y]] as const));
  return [...byCell.values()].map(
    ([x, y]) => html`<circle cx="${formatCoordinate(x)}" cy="${formatCoordinate(y)}" r="${radius}" />`,
  );
}

function listOutlinePaths(area: Polygon | MultiPolygon, project: Project): readonly string[] {
  return formatPaths(toParts(area).flat(), project).map((path) => `${path}z`);
}

/** Formats the paths with the corners that are visible, at most about `MAX_DRAWN` in total. */
function formatPaths(paths: readonly (readonly Position[])[], project: Project): readonly string[] {
  const longest = paths.length > MAX_PATHS ? paths.toSorted((a, b) => b.length - a.length).slice(0, MAX_PATHS) : paths;
  const drawn = longest.map((path) => selectCorners(path.map(project)));
  const stride = Math.ceil(drawn.reduce((sum, { length }) => sum + length, 0) / MAX_DRAWN);
  return drawn.map((corners) => {
    const kept = stride > 1 ? corners.filter((_, index) => index % stride === 0) : corners;
    return kept.map((corner, index) => formatPathStep(corner, index === 0)).join('');
  });
}

/** Keeps the first corner, and each corner that is distinguishable from the last one kept. */
function selectCorners(corners: readonly DrawnPoint[]): readonly DrawnPoint[] {
  let [lastX, lastY] = corners[0] ?? [NaN, NaN];
  return corners.filter(([x, y], index) => {
    const isVisible = index === 0 || Math.hypot(x - lastX, y - lastY) >= MIN_STEP;
    if (isVisible) [lastX, lastY] = [x, y];
    return isVisible;
  });
}

/** Creates an axis of `span` degrees, centered between the bounds. */
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
