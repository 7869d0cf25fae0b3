// The points that a tile shows, of all releases, in groups: those of one square of pixels, or each by itself. A pixel
// is one of the cells that WebMercatorQuad gives a tile.

import { giveWayIfSliceOver } from '../store/deadline';
import type { PointSource } from './release-points';
import {
  findPointRange,
  getShownBox,
  getTileSize,
  isInBox,
  TILE_BUFFER,
  TILE_EXTENT,
  TILE_PIXELS,
  type TileAddress,
  type UnitBox,
} from './tile-grid';

/** Groups of points, each with one at least. */
export interface PointGroups {
  /** How many points there are in all. */
  readonly pointCount: number;
  /** How many groups there are; what follows is by group. */
  readonly size: number;
  /** The middle of its points in coordinates of the tile, beyond it in its buffer. */
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** The latest of its points: the index of its release among those given, and its own in the release. */
  readonly releases: Uint32Array;
  readonly points: Uint32Array;
  /** The classes of its points stand in `classes` up to before this. */
  readonly ends: Uint32Array;
  readonly classes: Uint32Array;
}

/** How points become groups. */
export interface GroupingOptions {
  /** How many pixels a square is wide: a power of two, so that no square lies in two tiles. */
  readonly squarePixels: number;
  /** So many points or fewer are groups of their own. */
  readonly maxSingles: number;
}

const PIXEL = TILE_EXTENT / TILE_PIXELS;

export async function groupPoints(
  sources: readonly PointSource[],
  address: TileAddress,
  { squarePixels, maxSingles: mostAlone }: GroupingOptions,
): Promise<PointGroups> {
  const grid = buildGrid(squarePixels);
  const box = getShownBox(address, grid.buffer);
  const gather = async (most: number, isEachAlone: boolean): Promise<PointCollector> => {
    const gathered = new PointCollector(most, address, isEachAlone ? undefined : grid);
    for (const [release, source] of sources.entries()) {
      await giveWayIfSliceOver();
      gathered.add(source, release, box);
    }
    return gathered;
  };
  const most = sources.reduce((sum, { points }) => {
    const [from, to] = findPointRange(points, box);
    return sum + to - from;
  }, 0);
  const gathered = await gather(most, false);
  const areFew = gathered.count > 0 && gathered.count <= mostAlone;
  return (areFew ? await gather(gathered.count, true) : gathered).toGroups();
}

/** The squares of a tile, in coordinates of the tile. */
interface SquareGrid {
  readonly side: number;
  /** Whole squares stand in the buffer, so that they are the same features as in the tile beside. */
  readonly buffer: number;
  readonly squaresAcross: number;
}

function buildGrid(squarePixels: number): SquareGrid {
  const side = squarePixels * PIXEL;
  const buffer = Math.max(side, TILE_BUFFER);
  return { side, buffer, squaresAcross: (TILE_EXTENT + 2 * buffer) / side };
}

/** Its loops read typed arrays directly, since they run for each of a million points: what is read is always there. */
class PointCollector {
  count = 0;
  /** By point, in the order of adding: its cell, which is a square or the point alone, and its class. */
  private readonly cellOf: Uint32Array;
  private readonly classOf: Uint32Array;
  /** By cell. */
  private readonly counts: Uint32Array;
  private readonly sumX: Float64Array;
  private readonly sumY: Float64Array;
  private readonly release: Uint32Array;
  private readonly point: Uint32Array;
  private readonly west: number;
  private readonly north: number;
  /** Coordinates of the tile in a unit: a power of two. */
  private readonly scale: number;

  constructor(
    most: number,
    { zoom, row, column }: TileAddress,
    /** Undefined where each point is alone. */
    private readonly grid: SquareGrid | undefined,
  ) {
    const cells = grid === undefined ? most : grid.squaresAcross ** 2;
    [this.cellOf, this.classOf, this.counts] = [new Uint32Array(most), new Uint32Array(most), new Uint32Array(cells)];
    [this.sumX, this.sumY] = [new Float64Array(cells), new Float64Array(cells)];
    [this.release, this.point] = [new Uint32Array(cells), new Uint32Array(cells)];
    const size = getTileSize(zoom);
    [this.west, this.north, this.scale] = [column * size, row * size, TILE_EXTENT / size];
  }

  add({ points, matches: found, firstClass }: PointSource, release: number, box: UnitBox): void {
    const { x, y, items, classes } = points;
    const { counts, sumX, sumY } = this;
    const { side, buffer, squaresAcross } = this.grid ?? { side: 1, buffer: 0, squaresAcross: 0 };
    const [from, to] = findPointRange(points, box);
    for (let point = from; point < to; point++) {
      const unitX = x[point] ?? 0;
      const unitY = y[point] ?? 0;
      if (!isInBox(box, unitX, unitY)) continue;
      if (found?.has(items[point] ?? 0) === false) continue;
      const tileX = Math.floor((unitX - this.west) * this.scale);
      const tileY = Math.floor((unitY - this.north) * this.scale);
      const square = Math.floor((tileY + buffer) / side) * squaresAcross + Math.floor((tileX + buffer) / side);
      const cell = squaresAcross === 0 ? this.count : square;
      counts[cell] = (counts[cell] ?? 0) + 1;
      sumX[cell] = (sumX[cell] ?? 0) + tileX;
      sumY[cell] = (sumY[cell] ?? 0) + tileY;
      this.release[cell] = release;
      this.point[cell] = point;
      this.cellOf[this.count] = cell;
      this.classOf[this.count++] = firstClass + (classes[point] ?? 0);
    }
  }

  /** In the order of their cells. */
  toGroups(): PointGroups {
    const { counts, count, cellOf, classOf, sumX, sumY } = this;
    const cells = counts.map((_, cell) => cell).filter((cell) => counts[cell] !== 0);
    const nextOfCell = new Uint32Array(counts.length);
    let end = 0;
    const ends = cells.map((cell) => {
      nextOfCell[cell] = end;
      return (end += counts[cell] ?? 0);
    });
    const classes = new Uint32Array(count);
    for (let at = 0; at < count; at++) {
      const cell = cellOf[at] ?? 0;
      const next = nextOfCell[cell] ?? 0;
      classes[next] = classOf[at] ?? 0;
      nextOfCell[cell] = next + 1;
    }
    const middle = (sums: Float64Array): Int32Array =>
      new Int32Array(cells).map((cell) => Math.floor((sums[cell] ?? 0) / (counts[cell] ?? 1)));
    return {
      pointCount: count,
      size: cells.length,
      x: middle(sumX),
      y: middle(sumY),
      ends,
      classes,
      releases: cells.map((cell) => this.release[cell] ?? 0),
      points: cells.map((cell) => this.point[cell] ?? 0),
    };
  }
}
