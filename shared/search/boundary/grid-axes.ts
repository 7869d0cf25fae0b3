// The rows and columns of a grid, and the cells that a segment runs through. Each axis is cut into intervals that hold
// about equally many positions, and the wide ones are cut again: however the positions lie, no interval is crowded and
// none is wide.

import type { EdgeList } from './edges';

/** Buckets for each interval: with more of them finding an interval takes fewer steps. */
const BUCKETS_PER_INTERVAL = 4;

/** One axis cut into intervals, each of which begins where the one before it ends. */
export class Intervals {
  /** Where each interval begins, ascending. The last one begins at the greatest value and has no end. */
  readonly starts: Float64Array;
  /** The starts, between -Infinity and Infinity. */
  private readonly bounds: Float64Array;
  private readonly first: number;
  private readonly bucketsPerDegree: number;
  /** How many intervals begin before each of equally wide buckets. */
  private readonly startsBefore: Uint32Array;

  /** At most twice `most` intervals over the values, of which there must be at least one. */
  constructor(values: Float64Array, most: number) {
    const sorted = values.slice().sort();
    this.first = sorted[0] ?? NaN;
    const last = sorted.at(-1) ?? NaN;
    const width = (last - this.first) / most;
    this.starts = Float64Array.from(new Set(withoutWideIntervals(quantiles(sorted, most), width)));
    this.bounds = Float64Array.of(-Infinity, ...this.starts, Infinity);
    const buckets = BUCKETS_PER_INTERVAL * this.starts.length;
    const bucketsPerDegree = (buckets - 1) / (last - this.first);
    // Infinite where all values are equal, or nearly so: one bucket serves then.
    this.bucketsPerDegree = Number.isFinite(bucketsPerDegree) ? bucketsPerDegree : 0;
    this.startsBefore = new Uint32Array(buckets + 1);
    for (const start of this.starts) {
      const next = this.bucketOf(start) + 1;
      this.startsBefore[next] = (this.startsBefore[next] ?? 0) + 1;
    }
    for (let bucket = 0; bucket < buckets; bucket++) {
      this.startsBefore[bucket + 1] = (this.startsBefore[bucket + 1] ?? 0) + (this.startsBefore[bucket] ?? 0);
    }
  }

  get count(): number {
    return this.starts.length;
  }

  /** The number of the last interval that begins at the value or before it; -1 before the first. */
  indexOf(value: number): number {
    if (!(value >= this.first)) return -1;
    // Rounded or not, a greater value is never in a lower bucket, so that only this bucket's starts are in question.
    const bucket = this.bucketOf(value);
    let low = (this.startsBefore[bucket] ?? 0) - 1;
    let high = (this.startsBefore[bucket + 1] ?? 0) - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? NaN) <= value) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The same as `indexOf`, found by steps from an interval, or -1, that is known to be near. */
  indexNear(interval: number, value: number): number {
    const { bounds } = this;
    let at = interval + 1;
    while ((bounds[at] ?? NaN) > value) at--;
    while ((bounds[at + 1] ?? NaN) <= value) at++;
    return at - 1;
  }

  private bucketOf(value: number): number {
    return Math.min(this.startsBefore.length - 2, Math.floor((value - this.first) * this.bucketsPerDegree));
  }
}

/** The least value, the greatest, and between them values that leave equally many others between them, ascending. */
function quantiles(sorted: Float64Array, most: number): readonly number[] {
  return Array.from(
    { length: most + 1 },
    (_, share) => sorted[Math.floor((share * (sorted.length - 1)) / most)] ?? NaN,
  );
}

/** Adds starts between those that lie two or more widths apart. */
function withoutWideIntervals(starts: readonly number[], width: number): readonly number[] {
  return starts.flatMap((start, index) => {
    const gap = (starts[index + 1] ?? start) - start;
    const pieces = width > 0 ? Math.max(1, Math.floor(gap / width)) : 1;
    return Array.from({ length: pieces }, (_, piece) => start + (piece / pieces) * gap);
  });
}

/** Rows, and columns, per square root of the edges: with more of them cells are emptier and building takes longer. */
const FINENESS = 3;
const MOST_INTERVALS = 512;
/** How many times finer one axis may be than without stretching. */
const MOST_STRETCH = 4;

/** Rows lie between scan lines, the latitudes `rows.starts`; columns are intervals of longitude. */
export interface GridAxes {
  readonly rows: Intervals;
  readonly columns: Intervals;
}

/**
 * As many rows and columns as leave few edges in a cell without making the grid long to build. Where edges go through
 * many columns and few rows there are fewer columns and more rows, and the other way round: cells are emptier then.
 */
export function axesOf({ count, ends }: EdgeList): GridAxes {
  const longitudes = new Float64Array(2 * count);
  const latitudes = new Float64Array(2 * count);
  for (let end = 0; end < 2 * count; end++) {
    longitudes[end] = ends[2 * end] ?? NaN;
    latitudes[end] = ends[2 * end + 1] ?? NaN;
  }
  const most = Math.min(MOST_INTERVALS, Math.ceil(FINENESS * Math.sqrt(count)));
  const rows = new Intervals(latitudes, most);
  const columns = new Intervals(longitudes, most);
  const wanted = Math.sqrt(intervalsCrossed(columns, longitudes) / intervalsCrossed(rows, latitudes));
  const stretch = Math.max(1 / MOST_STRETCH, Math.min(MOST_STRETCH, wanted));
  if (Math.max(stretch, 1 / stretch) < 1.5) return { rows, columns };
  return {
    rows: new Intervals(latitudes, Math.ceil(most * stretch)),
    columns: new Intervals(longitudes, Math.ceil(most / stretch)),
  };
}

/** The sum over all edges; `values` holds one ordinate of both ends of each. */
function intervalsCrossed(intervals: Intervals, values: Float64Array): number {
  let crossed = 0;
  for (let at = 0; at < values.length; at += 2) {
    crossed += 1 + Math.abs(intervals.indexOf(values[at] ?? NaN) - intervals.indexOf(values[at + 1] ?? NaN));
  }
  return crossed;
}

/** Degrees, far more than the rounding of a position on a segment (some 1e-13) and far less than what matters. */
const SLACK = 1e-11;

/** Degrees east that a segment goes for each degree north; NaN where floats cannot tell, as for a level one. */
export function eastPerNorth(fromX: number, fromY: number, toX: number, toY: number): number {
  const slope = (toX - fromX) / (toY - fromY);
  return Number.isFinite(slope) ? slope : NaN;
}

/**
 * Runs of cells: the neighbouring cells of one row that a segment goes through, row by row from south to north. The
 * slack is far beyond the rounding of floats, so that a run may hold a cell too many, never one too few.
 */
export class CellRuns {
  length = 0;
  /** The first column of each run, and the one after its last. Both arrays are longer than `length`. */
  firsts = new Uint16Array(64);
  ends = new Uint16Array(64);

  constructor(private readonly axes: GridAxes) {}

  /** Adds the runs of a segment, and returns the row of the first one. */
  add(ax: number, ay: number, bx: number, by: number): number {
    return ay <= by ? this.addUpwards(ax, ay, bx, by) : this.addUpwards(bx, by, ax, ay);
  }

  private addUpwards(fromX: number, fromY: number, toX: number, toY: number): number {
    const { rows, columns } = this.axes;
    const lastRow = rows.indexOf(toY);
    if (lastRow < 0) return 0;
    const firstRow = rows.indexOf(fromY);
    this.reserve(lastRow - Math.max(0, firstRow) + 1);
    const { firsts, ends } = this;
    let run = this.length;
    const slope = eastPerNorth(fromX, fromY, toX, toY);
    const west = Math.min(fromX, toX);
    const east = Math.max(fromX, toX);
    // The columns of the slack to the west and to the east of where the segment enters a row.
    let enterWest = columns.indexOf(fromX);
    let enterEast = enterWest;
    for (let row = firstRow; row <= lastRow; row++) {
      // NaN where the slope is not known: the run then holds the whole segment.
      const x = row < lastRow ? fromX + ((rows.starts[row + 1] ?? NaN) - fromY) * slope : toX;
      const slack = row < lastRow ? SLACK : 0;
      const leaveWest = columns.indexNear(enterWest, x - slack > west ? x - slack : west);
      const leaveEast = columns.indexNear(leaveWest, x + slack < east ? x + slack : east);
      if (row >= 0) {
        firsts[run] = Math.max(0, Math.min(enterWest, leaveWest));
        ends[run++] = Math.max(enterEast, leaveEast) + 1;
      }
      enterWest = leaveWest;
      enterEast = leaveEast;
    }
    this.length = run;
    return Math.max(0, firstRow);
  }

  private reserve(count: number): void {
    const least = this.length + count;
    if (least <= this.firsts.length) return;
    const { firsts, ends } = this;
    this.firsts = new Uint16Array(2 * least);
    this.ends = new Uint16Array(2 * least);
    this.firsts.set(firsts);
    this.ends.set(ends);
  }
}

/** Edge `e` has the runs from `starts[e]` to `starts[e + 1]`, the first of them in row `firstRows[e]`. */
export interface EdgeRuns {
  readonly runs: CellRuns;
  readonly starts: Uint32Array;
  readonly firstRows: Uint32Array;
}

export function runsOf({ count, ends }: EdgeList, axes: GridAxes): EdgeRuns {
  const starts = new Uint32Array(count + 1);
  const firstRows = new Uint32Array(count);
  const runs = new CellRuns(axes);
  for (let edge = 0; edge < count; edge++) {
    const at = 4 * edge;
    firstRows[edge] = runs.add(ends[at] ?? NaN, ends[at + 1] ?? NaN, ends[at + 2] ?? NaN, ends[at + 3] ?? NaN);
    starts[edge + 1] = runs.length;
  }
  return { runs, starts, firstRows };
}
