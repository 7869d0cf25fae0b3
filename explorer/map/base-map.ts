// The ground of the map: states and counties of the United States (us-atlas, made from the Census Bureau's boundaries,
// which are in the public domain), drawn in the colours of the page.

import type { LayerSpecification, Map as MapLibre, StyleSpecification } from 'maplibre-gl';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { boxOfPoints, type MapExtent } from '../requests/place-names';
import { labelPoint, outlinesOf, type Outline } from './shapes';

export interface BaseFiles {
  readonly states: string;
  /** Six times as large; wanted when single counties can be seen. */
  readonly counties: string;
}

export const COUNTY_ZOOM = 5.5;

type Atlas = Topology<{ states: GeometryCollection<{ name: string }>; counties: GeometryCollection<{ name: string }> }>;

interface Ground {
  readonly water: string;
  readonly land: string;
  readonly border: string;
  readonly county: string;
  readonly name: string;
}

const LIGHT: Ground = { water: '#dfeaf1', land: '#f7f6f2', border: '#a9aca6', county: '#d5d5ce', name: '#4c5560' };
const DARK: Ground = { water: '#0d1a22', land: '#1a2730', border: '#51626d', county: '#2c3b45', name: '#b8c4cc' };

/** Zooms from which names have room: of states, and of counties. */
const NAME_ZOOMS = { states: 3.6, counties: 7.5 } as const;

export function groundOf(isDark: boolean): Ground {
  return isDark ? DARK : LIGHT;
}

export function emptyStyle({ water }: Ground): StyleSpecification {
  return {
    version: 8,
    sources: {},
    layers: [{ id: 'water', type: 'background', paint: { 'background-color': water } }],
  };
}

/** Where each state reaches, by its name. */
export type StateExtents = ReadonlyMap<string, MapExtent | undefined>;

/** Below `before`, which is the lowest layer of the data. */
export async function addStates(map: MapLibre, address: string, ground: Ground, before: string): Promise<StateExtents> {
  const atlas = await atlasAt(address);
  const { land, border } = ground;
  const states = feature(atlas, atlas.objects.states);
  map.addSource('land', { type: 'geojson', data: states });
  map.addSource('states', { type: 'geojson', data: mesh(atlas, atlas.objects.states) });
  const layers: LayerSpecification[] = [
    { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land } },
    { id: 'states', type: 'line', source: 'states', paint: { 'line-color': border, 'line-width': 0.8 } },
  ];
  for (const layer of layers) map.addLayer(layer, before);
  const outlines = outlinesOf(states);
  addNames(map, 'states', outlines, ground);
  return new Map(outlines.map(({ name, corners }) => [name, boxOfPoints(corners)]));
}

/** Under the borders of states. */
export async function addCounties(map: MapLibre, address: string, ground: Ground): Promise<void> {
  const atlas = await atlasAt(address);
  const { county } = ground;
  map.addSource('counties', { type: 'geojson', data: mesh(atlas, atlas.objects.counties) });
  const paint = { 'line-color': county, 'line-width': 0.6 };
  map.addLayer({ id: 'counties', type: 'line', source: 'counties', minzoom: COUNTY_ZOOM, paint }, 'states');
  addNames(map, 'counties', outlinesOf(feature(atlas, atlas.objects.counties)), ground);
}

/** Drawn with a font of the person's machine, so none is loaded. Names that would cover others are left out. */
function addNames(map: MapLibre, of: keyof typeof NAME_ZOOMS, outlines: readonly Outline[], ground: Ground): void {
  const source = `names-of-${of}`;
  const features = outlines.map(({ name, ring }) => ({
    ...{ type: 'Feature' as const, properties: { name } },
    geometry: { type: 'Point' as const, coordinates: [...labelPoint(ring)] },
  }));
  map.addSource(source, { type: 'geojson', data: { type: 'FeatureCollection', features } });
  const isState = of === 'states';
  map.addLayer({
    ...{ id: source, type: 'symbol', source, minzoom: NAME_ZOOMS[of] },
    layout: {
      'text-field': ['get', 'name'],
      'text-font': ['sans-serif'],
      'text-size': isState ? 12 : 10.5,
      'text-letter-spacing': isState ? 0.08 : 0,
      'text-padding': 6,
    },
    paint: { 'text-color': ground.name, 'text-halo-color': ground.land, 'text-halo-width': 1.4 },
  });
}

async function atlasAt(address: string): Promise<Atlas> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the base map answered ${response.status}`);
  return (await response.json()) as Atlas; // A file of the build.
}
