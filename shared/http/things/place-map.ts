// A small map of points, lines and areas, drawn as SVG with a graticule, so that a page needs no script and no other
// host (D49); below it another shows where in its state that is.

import type { Position } from 'geojson';
import { partsOf, type Geometry } from '../../values/geometry';
import { numberAt } from '../../values/numbers';
import { html, Html } from '../pages/page-frame';
import { stateAt, type StateOutline } from './state-outlines';

/** The sides of the picture, and how far shapes stay from its edges. */
const SIDE = 320;
const PLACE = { side: SIDE, margin: 40 };

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

/** The sides of the picture of the state, and how far it stays from its edges. */
const STATE = { side: 160, margin: 8 };

interface Square {
  readonly east: Axis;
  readonly north: Axis;
  readonly project: Project;
}

export function placeMap(geometries: readonly Geometry[], title: string): Html {
  const areAreas = geometries.some(({ type }) => !type.endsWith('Point'));
  const { east, north, project } = squareAround(geometries, areAreas ? LEAST_DEGREES / 20 : LEAST_DEGREES, PLACE);
  return html`<svg class="map" viewBox="0 0 ${SIDE} ${SIDE}" role="img">
    <title>${title}</title>
    <g class="axis">
      ${east.lines.map((line) => meridian(line, placeOn(east, line, SIDE)))}
      ${north.lines.map((line) => parallel(line, SIDE - placeOn(north, line, SIDE)))}
    </g>
    ${geometries.map((geometry) => shapeOf(geometry, project, 5))}
  </svg>`;
}

/** The state in which the middle of the geometries lies, with the geometries in it; nothing where that is no state. */
export function stateMap(geometries: readonly Geometry[], states: readonly StateOutline[]): Html | '' {
  const bounds = [0, 1].map((ordinate) => boundsOf(positionsOf(geometries), ordinate));
  const state = stateAt(
    states,
    bounds.map(({ least, most }) => (least + most) / 2),
  );
  if (state === undefined) return '';
  const { project } = squareAround([state.area], LEAST_DEGREES, STATE);
  return html`<svg class="map state" viewBox="0 0 ${STATE.side} ${STATE.side}" role="img">
    <title>Where it lies in ${state.name}</title>
    <path class="ground" d="${state.area.coordinates.flat().map((ring) => `${pathOf(ring, project)}z`)}" />
    ${geometries.map((geometry) => shapeOf(geometry, project, 4))}
  </svg>`;
}

function positionsOf(geometries: readonly Geometry[]): readonly Position[] {
  return geometries.flatMap((geometry) => partsOf(geometry).flat(2));
}

/** The least square around geometries, of so many degrees of latitude at least. */
function squareAround(geometries: readonly Geometry[], least: number, { side, margin }: typeof STATE): Square {
  const positions = positionsOf(geometries);
  const [longitudes, latitudes] = [boundsOf(positions, 0), boundsOf(positions, 1)];
  // A degree of longitude is as much shorter as the parallel is.
  const shrink = Math.cos((((latitudes.least + latitudes.most) / 2) * Math.PI) / 180);
  const span = Math.max((longitudes.most - longitudes.least) * shrink, latitudes.most - latitudes.least, least);
  const share = side / (side - 2 * margin);
  const [east, north] = [axisOf(longitudes, (span / shrink) * share), axisOf(latitudes, span * share)];
  const project: Project = (position) => [
    placeOn(east, numberAt(position, 0), side),
    side - placeOn(north, numberAt(position, 1), side),
  ];
  return { east, north, project };
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
      return html`<path class="area" d="${parts.flat().map((path) => `${pathOf(path, project)}z`)}" />`;
  }
}

/** With the corners that can be seen. */
function pathOf(path: readonly Position[], project: Project): string {
  let [lastX, lastY] = [NaN, NaN];
  const seen = path.map(project).filter(([x, y], index) => {
    const isSeen = index === 0 || Math.hypot(x - lastX, y - lastY) >= LEAST_STEP;
    if (isSeen) [lastX, lastY] = [x, y];
    return isSeen;
  });
  return seen.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${at(x)} ${at(y)}`).join('');
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

function boundsOf(positions: readonly Position[], ordinate: number): Bounds {
  return {
    least: positions.reduce((least, position) => Math.min(least, numberAt(position, ordinate)), Infinity),
    most: positions.reduce((most, position) => Math.max(most, numberAt(position, ordinate)), -Infinity),
  };
}

function axisOf({ least, most }: Bounds, span: number): Axis {
  const middle = (least + most) / 2;
  const [from, to] = [middle - span / 2, middle + span / 2];
  const step = STEPS.find((one) => (to - from) / one <= MOST_LINES) ?? 90;
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  return { from, to, lines: Array.from({ length: count }, (_, index) => (first + index) * step) };
}

function placeOn({ from, to }: Axis, value: number, side: number): number {
  return ((value - from) / (to - from)) * side;
}

function degrees(value: number, positive: string, negative: string): string {
  const text = String(Number(Math.abs(value).toFixed(2)));
  return `${text}° ${value < 0 ? negative : positive}`;
}

function at(number: number): string {
  return String(Number(number.toFixed(1)));
}
