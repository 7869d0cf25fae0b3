// The colors of single places: the legend, and the expressions with which the map draws the same colors. The legend
// lists every color of the map, and its counts match the rings.

import type { ExpressionSpecification } from 'maplibre-gl';
import type { CountedValue } from '../requests/facets';
import type { PointCounts, PointValue } from '../requests/point-counts';
import { fold } from '../state/fold';
import {
  assignColors,
  describeSeveral,
  NOT_STATED_COLOR,
  OTHERS_COLOR,
  SEVERAL_COLOR,
  SEVERAL_VALUES,
} from '../state/palette';

export interface MapLegendEntry {
  /** Only an entry for one value or for a span of years can be used as a filter. */
  readonly role: 'value' | 'several' | 'others' | 'not stated';
  /** The filter value, or the first year of a span; empty for other roles. */
  readonly value: string;
  readonly text: string;
  readonly color: string;
  /** The number of points; undefined if it was not counted. */
  readonly count?: number | undefined;
}

/** Separates several values of a place in tiles. */
const SEPARATOR = '; ';

interface LegendValues {
  /** All values, the most frequent first, counted without the legend's own filter. */
  readonly values: readonly CountedValue[];
  /** How many values are not listed. */
  readonly moreValues: number;
  readonly counts: PointCounts | undefined;
}

/** Returns the colors with the number of their points. Values without their own color share the entry "others". */
export function buildLegend(
  filter: string,
  { values, moreValues, counts }: LegendValues,
  formatValue: (value: string) => string,
): readonly MapLegendEntry[] {
  const colors = assignColors(
    filter,
    values.map(({ Value }) => Value),
  );
  const points = counts && countByRole(counts, [...colors.keys()]);
  const named = [...colors].map(([value, color]): MapLegendEntry => {
    return { role: 'value', value, text: formatValue(value), color, count: points?.byValue.get(fold(value)) };
  });
  const unnamed = values.length + moreValues - colors.size;
  const entries: MapLegendEntry[] = [...named];
  const add = (role: MapLegendEntry['role'], text: string, color: string, count: number | undefined): void => {
    if ((count ?? 0) > 0) entries.push({ role, value: '', text, color, count });
  };
  add('several', describeSeveral(filter), SEVERAL_COLOR, points?.several);
  add('others', unnamed > 1 ? `${unnamed.toLocaleString('en-US')} others` : 'others', OTHERS_COLOR, points?.others);
  add('not stated', 'not stated', NOT_STATED_COLOR, points?.notStated);
  return entries;
}

interface RoleCounts {
  readonly byValue: ReadonlyMap<string, number>;
  readonly several: number;
  readonly others: number;
  readonly notStated: number;
}

function countByRole({ values, total }: PointCounts, named: readonly string[]): RoleCounts {
  const byValue = new Map(named.map((value) => [fold(value), 0]));
  let several = 0;
  let notStated = 0;
  let others = total;
  for (const [value, count] of values) {
    const known = value === null ? undefined : byValue.get(fold(String(value)));
    if (value === null) notStated += count;
    else if (isSeveral(value)) several += count;
    else if (known === undefined) continue;
    else byValue.set(fold(String(value)), known + count);
    others -= count;
  }
  return { byValue, several, others, notStated };
}

export function isSeveral(value: PointValue): boolean {
  return typeof value === 'string' && (value === SEVERAL_VALUES || value.includes(SEPARATOR));
}

/** Senior rights contrast most with the background: they are few and matter most. */
const SPANS = [
  { from: 0, text: 'before 1870', light: '#2b0f4f', dark: '#fdf3c4' },
  { from: 1870, text: '1870 to 1889', light: '#4a1f78', dark: '#f3d491' },
  { from: 1890, text: '1890 to 1909', light: '#6a3a96', dark: '#e3b07f' },
  { from: 1910, text: '1910 to 1939', light: '#80559f', dark: '#cc8f85' },
  { from: 1940, text: '1940 to 1969', light: '#8f6f8e', dark: '#ad789b' },
  { from: 1970, text: '1970 and later', light: '#8d8579', dark: '#8c6fa8' },
] as const;

interface DecadeEntry extends MapLegendEntry {
  /** First and last day of the span; an open end is empty. */
  readonly start: string;
  readonly end: string;
}

/** The spans of priority dates. They exclude rights without a date. */
export function buildDecadeLegend(isDark: boolean, counts?: PointCounts): readonly DecadeEntry[] {
  return SPANS.map(({ from, text, light, dark }, index) => {
    const next = SPANS[index + 1]?.from;
    const start = from === 0 ? '' : `${from}-01-01`;
    const end = next === undefined ? '' : `${next - 1}-12-31`;
    const count = counts && countDecades(counts, from, next ?? Infinity);
    return { role: 'value', value: String(from), text, color: isDark ? dark : light, count, start, end };
  });
}

function countDecades({ values }: PointCounts, from: number, next: number): number {
  const decades = values.filter(([decade]) => typeof decade === 'number' && decade >= from && decade < next);
  return decades.reduce((sum, [, count]) => sum + count, 0);
}

/** The entry of rights without a priority date. */
export function buildUndatedEntry(counts?: PointCounts): MapLegendEntry {
  const count = counts?.values.find(([decade]) => decade === null)?.[1];
  return { role: 'not stated', value: '', text: 'no date', color: NOT_STATED_COLOR, count };
}

/** Values are folded before the comparison, because a filter matches any spelling (D8). */
export function buildValueColors(member: string, legend: readonly MapLegendEntry[]): ExpressionSpecification {
  const text: ExpressionSpecification = ['downcase', ['to-string', ['get', member]]];
  const isOfSeveral: ExpressionSpecification = ['any', ['==', text, SEVERAL_VALUES], ['in', SEPARATOR, text]];
  const cases = legend
    .filter(({ role }) => role === 'value')
    .flatMap(({ value, color }): [ExpressionSpecification, string] => [['==', text, fold(value)], color]);
  const colors = ['case', ['!', ['has', member]], NOT_STATED_COLOR, isOfSeveral, SEVERAL_COLOR, ...cases, OTHERS_COLOR];
  return colors as unknown[] as ExpressionSpecification; // Pairs, then the fallback.
}

/** The color of a tile value. */
export function getLegendColor(legend: readonly MapLegendEntry[], value: PointValue): string {
  if (value === null) return NOT_STATED_COLOR;
  const named = legend.filter(({ role }) => role === 'value');
  if (typeof value === 'number')
    return named.findLast((entry) => Number(entry.value) <= value)?.color ?? NOT_STATED_COLOR;
  if (isSeveral(value)) return SEVERAL_COLOR;
  return named.find((entry) => fold(entry.value) === fold(value))?.color ?? OTHERS_COLOR;
}

export function buildDecadeColors(isDark: boolean): ExpressionSpecification {
  const [first, ...others] = buildDecadeLegend(isDark);
  const byYear = ['step', ['get', 'decade'], first?.color ?? '', ...others.flatMap((e) => [Number(e.value), e.color])];
  // Rights without a priority date have no decade.
  return ['case', ['has', 'decade'], byYear, NOT_STATED_COLOR] as unknown[] as ExpressionSpecification;
}
