// The layers of the data: places as circles that grow with what stands at them, areas filled, and the boundary that
// is set or being drawn.

import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';

export const DATA = 'data';
export const BOUNDARY = 'boundary';

/** The lowest layer of the data; the base map lies below it. */
export const LOWEST = 'areas';

/** Areas whose middle lies in another tile, and points of the buffer, count there. */
const ALL: FilterSpecification = ['has', 'count'];

/** By how many items stand at a place: twice as wide for a hundred, four times for ten thousand. */
function radius(): ExpressionSpecification {
  const magnitude: ExpressionSpecification = ['log10', ['max', ['coalesce', ['get', 'count'], 1], 1]];
  const wide: ExpressionSpecification = ['interpolate', ['linear'], magnitude, 0, 5, 2, 11, 4, 22];
  const narrow: ExpressionSpecification = ['interpolate', ['linear'], magnitude, 0, 2.2, 2, 5, 4, 12];
  return ['interpolate', ['linear'], ['zoom'], 3, narrow, 9, wide];
}

/** The radius in pixels of 1, 10, 100, 1,000 and 100,000 cubic feet per second, or acre-feet. */
const SIZED = { 0: 3, 1: 6, 2: 10, 3: 15, 5: 26 } as const;

/** A member of single rights decides; what has none, and what stands for several, is a faint dot. */
export function sizedCircles(member: string | undefined): {
  readonly 'circle-radius': ExpressionSpecification;
  readonly 'circle-opacity': ExpressionSpecification | number;
} {
  if (member === undefined) return { 'circle-radius': radius(), 'circle-opacity': 0.85 };
  const magnitude: ExpressionSpecification = ['log10', ['max', ['get', member], 1]];
  const steps = Object.entries(SIZED).flatMap(([power, pixels]) => [Number(power), pixels]);
  const sized = ['interpolate', ['linear'], magnitude, ...steps] as unknown as ExpressionSpecification; // Pairs.
  return {
    'circle-radius': ['case', ['has', member], sized, 3],
    'circle-opacity': ['case', ['has', member], 0.85, 0.35],
  };
}

/** Layers of a vector source; `sourceLayer` is the collection. */
export function dataLayers(
  sourceLayer: string,
  ground: { readonly land: string; readonly border: string },
): LayerSpecification[] {
  const source = { source: DATA, 'source-layer': sourceLayer, filter: ALL };
  if (sourceLayer === 'reporting-units') {
    const opacity: ExpressionSpecification = ['case', ['==', ['feature-state', 'value'], null], 0.08, 0.85];
    return [
      { id: LOWEST, type: 'fill', ...source, paint: { 'fill-color': '#3b86b8', 'fill-opacity': opacity } },
      { id: 'area-edges', type: 'line', ...source, paint: { 'line-color': ground.border, 'line-width': 0.7 } },
    ];
  }
  return [
    {
      ...{ id: LOWEST, type: 'circle', ...source },
      paint: {
        ...sizedCircles(undefined),
        ...{ 'circle-stroke-width': ['interpolate', ['linear'], ['zoom'], 4, 0.2, 9, 1] },
        ...{ 'circle-color': '#2b7bba', 'circle-stroke-color': ground.land },
      },
    },
  ];
}

export function boundaryLayers(): LayerSpecification[] {
  const colour = '#c2410c';
  const isLine: FilterSpecification = ['!=', ['geometry-type'], 'Point'];
  return [
    {
      id: 'boundary',
      type: 'fill',
      source: BOUNDARY,
      filter: isLine,
      paint: { 'fill-color': colour, 'fill-opacity': 0.06 },
    },
    {
      id: 'boundary-edge',
      type: 'line',
      source: BOUNDARY,
      filter: isLine,
      paint: { 'line-color': colour, 'line-width': 2 },
    },
    {
      ...{ id: 'boundary-corners', type: 'circle', source: BOUNDARY, filter: ['==', ['geometry-type'], 'Point'] },
      paint: { 'circle-color': colour, 'circle-radius': 4 },
    },
  ];
}
