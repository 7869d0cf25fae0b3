// Detailed rivers and lakes, from a file for each state that tools/build/explorer-files.mjs wrote.

import type { Feature, MultiLineString, Polygon, Position } from 'geojson';
import { fetchFile } from './fetch-file';

/** Coordinates are integers: the first position, then differences. */
type EncodedLine = readonly number[];

export interface WaterFile {
  readonly rivers: readonly EncodedLine[];
  /** Each lake has a name, which may be empty, and rings. */
  readonly lakes: readonly (readonly [name: string, ...rings: readonly EncodedLine[]])[];
}

/** The resolution in which tools/build/base-map/make-water.mjs writes them. */
const STEPS_PER_DEGREE = 2500;

export type LakeFeature = Feature<Polygon, { readonly name: string }>;

export interface StateWater {
  readonly rivers: MultiLineString;
  readonly lakes: readonly LakeFeature[];
}

/** `template` is an address with `{state}`, a postal abbreviation. Throws if the file cannot be loaded. */
export async function fetchStateWater(
  template: string,
  state: string,
  load: (address: string) => Promise<WaterFile> = fetchFile,
): Promise<StateWater> {
  const { rivers, lakes } = await load(template.replace('{state}', state));
  return {
    rivers: { type: 'MultiLineString', coordinates: rivers.map(decodeLine) },
    lakes: lakes.map(([name, ...rings]) => {
      return {
        type: 'Feature',
        properties: { name },
        geometry: { type: 'Polygon', coordinates: rings.map(decodeLine) },
      };
    }),
  };
}

function decodeLine(line: EncodedLine): Position[] {
  const positions: Position[] = [];
  let x = 0;
  let y = 0;
  for (let index = 0; index < line.length; index += 2) {
    x += line[index] ?? 0;
    y += line[index + 1] ?? 0;
    positions.push([x / STEPS_PER_DEGREE, y / STEPS_PER_DEGREE]);
  }
  return positions;
}
