// The built-in outlines of counties (Census), from a file for each state.

import type { Feature, MultiPolygon, Polygon } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { fold } from '../state/fold';
import { fetchFile } from './fetch-file';

export type CountyFeature = Feature<Polygon | MultiPolygon, { readonly name: string }>;

type CountyTopology = Topology<{ readonly counties: GeometryCollection<{ readonly name: string }> }>;

/** Loads each state once. `template` is an address with `{state}`. */
export class CountyOutlines {
  private readonly loaded = new Map<string, Promise<readonly CountyFeature[]>>();

  constructor(
    private readonly template: string,
    private readonly load: (address: string) => Promise<CountyTopology> = fetchFile,
  ) {}

  /** `state` is a postal abbreviation. Empty if there is no such file. */
  listCounties(state: string): Promise<readonly CountyFeature[]> {
    const key = state.toUpperCase();
    const known = this.loaded.get(key);
    if (known !== undefined) return known;
    const counties = /^[A-Z]{2}$/.test(key) ? this.fetchCounties(key) : Promise.resolve([]);
    this.loaded.set(key, counties);
    return counties;
  }

  /** All counties of a state with this name, such as a city and the county around it; empty for an unknown name. */
  async findCounty(state: string, name: string): Promise<readonly CountyFeature[]> {
    const wanted = foldCountyName(name);
    const counties = await this.listCounties(state);
    return counties.filter(({ properties }) => foldCountyName(properties.name) === wanted);
  }

  private async fetchCounties(state: string): Promise<readonly CountyFeature[]> {
    try {
      const topology = await this.load(this.template.replace('{state}', state));
      return feature(topology, topology.objects.counties).features as CountyFeature[]; // The build writes only areas.
    } catch {
      // A map without counties is still a map; the next look tries again.
      this.loaded.delete(state);
      return [];
    }
  }
}

/** Ignores letter case, accents, punctuation and the word County, as the service does. */
function foldCountyName(name: string): string {
  return fold(name)
    .normalize('NFD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/ (county|parish|borough|census area|municipality|municipio)$/, '');
}

/** The state and the name of a boundary such as `county:UT/Cache`. */
export function parseCountyBoundary(boundary: string): readonly [state: string, name: string] | undefined {
  const [, state, name] = /^\s*county:\s*([A-Za-z]{2})\/(.+?)\s*$/i.exec(boundary) ?? [];
  return state === undefined || name === undefined ? undefined : [state.toUpperCase(), name];
}
