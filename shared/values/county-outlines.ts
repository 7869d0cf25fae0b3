// The built-in outlines of counties (D78): a boundary with the name of a county also finds records that state no county
// but lie in its outline.

import { foldName } from './fold-text';
import type { Geometry } from './geometry';

export interface CountyOutline {
  /** The postal abbreviation of its state. */
  readonly state: string;
  /** The name without the word County. */
  readonly name: string;
  readonly geometry: Geometry;
}

export interface CountyOutlines {
  /** Lists the counties of a state by its postal abbreviation; empty if the state has no counties. */
  readonly listCounties: (state: string) => readonly CountyOutline[];
  /** The states that have counties. */
  readonly states: readonly string[];
}

/** Words that follow the names of counties and their equivalents. */
const SUFFIX = / (county|parish|borough|census area|municipality|municipio|city and borough)$/;

function foldCountyName(name: string): string {
  return foldName(name).replace(SUFFIX, '');
}

/**
 * Finds the outline of a county by `STATE/NAME`. If a city has the same name as a neighboring county, such as St.
 * Louis, its outline is included. Undefined for an unknown name.
 */
export function findCountyOutline(outlines: CountyOutlines, identifier: string): CountyOutline | undefined {
  const slash = identifier.indexOf('/');
  const name = foldCountyName(identifier.slice(slash + 1));
  const matches = outlines
    .listCounties(identifier.slice(0, slash).toUpperCase())
    .filter((county) => foldCountyName(county.name) === name);
  const [first, ...others] = matches;
  if (first === undefined || others.length === 0) return first;
  return { ...first, geometry: { type: 'MultiPolygon', coordinates: matches.flatMap(listPolygons) } };
}

type Polygons = Extract<Geometry, { readonly type: 'MultiPolygon' }>['coordinates'];

function listPolygons({ geometry }: CountyOutline): Polygons {
  if (geometry.type === 'Polygon') return [geometry.coordinates];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
}
