// The ground of the map in the colours of the page: states and counties of the United States (us-atlas, made from the
// Census Bureau's boundaries), rivers, lakes and neighbours (Natural Earth) and towns (GeoNames), or the tiles that an
// operator names in their place.

import type { Feature, Geometry } from 'geojson';
import type { FilterSpecification, LayerSpecification, LineLayerSpecification } from 'maplibre-gl';
import type { Map as MapLibre, StyleSpecification, SymbolLayerSpecification } from 'maplibre-gl';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { boxOfPoints, type MapExtent } from '../requests/place-names';
import { BOUNDARY, COUNTS, FONT, LOWEST, lowestOf, NAMES } from './data-layers';
import { dotImage } from './rings';
import { labelPoint, outlinesOf, type Outline } from './shapes';

export interface BaseFiles {
  readonly states: string;
  /** Six times as large; wanted when single counties can be seen. */
  readonly counties: string;
  /** Rivers, lakes, neighbours and towns. */
  readonly nature: string;
  /** Tiles with {z}, {x} and {y} that stand in the place of our own ground; empty for none. */
  readonly tiles: string;
  readonly attribution: string;
}

export const COUNTY_ZOOM = 6;

type Atlas = Topology<{
  states: GeometryCollection<{ name: string }>;
  counties: GeometryCollection<{ name: string }>;
  nation: GeometryCollection;
}>;

export interface Ground {
  readonly water: string;
  readonly river: string;
  readonly land: string;
  /** Land that has no data. */
  readonly neighbour: string;
  readonly border: string;
  readonly county: string;
  readonly name: string;
  readonly town: string;
  /** In the rings of several places, and the digits there. */
  readonly paper: string;
  readonly ink: string;
}

const LIGHT: Ground = {
  ...{ water: '#c9dfec', river: '#8fbbd6', land: '#f6f4ee', neighbour: '#e9e7e0', border: '#9c9f98' },
  ...{ county: '#d8d6cd', name: '#6b7078', town: '#2f363d', paper: '#ffffff', ink: '#16242c' },
};
const DARK: Ground = {
  ...{ water: '#0c1a24', river: '#2f5d7c', land: '#1c2a33', neighbour: '#15212a', border: '#5d6f7b' },
  ...{ county: '#2e3e49', name: '#93a2ad', town: '#d6dee4', paper: '#0f1a21', ink: '#f1f5f8' },
};

/** As their licences ask for. Natural Earth and the Census Bureau ask for nothing; people want to know all the same. */
const ATTRIBUTION =
  'Towns <a href="https://www.geonames.org/" target="_blank" rel="noopener">GeoNames</a> CC BY 4.0 · ' +
  'rivers, lakes Natural Earth · borders US Census';

/** How far in pixels a border may be from where it is: a line of a pixel shows no more, and each corner takes time. */
const TOLERANCE = 1;

/** Zooms from which names have room: of states, and of counties. */
const NAME_ZOOMS = { states: 3.6, counties: 8 } as const;

export function groundOf(isDark: boolean): Ground {
  return isDark ? DARK : LIGHT;
}

/** Water is the colour of the map's element, which costs nothing to draw. Colours change at once, in one frame. */
export const EMPTY_STYLE: StyleSpecification = {
  ...{ version: 8, sources: {}, layers: [] },
  transition: { duration: 0, delay: 0 },
};

/** Where each state reaches, by its name. */
export type StateExtents = ReadonlyMap<string, MapExtent | undefined>;

export interface States {
  readonly atlas: Atlas;
  readonly outlines: readonly Outline[];
  readonly extents: StateExtents;
}

export async function readStates(address: string): Promise<States> {
  const atlas = await readAtlas(address);
  const outlines = outlinesOf(feature(atlas, atlas.objects.states));
  return { atlas, outlines, extents: new Map(outlines.map(({ name, corners }) => [name, boxOfPoints(corners)])) };
}

/** Below the data. */
export function addGround(map: MapLibre, files: BaseFiles, { atlas, outlines }: States, ground: Ground): void {
  const below = (layer: LayerSpecification): void => {
    map.addLayer(layer, lowestOf(map, [LOWEST, BOUNDARY]));
  };
  const nation = feature(atlas, atlas.objects.nation).features.map(({ geometry }) => partOf('land', geometry));
  addFeatures(map, 'states', [...nation, partOf('border', mesh(atlas, atlas.objects.states)), ...namesOf(outlines)]);
  if (files.tiles === '') addNature(map, files.nature, ground, below);
  else {
    const { tiles, attribution } = files;
    map.addSource('tiles', { type: 'raster', tiles: [tiles], tileSize: 256, attribution: textOnly(attribution) });
    below({ id: 'tiles', type: 'raster', source: 'tiles' });
  }
  below(borderLayer('states', { 'line-color': ground.border, 'line-width': 0.9 }));
  addNames(map, 'states', ground);
}

/** What an operator writes is text; the library takes HTML. */
function textOnly(text: string): string {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML;
}

/** Neighbours are drawn a little too large, so that no water shines through where two sources do not meet. */
function addNature(map: MapLibre, data: string, ground: Ground, add: (layer: LayerSpecification) => void): void {
  const { neighbour, river, water } = ground;
  map.addSource('nature', { type: 'geojson', data, tolerance: TOLERANCE, maxzoom: 10, attribution: ATTRIBUTION });
  const part = (name: Part): { readonly source: string; readonly filter: FilterSpecification } => ({
    ...{ source: 'nature', filter: isPart(name) },
  });
  const flat = { 'fill-antialias': false };
  add({ ...{ id: 'neighbours', type: 'fill', ...part('neighbour') }, paint: { ...flat, 'fill-color': neighbour } });
  add({
    ...{ id: 'neighbour-edges', type: 'line', ...part('neighbour') },
    paint: { 'line-color': neighbour, 'line-width': ['interpolate', ['exponential', 2], ['zoom'], 4, 3, 10, 40] },
  });
  add({
    ...{ id: 'land', type: 'fill', source: 'states', filter: isPart('land') },
    paint: { ...flat, 'fill-color': ground.land },
  });
  add({
    ...{ id: 'rivers', type: 'line', ...part('river'), layout: { 'line-cap': 'round', 'line-join': 'round' } },
    paint: { 'line-color': river, 'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.7, 6, 1.3, 10, 2.4] },
  });
  add({ ...{ id: 'lakes', type: 'fill', ...part('lake') }, paint: { 'fill-color': water } });
  add({ ...{ id: 'shores', type: 'line', ...part('lake') }, paint: { 'line-color': river, 'line-width': 0.6 } });
  map.addImage('town', dotImage(ground.town, ground.land), { pixelRatio: 2 });
  map.addLayer(
    {
      ...{ id: NAMES.towns, type: 'symbol', source: 'nature' },
      filter: ['all', isPart('town'), ['>=', ['zoom'], ['get', 'zoom']]] as unknown[] as FilterSpecification,
      layout: {
        ...{ 'text-field': ['get', 'name'], 'text-font': [FONT], 'icon-image': 'town', 'text-padding': 6 },
        'text-size': ['interpolate', ['linear'], ['log10', ['max', ['get', 'population'], 1]], 3, 10, 6, 13.5],
        ...{ 'text-variable-anchor': ['left', 'right', 'top', 'bottom'], 'text-radial-offset': 0.45 },
        ...{ 'text-justify': 'auto', 'symbol-sort-key': ['-', ['get', 'population']], 'icon-padding': 1 },
      },
      paint: { 'text-color': ground.town, 'text-halo-color': ground.land, 'text-halo-width': 1.3 },
    },
    lowestOf(map, [NAMES.states, COUNTS, BOUNDARY]),
  );
}

/** Under the borders of states. */
export function addCounties(map: MapLibre, atlas: Atlas, ground: Ground): void {
  const outlines = outlinesOf(feature(atlas, atlas.objects.counties));
  // Borders of states, of which a county's identifier has the first two digits, are drawn already.
  const isWithin = ({ id: one }: { id?: unknown }, { id: other }: { id?: unknown }): boolean =>
    one !== other && String(one).slice(0, 2) === String(other).slice(0, 2);
  addFeatures(map, 'counties', [partOf('border', mesh(atlas, atlas.objects.counties, isWithin)), ...namesOf(outlines)]);
  const layer = borderLayer('counties', { 'line-color': ground.county, 'line-width': 0.6 });
  map.addLayer({ ...layer, minzoom: COUNTY_ZOOM }, 'states');
  addNames(map, 'counties', ground);
}

type Part = 'land' | 'border' | 'name' | 'neighbour' | 'river' | 'lake' | 'town';

function addFeatures(map: MapLibre, id: string, features: readonly Feature[]): void {
  const data = { type: 'FeatureCollection' as const, features: [...features] };
  map.addSource(id, { type: 'geojson', data, tolerance: TOLERANCE });
}

function partOf(part: Part, geometry: Geometry, properties: Readonly<Record<string, string>> = {}): Feature {
  return { type: 'Feature', properties: { part, ...properties }, geometry };
}

function namesOf(outlines: readonly Outline[]): readonly Feature[] {
  return outlines.map(({ name, ring }) =>
    partOf('name', { type: 'Point', coordinates: [...labelPoint(ring)] }, { name }),
  );
}

function isPart(part: Part): FilterSpecification {
  return ['==', ['get', 'part'], part];
}

function borderLayer(source: string, paint: LineLayerSpecification['paint'] & object): LineLayerSpecification {
  return { id: source, type: 'line', source, filter: isPart('border'), paint };
}

/** Numbers of places lie above and have the room first; a name that finds none is left out. */
function addNames(map: MapLibre, source: keyof typeof NAME_ZOOMS, ground: Ground): void {
  const isState = source === 'states';
  const layer: SymbolLayerSpecification = {
    ...{ id: NAMES[source], type: 'symbol', source, minzoom: NAME_ZOOMS[source], filter: isPart('name') },
    layout: {
      ...{ 'text-field': ['get', 'name'], 'text-font': [FONT], 'text-size': isState ? 12.5 : 10.5 },
      ...{
        'text-letter-spacing': isState ? 0.14 : 0.06,
        'text-padding': 4,
        'text-transform': isState ? 'uppercase' : 'none',
      },
      ...{ 'text-variable-anchor': ['center', 'top', 'bottom', 'left', 'right'], 'text-radial-offset': 1.2 },
    },
    paint: { 'text-color': ground.name, 'text-halo-color': ground.land, 'text-halo-width': 1.4 },
  };
  map.addLayer(layer, lowestOf(map, [...(isState ? [] : [NAMES.towns, NAMES.states]), COUNTS, BOUNDARY]));
}

export async function readAtlas(address: string): Promise<Atlas> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the base map answered ${response.status}`);
  return (await response.json()) as Atlas; // A file of the build.
}
