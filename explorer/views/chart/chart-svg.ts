// Renders a chart as SVG with title, axes and legend. It does not copy the screen, so it prints well at any size.

import {
  type Band,
  type Chart,
  computeTicks,
  type DrawnColumn,
  formatPosition,
  formatTick,
  getDrawnColumns,
  listLinePoints,
  stackColumns,
} from './chart';

/** The look of a picture. */
export interface PictureStyle {
  /** The picture and its margins, in SVG units. */
  readonly size: Readonly<Record<'width' | 'height' | 'left' | 'right' | 'top' | 'bottom', number>>;
  /** CSS colors. */
  readonly colors: Readonly<Record<'paper' | 'ink' | 'soft' | 'faint', string>>;
}

/** The style of files: dark ink on white paper. */
const FILE_STYLE: PictureStyle = {
  size: { width: 960, height: 540, left: 84, right: 24, top: 56, bottom: 40 },
  colors: { paper: '#fff', ink: '#16242e', soft: '#51636f', faint: '#d5dfe5' },
};

const LEGEND_ROW = 20;

const LEGEND_COLUMN = 218;

/** The mean width of a character in SVG units, for lines below a picture. */
const CHARACTER_WIDTH = 6.55;

/** The width of a bar as a share of its position. */
const BAR_WIDTH = 0.8;

/** `notes` are written below the picture: sources, data version and date. */
export function renderSvg(chart: Chart, notes: readonly string[] = [], style = FILE_STYLE): string {
  const { width, height, left, right, top, bottom } = style.size;
  const { paper, ink, soft, faint } = style.colors;
  const { title, unit, subject, axis, positions } = chart;
  const legend = [...getDrawnColumns(chart), ...chart.bands];
  const perRow = Math.max(1, Math.floor((width - left - right) / LEGEND_COLUMN));
  const legendHeight = legend.length > 1 ? Math.ceil(legend.length / perRow) * LEGEND_ROW : 0;
  const maxCharacters = Math.floor((width - left - right) / CHARACTER_WIDTH);
  const lines = [subject, ...notes].flatMap((note) => wrapNote(note, maxCharacters));
  const fullHeight = height + legendHeight + lines.length * LEGEND_ROW;
  const [lowest, highest] = computeBounds(chart);
  // Half a position on both sides, as on the screen.
  const from = (positions[0] ?? 0) - 0.5;
  const to = (positions.at(-1) ?? 0) + 0.5;
  const x = (place: number): number => left + ((place - from) / (to - from)) * (width - left - right);
  const y = (value: number): number =>
    height - bottom - ((value - lowest) / (highest - lowest)) * (height - top - bottom);
  const parts = [
    `<rect width="${width}" height="${fullHeight}" fill="${paper}"/>`,
    `<text x="${left}" y="${top - 30}" font-size="18" font-weight="600">${escapeXml(title)}</text>`,
    `<text x="${left}" y="${top - 11}" fill="${soft}">${escapeXml(unit)}</text>`,
    ...computeTicks(lowest, highest, 6).flatMap((value) => [
      `<path d="M${left} ${formatCoordinate(y(value))}H${width - right}" stroke="${faint}"/>`,
      `<text x="${left - 8}" y="${formatCoordinate(y(value) + 4)}" text-anchor="end">${formatTick(value)}</text>`,
    ]),
    ...axis.getTicks(from, to, width - left - right).map((place) => {
      const text = escapeXml(formatPosition(chart, place));
      return `<text x="${formatCoordinate(x(place))}" y="${height - 16}" text-anchor="middle">${text}</text>`;
    }),
    ...renderShapes(chart, x, y),
    ...(legend.length > 1
      ? legend.map((entry, index) => renderLegendItem(entry, { index, perRow, size: style.size }))
      : []),
    ...lines.map((line, index) => {
      const below = height + legendHeight + (index + 0.6) * LEGEND_ROW;
      return `<text x="${left}" y="${formatCoordinate(below)}" fill="${soft}">${escapeXml(line)}</text>`;
    }),
  ];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${fullHeight}" width="${width}" height="${fullHeight}" ` +
    `font-family="system-ui, sans-serif" font-size="12" fill="${ink}">${parts.join('')}</svg>`
  );
}

/** The lowest and highest drawn figures, including zero. */
function computeBounds(chart: Chart): readonly [lowest: number, highest: number] {
  const lines = chart.isStacked ? [] : getDrawnColumns(chart).flatMap(({ values }) => values);
  const ends = (chart.isStacked ? stackColumns(chart) : chart.bands).flatMap(({ spans }) => spans.flat());
  const numbers = [...lines, ...ends].filter((end) => typeof end === 'number');
  return [numbers.reduce((a, b) => Math.min(a, b), 0), numbers.reduce((a, b) => Math.max(a, b), 0) || 1];
}

type Scale = (value: number) => number;

/** Bars, or bands behind lines. */
function renderShapes(chart: Chart, x: Scale, y: Scale): readonly string[] {
  if (!chart.isStacked) {
    const lefts = chart.positions.map(x);
    const lines = getDrawnColumns(chart).map((column) => renderLine(column, lefts, y));
    return [...chart.bands.map((band) => renderBand(band, lefts, y)), ...lines];
  }
  return stackColumns(chart).flatMap(({ color, spans }) =>
    spans.flatMap((span, at) => {
      if (span === null) return [];
      const left = x(at - BAR_WIDTH / 2);
      const right = x(at + BAR_WIDTH / 2);
      const above = Math.min(...span.map(y));
      const below = Math.max(...span.map(y));
      const size = `width="${formatCoordinate(right - left)}" height="${formatCoordinate(below - above)}"`;
      return [`<rect x="${formatCoordinate(left)}" y="${formatCoordinate(above)}" ${size} fill="${color}"/>`];
    }),
  );
}

/** Isolated points are rings. */
function renderLine(column: DrawnColumn, lefts: readonly number[], y: Scale): string {
  const steps = listLinePoints(column).map(({ index, value, isFirst, isLast }) => {
    const left = lefts[index] ?? 0;
    const above = y(value);
    if (isFirst && isLast)
      return `M${formatCoordinate(left - 2)} ${formatCoordinate(above)}a2 2 0 1 0 4 0a2 2 0 1 0 -4 0`;
    return `${isFirst ? 'M' : 'L'}${formatCoordinate(left)} ${formatCoordinate(above)}`;
  });
  return `<path d="${steps.join('')}" fill="none" stroke="${column.color}" stroke-width="1.5"/>`;
}

const BAND_OPACITY = 0.2;

/** A shape for each section without a gap: along its tops, and back along its bottoms. */
function renderBand({ color, spans }: Band, lefts: readonly number[], y: Scale): string {
  const tops = listLinePoints({ values: spans.map((span) => span?.[1] ?? null) });
  let back = '';
  const steps = tops.map(({ index, value, isFirst, isLast }) => {
    const left = formatCoordinate(lefts[index] ?? 0);
    back = `L${left} ${formatCoordinate(y(spans[index]?.[0] ?? 0))}${isFirst ? 'Z' : back}`;
    return `${isFirst ? 'M' : 'L'}${left} ${formatCoordinate(y(value))}${isLast ? back : ''}`;
  });
  return `<path d="${steps.join('')}" fill="${color}" fill-opacity="${BAND_OPACITY}"/>`;
}

function wrapNote(note: string, maxCharacters: number): readonly string[] {
  const lines: string[] = [];
  for (const word of note.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length >= maxCharacters) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

interface LegendPlace {
  readonly index: number;
  readonly perRow: number;
  readonly size: PictureStyle['size'];
}

function renderLegendItem(entry: DrawnColumn | Band, { index, perRow, size }: LegendPlace): string {
  const x = size.left + (index % perRow) * LEGEND_COLUMN;
  const y = size.height + Math.floor(index / perRow) * LEGEND_ROW;
  const { label, color } = entry;
  const short = label.length > 32 ? `${label.slice(0, 31)}…` : label;
  const opacity = 'spans' in entry ? ` fill-opacity="${BAND_OPACITY}"` : '';
  return (
    `<rect x="${x}" y="${y}" width="11" height="11" fill="${color}"${opacity}/>` +
    `<text x="${x + 16}" y="${y + 10}">${escapeXml(short)}</text>`
  );
}

function formatCoordinate(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
