// A small map of points, drawn as SVG with a graticule, so that a page needs no script and no other host (D49).

import type { Position } from 'geojson';
import { numberAt } from '../../values/numbers';
import { html, type Html } from '../pages/page-frame';

/** The sides of the picture, and how far points stay from its edges. */
const SIDE = 320;
const MARGIN = 40;

/** A single point is shown with so many degrees around it. */
const LEAST_DEGREES = 0.2;

/** Degrees between two lines of the graticule; the first that gives few enough is taken. */
const STEPS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];
const MOST_LINES = 4;

interface Axis {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly number[];
}

export function pointMap(positions: readonly Position[], title: string): Html {
  const longitudes = positions.map((position) => numberAt(position, 0));
  const latitudes = positions.map((position) => numberAt(position, 1));
  // A degree of longitude is as much shorter as the parallel is.
  const shrink = Math.cos((((Math.min(...latitudes) + Math.max(...latitudes)) / 2) * Math.PI) / 180);
  const span = Math.max(spanOf(longitudes) * shrink, spanOf(latitudes), LEAST_DEGREES);
  const [east, north] = [axisOf(longitudes, span / shrink), axisOf(latitudes, span)];
  const x = (longitude: number): string => placeOn(east, longitude).toFixed(1);
  const y = (latitude: number): string => (SIDE - placeOn(north, latitude)).toFixed(1);
  return html`<svg
    class="map"
    viewBox="0 0 ${SIDE} ${SIDE}"
    width="${SIDE}"
    height="${SIDE}"
    role="img"
    aria-label="${title}"
  >
    <g stroke="currentColor" stroke-opacity="0.3" fill="currentColor" font-size="11">
      ${east.lines.map(
        (line) =>
          html`<path d="M${x(line)} 0V${SIDE}" /><text x="${x(line)}" y="${SIDE - 4}"
              >${degrees(line, 'E', 'W')}</text
            >`,
      )}
      ${north.lines.map(
        (line) => html`<path d="M0 ${y(line)}H${SIDE}" /><text x="2" y="${y(line)}">${degrees(line, 'N', 'S')}</text>`,
      )}
    </g>
    <g fill="currentColor">
      ${positions.map((_, at) => html`<circle cx="${x(numberAt(longitudes, at))}" cy="${y(numberAt(latitudes, at))}" r="5" />`)}
    </g>
  </svg>`;
}

function spanOf(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

function axisOf(values: readonly number[], span: number): Axis {
  const middle = (Math.min(...values) + Math.max(...values)) / 2;
  const half = (span / 2) * (SIDE / (SIDE - 2 * MARGIN));
  const [from, to] = [middle - half, middle + half];
  const step = STEPS.find((one) => (to - from) / one <= MOST_LINES) ?? 90;
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  return { from, to, lines: Array.from({ length: count }, (_, index) => (first + index) * step) };
}

function placeOn({ from, to }: Axis, value: number): number {
  return ((value - from) / (to - from)) * SIDE;
}

function degrees(value: number, positive: string, negative: string): string {
  const text = String(Number(Math.abs(value).toFixed(2)));
  return `${text}° ${value < 0 ? negative : positive}`;
}
