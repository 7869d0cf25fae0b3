// The colors of single places: a legend for people, and the expressions with which the map draws the same colors.

import type { ExpressionSpecification } from 'maplibre-gl';
import type { CountedValue } from '../requests/facets';
import { fold } from '../state/fold';
import { USE_COLOR } from '../state/kinds';
import { getColor, getValueColor } from '../state/palette';

export interface MapLegendEntry {
  /** The filter value, or the first year of a range of decades. */
  readonly value: string;
  readonly text: string;
  readonly color: string;
  /** Undefined if it was not counted. */
  readonly count?: number;
}

/** As many colors as a person can distinguish on a map. */
const MAX_VALUES = 8;

export const OTHER_COLOR = '#8b8f98';

/** Separates several values of a place in tiles. */
const SEPARATOR = '; ';

/** `values` are sorted by frequency. There are few use categories, so all of them have a color. */
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

/** Senior rights are darkest: they are few and matter most. */
const SPANS = [
  { from: 0, text: 'before 1870', color: '#3b1c6b' },
  { from: 1870, text: '1870 to 1889', color: '#5b3fa8' },
  { from: 1890, text: '1890 to 1909', color: '#2f6fb4' },
  { from: 1910, text: '1910 to 1939', color: '#2a9d8f' },
  { from: 1940, text: '1940 to 1969', color: '#9bbf4d' },
  { from: 1970, text: '1970 and later', color: '#e9b44c' },
] as const;

/** Each with its first and last day; an open end is empty. */
export const DECADE_LEGEND = SPANS.map(({ from, text, color }, index) => {
  const next = SPANS[index + 1]?.from;
  const start = from === 0 ? '' : `${from}-01-01`;
  const end = next === undefined ? '' : `${next - 1}-12-31`;
  return { value: String(from), text, color, start, end };
});

/**
 * The color of a place is that of its value, or of the first legend entry among its values. Texts are compared folded,
 * because the legend counts what a filter matches in any spelling (D8).
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

/** The legend color of a tile value, which may be several values in one text. */
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
  // Rights without a priority date have no decade.
  return ['case', ['has', 'decade'], byYear, OTHER_COLOR] as unknown[] as ExpressionSpecification;
}
