// Colours that stand for values, in charts and on the map: told apart by people who see few colours, and readable on
// light and dark ground.

import { USE_COLOUR } from './kinds';

const COLOURS = [
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

/** Beyond the last one they begin again. */
export function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] ?? COLOURS[0];
}

/** By the plain categories of uses (D63), so that a use has one colour on every map; grey stands for no use. */
const COLOURS_OF_USES: Readonly<Record<string, string>> = {
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

/** Undefined for a text that is none of the categories. */
export function colourOfUse(category: string): string | undefined {
  return COLOURS_OF_USES[category];
}

/** What a value of a filter has at its place among those that are shown: a use the same on maps and charts. */
export function colourAt(filter: string, value: string, index: number): string {
  return (filter === USE_COLOUR ? colourOfUse(value) : undefined) ?? colourOf(index);
}
