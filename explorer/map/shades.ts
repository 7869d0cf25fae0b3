// The shades of areas: a legend for people, and the expression with which the map draws the same shades.

import type { ExpressionSpecification } from 'maplibre-gl';
import type { MapState } from '../state/state';
import type { MapLegendEntry } from './legend-colors';

/** From light to dark, readable on light and dark pages. */
const SHADES = ['#d6e8f2', '#a9cfe3', '#6eaed1', '#3b86b8', '#1f5f93', '#123f69'] as const;

export interface Shades {
  /** Ascending. A value has the shade after the last limit that it reaches. */
  readonly limits: readonly number[];
  readonly legend: readonly MapLegendEntry[];
}

export type ShadeScale = MapState['scale'];

/**
 * By default each shade has about the same number of areas, since most sums are small and a few are very large. The
 * other scales have equal steps or equal ratios. Ratios cannot include zero: sums up to the smallest positive one share
 * a shade.
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

/** The lower limits of all shades but the first. */
function computeCuts(sorted: readonly number[], scale: ShadeScale): readonly number[] {
  const min = sorted[0] ?? 0;
  const max = sorted.at(-1) ?? 0;
  const shares = SHADES.slice(1).map((_, index) => (index + 1) / SHADES.length);
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
export function buildShadeColors({ limits }: Shades): ExpressionSpecification {
  if (limits.length === 0) return ['case', ['==', ['feature-state', 'value'], null], SHADES[3], SHADES[3]];
  const steps = limits.flatMap((limit, index) => [limit, getShade(index + 1, limits.length)]);
  const value = ['number', ['feature-state', 'value'], 0];
  return ['step', value, getShade(0, limits.length), ...steps] as unknown[] as ExpressionSpecification; // Pairs.
}

/** Spreads few shades over the whole scale. */
function getShade(index: number, max: number): string {
  return SHADES[max === 0 ? 3 : Math.round((index * (SHADES.length - 1)) / max)] ?? SHADES[0];
}
