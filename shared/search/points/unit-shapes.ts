// The areas of reporting units as the tiles of a map draw them.

/** A part of a unit in a tile: points, lines, or rings with their first position at the end again, as x, y, x, y. */
export interface TileShape {
  readonly rank: number;
  readonly type: 1 | 2 | 3;
  readonly parts: readonly ArrayLike<number>[];
}

export interface UnitShapes {
  /** The names of units by rank. */
  readonly names: readonly (string | null)[];
  /** How wide or high each unit is, the longer of both, as a share of the world's width; by rank. */
  readonly sizes: Float64Array;
  /** How many tiles are in memory: each that is asked for stays there. */
  readonly tiles: number;
  /** The units of a tile, clipped and simplified for its zoom. */
  readonly shapesOf: (zoom: number, row: number, column: number) => readonly TileShape[];
}
