// A chart as files: its figures as CSV, and its picture as SVG, which is drawn here and not taken from the screen, so
// that it prints at any size, with title, axes and legend. A PNG is the same picture in pixels.

import { tickText, ticksOf } from './ticks';

/** A picture's shapes in a plane of its own: bars from a bottom to a top, or lines through points. */
export interface Drawing {
  readonly title: string;
  readonly unit: string;
  /** Says in words what is drawn, and what is filtered of it. */
  readonly subject: string;
  /** On the horizontal axis: a place between 0 and 1, and what stands there. */
  readonly marks: readonly { readonly at: number; readonly text: string }[];
  readonly legend: readonly { readonly text: string; readonly colour: string; readonly isBand?: boolean }[];
  /** Areas from a lowest to a highest value at each place; null where they end. */
  readonly bands: readonly {
    readonly colour: string;
    readonly points: readonly (readonly [at: number, low: number, high: number] | null)[];
  }[];
  readonly bars: readonly Bar[];
  readonly lines: readonly {
    readonly colour: string;
    readonly points: readonly (readonly [number, number] | null)[];
  }[];
  readonly highest: number;
  readonly lowest: number;
}

interface Bar {
  readonly colour: string;
  readonly from: number;
  readonly to: number;
  readonly bottom: number;
  readonly top: number;
}

/** The picture and its margins, in its own units. */
const SIZE = { width: 960, height: 540, left: 84, right: 24, top: 56, bottom: 40 };
const LEGEND_ROW = 20;
const LEGEND_COLUMN = 218;
const INK = '#16242e';
const FAINT = '#d5dfe5';

/** `notes` stand below the picture: whose data it shows, of which version and day. */
export function svgOf(drawing: Drawing, notes: readonly string[] = []): string {
  const { width, height, left, right, top, bottom } = SIZE;
  const columns = Math.floor((width - left - right) / LEGEND_COLUMN);
  const legendHeight = drawing.legend.length > 1 ? Math.ceil(drawing.legend.length / columns) * LEGEND_ROW : 0;
  const lines = [drawing.subject, ...notes].flatMap(linesOfNote);
  const full = height + legendHeight + lines.length * LEGEND_ROW;
  const x = (share: number): number => left + share * (width - left - right);
  const span = drawing.highest - drawing.lowest || 1;
  const y = (value: number): number => height - bottom - ((value - drawing.lowest) / span) * (height - top - bottom);
  const parts = [
    `<rect width="${width}" height="${full}" fill="#fff"/>`,
    `<text x="${left}" y="26" font-size="18" font-weight="600">${escaped(drawing.title)}</text>`,
    `<text x="${left}" y="45" fill="#51636f">${escaped(drawing.unit)}</text>`,
    ...ticksOf(drawing.lowest, drawing.highest, 6).map((value) => gridLine(value, y(value))),
    ...drawing.marks.map(
      ({ at, text }) => `<text x="${two(x(at))}" y="${height - 16}" text-anchor="middle">${escaped(text)}</text>`,
    ),
    ...drawing.bands.map(({ colour, points }) => area(colour, points, x, y)),
    ...drawing.bars.map((bar) => rectangle(bar, x, y)),
    ...drawing.lines.map(({ colour, points }) => polyline(colour, points, x, y)),
    ...(drawing.legend.length > 1 ? drawing.legend.map((entry, index) => legendItem(entry, index, columns)) : []),
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

function gridLine(value: number, y: number): string {
  const { left, width, right } = SIZE;
  return (
    `<path d="M${left} ${two(y)}H${width - right}" stroke="${FAINT}"/>` +
    `<text x="${left - 8}" y="${two(y + 4)}" text-anchor="end">${tickText(value)}</text>`
  );
}

type Scale = (value: number) => number;

function rectangle({ colour, from, to, bottom, top }: Bar, x: Scale, y: Scale): string {
  const [left, above] = [x(from), Math.min(y(top), y(bottom))];
  const size = `width="${two(x(to) - left)}" height="${two(Math.abs(y(bottom) - y(top)))}"`;
  return `<rect x="${two(left)}" y="${two(above)}" ${size} fill="${colour}"/>`;
}

/** A point without a neighbour is a ring. */
function polyline(colour: string, points: readonly (readonly [number, number] | null)[], x: Scale, y: Scale): string {
  const steps = points.map((point, index) => {
    if (point === null) return '';
    const [left, above] = [x(point[0]), y(point[1])];
    const [isFirst, isLast] = [(points[index - 1] ?? null) === null, (points[index + 1] ?? null) === null];
    if (isFirst && isLast) return `M${two(left - 2)} ${two(above)}a2 2 0 1 0 4 0a2 2 0 1 0 -4 0`;
    return `${isFirst ? 'M' : 'L'}${two(left)} ${two(above)}`;
  });
  return `<path d="${steps.join('')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`;
}

const BAND_OPACITY = 0.2;

/** A shape for each stretch without a gap. */
function area(
  colour: string,
  points: readonly (readonly [at: number, low: number, high: number] | null)[],
  x: Scale,
  y: Scale,
): string {
  const stretches: (readonly [number, number, number])[][] = [[]];
  for (const point of points) {
    if (point === null) stretches.push([]);
    else stretches.at(-1)?.push(point);
  }
  const shapes = stretches
    .filter(({ length }) => length > 0)
    .map((stretch) => {
      const above = stretch.map(([at, , high]) => `${two(x(at))} ${two(y(high))}`);
      const below = stretch.toReversed().map(([at, low]) => `${two(x(at))} ${two(y(low))}`);
      return `M${[...above, ...below].join('L')}Z`;
    });
  return `<path d="${shapes.join('')}" fill="${colour}" fill-opacity="${BAND_OPACITY}"/>`;
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

function legendItem({ text, colour, isBand }: Drawing['legend'][number], index: number, columns: number): string {
  const x = SIZE.left + (index % columns) * LEGEND_COLUMN;
  const y = SIZE.height + Math.floor(index / columns) * LEGEND_ROW;
  const short = text.length > 32 ? `${text.slice(0, 31)}…` : text;
  const opacity = isBand === true ? ` fill-opacity="${BAND_OPACITY}"` : '';
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
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return `${rows.map((row) => row.map(csvCell).join(',')).join('\n')}\n`;
}

function csvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r']/.test(value ?? '') ? `'${value ?? ''}` : (value ?? '');
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
