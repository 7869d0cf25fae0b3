// Groups the points of a tile, from all releases: points in the same square of pixels form a group, or each point is
// its own group. A pixel is one of the cells into which WebMercatorQuad divides a tile.

import { giveWayIfSliceOver } from '../store/deadline';
import { mergeNearCells } from './merge-cells';
import { findPointRange } from './morton-order';
import type { PointSource } from './point-source';
import {
  getShownBox,
  getTileSize,
  isInBox,
  TILE_BUFFER,
  TILE_EXTENT,
  TILE_PIXELS,
  type TileAddress,
  type UnitBox,
} from './tile-grid';

/** Groups of points. Each has at least one point. */
export interface PointGroups {
  /** Points in all groups. */
  readonly pointCount: number;
  /** The number of groups. The arrays below, except `classes`, are by group. */
  readonly size: number;
  /** The mean of its points in tile coordinates; outside of the tile's extent if the group is in the buffer. */
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** The last of its points: the index of its release among the sources, and its own index in the release. */
  readonly releases: Uint32Array;
  readonly points: Uint32Array;
  /** The classes of its points end before this index of `classes`. */
  readonly ends: Uint32Array;
  readonly classes: Uint32Array;
}

export interface GroupingOptions {
  /** The width of a square in pixels: a power of two, so that no square is in two tiles. */
  readonly squarePixels: number;
  /** Groups are at least this many pixels apart, except across the edges of tiles; 1 leaves squares as they are. */
  readonly spacing: number;
  /** If a tile has at most this many points, each is its own group. */
  readonly maxSingles: number;
}

/** The squares of a tile, in coordinates of the tile. */
interface SquareGrid {
  readonly side: number;
  /** The buffer consists of whole squares, so that its features are the same as in the neighboring tile. */
  readonly buffer: number;
  readonly squaresAcross: number;
}

/** The width of a pixel in coordinates of the tile. */
const PIXEL = TILE_EXTENT / TILE_PIXELS;

export async function groupPoints(
  sources: readonly PointSource[],
  address: TileAddress,
  { squarePixels, spacing, maxSingles }: GroupingOptions,
): Promise<PointGroups> {
  // Squares of half the distance are fine enough to merge. Squares of the neighboring tile are merged there.
  const grid = spacing === 1 ? buildGrid(squarePixels) : buildGrid(Math.max(squarePixels, spacing / 2), 0);
  const box = getShownBox(address, grid.buffer);
  const collect = async (collector: PointCollector): Promise<PointCollector> => {
    for (const [release, source] of sources.entries()) {
      await giveWayIfSliceOver();
      collector.add(source, release, box);
    }
    return collector;
  };
  const maxPoints = sources.reduce((sum, { points }) => {
    const [from, to] = findPointRange(points, box);
    return sum + to - from;
  }, 0);
  const collected = await collect(new PointCollector(maxPoints, address, grid));
  if (collected.count === 0 || collected.count > maxSingles) {
    if (spacing > 1) collected.merge(spacing * PIXEL);
    return collected.toGroups();
  }
  const singles = await collect(new PointCollector(collected.count, address, undefined));
  return singles.toGroups();
}

function buildGrid(squarePixels: number, minBuffer = TILE_BUFFER): SquareGrid {
  const side = squarePixels * PIXEL;
  const buffer = minBuffer === 0 ? 0 : Math.max(side, minBuffer);
  return { side, buffer, squaresAcross: (TILE_EXTENT + 2 * buffer) / side };
}

/**
 * Collects points into cells: a cell is a square of the grid, or a single point. The loops may run for a million points,
 * so they read typed arrays directly; every index is in range.
 */
class PointCollector {
  count = 0;
  /** Keyed by point, in the order in which points are added. */
  private readonly cellByPoint: Uint32Array;
  private readonly classByPoint: Uint32Array;
  /** Keyed by cell. */
  private readonly counts: Uint32Array;
  private readonly sumX: Float64Array;
  private readonly sumY: Float64Array;
  private readonly lastRelease: Uint32Array;
  private readonly lastPoint: Uint32Array;
  /** The corner of the tile in units. */
  private readonly west: number;
  private readonly north: number;
  /** Coordinates of the tile per unit: a power of two. */
  private readonly scale: number;

  constructor(
    maxPoints: number,
    { zoom, row, column }: TileAddress,
    /** Undefined if each point is its own cell. */
    private readonly grid: SquareGrid | undefined,
  ) {
    const cellCount = grid === undefined ? maxPoints : grid.squaresAcross ** 2;
    this.cellByPoint = new Uint32Array(maxPoints);
    this.classByPoint = new Uint32Array(maxPoints);
    this.counts = new Uint32Array(cellCount);
    this.sumX = new Float64Array(cellCount);
    this.sumY = new Float64Array(cellCount);
    this.lastRelease = new Uint32Array(cellCount);
    this.lastPoint = new Uint32Array(cellCount);
    const size = getTileSize(zoom);
    this.west = column * size;
    this.north = row * size;
    this.scale = TILE_EXTENT / size;
  }

  /** Adds the matching points of a release that are in the box. */
  add({ points, matches, firstClass }: PointSource, release: number, box: UnitBox): void {
    const { x, y, items, classes } = points;
    const { counts, sumX, sumY } = this;
    const { side, buffer, squaresAcross } = this.grid ?? { side: 1, buffer: 0, squaresAcross: 0 };
    const [from, to] = findPointRange(points, box);
    for (let point = from; point < to; point++) {
      const unitX = x[point] ?? 0;
      const unitY = y[point] ?? 0;
      if (!isInBox(box, unitX, unitY)) continue;
      if (matches?.has(items[point] ?? 0) === false) continue;
      const tileX = Math.floor((unitX - this.west) * this.scale);
      const tileY = Math.floor((unitY - this.north) * this.scale);
      const square = Math.floor((tileY + buffer) / side) * squaresAcross + Math.floor((tileX + buffer) / side);
      const cell = squaresAcross === 0 ? this.count : square;
      counts[cell] = (counts[cell] ?? 0) + 1;
      sumX[cell] = (sumX[cell] ?? 0) + tileX;
      sumY[cell] = (sumY[cell] ?? 0) + tileY;
      this.lastRelease[cell] = release;
      this.lastPoint[cell] = point;
      this.cellByPoint[this.count] = cell;
      this.classByPoint[this.count] = firstClass + (classes[point] ?? 0);
      this.count++;
    }
  }

  /** Merges cells that are nearer than this, in coordinates of the tile. */
  merge(distance: number): void {
    const { counts, sumX, sumY, cellByPoint } = this;
    const targets = mergeNearCells({ counts, sumX, sumY }, distance);
    for (let point = 0; point < this.count; point++) {
      const cell = cellByPoint[point] ?? 0;
      cellByPoint[point] = targets[cell] ?? cell;
    }
    this.keepFromEdges(distance / 4);
  }

  /**
   * Moves groups of several points away from the edges of the tile, because groups of the neighboring tile may be near.
   */
  private keepFromEdges(margin: number): void {
    const { counts, sumX, sumY } = this;
    for (let cell = 0; cell < counts.length; cell++) {
      const count = counts[cell] ?? 0;
      if (count < 2) continue;
      for (const sums of [sumX, sumY]) {
        const mean = (sums[cell] ?? 0) / count;
        sums[cell] = Math.max(margin, Math.min(TILE_EXTENT - margin, mean)) * count;
      }
    }
  }

  /** Returns the cells with points, in the order of the cells. */
  toGroups(): PointGroups {
    const { counts, count, cellByPoint, classByPoint, sumX, sumY, lastRelease, lastPoint } = this;
    const cells = counts.map((_, cell) => cell).filter((cell) => counts[cell] !== 0);
    const nextIndex = new Uint32Array(counts.length);
    const ends = new Uint32Array(cells.length);
    let end = 0;
    for (let group = 0; group < cells.length; group++) {
      const cell = cells[group] ?? 0;
      nextIndex[cell] = end;
      end += counts[cell] ?? 0;
      ends[group] = end;
    }
    const classes = new Uint32Array(count);
    for (let point = 0; point < count; point++) {
      const cell = cellByPoint[point] ?? 0;
      const index = nextIndex[cell] ?? 0;
      classes[index] = classByPoint[point] ?? 0;
      nextIndex[cell] = index + 1;
    }
    const toMeans = (sums: Float64Array): Int32Array =>
      new Int32Array(cells).map((cell) => Math.floor((sums[cell] ?? 0) / (counts[cell] ?? 1)));
    return {
      pointCount: count,
      size: cells.length,
      x: toMeans(sumX),
      y: toMeans(sumY),
      ends,
      classes,
      releases: cells.map((cell) => lastRelease[cell] ?? 0),
      points: cells.map((cell) => lastPoint[cell] ?? 0),
    };
  }
}
