// The ground of the map in the colours of the page: states and counties of the United States (us-atlas, made from the
// Census Bureau's boundaries), rivers, lakes and neighbours (Natural Earth) and towns (GeoNames), or the tiles that an
// operator names in their place.

import type { Feature, Geometry } from 'geojson';
import type {
  ExpressionSpecification,
  FillLayerSpecification,
  FilterSpecification,
  LineLayerSpecification,
  Map as MapLibre,
  StyleSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { readFile } from '../requests/client';
import type { Towns } from '../requests/find';
import type { Ground } from './colouring';
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

/** What the build makes of Natural Earth and GeoNames (tools/build-explorer.mjs). */
export type Nature = Topology<Readonly<Record<'neighbours' | 'rivers' | 'lakes', GeometryCollection>>> & {
  readonly towns: Towns;
};

export type Atlas = Topology<{
  states: GeometryCollection<{ name: string }>;
  counties: GeometryCollection<{ name: string }>;
  nation: GeometryCollection;
}>;

/** As their licences ask for. Natural Earth and the Census Bureau ask for nothing; people want to know all the same. */
const ATTRIBUTION =
  'Towns <a href="https://www.geonames.org/" target="_blank" rel="noopener">GeoNames</a> CC BY 4.0 · ' +
  'rivers, lakes Natural Earth · borders US Census';

const LAND = 'land';

/** How far in pixels a border may be from where it is: a line of a pixel shows no more, and each corner takes time. */
const TOLERANCE = 1;

/** Zooms from which names have room: of states, and of counties. */
const NAME_ZOOMS = { states: 3.6, counties: 8 } as const;

/** Water is the colour of the map's element, which costs nothing to draw. Colours change at once, in one frame. */
export const EMPTY_STYLE: StyleSpecification = {
  ...{ version: 8, sources: {}, layers: [] },
  transition: { duration: 0, delay: 0 },
};

export interface States {
  readonly atlas: Atlas;
  readonly outlines: readonly Outline[];
}

export async function readStates(address: string): Promise<States> {
  const atlas = await readFile<Atlas>(address);
  return { atlas, outlines: outlinesOf(feature(atlas, atlas.objects.states)) };
}

/** Below the data. */
export function addGround(map: MapLibre, files: BaseFiles, { atlas, outlines }: States, ground: Ground): void {
  const nation = feature(atlas, atlas.objects.nation).features.map(({ geometry }) => partOf('land', geometry));
  addFeatures(map, 'states', [...nation, partOf('border', mesh(atlas, atlas.objects.states)), ...namesOf(outlines)]);
  const bottom = lowestOf(map, [LOWEST, BOUNDARY]);
  if (files.tiles === '') {
    const paint = { 'fill-antialias': false, 'fill-color': ground.land };
    map.addLayer({ id: LAND, type: 'fill', source: 'states', filter: isPart('land'), paint }, bottom);
  } else {
    const { tiles, attribution } = files;
    map.addSource('tiles', { type: 'raster', tiles: [tiles], tileSize: 256, attribution: textOnly(attribution) });
    map.addLayer({ id: 'tiles', type: 'raster', source: 'tiles' }, bottom);
  }
  map.addLayer(borderLayer('states', { 'line-color': ground.border, 'line-width': 0.9 }), bottom);
  addNames(map, 'states', ground);
}

/** What an operator writes is text; the library takes HTML. */
function textOnly(text: string): string {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML;
}

/** Neighbours, below the land, are drawn a little too large: where two sources do not meet, no water shines through. */
export function addNature(map: MapLibre, nature: Nature, ground: Ground): void {
  const { neighbours, rivers, lakes } = nature.objects;
  const parts = [...partsOf(nature, 'neighbour', neighbours), ...partsOf(nature, 'river', rivers)];
  const towns = Object.values(nature.towns).flat().map(partOfTown);
  addFeatures(map, 'nature', [...parts, ...partsOf(nature, 'lake', lakes), ...towns], ATTRIBUTION);
  const below = (layer: string, part: Part, added: Drawn): void => {
    map.addLayer({ ...added, source: 'nature', filter: isPart(part) }, layer);
  };
  const { neighbour, river, water } = ground;
  const flat = { 'fill-antialias': false, 'fill-color': neighbour };
  below(LAND, 'neighbour', { id: 'neighbours', type: 'fill', paint: flat });
  const edge: ExpressionSpecification = ['interpolate', ['exponential', 2], ['zoom'], 4, 3, 10, 40];
  below(LAND, 'neighbour', { id: 'edges', type: 'line', paint: { 'line-color': neighbour, 'line-width': edge } });
  const width: ExpressionSpecification = ['interpolate', ['linear'], ['zoom'], 3, 0.7, 6, 1.3, 10, 2.4];
  const layout = { 'line-cap': 'round', 'line-join': 'round' } as const;
  below('states', 'river', {
    ...{ id: 'rivers', type: 'line', layout, paint: { 'line-color': river, 'line-width': width } },
  });
  below('states', 'lake', { id: 'lakes', type: 'fill', paint: { 'fill-color': water, 'fill-outline-color': river } });
  addTowns(map, ground);
}

type Drawn = Omit<FillLayerSpecification, 'source' | 'filter'> | Omit<LineLayerSpecification, 'source' | 'filter'>;

function partsOf(nature: Nature, part: Part, collection: GeometryCollection): readonly Feature[] {
  return feature(nature, collection).features.map(({ geometry }) => partOf(part, geometry));
}

/** The inhabitants of a town that is named from a zoom on. */
const TOWN_ZOOMS = [
  ...[[600_000, 4] as const, [250_000, 5] as const, [90_000, 6] as const, [25_000, 7] as const],
  ...[[8_000, 8] as const, [2_500, 9] as const],
];

function partOfTown([name, population, longitude, latitude]: Towns[string][number]): Feature {
  const zoom = TOWN_ZOOMS.find(([least]) => population >= least)?.[1] ?? 10;
  return partOf('town', { type: 'Point', coordinates: [longitude, latitude] }, { name, population, zoom });
}

function addTowns(map: MapLibre, { town, land }: Ground): void {
  map.addImage('town', dotImage(town, land), { pixelRatio: 2 });
  map.addLayer(
    {
      ...{ id: NAMES.towns, type: 'symbol', source: 'nature' },
      filter: ['all', isPart('town'), ['>=', ['zoom'], ['get', 'zoom']]] as unknown[] as FilterSpecification,
      layout: {
        ...{ 'text-field': ['get', 'name'], 'text-font': [FONT], 'icon-image': 'town', 'text-padding': 3 },
        'text-size': ['interpolate', ['linear'], ['log10', ['max', ['get', 'population'], 1]], 3, 10, 6, 13.5],
        // A ring may stand on a town's dot: the name then stands beside the ring.
        ...{ 'icon-allow-overlap': true, 'icon-ignore-placement': true, 'text-radial-offset': 0.9 },
        ...{ 'text-variable-anchor': ['left', 'right', 'top', 'bottom'], 'text-justify': 'auto' },
        'symbol-sort-key': ['-', ['get', 'population']],
      },
      paint: { 'text-color': town, 'text-halo-color': land, 'text-halo-width': 1.3 },
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

function addFeatures(map: MapLibre, id: string, features: readonly Feature[], attribution = ''): void {
  const data = { type: 'FeatureCollection' as const, features: [...features] };
  map.addSource(id, { type: 'geojson', data, tolerance: TOLERANCE, attribution });
}

function partOf(part: Part, geometry: Geometry, properties: Readonly<Record<string, string | number>> = {}): Feature {
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
