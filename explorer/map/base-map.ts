// The ground of the map: states and counties of the United States (us-atlas, made from the Census Bureau's boundaries,
// which are in the public domain), drawn in the colours of the page.

import type { LayerSpecification, Map as MapLibre, StyleSpecification } from 'maplibre-gl';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

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
}

const LIGHT: Ground = { water: '#dfeaf1', land: '#f7f6f2', border: '#a9aca6', county: '#d5d5ce' };
const DARK: Ground = { water: '#0d1a22', land: '#1a2730', border: '#51626d', county: '#2c3b45' };

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

/** Below `before`, which is the lowest layer of the data. */
export async function addStates(map: MapLibre, address: string, ground: Ground, before: string): Promise<void> {
  const atlas = await atlasAt(address);
  const { land, border } = ground;
  map.addSource('land', { type: 'geojson', data: feature(atlas, atlas.objects.states) });
  map.addSource('states', { type: 'geojson', data: mesh(atlas, atlas.objects.states) });
  const layers: LayerSpecification[] = [
    { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land } },
    { id: 'states', type: 'line', source: 'states', paint: { 'line-color': border, 'line-width': 0.8 } },
  ];
  for (const layer of layers) map.addLayer(layer, before);
}

/** Under the borders of states. */
export async function addCounties(map: MapLibre, address: string, { county }: Ground): Promise<void> {
  const atlas = await atlasAt(address);
  map.addSource('counties', { type: 'geojson', data: mesh(atlas, atlas.objects.counties) });
  const paint = { 'line-color': county, 'line-width': 0.6 };
  map.addLayer({ id: 'counties', type: 'line', source: 'counties', minzoom: COUNTY_ZOOM, paint }, 'states');
}

async function atlasAt(address: string): Promise<Atlas> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the base map answered ${response.status}`);
  return (await response.json()) as Atlas; // A file of the build.
}
