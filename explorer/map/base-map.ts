// The ground of the map: states and counties of the United States (us-atlas, made from the Census Bureau's boundaries,
// which are in the public domain), drawn in the colours of the page.

import type { Feature, Geometry } from 'geojson';
import type { FilterSpecification, LayerSpecification, LineLayerSpecification } from 'maplibre-gl';
import type { Map as MapLibre, StyleSpecification, SymbolLayerSpecification } from 'maplibre-gl';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { boxOfPoints, type MapExtent } from '../requests/place-names';
import { BOUNDARY, COUNTS, FONT, LOWEST, lowestOf, NAMES } from './data-layers';
import { around, labelPoint, outlinesOf, type Outline } from './shapes';

export interface BaseFiles {
  readonly states: string;
  /** Six times as large; wanted when single counties can be seen. */
  readonly counties: string;
}

export const COUNTY_ZOOM = 6;

type Atlas = Topology<{
  states: GeometryCollection<{ name: string }>;
  counties: GeometryCollection<{ name: string }>;
  nation: GeometryCollection;
}>;

export interface Ground {
  /** The colour of all that is not the country: sea, and land that has no data. */
  readonly water: string;
  readonly land: string;
  readonly border: string;
  readonly county: string;
  readonly name: string;
}

const LIGHT: Ground = { water: '#dfeaf1', land: '#f7f6f2', border: '#a9aca6', county: '#d5d5ce', name: '#4c5560' };
const DARK: Ground = { water: '#0d1a22', land: '#1a2730', border: '#51626d', county: '#2c3b45', name: '#b8c4cc' };

/** How far in pixels a border may be from where it is: a line of a pixel shows no more, and each corner takes time. */
const TOLERANCE = 1;

/** Zooms from which names have room: of states, and of counties. */
const NAME_ZOOMS = { states: 3.6, counties: 7.5 } as const;

export function groundOf(isDark: boolean): Ground {
  return isDark ? DARK : LIGHT;
}

/** Land is the colour of the map's element, which costs nothing to draw. Colours change at once, in one frame. */
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

/** Below the data. One source for all, since each has tiles of its own. */
export function addStates(map: MapLibre, { atlas, outlines }: States, ground: Ground): void {
  const source = addGround(map, 'states', [
    partOf('abroad', around(feature(atlas, atlas.objects.nation))),
    partOf('border', mesh(atlas, atlas.objects.states)),
    ...namesOf(outlines),
  ]);
  const layers: LayerSpecification[] = [
    // Its edges lie under the borders, so nobody sees whether they are smooth, which would take a program of its own.
    {
      ...{ id: 'abroad', type: 'fill', source, filter: isPart('abroad') },
      paint: { 'fill-color': ground.water, 'fill-antialias': false },
    },
    borderLayer('states', { 'line-color': ground.border, 'line-width': 0.8 }),
  ];
  for (const layer of layers) map.addLayer(layer, lowestOf(map, [LOWEST, BOUNDARY]));
  addNames(map, 'states', ground);
}

/** Under the borders of states. */
export function addCounties(map: MapLibre, atlas: Atlas, ground: Ground): void {
  const outlines = outlinesOf(feature(atlas, atlas.objects.counties));
  // Borders of states, of which a county's identifier has the first two digits, are drawn already.
  const isWithin = ({ id: one }: { id?: unknown }, { id: other }: { id?: unknown }): boolean =>
    one !== other && String(one).slice(0, 2) === String(other).slice(0, 2);
  addGround(map, 'counties', [partOf('border', mesh(atlas, atlas.objects.counties, isWithin)), ...namesOf(outlines)]);
  const layer = borderLayer('counties', { 'line-color': ground.county, 'line-width': 0.6 });
  map.addLayer({ ...layer, minzoom: COUNTY_ZOOM }, 'states');
  addNames(map, 'counties', ground);
}

type Part = 'abroad' | 'border' | 'name';

function addGround(map: MapLibre, id: string, features: readonly Feature[]): string {
  const data = { type: 'FeatureCollection' as const, features: [...features] };
  map.addSource(id, { type: 'geojson', data, tolerance: TOLERANCE });
  return id;
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
      ...{ 'text-field': ['get', 'name'], 'text-font': [FONT], 'text-size': isState ? 12 : 10.5 },
      ...{ 'text-letter-spacing': isState ? 0.08 : 0, 'text-padding': 2 },
      ...{ 'text-variable-anchor': ['center', 'top', 'bottom', 'left', 'right'], 'text-radial-offset': 1.2 },
    },
    paint: { 'text-color': ground.name, 'text-halo-color': ground.land, 'text-halo-width': 1.4 },
  };
  map.addLayer(layer, lowestOf(map, [isState ? COUNTS : NAMES.states, BOUNDARY]));
}

export async function readAtlas(address: string): Promise<Atlas> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the base map answered ${response.status}`);
  return (await response.json()) as Atlas; // A file of the build.
}
