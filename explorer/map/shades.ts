// The shades of areas: the legend, and the expression with which the map draws the same shades.

import type { ExpressionSpecification } from 'maplibre-gl';
import type { MapState } from '../state/state';
import type { MapLegendEntry } from './legend-colors';

/** Higher values contrast more with the background, on light and on dark pages. */
const SHADES = {
  light: ['#c3d9e8', '#98bfda', '#689fc7', '#3d7bab', '#1f5684', '#0b2f52'],
  dark: ['#2b5675', '#3a7299', '#5490b8', '#7bafd0', '#a9cfe6', '#dff0fb'],
} as const;

export type Theme = keyof typeof SHADES;

const SHADE_COUNT = SHADES.light.length;

export function getShades(theme: Theme): readonly string[] {
  return SHADES[theme];
}

export interface Shades {
  readonly theme: Theme;
  /** Ascending. A value has the shade after the last limit that it reaches. */
  readonly limits: readonly number[];
  readonly legend: readonly MapLegendEntry[];
}

export type ShadeScale = MapState['scale'];

/**
 * By default each shade has about the same number of areas, since most sums are small and a few are very large. The
 * other scales have equal steps or equal ratios. Ratios cannot include zero, so all sums up to the smallest positive
 * sum share a shade.
 */
export function computeShades(
  values: readonly number[],
  { scale, theme }: { readonly scale: ShadeScale; readonly theme: Theme },
  formatNumber: (value: number) => string,
): Shades {
  const sorted = values.toSorted((a, b) => a - b);
  const min = sorted[0];
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) return { theme, limits: [], legend: [] };
  const cuts = computeCuts(sorted, scale);
  const limits = [...new Set(cuts)].filter((cut) => cut > min && cut <= max);
  const edges = [min, ...limits, max];
  const texts = formatEdges(edges, formatNumber);
  const legend = edges.slice(0, -1).map((from, index): MapLegendEntry => {
    const [lower = '', upper = ''] = texts.slice(index, index + 2);
    return {
      role: 'value',
      value: String(from),
      color: getShade(theme, index, limits.length),
      // A class of a single value.
      text: lower === upper ? lower : `${lower} to ${upper}`,
    };
  });
  return { theme, limits, legend };
}

/** Adds digits where different limits would otherwise look the same. */
function formatEdges(edges: readonly number[], formatNumber: (value: number) => string): readonly string[] {
  const distinct = new Set(edges).size;
  const texts = edges.map(formatNumber);
  for (let digits = 4; digits <= MAX_DIGITS && new Set(texts).size < distinct; digits++) {
    const format = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: digits });
    texts.splice(0, texts.length, ...edges.map(format));
  }
  return texts;
}

/** Formats a number with all its digits. */
const MAX_DIGITS = 17;

/** The lower limits of all shades but the first. */
function computeCuts(sorted: readonly number[], scale: ShadeScale): readonly number[] {
  const min = sorted[0] ?? 0;
  const max = sorted.at(-1) ?? 0;
  const shares = Array.from({ length: SHADE_COUNT - 1 }, (_, index) => (index + 1) / SHADE_COUNT);
  switch (scale) {
    case '':
      return shares.flatMap((share) => sorted[Math.floor(share * sorted.length)] ?? []);
    case 'even':
      return shares.map((share) => min + share * (max - min));
    case 'log': {
      if (max <= 0) return [];
      const minPositive = sorted.find((value) => value > 0) ?? 0;
      const powers = shares.map((share) => minPositive * (max / minPositive) ** share);
      return min > 0 ? powers : [minPositive, ...powers.slice(1)];
    }
  }
}

/**
 * Reads the feature state `value`. Areas without it stay clear. Returns an expression even for a single shade: the
 * library would fail on a constant that replaces an expression when feature states change before the next layout.
 */
export function buildShadeColors({ theme, limits }: Shades): ExpressionSpecification {
  const only = getShade(theme, 0, 0);
  if (limits.length === 0) return ['case', ['==', ['feature-state', 'value'], null], only, only];
  const steps = limits.flatMap((limit, index) => [limit, getShade(theme, index + 1, limits.length)]);
  const value = ['number', ['feature-state', 'value'], 0];
  // Pairs of a limit and a color.
  return ['step', value, getShade(theme, 0, limits.length), ...steps] as unknown[] as ExpressionSpecification;
}

/** Spreads a small number of shades over the whole scale. */
function getShade(theme: Theme, index: number, max: number): string {
  const shades = SHADES[theme];
  return shades[max === 0 ? 3 : Math.round((index * (SHADE_COUNT - 1)) / max)] ?? shades[0];
}
