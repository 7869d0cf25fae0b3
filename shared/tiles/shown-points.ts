// The points that a tile shows, of all releases, gathered by the pixel in which they lie. A pixel is one of the 256 by
// 256 cells that WebMercatorQuad gives a tile.

import type { ReleasePoints } from '../search/points/point-columns';
import { visitBox } from '../search/points/morton-order';
import { currentDeadline } from '../store/deadline';
import type { BitSet } from '../values/bit-set';
import { numberAt } from '../values/numbers';
import { shownBox, tileUnits, TILE_BUFFER, TILE_EXTENT, type TileAddress } from './tile-grid';

/** The points of a release, and which of their items were found. */
export interface FoundPoints {
  readonly points: ReleasePoints;
  /** Undefined when all were. */
  readonly found: BitSet | undefined;
}

/** By point, in the order of their pixels; those of one pixel follow one another. */
export interface ShownPoints {
  readonly count: number;
  /** Coordinates of the tile, beyond it in its buffer. */
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** The index of its release among those given. */
  readonly release: Uint32Array;
  /** Its index among the points of the release. */
  readonly point: Uint32Array;
  /** Where the points of each pixel begin, and at last the end of all. */
  readonly starts: readonly number[];
}

const PIXEL = TILE_EXTENT / 256;

/** Pixels from one side to the other, with those of the buffer. */
const PIXELS_ACROSS = (TILE_EXTENT + 2 * TILE_BUFFER) / PIXEL;

/** Points from one to before another of a release; unless all of them are shown, each has to be looked at. */
interface PointRun {
  readonly release: number;
  readonly from: number;
  readonly to: number;
  readonly isInside: boolean;
}

export async function shownPoints(releases: readonly FoundPoints[], address: TileAddress): Promise<ShownPoints> {
  const box = shownBox(address);
  const runs: PointRun[] = [];
  releases.forEach(({ points }, release) => {
    visitBox(points, box, (from, to, isInside) => runs.push({ release, from, to, isInside }));
  });
  const gathered = new GatheredPoints(
    runs.reduce((sum, { from, to }) => sum + to - from, 0),
    address,
  );
  const deadline = currentDeadline();
  for (const run of runs) {
    if (deadline.isSliceOver()) await deadline.giveWay();
    const found = releases[run.release];
    if (found !== undefined) gathered.add(found, run, box);
  }
  return gathered.byPixel();
}

class GatheredPoints {
  private readonly x: Int32Array;
  private readonly y: Int32Array;
  private readonly pixel: Uint32Array;
  private readonly release: Uint32Array;
  private readonly point: Uint32Array;
  private count = 0;
  private readonly west: number;
  private readonly north: number;
  /** Coordinates of the tile in a unit: a power of two. */
  private readonly scale: number;

  constructor(most: number, { zoom, row, column }: TileAddress) {
    [this.x, this.y] = [new Int32Array(most), new Int32Array(most)];
    [this.pixel, this.release, this.point] = [new Uint32Array(most), new Uint32Array(most), new Uint32Array(most)];
    const size = tileUnits(zoom);
    [this.west, this.north, this.scale] = [column * size, row * size, TILE_EXTENT / size];
  }

  add({ points, found }: FoundPoints, run: PointRun, box: ReturnType<typeof shownBox>): void {
    const { x, y, items } = points;
    for (let point = run.from; point < run.to; point++) {
      if (found?.has(numberAt(items, point)) === false) continue;
      const [unitX, unitY] = [numberAt(x, point), numberAt(y, point)];
      const isShown =
        run.isInside || (unitX >= box.west && unitX < box.east && unitY >= box.north && unitY < box.south);
      if (!isShown) continue;
      const tileX = Math.floor((unitX - this.west) * this.scale);
      const tileY = Math.floor((unitY - this.north) * this.scale);
      this.x[this.count] = tileX;
      this.y[this.count] = tileY;
      this.pixel[this.count] = pixelAt(tileY) * PIXELS_ACROSS + pixelAt(tileX);
      this.release[this.count] = run.release;
      this.point[this.count++] = point;
    }
  }

  /** A counting sort. */
  byPixel(): ShownPoints {
    const { count } = this;
    const next = new Uint32Array(PIXELS_ACROSS * PIXELS_ACROSS);
    for (let index = 0; index < count; index++) {
      const pixel = numberAt(this.pixel, index);
      next[pixel] = numberAt(next, pixel) + 1;
    }
    const starts: number[] = [];
    let start = 0;
    for (let pixel = 0; pixel < next.length; pixel++) {
      const points = numberAt(next, pixel);
      if (points > 0) starts.push(start);
      next[pixel] = start;
      start += points;
    }
    const order = new Uint32Array(count);
    for (let index = 0; index < count; index++) {
      const pixel = numberAt(this.pixel, index);
      const at = numberAt(next, pixel);
      order[at] = index;
      next[pixel] = at + 1;
    }
    return { count, ...this.inOrder(order), starts: [...starts, count] };
  }

  private inOrder(order: Uint32Array): Pick<ShownPoints, 'x' | 'y' | 'release' | 'point'> {
    const { length } = order;
    const [x, y] = [new Int32Array(length), new Int32Array(length)];
    const [release, point] = [new Uint32Array(length), new Uint32Array(length)];
    for (let at = 0; at < length; at++) {
      const index = numberAt(order, at);
      x[at] = numberAt(this.x, index);
      y[at] = numberAt(this.y, index);
      release[at] = numberAt(this.release, index);
      point[at] = numberAt(this.point, index);
    }
    return { x, y, release, point };
  }
}

function pixelAt(coordinate: number): number {
  return Math.floor((coordinate + TILE_BUFFER) / PIXEL);
}
