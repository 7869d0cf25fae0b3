// The data layers of the map: sites and rights as circles that grow with their count, reporting units shaded by their
// sums, and the boundary that is set or being drawn.

import type {
  CircleLayerSpecification,
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  Map as MapLibre,
} from 'maplibre-gl';
import { type Facets, getFacetValues } from '../requests/facets';
import type { AreaValues } from '../requests/area-values';
import { DECADE_COLOR, getKind, type Kind } from '../state/kinds';
import { getPlaceColor, getPlaceSize } from '../state/map-kinds';
import type { ExplorerState } from '../state/state';
import { buildDecadeColors, buildLegend, buildValueColors, DECADE_LEGEND, type MapLegendEntry } from './legend-colors';
import { buildShadeColors, computeShades, type ShadeScale } from './shades';
import type { GroundColors } from './ground-colors';
import { RING_NAME_SEPARATOR } from './images';

/** The person's machine has it, so that none is loaded. */
export const FONT = 'sans-serif';

export const DATA = 'data';
export const BOUNDARY = 'boundary';

/** The places or areas themselves, the lowest layer of the data. */
export const PLACES_LAYER = 'areas';

/** The numbers in the circles of several places. */
const COUNTS_LAYER = 'counts';

/** Marks what is open beside the map. */
const MARK_LAYER = 'chosen';

/** The lowest names of the ground: all lie over places and areas, and under the numbers. */
export const LOWEST_NAMES_LAYER = 'names-of-counties';

export interface Tiles {
  readonly kind: Kind;
  /** Absolute, since the library's worker has no page to be relative to. */
  readonly address: string;
}

/** Draws tiles in the place of those that were drawn before. */
export function replaceDataLayers(map: MapLibre, { kind, address }: Tiles, ground: GroundColors): void {
  for (const layer of map.getLayersOrder()) if (map.getLayer(layer)?.source === DATA) map.removeLayer(layer);
  if (map.getSource(DATA) !== undefined) map.removeSource(DATA);
  map.addSource(DATA, { type: 'vector', tiles: [address], maxzoom: 18, promoteId: 'id' });
  for (const layer of buildDataLayers(getKind(kind).places.collection, ground))
    map.addLayer(layer, layer.id === COUNTS_LAYER ? BOUNDARY : LOWEST_NAMES_LAYER);
}

/** Areas whose middle lies in another tile, and points of the buffer, count there. */
const HAS_COUNT: FilterSpecification = ['has', 'count'];

const NO_FEATURE: FilterSpecification = ['==', ['get', 'id'], ''];

/** Between the radii of some powers of ten of a member, each of which stands before its radius in pixels. */
function buildRadius(member: string, stops: readonly number[]): ExpressionSpecification {
  const power: ExpressionSpecification = ['log10', ['max', ['get', member], 1]];
  return ['interpolate', ['linear'], power, ...stops] as unknown[] as ExpressionSpecification; // Pairs.
}

/** By how many items stand at a place. Squares are 32 pixels wide at least, so circles of neighbors hardly meet. */
const COUNT_RADIUS = buildRadius('count', [0, 4.5, 0.3, 8, 2, 12, 5, 17]);

/** By cubic feet per second, or acre-feet. */
const SIZE_STOPS = [0, 3, 1, 6, 2, 10, 3, 15, 5, 26];

type CirclePaint = NonNullable<CircleLayerSpecification['paint']>;

/** A member of single rights decides; what has none, and what stands for several, is a faint dot. */
function buildCirclePaint(member: string | undefined): CirclePaint {
  if (member === undefined) return { 'circle-radius': COUNT_RADIUS, 'circle-opacity': 0.9 };
  return {
    'circle-radius': ['case', ['has', member], buildRadius(member, SIZE_STOPS), 3],
    'circle-opacity': ['case', ['has', member], 0.85, 0.35],
  };
}

/** Red stands for nothing else on the map. */
const MARK_COLOR = '#d6336c';

/** Marks the feature with an identifier; undefined for none. */
export function markFeature(map: MapLibre, id: string | undefined): void {
  if (map.getLayer(MARK_LAYER) !== undefined) map.setFilter(MARK_LAYER, ['==', ['get', 'id'], id ?? '']);
}

/** Layers of a vector source, to be painted; `sourceLayer` is the collection. */
function buildDataLayers(sourceLayer: string, ground: GroundColors): LayerSpecification[] {
  const source = { source: DATA, 'source-layer': sourceLayer, filter: HAS_COUNT };
  if (sourceLayer === 'reporting-units') {
    const opacity: ExpressionSpecification = ['case', ['==', ['feature-state', 'value'], null], 0.08, 1];
    return [
      { id: PLACES_LAYER, type: 'fill', ...source, paint: { 'fill-opacity': opacity } },
      { id: 'area-edges', type: 'line', ...source, paint: { 'line-color': ground.border, 'line-width': 0.7 } },
      {
        id: MARK_LAYER,
        type: 'line',
        ...source,
        filter: NO_FEATURE,
        paint: { 'line-color': MARK_COLOR, 'line-width': 3 },
      },
    ];
  }
  return [
    {
      id: PLACES_LAYER,
      type: 'circle',
      ...source,
      paint: { 'circle-stroke-width': 1, 'circle-stroke-color': ground.land },
    },
    {
      id: COUNTS_LAYER,
      type: 'symbol',
      ...source,
      filter: ['>', ['get', 'count'], 1],
      layout: {
        'icon-image': [
          'concat',
          ['get', 'count'],
          RING_NAME_SEPARATOR,
          COUNT_RADIUS,
          RING_NAME_SEPARATOR,
          ['get', 'mix'],
        ],
        // Names have no room on a ring; rings lie over each other, those of few places in front.
        'icon-allow-overlap': true,
        'icon-padding': 0,
        'symbol-sort-key': ['-', ['get', 'count']],
      },
    },
    {
      id: MARK_LAYER,
      type: 'circle',
      ...source,
      filter: NO_FEATURE,
      paint: {
        'circle-radius': 11,
        'circle-opacity': 0,
        'circle-stroke-color': MARK_COLOR,
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
export function buildPlacePaint(
  state: ExplorerState,
  facets: Facets | undefined,
  { paper }: GroundColors,
): PlacePaint | undefined {
  const color = getPlaceColor(state);
  if (color === undefined) return undefined;
  const legend = buildLegend(color.filter, getFacetValues(facets, color.filter), (value) => value);
  const isByDecade = color.filter === DECADE_COLOR;
  const colors = isByDecade ? buildDecadeColors() : buildValueColors(color.member, legend);
  const size = getPlaceSize(state);
  // Several places stand as a ring of their shares around their number, on paper; where sizes are shown, as a dot.
  const clusterColor: ExpressionSpecification = ['case', ['>', ['get', 'count'], 1], paper, colors];
  return {
    circles: { ...buildCirclePaint(size?.member), 'circle-color': size === undefined ? clusterColor : colors },
    hasNumbers: size === undefined,
    legend: isByDecade ? DECADE_LEGEND : legend,
  };
}

export function paintPlaces(map: MapLibre, { circles, hasNumbers }: PlacePaint): void {
  for (const name of ['circle-color', 'circle-radius', 'circle-opacity'] as const)
    map.setPaintProperty(PLACES_LAYER, name, circles[name]);
  map.setLayoutProperty(COUNTS_LAYER, 'visibility', hasNumbers ? 'visible' : 'none');
}

/** Areas without a sum have no state, and stay clear. */
export function paintAreas(map: MapLibre, sums: AreaValues | undefined, scale: ShadeScale): void {
  const { values = [], valuesOfAllYears: ofAllYears = [], unit } = sums ?? {};
  const sourceLayer = getKind('aggregates').places.collection;
  map.removeFeatureState({ source: DATA, sourceLayer });
  for (const [id, value] of values) {
    map.setFeatureState({ source: DATA, sourceLayer, id }, { value, unit });
  }
  map.setPaintProperty(PLACES_LAYER, 'fill-color', buildShadeColors(computeShades(ofAllYears, scale, String)));
}

export function buildBoundaryLayers(): LayerSpecification[] {
  const color = '#c2410c';
  const areas = { source: BOUNDARY, filter: ['!=', ['geometry-type'], 'Point'] as FilterSpecification };
  const corners = { source: BOUNDARY, filter: ['==', ['geometry-type'], 'Point'] as FilterSpecification };
  return [
    { id: 'boundary', type: 'fill', ...areas, paint: { 'fill-color': color, 'fill-opacity': 0.06 } },
    { id: 'boundary-edge', type: 'line', ...areas, paint: { 'line-color': color, 'line-width': 2 } },
    { id: 'boundary-corners', type: 'circle', ...corners, paint: { 'circle-color': color, 'circle-radius': 4 } },
  ];
}
