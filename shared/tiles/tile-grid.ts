// The grid of tiles (WebMercatorQuad of OGC TMS 2.0): at each zoom twice as many rows and columns, row 0 in the north.
// Positions are whole units of the world's width, so that a point lies in one tile of each zoom and no rounding puts it
// into two or none.
//
// Points stand in Morton order (Z-order): none of a box stands before its north-western corner or behind its
// south-eastern one, and what lies close together mostly stands together.

import { sortByDigits } from '../search/radix-sort';
import { HALF_CIRCUMFERENCE_METERS } from '../values/coordinate-systems';
import { findFirst, numberAt } from '../values/number-arrays';

/** The grid by the name that OGC TMS 2.0 gives it. */
export const MATRIX_SET = 'WebMercatorQuad';

/** The world's width and height; a unit is about a centimeter. */
const WORLD_UNITS = 2 ** 32;

/** Tiles of this zoom are 153 meters wide. What a map shows larger, it enlarges itself. */
export const MAX_ZOOM = 18;

/** Pixels from one side of a tile to the other, as WebMercatorQuad has them. */
export const TILE_PIXELS = 256;

/** The coordinates of a tile go from 0 to before this in both directions. */
export const TILE_EXTENT = 4096;

/** So far beyond its edges a tile shows what is drawn across them. */
export const TILE_BUFFER = 64;

export interface TileAddress {
  readonly zoom: number;
  readonly row: number;
  readonly column: number;
}

/** Units from the west and the north of the world; the ends are excluded. */
export interface UnitBox {
  readonly west: number;
  readonly north: number;
  readonly east: number;
  readonly south: number;
}

export function isInBox({ west, north, east, south }: UnitBox, x: number, y: number): boolean {
  return x >= west && x < east && y >= north && y < south;
}

/** A place on the map in units; undefined for one that lies nowhere. Places beyond the edges stand on them. */
export function toUnits(x: number, y: number): readonly [x: number, y: number] | undefined {
  if (Number.isNaN(x) || Number.isNaN(y)) return undefined;
  return [toUnit(x / HALF_CIRCUMFERENCE_METERS), toUnit(-y / HALF_CIRCUMFERENCE_METERS)];
}

/** From -1 to 1, the west or north first. */
function toUnit(share: number): number {
  return Math.max(0, Math.min(WORLD_UNITS - 1, Math.floor(((share + 1) / 2) * WORLD_UNITS)));
}

/** How many units wide and high a tile is. */
export function getTileSize(zoom: number): number {
  return WORLD_UNITS / 2 ** zoom;
}

/** What a tile shows: itself with so much of its surroundings, in coordinates of the tile, within the world. */
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

/** In units. */
interface PointList {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** The indices of the points in Morton order; equal points keep theirs. */
export function sortInMortonOrder({ x, y }: PointList): Promise<Uint32Array> {
  const digits = new Uint16Array(4 * x.length);
  for (let at = 0; at < digits.length; at++) {
    const point = at >>> 2;
    const shift = 8 * (at & 3);
    digits[at] = spreadByte((x[point] ?? 0) >>> shift) | (spreadByte((y[point] ?? 0) >>> shift) << 1);
  }
  return sortByDigits(digits);
}

/** `points` stand in Morton order: those of the box are among the points from one to before another. */
export function findPointRange({ x, y }: PointList, { west, north, east, south }: UnitBox): readonly [number, number] {
  const first = findFirst(0, x.length, (point) => !isAfter(west, north, numberAt(x, point), numberAt(y, point)));
  const end = findFirst(first, x.length, (point) =>
    isAfter(numberAt(x, point), numberAt(y, point), east - 1, south - 1),
  );
  return [first, end];
}

/** The axis decides in which the highest bit differs; y where it is the same bit of both. */
function isAfter(x: number, y: number, otherX: number, otherY: number): boolean {
  const differenceX = (x ^ otherX) >>> 0;
  const differenceY = (y ^ otherY) >>> 0;
  const isDecidedByX = differenceY < differenceX && differenceY < (differenceX ^ differenceY) >>> 0;
  return isDecidedByX ? x > otherX : y > otherY;
}

/** The lowest byte, with a zero between each two of its bits. */
function spreadByte(bits: number): number {
  const fours = ((bits & 0xf0) << 4) | (bits & 0x0f);
  const pairs = (fours | (fours << 2)) & 0x3333;
  return (pairs | (pairs << 1)) & 0x5555;
}
