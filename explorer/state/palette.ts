// Colors that stand for values in charts and on the map. They suit color-blind readers and both light and dark pages.

import { USE_COLOR } from './kinds';

const COLORS = [
  '#2b7bba',
  '#e08a1e',
  '#2f9e7a',
  '#b5527a',
  '#7d6fd0',
  '#98a32f',
  '#cf5f45',
  '#49b0c8',
  '#8b8f98',
] as const;

/** Repeats after the last color. */
export function getColor(index: number): string {
  return COLORS[index % COLORS.length] ?? COLORS[0];
}

/** By use category (D63), so that a use has the same color on every map. Gray means no use. */
const USE_CATEGORY_COLORS: Readonly<Record<string, string>> = {
  Irrigation: '#4a9e3f',
  'Public supply': '#2b7bba',
  Livestock: '#a8774a',
  Domestic: '#49b0c8',
  Industrial: '#7d6fd0',
  Mining: '#b5527a',
  Commercial: '#e08a1e',
  'Thermoelectric power': '#cf5f45',
  Hydropower: '#5b7fe0',
  Recreation: '#d9b21f',
  'Fish and wildlife': '#2a9d8f',
  Aquaculture: '#98a32f',
  'Storage and recharge': '#9a86b8',
  Other: '#c78fa8',
};

/** Undefined if the text is not a use category. */
export function getUseColor(category: string): string | undefined {
  return USE_CATEGORY_COLORS[category];
}

/** The color of a filter value at a position among the shown values. Uses have the same color on maps and charts. */
export function getValueColor(filter: string, value: string, index: number): string {
  return (filter === USE_COLOR ? getUseColor(value) : undefined) ?? getColor(index);
}
