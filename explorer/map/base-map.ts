// The base map in the page's colors: states and counties (us-atlas, from Census Bureau boundaries), rivers, lakes and
// neighboring countries (Natural Earth, and GSHHG for rivers at near zooms) and towns (GeoNames). An operator can replace
// it with tiles.

import type { Feature, Geometry } from 'geojson';
import type {
  ExpressionSpecification,
  FilterSpecification,
  GeoJSONSourceSpecification,
  LayerSpecification,
  LineLayerSpecification,
  SourceSpecification,
  StyleSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { StateCounties } from '../requests/county-outlines';
import type { Towns } from '../requests/towns';
import type { StateWater } from '../requests/water-detail';
import { BUILT_IN_ATTRIBUTION } from './attribution';
import { buildBuiltInLayers, BUILT_IN } from './built-in-areas';
import {
  BOUNDARY,
  buildBoundaryLayers,
  buildOpenPointsLayer,
  FONT,
  LOWEST_NAMES_LAYER,
  OPEN_POINTS,
} from './data-layers';
import type { GroundColors } from './ground-colors';
import { TOWN_IMAGE } from './image-names';
import { computeLabelPoint, type Outline, readOutlines } from './outlines';

/** Addresses of files outside the program: the map library and the base map. */
export interface MapFiles {
  readonly program: string;
  /** Code that both the library and its worker import. */
  readonly shared: string;
  readonly worker: string;
  readonly states: string;
  /** Contains `{state}`: a file for each state, loaded when the state is in view and its counties are visible. */
  readonly counties: string;
  /** Contains `{state}`: detailed rivers and lakes, loaded when the state is in view at a near zoom. */
  readonly water: string;
  /** Rivers, lakes, neighboring countries and towns. */
  readonly nature: string;
  /** An address template of tiles with {z}, {x} and {y} that replace our base map; empty for our base map. */
  readonly tiles: string;
  readonly attribution: string;
}

/** From this zoom on, state borders come from the county borders, so that the two lines coincide. */
export const COUNTY_ZOOM = 6;

/** From this zoom on, rivers and lakes are drawn in detail. */
export const WATER_ZOOM = 7;

/** Written by tools/build/explorer-maps.mjs from Natural Earth and GeoNames. */
export type Nature = Topology<Readonly<Record<'neighbours' | 'rivers' | 'lakes', GeometryCollection>>> & {
  readonly towns: Towns;
};

export type Atlas = Topology<{
  states: GeometryCollection<{ name: string }>;
  nation: GeometryCollection;
}>;

/**
 * How much lines are simplified, in pixels. At far zooms lines need no finer detail, and each corner costs drawing
 * time; at near zooms lines have few corners.
 */
const TOLERANCE = 1;
const NEAR_TOLERANCE = 0.375;

export function readStateOutlines(atlas: Atlas): readonly Outline[] {
  return readOutlines(feature(atlas, atlas.objects.states));
}

/**
 * The style without data layers, from bottom to top. States are drawn at once; the sources of counties and nature are
 * filled later. Water is the background of the map's element, which costs nothing to draw. Colors change without
 * transitions, in one frame.
 */
export function buildBaseStyle(files: MapFiles, atlas: Atlas, colors: GroundColors): StyleSpecification {
  const nation = feature(atlas, atlas.objects.nation).features.map(({ geometry }) => buildPart('land', geometry));
  const borders = [
    ...nation,
    buildPart('border', mesh(atlas, atlas.objects.states)),
    ...buildNames(readStateOutlines(atlas)),
  ];
  const usesOwnGround = files.tiles === '';
  return {
    version: 8,
    transition: { duration: 0, delay: 0 },
    sources: {
      ...(usesOwnGround
        ? {
            nature: { ...buildFeaturesSource([]), attribution: BUILT_IN_ATTRIBUTION },
            water: buildFeaturesSource([], NEAR_TOLERANCE),
          }
        : { tiles: buildTilesSource(files) }),
      states: buildFeaturesSource(borders),
      counties: buildFeaturesSource([], NEAR_TOLERANCE),
      [OPEN_POINTS]: buildFeaturesSource([]),
      [BUILT_IN]: { ...buildFeaturesSource([]), promoteId: 'id' },
      [BOUNDARY]: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } },
    },
    layers: [
      ...(usesOwnGround ? buildLandLayers(colors) : [{ id: 'tiles', type: 'raster', source: 'tiles' } as const]),
      { ...buildBorderLayer('counties', { 'line-color': colors.county, 'line-width': 0.6 }), minzoom: COUNTY_ZOOM },
      { ...buildBorderLayer('states', { 'line-color': colors.border, 'line-width': 0.9 }), maxzoom: COUNTY_ZOOM },
      buildNearStateBordersLayer(colors),
      ...buildBuiltInLayers(colors),
      // The data layers are inserted here, except counts, which are above the names.
      buildNamesLayer('counties', colors),
      ...(usesOwnGround ? [buildLakeNamesLayer(colors), buildTownsLayer(colors)] : []),
      buildNamesLayer('states', colors),
      ...buildBoundaryLayers(),
      buildOpenPointsLayer(),
    ],
  };
}

function buildFeaturesSource(features: readonly Feature[], tolerance = TOLERANCE): GeoJSONSourceSpecification {
  return { type: 'geojson', data: { type: 'FeatureCollection', features: [...features] }, tolerance };
}

/** Escapes the operator's text, because the library inserts it as HTML. */
function buildTilesSource({ tiles, attribution }: MapFiles): SourceSpecification {
  const escaped = attribution.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { type: 'raster', tiles: [tiles], tileSize: 256, attribution: escaped };
}

/**
 * Neighboring countries are drawn slightly too large, below the land, so that no water shows in gaps between the two
 * sources.
 */
function buildLandLayers({ neighbor, land, river, water }: GroundColors): LayerSpecification[] {
  const flat = (color: string) => ({ 'fill-antialias': false, 'fill-color': color });
  const edge: ExpressionSpecification = ['interpolate', ['exponential', 2], ['zoom'], 4, 3, 10, 40];
  const width: ExpressionSpecification = ['interpolate', ['linear'], ['zoom'], 3, 0.7, 6, 1.3, 10, 2.4];
  const nature = (part: Part) => ({ source: 'nature', filter: isPart(part) });
  return [
    { id: 'neighbors', type: 'fill', ...nature('neighbor'), paint: flat(neighbor) },
    { id: 'edges', type: 'line', ...nature('neighbor'), paint: { 'line-color': neighbor, 'line-width': edge } },
    { id: 'land', type: 'fill', source: 'states', filter: isPart('land'), paint: flat(land) },
    {
      id: 'rivers',
      type: 'line',
      ...nature('river'),
      maxzoom: WATER_ZOOM,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': river, 'line-width': width },
    },
    {
      id: 'lakes',
      type: 'fill',
      ...nature('lake'),
      maxzoom: WATER_ZOOM,
      paint: { 'fill-color': water, 'fill-outline-color': river },
    },
    {
      id: 'near-rivers',
      type: 'line',
      source: 'water',
      filter: isPart('river'),
      minzoom: WATER_ZOOM,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': river, 'line-width': width },
    },
    {
      id: 'near-lakes',
      type: 'fill',
      source: 'water',
      filter: isPart('lake'),
      minzoom: WATER_ZOOM,
      paint: { 'fill-color': water, 'fill-outline-color': river },
    },
  ];
}

export function buildNatureFeatures(nature: Nature): readonly Feature[] {
  const { neighbours: neighbors, rivers, lakes } = nature.objects;
  const buildParts = (part: Part, collection: GeometryCollection): readonly Feature[] =>
    feature(nature, collection).features.map(({ geometry }) => buildPart(part, geometry));
  const towns = Object.values(nature.towns).flat();
  const townParts = towns.map(([name, population, longitude, latitude]) =>
    buildPart('town', { type: 'Point', coordinates: [longitude, latitude] }, { name, population }),
  );
  return [
    ...buildParts('neighbor', neighbors),
    ...buildParts('river', rivers),
    ...buildParts('lake', lakes),
    ...townParts,
  ];
}

/** The zoom from which a town's name is shown: first for the smallest towns, then pairs of population and zoom. */
const TOWN_ZOOMS = [10, 2500, 9, 8000, 8, 25_000, 7, 90_000, 6, 250_000, 5, 600_000, 4];

function buildTownsLayer({ town, land }: GroundColors): SymbolLayerSpecification {
  return {
    id: 'names-of-towns',
    type: 'symbol',
    source: 'nature',
    filter: [
      'all',
      isPart('town'),
      ['>=', ['zoom'], ['step', ['get', 'population'], ...TOWN_ZOOMS]],
    ] as unknown[] as FilterSpecification,
    layout: {
      'text-field': ['get', 'name'],
      'text-font': [FONT],
      'icon-image': TOWN_IMAGE,
      'text-padding': 3,
      'text-size': ['interpolate', ['linear'], ['log10', ['max', ['get', 'population'], 1]], 3, 10, 6, 13.5],
      // If a ring covers a town's dot, the name is next to the ring.
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'text-radial-offset': 0.9,
      'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
      'text-justify': 'auto',
      'symbol-sort-key': ['-', ['get', 'population']],
    },
    paint: { 'text-color': town, 'text-halo-color': land, 'text-halo-width': 1.3 },
  };
}

/** Returns the borders between counties, the borders of the state, and the county names. */
export function buildCountyFeatures({ counties, sharedBorders, stateBorders }: StateCounties): readonly Feature[] {
  const outlines = readOutlines({ type: 'FeatureCollection', features: [...counties] });
  return [buildPart('border', sharedBorders), buildPart('state border', stateBorders), ...buildNames(outlines)];
}

/** The name of a lake is a single point, because a lake in several tiles would be labeled in each. */
export function buildWaterFeatures({ rivers, lakes }: StateWater): readonly Feature[] {
  const outlines = readOutlines({ type: 'FeatureCollection', features: [...lakes] });
  return [
    buildPart('river', rivers),
    ...lakes.map(({ geometry }) => buildPart('lake', geometry)),
    ...buildNames(outlines.filter(({ name }) => name !== '')),
  ];
}

type Part = 'land' | 'border' | 'state border' | 'name' | 'neighbor' | 'river' | 'lake' | 'town';

function buildPart(
  part: Part,
  geometry: Geometry,
  properties: Readonly<Record<string, string | number>> = {},
): Feature {
  return { type: 'Feature', properties: { part, ...properties }, geometry };
}

function buildNames(outlines: readonly Outline[]): readonly Feature[] {
  return outlines.map(({ name, ring }) =>
    buildPart('name', { type: 'Point', coordinates: [...computeLabelPoint(ring)] }, { name }),
  );
}

function isPart(part: Part): FilterSpecification {
  return ['==', ['get', 'part'], part];
}

function buildBorderLayer(source: string, paint: LineLayerSpecification['paint'] & object): LineLayerSpecification {
  return { id: source, type: 'line', source, filter: isPart('border'), paint };
}

function buildNearStateBordersLayer({ border }: GroundColors): LineLayerSpecification {
  return {
    id: 'near-states',
    type: 'line',
    source: 'counties',
    filter: isPart('state border'),
    minzoom: COUNTY_ZOOM,
    paint: { 'line-color': border, 'line-width': 0.9 },
  };
}

function buildLakeNamesLayer({ waterName, water }: GroundColors): SymbolLayerSpecification {
  return {
    id: 'names-of-lakes',
    type: 'symbol',
    source: 'water',
    minzoom: WATER_ZOOM + 1,
    filter: isPart('name'),
    layout: { 'text-field': ['get', 'name'], 'text-font': [FONT], 'text-size': 11, 'text-max-width': 6 },
    paint: { 'text-color': waterName, 'text-halo-color': water, 'text-halo-width': 1.2 },
  };
}

/** Names are shown from a minimum zoom. Count labels take precedence over names, and colliding names are hidden. */
function buildNamesLayer(source: 'states' | 'counties', { name, land }: GroundColors): SymbolLayerSpecification {
  const [id, minzoom, size, spacing, transform] =
    source === 'states'
      ? (['names-of-states', 3.6, 12.5, 0.14, 'uppercase'] as const)
      : ([LOWEST_NAMES_LAYER, 8, 10.5, 0.06, 'none'] as const);
  return {
    id,
    type: 'symbol',
    source,
    minzoom,
    filter: isPart('name'),
    layout: {
      'text-field': ['get', 'name'],
      'text-font': [FONT],
      'text-size': size,
      'text-transform': transform,
      'text-letter-spacing': spacing,
      'text-padding': 4,
      'text-radial-offset': 1.2,
      'text-variable-anchor': ['center', 'top', 'bottom', 'left', 'right'],
    },
    paint: { 'text-color': name, 'text-halo-color': land, 'text-halo-width': 1.4 },
  };
}
