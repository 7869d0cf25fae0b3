// The built-in outlines of counties (Census), from a file for each state.

import type { Feature, MultiLineString, MultiPolygon, Polygon } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { foldCountyName } from '../state/county-names';
import { fetchFile } from './fetch-file';

export type CountyFeature = Feature<Polygon | MultiPolygon, { readonly name: string }>;

type CountyTopology = Topology<{ readonly counties: GeometryCollection<{ readonly name: string }> }>;

/**
 * The counties of a state, and their borders, each only once: borders shared by two counties, and the border of the
 * state.
 */
export interface StateCounties {
  readonly counties: readonly CountyFeature[];
  readonly sharedBorders: MultiLineString;
  readonly stateBorders: MultiLineString;
}

const NO_BORDERS: MultiLineString = { type: 'MultiLineString', coordinates: [] };
const NO_COUNTIES: StateCounties = { counties: [], sharedBorders: NO_BORDERS, stateBorders: NO_BORDERS };

/** Loads each state once. `template` is an address with `{state}`. */
export class CountyOutlines {
  private readonly loaded = new Map<string, Promise<StateCounties>>();

  constructor(
    private readonly template: string,
    private readonly load: (address: string) => Promise<CountyTopology> = fetchFile,
  ) {}

  /** `state` is a postal abbreviation. Empty if there is no such file. */
  async listCounties(state: string): Promise<readonly CountyFeature[]> {
    return (await this.loadState(state)).counties;
  }

  /** `state` is a postal abbreviation. Empty if there is no such file. */
  loadState(state: string): Promise<StateCounties> {
    const key = state.toUpperCase();
    const known = this.loaded.get(key);
    if (known !== undefined) return known;
    const counties = /^[A-Z]{2}$/.test(key) ? this.fetchCounties(key) : Promise.resolve(NO_COUNTIES);
    this.loaded.set(key, counties);
    return counties;
  }

  /** All counties of a state with this name, such as a city and the county around it; empty for an unknown name. */
  async findCounty(state: string, name: string): Promise<readonly CountyFeature[]> {
    const wanted = foldCountyName(name);
    const counties = await this.listCounties(state);
    return counties.filter(({ properties }) => foldCountyName(properties.name) === wanted);
  }

  private async fetchCounties(state: string): Promise<StateCounties> {
    try {
      const topology = await this.load(this.template.replace('{state}', state));
      const { counties } = topology.objects;
      return {
        counties: feature(topology, counties).features as CountyFeature[], // The build writes only polygons.
        sharedBorders: mesh(topology, counties, (a, b) => a !== b),
        stateBorders: mesh(topology, counties, (a, b) => a === b),
      };
    } catch {
      // The map is usable without counties. They are requested again after the next movement.
      this.loaded.delete(state);
      return NO_COUNTIES;
    }
  }
}

/** The state and the name of a boundary such as `county:UT/Cache`. */
export function parseCountyBoundary(boundary: string): readonly [state: string, name: string] | undefined {
  const [, state, name] = /^\s*county:\s*([A-Za-z]{2})\/(.+?)\s*$/i.exec(boundary) ?? [];
  return state === undefined || name === undefined ? undefined : [state.toUpperCase(), name];
}
