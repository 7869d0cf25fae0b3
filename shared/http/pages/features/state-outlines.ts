// The outlines of the states, which the build prepares for the explorer. The maps of features use them, too.

import type { MultiPolygon, Polygon } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { SearchCaches } from '../../../search/index/search-caches';
import { readExplorerStates } from '../explorer-files';

export interface StateOutline {
  readonly name: string;
  readonly area: Polygon | MultiPolygon;
}

/** Neighboring states share the arcs of their border: https://github.com/topojson/topojson-specification. */
export type StateTopology = Topology<{ readonly states: GeometryCollection<{ readonly name: string }> }>;

/** Approximate memory of a position. */
const BYTES_PER_POSITION = 100;

/** Returns the simplified outlines from us-atlas. Empty if the explorer has not been built. */
export function getStateOutlines(caches: SearchCaches): readonly StateOutline[] {
  const cache = caches.getCache<readonly StateOutline[]>('state outlines');
  const cached = cache.get('');
  if (cached !== undefined) return cached;
  const text = readExplorerStates();
  if (text === undefined) return [];
  const topology = JSON.parse(text) as StateTopology; // The build wrote this file.
  const outlines = feature(topology, topology.objects.states).features.map(({ properties: { name }, geometry }) => {
    return { name, area: geometry as Polygon | MultiPolygon }; // The build writes only areas.
  });
  cache.set('', outlines, BYTES_PER_POSITION * topology.arcs.reduce((sum, { length }) => sum + length, 0));
  return outlines;
}
