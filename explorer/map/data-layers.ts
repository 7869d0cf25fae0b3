// The data layers of the map: sites and rights as circles that grow with their count, reporting units shaded by their
// sums, and the boundary that is set or being drawn.

import type {
  CircleLayerSpecification,
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  Map as MapLibre,
} from 'maplibre-gl';
import type { AreaValues } from '../requests/area-values';
import { DECADE_COLOR, getKind, type Kind } from '../state/kinds';
import { getPlaceColor, getPlaceSize } from '../state/map-kinds';
import type { ExplorerState } from '../state/state';
import { BUILT_IN, BUILT_IN_LAYER } from './built-in-areas';
import type { GroundColors } from './ground-colors';
import { RING_NAME_SEPARATOR } from './image-names';
import { buildDecadeColors, buildValueColors, type MapLegendEntry } from './legend-colors';
import { SIZE_STOPS } from './place-sizes';
import { buildShadeColors, computeShades, type ShadeScale, type Theme } from './shades';

/** A system font, so that no font is loaded. */
export const FONT = 'sans-serif';

export const DATA = 'data';
export const BOUNDARY = 'boundary';

/** Places or areas, the lowest data layer. */
export const PLACES_LAYER = 'areas';

/** Counts inside rings. */
const COUNTS_LAYER = 'counts';

/** Marks the open feature. */
const MARK_LAYER = 'chosen';

/** The lowest layer of names. Names are above all data. */
export const LOWEST_NAMES_LAYER = 'names-of-counties';

export interface Tiles {
  readonly kind: Kind;
  /** The address template of the tiles, with the protocol of service-tiles.ts. */
  readonly address: string;
}

/** Replaces the previous tiles and their layers. */
export function replaceDataLayers(map: MapLibre, { kind, address }: Tiles, ground: GroundColors): void {
  for (const layer of map.getLayersOrder()) if (map.getLayer(layer)?.source === DATA) map.removeLayer(layer);
  if (map.getSource(DATA) !== undefined) map.removeSource(DATA);
  map.addSource(DATA, { type: 'vector', tiles: [address], maxzoom: 18, promoteId: 'id' });
  for (const layer of buildDataLayers(getKind(kind).places.collection, ground)) map.addLayer(layer, LOWEST_NAMES_LAYER);
}

/** Excludes points in the tile buffer and areas centered in another tile, which have no count. */
const HAS_COUNT: FilterSpecification = ['has', 'count'];

const NO_FEATURE: FilterSpecification = ['==', ['get', 'id'], ''];

/** Interpolates the radius over powers of ten. `stops` are pairs of power and radius in pixels. */
function buildRadius(member: string, stops: readonly number[]): ExpressionSpecification {
  const power: ExpressionSpecification = ['log10', ['max', ['get', member], 1]];
  // Pairs of a power and a radius.
  return ['interpolate', ['linear'], power, ...stops] as unknown[] as ExpressionSpecification;
}

/**
 * Sizes circles by the number of items. Cluster squares are at least 32 pixels wide, so neighboring circles rarely
 * touch.
 */
const COUNT_RADIUS = buildRadius('count', [0, 4.5, 0.3, 8, 2, 12, 5, 17]);

type CirclePaint = NonNullable<CircleLayerSpecification['paint']>;

/** Sizes single rights by a member. Clusters, and rights without the member, are faint dots. */
function buildCirclePaint(member: string | undefined): CirclePaint {
  if (member === undefined) return { 'circle-radius': COUNT_RADIUS, 'circle-opacity': 0.9 };
  return {
    'circle-radius': ['case', ['has', member], buildRadius(member, SIZE_STOPS.flat()), 3],
    'circle-opacity': ['case', ['has', member], 0.85, 0.35],
  };
}

/** Nothing else on the map is red. */
const MARK_COLOR = '#d6336c';

/** Marks a feature; undefined removes the mark. */
export function markFeature(map: MapLibre, id: string | undefined): void {
  if (map.getLayer(MARK_LAYER) !== undefined) map.setFilter(MARK_LAYER, ['==', ['get', 'id'], id ?? '']);
}

/** Unpainted layers of the vector source. `sourceLayer` is the collection. */
function buildDataLayers(sourceLayer: string, ground: GroundColors): LayerSpecification[] {
  const source = { source: DATA, 'source-layer': sourceLayer, filter: HAS_COUNT };
  return sourceLayer === 'reporting-units' ? buildAreaLayers(source, ground) : buildPointLayers(source, ground);
}

/** The options that all data layers share. */
interface DataSource {
  readonly source: string;
  readonly 'source-layer': string;
  readonly filter: FilterSpecification;
}

/** Areas without a sum are almost transparent. */
const AREA_OPACITY: ExpressionSpecification = ['case', ['==', ['feature-state', 'value'], null], 0.08, 1];

function buildAreaLayers(source: DataSource, ground: GroundColors): LayerSpecification[] {
  return [
    { id: PLACES_LAYER, type: 'fill', ...source, paint: { 'fill-opacity': AREA_OPACITY } },
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

function buildPointLayers(source: DataSource, ground: GroundColors): LayerSpecification[] {
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
        // Rings may overlap each other, with small counts in front. Names are drawn above them, because the map is hard
        // to read if rings hide the names of places.
        'icon-allow-overlap': true,
        'icon-ignore-placement': true,
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

/** How places are drawn. Plain data, so that unchanged paint is detected. */
interface PlacePaint {
  readonly circles: CirclePaint;
  readonly hasNumbers: boolean;
  /** The colors of the shares in rings. */
  readonly legend: readonly MapLegendEntry[];
}

/** Undefined for areas. */
export function buildPlacePaint(
  state: ExplorerState,
  legend: readonly MapLegendEntry[] = [],
  { paper, theme }: GroundColors,
): PlacePaint | undefined {
  const color = getPlaceColor(state);
  if (color === undefined) return undefined;
  const isByDecade = color.filter === DECADE_COLOR;
  const colors = isByDecade ? buildDecadeColors(theme === 'dark') : buildValueColors(color.member, legend);
  const size = getPlaceSize(state);
  // Clusters are background-colored, with a ring of shares around their count; if places are sized, they are dots.
  const clusterColor: ExpressionSpecification = ['case', ['>', ['get', 'count'], 1], paper, colors];
  return {
    circles: { ...buildCirclePaint(size?.member), 'circle-color': size === undefined ? clusterColor : colors },
    hasNumbers: size === undefined,
    // Counts are removed, because they do not change how a ring is drawn.
    legend: legend.map((entry) => ({ ...entry, count: undefined })),
  };
}

export function paintPlaces(map: MapLibre, { circles, hasNumbers }: PlacePaint): void {
  for (const name of ['circle-color', 'circle-radius', 'circle-opacity'] as const)
    map.setPaintProperty(PLACES_LAYER, name, circles[name]);
  map.setLayoutProperty(COUNTS_LAYER, 'visibility', hasNumbers ? 'visible' : 'none');
}

/** Areas without a sum have no feature state, and stay clear. */
export function paintAreas(
  map: MapLibre,
  sums: AreaValues | undefined,
  shading: { readonly scale: ShadeScale; readonly theme: Theme },
): void {
  const { values = [], valuesOfAllYears: ofAllYears = [], unit } = sums ?? {};
  const sourceLayer = getKind('aggregates').places.collection;
  map.removeFeatureState({ source: DATA, sourceLayer });
  for (const [id, value] of values) {
    map.setFeatureState({ source: DATA, sourceLayer, id }, { value, unit });
  }
  map.removeFeatureState({ source: BUILT_IN });
  for (const [id, value] of values) map.setFeatureState({ source: BUILT_IN, id }, { value, unit });
  const colors = buildShadeColors(computeShades(ofAllYears, shading, String));
  map.setPaintProperty(PLACES_LAYER, 'fill-color', colors);
  map.setPaintProperty(BUILT_IN_LAYER, 'fill-color', colors);
  map.setPaintProperty(BUILT_IN_LAYER, 'fill-opacity', AREA_OPACITY);
}

/** All points of the open right or site. */
export const OPEN_POINTS = 'open-points';

export function buildOpenPointsLayer(): LayerSpecification {
  return {
    id: OPEN_POINTS,
    type: 'circle',
    source: OPEN_POINTS,
    paint: {
      'circle-radius': 9,
      'circle-opacity': 0,
      'circle-stroke-color': MARK_COLOR,
      'circle-stroke-width': 3,
    },
  };
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
