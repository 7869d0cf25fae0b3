// Colors for values in charts and on the map: at most nine, distinguishable with deuteranopia, each with a contrast of
// 3:1 or more to light and dark backgrounds. tests/explorer/colors.test.ts computes both.

import { fold } from './fold';
import { USE_COLOR } from './kinds';

/** The colors for named values. */
const VALUE_COLORS = ['#507808', '#3060e8', '#b88070', '#3890f0', '#b878b8', '#b08800', '#707060'] as const;

/** The color of the segment for records with several values. */
export const SEVERAL_COLOR = '#287880';

/** The color for all values without their own color. */
export const OTHERS_COLOR = VALUE_COLORS[6];

/** The color for records without a value. */
export const NOT_STATED_COLOR = '#908890';

/** All colors of values. */
export const PALETTE: readonly string[] = [...VALUE_COLORS, SEVERAL_COLOR, NOT_STATED_COLOR];

/** The service's group of records with several values of a name (D78). */
export const SEVERAL_VALUES = '(several)';

/** Starts over after the last color. */
export function getColor(index: number): string {
  return PALETTE[index % PALETTE.length] ?? PALETTE[0] ?? '';
}

/** The most frequent uses in the order of their colors, so that they have the same color on every map and chart. */
const USE_ORDER = ['Irrigation', 'Public supply', 'Livestock', 'Domestic', 'Industrial', 'Mining'];

/**
 * Assigns colors to values, the most frequent first. If there are more values than colors, the result omits the rest:
 * they share the last color.
 */
export function assignColors(filter: string, values: readonly string[]): ReadonlyMap<string, string> {
  const named = values.length > VALUE_COLORS.length ? values.slice(0, VALUE_COLORS.length - 1) : values;
  const colors = new Map<string, string>();
  const free = new Set<string>(named.length < values.length ? VALUE_COLORS.slice(0, -1) : VALUE_COLORS);
  const assign = (value: string, color: string | undefined): void => {
    if (color === undefined || !free.delete(color)) return;
    colors.set(value, color);
  };
  if (filter === USE_COLOR) {
    for (const value of named) assign(value, VALUE_COLORS[USE_ORDER.map(fold).indexOf(fold(value))]);
  }
  for (const value of named) {
    if (!colors.has(value)) assign(value, [...free][0]);
  }
  return new Map(named.map((value) => [value, colors.get(value) ?? OTHERS_COLOR]));
}

/** The legend label of records with several values. */
export function describeSeveral(filter: string): string {
  return /use/i.test(filter) ? 'several uses' : 'several values';
}
