// The invented counties and watersheds that the samples lie in: a grid over a part of each state that is surely inside it.

import type { Box, Position } from '../generate/polygons';
import type { SeededRandom } from '../generate/seeded-random';

export interface SampleArea {
  readonly name: string;
  readonly huc8: string;
  readonly box: Box;
}

export interface SampleGrid {
  readonly box: Box;
  readonly columns: number;
  /** From west to east, then from south to north. */
  readonly names: readonly string[];
  /** The first of consecutive HUC8 numbers: of the right region, but none that a real watershed has. */
  readonly firstHuc8: number;
}

export type SampleAreas = readonly [SampleArea, ...SampleArea[]];

/** Decimals of a position: about a metre. */
const POSITION_DECIMALS = 5;

export function areasOf(grid: SampleGrid): SampleAreas {
  const rows = Math.ceil(grid.names.length / grid.columns);
  const width = (grid.box.east - grid.box.west) / grid.columns;
  const height = (grid.box.north - grid.box.south) / rows;
  const [first, ...others] = grid.names.map((name, index) => {
    const west = grid.box.west + (index % grid.columns) * width;
    const south = grid.box.south + Math.floor(index / grid.columns) * height;
    return {
      name,
      huc8: String(grid.firstHuc8 + index),
      box: { west, south, east: west + width, north: south + height },
    };
  });
  if (first === undefined) throw new Error('A grid needs a name.');
  return [first, ...others];
}

/** Not near the area's border. */
export function positionWithin(random: SeededRandom, { box }: SampleArea): Position {
  const between = (low: number, high: number): number =>
    Number((low + (high - low) * (0.15 + 0.7 * random.next())).toFixed(POSITION_DECIMALS));
  return [between(box.west, box.east), between(box.south, box.north)];
}

export function positionNear(random: SeededRandom, [longitude, latitude]: Position, degrees: number): Position {
  const moved = (from: number): number => Number((from + degrees * (2 * random.next() - 1)).toFixed(POSITION_DECIMALS));
  return [moved(longitude), moved(latitude)];
}

/** The 12-digit watershed of a position: a quarter of its area. */
export function huc12Of({ huc8, box }: SampleArea, [longitude, latitude]: Position): string {
  const isEast = longitude > (box.west + box.east) / 2;
  const isNorth = latitude > (box.south + box.north) / 2;
  return `${huc8}0${isEast ? 2 : 1}0${isNorth ? 2 : 1}`;
}
