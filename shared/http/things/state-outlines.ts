// The outlines of the states, as the build left them for the explorer (us-atlas, from the Census Bureau's boundaries,
// with the corners that a small picture can show), for the map on the page of a thing.

import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';
import type { MultiPolygon, Position } from 'geojson';
import { readFileSync } from 'node:fs';
import type { SearchCaches } from '../../search/index/search-caches';
import { numberAt } from '../../values/numbers';
import { explorerStates } from '../pages/explorer-files';

export interface StateOutline {
  readonly name: string;
  readonly area: MultiPolygon;
}

/** A TopoJSON file of the states: https://github.com/topojson/topojson-specification. */
export interface StateTopology {
  readonly transform: { readonly scale: Position; readonly translate: Position };
  /** Positions as whole numbers, each but the first of an arc as the difference from the one before. */
  readonly arcs: readonly (readonly Position[])[];
  readonly objects: { readonly states: { readonly geometries: readonly StateGeometry[] } };
}

interface StateGeometry {
  readonly properties: { readonly name: string };
  readonly type: 'Polygon' | 'MultiPolygon';
  /** By ring the numbers of its arcs; `~n` is arc n from its end to its start. */
  readonly arcs: Rings | readonly Rings[];
}

type Rings = readonly (readonly number[])[];

/** What a position takes in memory, about. */
const BYTES_PER_POSITION = 100;

/** None where the explorer was not built. */
export function stateOutlines(caches: SearchCaches): readonly StateOutline[] {
  const cache = caches.partOf<readonly StateOutline[]>('state outlines');
  const known = cache.get('');
  if (known !== undefined) return known;
  const path = explorerStates();
  if (path === undefined) return [];
  const topology = JSON.parse(readFileSync(path, 'utf8')) as StateTopology; // Written by our build.
  const outlines = outlinesInTopology(topology);
  cache.set('', outlines, BYTES_PER_POSITION * topology.arcs.reduce((sum, { length }) => sum + length, 0));
  return outlines;
}

export function outlinesInTopology({ transform, arcs, objects }: StateTopology): readonly StateOutline[] {
  const decoded = arcs.map((arc) => decodedArc(arc, transform));
  const ringOf = (numbers: readonly number[]): Position[] =>
    numbers.flatMap((number, index) => {
      const arc = decoded[number < 0 ? ~number : number] ?? [];
      // An arc begins where the one before it ends.
      return (number < 0 ? arc.toReversed() : arc).slice(index === 0 ? 0 : 1);
    });
  return objects.states.geometries.map(({ properties, type, arcs: rings }) => {
    const polygons = (type === 'Polygon' ? [rings] : rings) as readonly Rings[]; // Each type has its own depth.
    const coordinates = polygons.map((polygon) => polygon.map(ringOf));
    return { name: properties.name, area: { type: 'MultiPolygon', coordinates } };
  });
}

function decodedArc(arc: readonly Position[], { scale, translate }: StateTopology['transform']): readonly Position[] {
  let [x, y] = [0, 0];
  return arc.map((step) => {
    x += numberAt(step, 0);
    y += numberAt(step, 1);
    return [x * numberAt(scale, 0) + numberAt(translate, 0), y * numberAt(scale, 1) + numberAt(translate, 1)];
  });
}

/** The state in which a position lies; undefined where it lies in none. */
export function stateAt(states: readonly StateOutline[], position: Position): StateOutline | undefined {
  return states.find(({ area }) => booleanPointInPolygon([...position], area));
}
