// A chart as files: its figures as CSV, and its picture as SVG, which is drawn here and not taken from the screen, so
// that it prints at any size, with title, axes and legend. A PNG is the same picture in pixels.

import {
  type Band,
  type Chart,
  type DrawnColumn,
  drawnOf,
  type FigureTable,
  linePoints,
  placeText,
  stacked,
  ticksOf,
  tickText,
} from './chart';

/** The picture and its margins, in its own units. */
const SIZE = { width: 960, height: 540, left: 84, right: 24, top: 56, bottom: 40 };
const LEGEND_ROW = 20;
const LEGEND_COLUMN = 218;
const INK = '#16242e';
const FAINT = '#d5dfe5';

/** The share of its place that a bar takes. */
const BAR = 0.8;

/** `notes` stand below the picture: whose data it shows, of which version and day. */
export function svgOf(chart: Chart, notes: readonly string[] = []): string {
  const { width, height, left, right, top, bottom } = SIZE;
  const { title, unit, subject, axis, xs } = chart;
  const legend = [...drawnOf(chart), ...chart.bands];
  const perRow = Math.floor((width - left - right) / LEGEND_COLUMN);
  const legendHeight = legend.length > 1 ? Math.ceil(legend.length / perRow) * LEGEND_ROW : 0;
  const lines = [subject, ...notes].flatMap(linesOfNote);
  const full = height + legendHeight + lines.length * LEGEND_ROW;
  const [lowest, highest] = boundsOf(chart);
  // Half a place on both sides, as on a screen.
  const from = (xs[0] ?? 0) - 0.5;
  const to = (xs.at(-1) ?? 0) + 0.5;
  const x = (place: number): number => left + ((place - from) / (to - from)) * (width - left - right);
  const y = (value: number): number =>
    height - bottom - ((value - lowest) / (highest - lowest)) * (height - top - bottom);
  const parts = [
    `<rect width="${width}" height="${full}" fill="#fff"/>`,
    `<text x="${left}" y="26" font-size="18" font-weight="600">${escaped(title)}</text>`,
    `<text x="${left}" y="45" fill="#51636f">${escaped(unit)}</text>`,
    ...ticksOf(lowest, highest, 6).flatMap((value) => [
      `<path d="M${left} ${two(y(value))}H${width - right}" stroke="${FAINT}"/>`,
      `<text x="${left - 8}" y="${two(y(value) + 4)}" text-anchor="end">${tickText(value)}</text>`,
    ]),
    ...axis.ticksOf(from, to, width - left - right).map((place) => {
      const text = escaped(placeText(chart, place));
      return `<text x="${two(x(place))}" y="${height - 16}" text-anchor="middle">${text}</text>`;
    }),
    ...shapesOf(chart, x, y),
    ...(legend.length > 1 ? legend.map((entry, index) => legendItem(entry, index, perRow)) : []),
    ...lines.map((line, index) => {
      const below = height + legendHeight + (index + 0.6) * LEGEND_ROW;
      return `<text x="${left}" y="${two(below)}" fill="#51636f">${escaped(line)}</text>`;
    }),
  ];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${full}" width="${width}" height="${full}" ` +
    `font-family="system-ui, sans-serif" font-size="12" fill="${INK}">${parts.join('')}</svg>`
  );
}

/** The lowest and the highest end of anything that is drawn, zero among them. */
function boundsOf(chart: Chart): readonly [lowest: number, highest: number] {
  const lines = chart.isStacked ? [] : drawnOf(chart).flatMap(({ values }) => values);
  const ends = (chart.isStacked ? stacked(chart) : chart.bands).flatMap(({ spans }) => spans.flat());
  const numbers = [...lines, ...ends].filter((end) => typeof end === 'number');
  return [numbers.reduce((a, b) => Math.min(a, b), 0), numbers.reduce((a, b) => Math.max(a, b), 0) || 1];
}

type Scale = (value: number) => number;

/** Bars, or bands with the lines in front of them. */
function shapesOf(chart: Chart, x: Scale, y: Scale): readonly string[] {
  if (!chart.isStacked) {
    const lefts = chart.xs.map(x);
    const lines = drawnOf(chart).map((column) => polyline(column, lefts, y));
    return [...chart.bands.map((band) => area(band, lefts, y)), ...lines];
  }
  return stacked(chart).flatMap(({ colour, spans }) =>
    spans.flatMap((span, at) => {
      if (span === null) return [];
      const left = x(at - BAR / 2);
      const right = x(at + BAR / 2);
      const above = Math.min(...span.map(y));
      const below = Math.max(...span.map(y));
      const size = `width="${two(right - left)}" height="${two(below - above)}"`;
      return [`<rect x="${two(left)}" y="${two(above)}" ${size} fill="${colour}"/>`];
    }),
  );
}

/** A point without a neighbour is a ring. */
function polyline(column: DrawnColumn, lefts: readonly number[], y: Scale): string {
  const steps = linePoints(column).map(({ at, value, isFirst, isLast }) => {
    const left = lefts[at] ?? 0;
    const above = y(value);
    if (isFirst && isLast) return `M${two(left - 2)} ${two(above)}a2 2 0 1 0 4 0a2 2 0 1 0 -4 0`;
    return `${isFirst ? 'M' : 'L'}${two(left)} ${two(above)}`;
  });
  return `<path d="${steps.join('')}" fill="none" stroke="${column.colour}" stroke-width="1.5"/>`;
}

const BAND_OPACITY = 0.2;

/** A shape for each stretch without a gap: along its tops, and back along its bottoms. */
function area({ colour, spans }: Band, lefts: readonly number[], y: Scale): string {
  const tops = linePoints({ values: spans.map((span) => span?.[1] ?? null) });
  let back = '';
  const steps = tops.map(({ at, value, isFirst, isLast }) => {
    const left = two(lefts[at] ?? 0);
    back = `L${left} ${two(y(spans[at]?.[0] ?? 0))}${isFirst ? 'Z' : back}`;
    return `${isFirst ? 'M' : 'L'}${left} ${two(y(value))}${isLast ? back : ''}`;
  });
  return `<path d="${steps.join('')}" fill="${colour}" fill-opacity="${BAND_OPACITY}"/>`;
}

/** Characters that fit below a picture. */
const NOTE_CHARACTERS = 130;

function linesOfNote(note: string): readonly string[] {
  const lines: string[] = [];
  for (const word of note.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length >= NOTE_CHARACTERS) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

function legendItem(entry: DrawnColumn | Band, index: number, perRow: number): string {
  const x = SIZE.left + (index % perRow) * LEGEND_COLUMN;
  const y = SIZE.height + Math.floor(index / perRow) * LEGEND_ROW;
  const { label, colour } = entry;
  const short = label.length > 32 ? `${label.slice(0, 31)}…` : label;
  const opacity = 'spans' in entry ? ` fill-opacity="${BAND_OPACITY}"` : '';
  return (
    `<rect x="${x}" y="${y}" width="11" height="11" fill="${colour}"${opacity}/>` +
    `<text x="${x + 16}" y="${y + 10}">${escaped(short)}</text>`
  );
}

function two(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Rows of cells as CSV, with what needs quotes in quotes, and nothing that a spreadsheet would run. */
export function csvOf(rows: FigureTable): string {
  return `${rows.map((row) => row.map(csvCell).join(',')).join('\n')}\n`;
}

function csvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r']/.test(value ?? '') ? `'${value ?? ''}` : (value ?? '');
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
