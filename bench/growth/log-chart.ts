// A chart with logarithmic axes as SVG: lines with markers, each named at its end, readable on light and on dark ground.

export interface ChartLine {
  readonly name: string;
  /** Ascending in x; all of them over 0. */
  readonly points: readonly ChartPoint[];
}

export interface ChartPoint {
  readonly x: number;
  readonly y: number;
}

export interface Chart {
  readonly title: string;
  readonly lines: readonly ChartLine[];
}

interface Range {
  /** Powers of ten. */
  readonly low: number;
  readonly high: number;
}

export const CHART_WIDTH = 760;
export const CHART_HEIGHT = 330;

const PLOT = { left: 62, right: 550, top: 42, bottom: 282 };

/** Between the names of two lines that end at nearly the same height. */
const LEAST_NAME_DISTANCE = 16;

const MARKER_RADIUS = 3.5;

const NAME_X = PLOT.right + 30;

export const chartStyle = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .grid { stroke: #d1d9e0; stroke-width: 1; }
  .line { fill: none; stroke-width: 2; }
  ${lineColours(['#0969da', '#bc4c00', '#1a7f37', '#8250df', '#bf3989'])}
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .grid { stroke: #3d444d; }
    ${lineColours(['#58a6ff', '#f0883e', '#56d364', '#bc8cff', '#ff9bce'])}
  }`;

/** A group to be placed in a picture: CHART_WIDTH wide, CHART_HEIGHT high, `top` from its upper edge. */
export function chartGroup({ title, lines }: Chart, xTitle: string, top: number): string {
  const x = rangeOf(lines.flatMap((line) => line.points.map((point) => point.x)));
  const y = rangeOf(lines.flatMap((line) => line.points.map((point) => point.y)));
  const atX = (value: number): number => place(value, x, PLOT.left, PLOT.right);
  const atY = (value: number): number => place(value, y, PLOT.bottom, PLOT.top);
  const names = namePlaces(lines.map((line) => atY(line.points.at(-1)?.y ?? 10 ** y.low)));
  return [
    `<g transform="translate(0 ${top})">`,
    `<text class="title" x="${PLOT.left}" y="22">${escaped(title)}</text>`,
    ...powers(x).map((power) => gridLine(atX(power), PLOT.top, atX(power), PLOT.bottom)),
    ...powers(x).map((power) => label(atX(power), PLOT.bottom + 18, 'middle', numberText(power))),
    ...powers(y).map((power) => gridLine(PLOT.left, atY(power), PLOT.right, atY(power))),
    ...powers(y).map((power) => label(PLOT.left - 8, atY(power) + 4, 'end', numberText(power))),
    label((PLOT.left + PLOT.right) / 2, PLOT.bottom + 38, 'middle', xTitle),
    ...lines.map((line, index) => lineGroup(line, index, atX, atY, names[index] ?? PLOT.top)),
    '</g>',
  ].join('\n');
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function lineGroup(
  { name, points }: ChartLine,
  index: number,
  atX: (value: number) => number,
  atY: (value: number) => number,
  nameY: number,
): string {
  const places = points.map((point) => [rounded(atX(point.x)), rounded(atY(point.y))] as const);
  const [endX, endY] = places.at(-1) ?? [0, 0];
  const markers = places.map(([x, y]) => `<circle class="mark-${index}" cx="${x}" cy="${y}" r="${MARKER_RADIUS}"/>`);
  return [
    `<polyline class="line line-${index}" points="${places.map((xy) => xy.join(',')).join(' ')}"/>`,
    ...markers,
    `<path class="line line-${index}" stroke-dasharray="2 3" d="M${endX + 6} ${endY} L${PLOT.right + 10} ${rounded(nameY)}"/>`,
    `<rect class="mark-${index}" x="${PLOT.right + 12}" y="${rounded(nameY - 1.5)}" width="12" height="3"/>`,
    label(NAME_X, nameY + 4, 'start', name),
  ].join('\n');
}

/** The powers of ten around all values. */
function rangeOf(values: readonly number[]): Range {
  const low = Math.floor(Math.log10(Math.min(...values)));
  return { low, high: Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)))) };
}

function powers({ low, high }: Range): number[] {
  return Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
}

function place(value: number, { low, high }: Range, from: number, to: number): number {
  return from + ((Math.log10(value) - low) / (high - low)) * (to - from);
}

/** Moved down where they would stand over each other, then up where they would leave the plot. */
function namePlaces(ends: readonly number[]): number[] {
  const order = ends.map((_, index) => index).sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0));
  const places = [...ends];
  let least = -Infinity;
  for (const index of order) {
    least = Math.max(least, ends[index] ?? 0);
    places[index] = least;
    least += LEAST_NAME_DISTANCE;
  }
  let most = PLOT.bottom;
  for (const index of order.reverse()) {
    most = Math.min(most, places[index] ?? most);
    places[index] = most;
    most -= LEAST_NAME_DISTANCE;
  }
  return places;
}

function gridLine(x1: number, y1: number, x2: number, y2: number): string {
  return `<line class="grid" x1="${rounded(x1)}" y1="${rounded(y1)}" x2="${rounded(x2)}" y2="${rounded(y2)}"/>`;
}

function label(x: number, y: number, anchor: 'start' | 'middle' | 'end', text: string): string {
  return `<text x="${rounded(x)}" y="${rounded(y)}" text-anchor="${anchor}">${escaped(text)}</text>`;
}

function lineColours(colours: readonly string[]): string {
  const rules = colours.map(
    (colour, index) => `.line-${index} { stroke: ${colour}; } .mark-${index} { fill: ${colour}; }`,
  );
  return rules.join(' ');
}

function numberText(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
