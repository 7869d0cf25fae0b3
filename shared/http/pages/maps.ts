// Small maps that need no other host (D49): points, lines and areas with a
// graticule, and where in its state that is.

import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { SearchCaches } from '../../search/index/search-caches';
import { boundingBox, partsOf, type Geometry } from '../../values/geometry';
import { Html, html } from './page';
import { explorerStates } from './page-files';
import { at, multiplesBetween, stepTo } from './svg';

/** The sides of the pictures of a place and of its state, and how far shapes stay from their edges. */
const SIDE = 320;
const PLACE = { side: SIDE, margin: 40 };
const STATE = { side: 160, margin: 8 };

/** A single point is shown with so many degrees around it. */
const LEAST_DEGREES = 0.2;

/** Degrees between two lines of the graticule; the first that gives few enough is taken. */
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];
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
  const [across, up] = [axisOf(west, east, (span / shrink) * share), axisOf(south, north, span * share)];
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
  const parts = partsOf(geometry);
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
  return partsOf(area).flatMap((rings) => rings.map((ring) => `${pathOf(ring, project)}z`));
}

/** With the corners that can be seen. */
function pathOf(path: readonly Position[], project: Project): string {
  let [lastX, lastY] = [NaN, NaN];
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
  const [from, to] = [middle - span / 2, middle + span / 2];
  const step = STEPS.find((one) => (to - from) / one <= MOST_LINES) ?? 90;
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
  const cache = caches.partOf<readonly StateOutline[]>('state outlines');
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
