// Colors of places and areas: a legend for people, and the expressions by which the map draws the same.

import type { ExpressionSpecification } from 'maplibre-gl';
import type { CountedValue } from '../requests/operations';
import { USE_COLOR } from '../state/kinds';
import { getColor, getValueColor } from '../state/palette';
import { fold, type MapState } from '../state/state';

/** What lies under the data; neighbors have none. Paper and ink are those of the rings of several places. */
const LIGHT = {
  water: '#c9dfec',
  river: '#8fbbd6',
  land: '#f6f4ee',
  neighbor: '#e9e7e0',
  border: '#9c9f98',
  county: '#d8d6cd',
  name: '#6b7078',
  town: '#2f363d',
  paper: '#ffffff',
  ink: '#16242c',
};

export type GroundColors = Readonly<Record<keyof typeof LIGHT, string>>;

const DARK: GroundColors = {
  water: '#0c1a24',
  river: '#2f5d7c',
  land: '#1c2a33',
  neighbor: '#15212a',
  border: '#5d6f7b',
  county: '#2e3e49',
  name: '#93a2ad',
  town: '#d6dee4',
  paper: '#0f1a21',
  ink: '#f1f5f8',
};

export function getGroundColors(isDark: boolean): GroundColors {
  return isDark ? DARK : LIGHT;
}

export interface MapLegendEntry {
  /** The value of the filter, or the first year of a span of decades. */
  readonly value: string;
  readonly text: string;
  readonly color: string;
  /** Undefined where it is not counted. */
  readonly count?: number;
}

/** As many colors as can be told apart on a map. */
const MAX_VALUES = 8;

export const OTHER_COLOR = '#8b8f98';

/** Between the values of a place that has several, as tiles have them. */
const SEPARATOR = '; ';

/** `values` are those of the filter, the most frequent first; categories of uses are few, and all have a color. */
export function buildLegend(
  filter: string,
  values: readonly CountedValue[],
  formatValue: (value: string) => string,
): readonly MapLegendEntry[] {
  return values.slice(0, filter === USE_COLOR ? values.length : MAX_VALUES).map(({ Value, Count }, index) => ({
    value: Value,
    text: formatValue(Value),
    color: getValueColor(filter, Value, index),
    count: Count,
  }));
}

/** The senior ones dark, which are few and matter most. */
const SPANS = [
  { from: 0, text: 'before 1870', color: '#3b1c6b' },
  { from: 1870, text: '1870 to 1889', color: '#5b3fa8' },
  { from: 1890, text: '1890 to 1909', color: '#2f6fb4' },
  { from: 1910, text: '1910 to 1939', color: '#2a9d8f' },
  { from: 1940, text: '1940 to 1969', color: '#9bbf4d' },
  { from: 1970, text: '1970 and later', color: '#e9b44c' },
] as const;

/** Each with its first and last day; empty where it is open. */
export const DECADE_LEGEND = SPANS.map(({ from, text, color }, index) => {
  const next = SPANS[index + 1]?.from;
  const start = from === 0 ? '' : `${from}-01-01`;
  const end = next === undefined ? '' : `${next - 1}-12-31`;
  return { value: String(from), text, color, start, end };
});

/**
 * A place of one value has its color; one of several values that of the first in the legend. Texts are compared
 * folded: the legend counts what a filter finds, whichever way each record spells it (D8).
 */
export function buildValueColors(member: string, legend: readonly MapLegendEntry[]): ExpressionSpecification | string {
  if (legend.length === 0) return getColor(0);
  const values: ExpressionSpecification = ['downcase', ['to-string', ['get', member]]];
  const text: ExpressionSpecification = ['concat', SEPARATOR, values, SEPARATOR];
  const cases = legend.flatMap(({ value, color }): [ExpressionSpecification, string] => [
    ['in', `${SEPARATOR}${fold(value)}${SEPARATOR}`, text],
    color,
  ]);
  return ['case', ...cases, OTHER_COLOR] as unknown[] as ExpressionSpecification; // Pairs, then the fallback.
}

/** The color that the legend gives a value of a tile, which may be several values in one text. */
export function getLegendColor(legend: readonly MapLegendEntry[], value: string | number | null): string {
  if (value === null) return OTHER_COLOR;
  if (typeof value === 'number') return legend.findLast((entry) => Number(entry.value) <= value)?.color ?? OTHER_COLOR;
  const values = new Set(value.split(SEPARATOR).map(fold));
  return (
    legend.find((entry) => values.has(fold(entry.value)))?.color ?? (legend.length === 0 ? getColor(0) : OTHER_COLOR)
  );
}

export function buildDecadeColors(): ExpressionSpecification {
  const steps = SPANS.slice(1).flatMap(({ from, color }) => [from, color]);
  const byYear = ['step', ['get', 'decade'], SPANS[0].color, ...steps];
  // A right without a priority date has no decade.
  return ['case', ['has', 'decade'], byYear, OTHER_COLOR] as unknown[] as ExpressionSpecification;
}

/** Light to dark, readable on either ground. */
const SHADES = ['#d6e8f2', '#a9cfe3', '#6eaed1', '#3b86b8', '#1f5f93', '#123f69'] as const;

export interface Shades {
  /** Ascending; a value belongs to the shade after the last limit that it reaches. */
  readonly limits: readonly number[];
  readonly legend: readonly MapLegendEntry[];
}

export type ShadeScale = MapState['scale'];

/**
 * Shades that each stand for about as many areas, since sums of areas are far apart and most are small; or for equal
 * steps, or equal ratios. Ratios have no way over zero: from there to the least sum above it is one shade.
 */
export function computeShades(
  values: readonly number[],
  scale: ShadeScale,
  formatNumber: (value: number) => string,
): Shades {
  const sorted = values.toSorted((a, b) => a - b);
  const min = sorted[0];
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) return { limits: [], legend: [] };
  const cuts = computeCuts(sorted, scale);
  const limits = [...new Set(cuts)].filter((cut) => cut > min && cut <= max);
  const edges = [min, ...limits, max];
  const legend = edges.slice(0, -1).map((from, index) => ({
    value: String(from),
    color: getShade(index, limits.length),
    text: `${formatNumber(from)} to ${formatNumber(edges[index + 1] ?? max)}`,
  }));
  return { limits, legend };
}

/** Where shades begin, but the first. */
function computeCuts(sorted: readonly number[], scale: ShadeScale): readonly number[] {
  const [min = 0, max = 0] = [sorted[0], sorted.at(-1)];
  const shares = SHADES.slice(1).map((_, index) => (index + 1) / SHADES.length);
  switch (scale) {
    case '':
      return shares.flatMap((share) => sorted[Math.floor(share * sorted.length)] ?? []);
    case 'even':
      return shares.map((share) => min + share * (max - min));
    case 'log': {
      const minPositive = sorted.find((value) => value > 0) ?? 0;
      const powers = shares.map((share) => minPositive * (max / minPositive) ** share);
      return max <= 0 ? [] : min > 0 ? powers : [minPositive, ...powers.slice(1)];
    }
  }
}

/**
 * Areas without a value stay clear. The state of a feature has it as `value`. One shade is an expression too: what has
 * replaced an expression is evaluated by the library where states change before their tile is laid out anew.
 */
export function buildShadeColors({ limits }: Shades): ExpressionSpecification {
  if (limits.length === 0) return ['case', ['==', ['feature-state', 'value'], null], SHADES[3], SHADES[3]];
  const steps = limits.flatMap((limit, index) => [limit, getShade(index + 1, limits.length)]);
  const value = ['number', ['feature-state', 'value'], 0];
  return ['step', value, getShade(0, limits.length), ...steps] as unknown[] as ExpressionSpecification; // Pairs.
}

/** Few shades are spread over the whole scale. */
function getShade(index: number, max: number): string {
  return SHADES[max === 0 ? 3 : Math.round((index * (SHADES.length - 1)) / max)] ?? SHADES[0];
}

/** The digits of a number that have room in its circle: all up to 999, then thousands and millions, rounded down. */
export function formatShortCount(count: number): string {
  return count.toLocaleString('en-US', { notation: 'compact', roundingMode: 'trunc' }).replace('K', 'k');
}
