// The layers of the data: places as circles that grow with what stands at them, in the colours of the legend; areas
// filled with the shades of their sums; and the boundary that is set or being drawn.

import type {
  CircleLayerSpecification,
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  Map as MapLibre,
} from 'maplibre-gl';
import { type Facets, facetValues } from '../requests/operations';
import type { AreaValues } from '../requests/totals';
import { DECADE_COLOUR, type Kind, kindOf } from '../state/kinds';
import { placeColourOf, placeSizeOf } from '../state/map-kinds';
import type { ExplorerState } from '../state/state';
import {
  DECADE_LEGEND,
  decadeColours,
  type Ground,
  legendOf,
  type MapLegendEntry,
  shadeColours,
  type ShadeScale,
  shadesOf,
  valueColours,
} from './colouring';
import { RING_PARTS } from './pictures';

/** The person's machine has it, so that none is loaded. */
export const FONT = 'sans-serif';

export const DATA = 'data';
export const BOUNDARY = 'boundary';

/** The places or areas themselves, the lowest layer of the data. */
export const LOWEST = 'areas';

/** The numbers in the circles of several places. */
const COUNTS = 'counts';

/** Marks what is open beside the map. */
const CHOSEN = 'chosen';

/** The lowest names of the ground: all lie over places and areas, and under the numbers. */
export const LOWEST_NAMES = 'names-of-counties';

export interface Tiles {
  readonly kind: Kind;
  /** Absolute, since the library's worker has no page to be relative to. */
  readonly address: string;
}

/** Draws tiles in the place of those that were drawn before. */
export function showData(map: MapLibre, { kind, address }: Tiles, ground: Ground): void {
  for (const layer of map.getLayersOrder()) if (map.getLayer(layer)?.source === DATA) map.removeLayer(layer);
  if (map.getSource(DATA) !== undefined) map.removeSource(DATA);
  map.addSource(DATA, { type: 'vector', tiles: [address], maxzoom: 18, promoteId: 'id' });
  for (const layer of dataLayers(kindOf(kind).places.collection, ground))
    map.addLayer(layer, layer.id === COUNTS ? BOUNDARY : LOWEST_NAMES);
}

/** Areas whose middle lies in another tile, and points of the buffer, count there. */
const ALL: FilterSpecification = ['has', 'count'];

const NONE: FilterSpecification = ['==', ['get', 'id'], ''];

/** Between the radii of some powers of ten of a member, each of which stands before its radius in pixels. */
function radiusBy(member: string, powers: readonly number[]): ExpressionSpecification {
  const power: ExpressionSpecification = ['log10', ['max', ['get', member], 1]];
  return ['interpolate', ['linear'], power, ...powers] as unknown[] as ExpressionSpecification; // Pairs.
}

/** By how many items stand at a place. Squares are 32 pixels wide at least, so circles of neighbours hardly meet. */
const COUNTED = radiusBy('count', [0, 4.5, 0.3, 8, 2, 12, 5, 17]);

/** By cubic feet per second, or acre-feet. */
const SIZED = [0, 3, 1, 6, 2, 10, 3, 15, 5, 26];

type CirclePaint = NonNullable<CircleLayerSpecification['paint']>;

/** A member of single rights decides; what has none, and what stands for several, is a faint dot. */
function sizedCircles(member: string | undefined): CirclePaint {
  if (member === undefined) return { 'circle-radius': COUNTED, 'circle-opacity': 0.9 };
  return {
    'circle-radius': ['case', ['has', member], radiusBy(member, SIZED), 3],
    'circle-opacity': ['case', ['has', member], 0.85, 0.35],
  };
}

/** Red stands for nothing else on the map. */
const MARK = '#d6336c';

/** Marks the feature with an identifier; undefined for none. */
export function markFeature(map: MapLibre, id: string | undefined): void {
  if (map.getLayer(CHOSEN) !== undefined) map.setFilter(CHOSEN, ['==', ['get', 'id'], id ?? '']);
}

/** Layers of a vector source, to be painted; `sourceLayer` is the collection. */
function dataLayers(sourceLayer: string, ground: Ground): LayerSpecification[] {
  const source = { source: DATA, 'source-layer': sourceLayer, filter: ALL };
  if (sourceLayer === 'reporting-units') {
    const opacity: ExpressionSpecification = ['case', ['==', ['feature-state', 'value'], null], 0.08, 1];
    return [
      { id: LOWEST, type: 'fill', ...source, paint: { 'fill-opacity': opacity } },
      { id: 'area-edges', type: 'line', ...source, paint: { 'line-color': ground.border, 'line-width': 0.7 } },
      { id: CHOSEN, type: 'line', ...source, filter: NONE, paint: { 'line-color': MARK, 'line-width': 3 } },
    ];
  }
  return [
    {
      id: LOWEST,
      type: 'circle',
      ...source,
      paint: { 'circle-stroke-width': 1, 'circle-stroke-color': ground.land },
    },
    {
      id: COUNTS,
      type: 'symbol',
      ...source,
      filter: ['>', ['get', 'count'], 1],
      layout: {
        'icon-image': ['concat', ['get', 'count'], RING_PARTS, COUNTED, RING_PARTS, ['get', 'mix']],
        // Names have no room on a ring; rings lie over each other, those of few places in front.
        'icon-allow-overlap': true,
        'icon-padding': 0,
        'symbol-sort-key': ['-', ['get', 'count']],
      },
    },
    {
      id: CHOSEN,
      type: 'circle',
      ...source,
      filter: NONE,
      paint: {
        'circle-radius': 11,
        'circle-opacity': 0,
        'circle-stroke-color': MARK,
        'circle-stroke-width': 3,
      },
    },
  ];
}

/** How places are drawn; plain data, so that what has not changed can be left as it is. */
interface PlacePaint {
  readonly circles: CirclePaint;
  readonly hasNumbers: boolean;
  /** By which rings show their shares. */
  readonly legend: readonly MapLegendEntry[];
}

/** Undefined for a kind that has areas. */
export function placePaint(
  state: ExplorerState,
  facets: Facets | undefined,
  { paper }: Ground,
): PlacePaint | undefined {
  const colour = placeColourOf(state);
  if (colour === undefined) return undefined;
  const legend = legendOf(colour.filter, facetValues(facets, colour.filter), (value) => value);
  const isOfDecades = colour.filter === DECADE_COLOUR;
  const colours = isOfDecades ? decadeColours() : valueColours(colour.member, legend);
  const size = placeSizeOf(state);
  // Several places stand as a ring of their shares around their number, on paper; where sizes are shown, as a dot.
  const numbered: ExpressionSpecification = ['case', ['>', ['get', 'count'], 1], paper, colours];
  return {
    circles: { ...sizedCircles(size?.member), 'circle-color': size === undefined ? numbered : colours },
    hasNumbers: size === undefined,
    legend: isOfDecades ? DECADE_LEGEND : legend,
  };
}

export function paintPlaces(map: MapLibre, { circles, hasNumbers }: PlacePaint): void {
  for (const name of ['circle-color', 'circle-radius', 'circle-opacity'] as const)
    map.setPaintProperty(LOWEST, name, circles[name]);
  map.setLayoutProperty(COUNTS, 'visibility', hasNumbers ? 'visible' : 'none');
}

/** Areas without a sum have no state, and stay clear. */
export function paintAreas(map: MapLibre, sums: AreaValues | undefined, scale: ShadeScale): void {
  const { values = [], ofAllYears = [], unit } = sums ?? {};
  const sourceLayer = kindOf('aggregates').places.collection;
  map.removeFeatureState({ source: DATA, sourceLayer });
  for (const [id, value] of values) {
    map.setFeatureState({ source: DATA, sourceLayer, id }, { value, unit });
  }
  map.setPaintProperty(LOWEST, 'fill-color', shadeColours(shadesOf(ofAllYears, scale, String)));
}

export function boundaryLayers(): LayerSpecification[] {
  const colour = '#c2410c';
  const drawn = { source: BOUNDARY, filter: ['!=', ['geometry-type'], 'Point'] as FilterSpecification };
  const corners = { source: BOUNDARY, filter: ['==', ['geometry-type'], 'Point'] as FilterSpecification };
  return [
    { id: 'boundary', type: 'fill', ...drawn, paint: { 'fill-color': colour, 'fill-opacity': 0.06 } },
    { id: 'boundary-edge', type: 'line', ...drawn, paint: { 'line-color': colour, 'line-width': 2 } },
    { id: 'boundary-corners', type: 'circle', ...corners, paint: { 'circle-color': colour, 'circle-radius': 4 } },
  ];
}
