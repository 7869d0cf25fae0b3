// The grid of tiles (WebMercatorQuad of OGC TMS 2.0): each zoom has twice as many rows and columns as the previous
// zoom, and row 0 is in the north. Positions are integer units of the world's width, so a point is in exactly one tile
// of each zoom and rounding cannot change that.

import { HALF_CIRCUMFERENCE_METERS } from '../values/coordinate-systems';

/** The name of the grid in OGC TMS 2.0. */
export const MATRIX_SET = 'WebMercatorQuad';

/** The width and height of the world; a unit is about a centimeter. */
const WORLD_UNITS = 2 ** 32;

/** The highest zoom. Its tiles are 153 meters wide, and a map enlarges them for higher zooms. */
export const MAX_ZOOM = 18;

/** The width of a tile in pixels, in WebMercatorQuad. */
export const TILE_PIXELS = 256;

/** Tile coordinates range from 0 to below this on both axes. */
export const TILE_EXTENT = 4096;

/** The margin around a tile, for features that are drawn across its edges. */
export const TILE_BUFFER = 64;

export interface TileAddress {
  readonly zoom: number;
  readonly row: number;
  readonly column: number;
}

/** In units from the west and the north of the world; `east` and `south` are excluded. */
export interface UnitBox {
  readonly west: number;
  readonly north: number;
  readonly east: number;
  readonly south: number;
}

export function isInBox({ west, north, east, south }: UnitBox, x: number, y: number): boolean {
  return x >= west && x < east && y >= north && y < south;
}

/**
 * Converts a position on the map from meters to units; undefined for NaN. A position beyond the world is moved to its
 * edge.
 */
export function toUnits(x: number, y: number): readonly [x: number, y: number] | undefined {
  if (Number.isNaN(x) || Number.isNaN(y)) return undefined;
  return [toUnit(x / HALF_CIRCUMFERENCE_METERS), toUnit(-y / HALF_CIRCUMFERENCE_METERS)];
}

/** `share` ranges from -1 (west or north) to 1 (east or south). */
function toUnit(share: number): number {
  return Math.max(0, Math.min(WORLD_UNITS - 1, Math.floor(((share + 1) / 2) * WORLD_UNITS)));
}

/** Returns the width and height of a tile in units. */
export function getTileSize(zoom: number): number {
  return WORLD_UNITS / 2 ** zoom;
}

/** Returns the box that a tile shows: the tile plus a margin of `around` tile coordinates, clipped to the world. */
export function getShownBox({ zoom, row, column }: TileAddress, around: number): UnitBox {
  const size = getTileSize(zoom);
  const buffer = (size * around) / TILE_EXTENT;
  return {
    west: Math.max(0, column * size - buffer),
    north: Math.max(0, row * size - buffer),
    east: Math.min(WORLD_UNITS, (column + 1) * size + buffer),
    south: Math.min(WORLD_UNITS, (row + 1) * size + buffer),
  };
}
