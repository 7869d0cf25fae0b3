// Which columns of a grid segments stand in, row by row. Computed with floats and a slack far beyond their rounding: a segment may be
// said to stand in a cell that it only nearly meets, never not in one that it meets.

import type { Bands } from './bands';
import type { EdgeList } from './edge-list';
import type { GridAxes } from './grid-axes';

/** In degrees, far more than the rounding of a position on a segment (some 1e-13), far less than what matters. */
const SLACK = 1e-11;

/** How far a segment goes to the east for each degree to the north; NaN where floats cannot tell, as of a level one. */
export function eastPerNorth(fromX: number, fromY: number, toX: number, toY: number): number {
  const slope = (toX - fromX) / (toY - fromY);
  return Number.isFinite(slope) ? slope : NaN;
}

/** The spans of all edges, one edge after the other. */
export interface SpannedEdges {
  readonly spans: RowSpans;
  /** Edge `e` has the spans from `starts[e]` to `starts[e + 1]`, the first in row `firstRows[e]`. */
  readonly starts: Uint32Array;
  readonly firstRows: Uint32Array;
}

export function spansOf({ count, ends }: EdgeList, { rows, columns }: GridAxes): SpannedEdges {
  const starts = new Uint32Array(count + 1);
  const firstRows = new Uint32Array(count);
  const spans = new RowSpans(rows, columns);
  for (let edge = 0; edge < count; edge++) {
    const at = 4 * edge;
    firstRows[edge] = spans.add(ends[at] ?? NaN, ends[at + 1] ?? NaN, ends[at + 2] ?? NaN, ends[at + 3] ?? NaN);
    starts[edge + 1] = spans.length;
  }
  return { spans, starts, firstRows };
}

/** A span is the columns of a segment in a row; the spans of a segment follow one another, from south to north. */
export class RowSpans {
  length = 0;
  /** Of each span the first column, and the one after the last: 0 is west of the grid. Longer than `length`. */
  firsts = new Uint16Array(64);
  ends = new Uint16Array(64);

  constructor(
    private readonly rows: Bands,
    private readonly columns: Bands,
  ) {}

  /** Adds the spans of a segment, and returns the row of the first one. */
  add(ax: number, ay: number, bx: number, by: number): number {
    return ay <= by ? this.addUpwards(ax, ay, bx, by) : this.addUpwards(bx, by, ax, ay);
  }

  private addUpwards(fromX: number, fromY: number, toX: number, toY: number): number {
    const { rows, columns } = this;
    const lastRow = rows.of(toY);
    if (lastRow < 0) return 0;
    const firstRow = rows.of(fromY);
    this.reserve(lastRow - Math.max(0, firstRow) + 1);
    const { firsts, ends } = this;
    let span = this.length;
    const slope = eastPerNorth(fromX, fromY, toX, toY);
    const west = Math.min(fromX, toX);
    const east = Math.max(fromX, toX);
    // The columns of the slack to the west and to the east of where the segment enters a row.
    let enterWest = columns.of(fromX);
    let enterEast = enterWest;
    for (let row = firstRow; row <= lastRow; row++) {
      // All of the segment where x is not known.
      const x = row < lastRow ? fromX + ((rows.starts[row + 1] ?? NaN) - fromY) * slope : toX;
      const slack = row < lastRow ? SLACK : 0;
      const leaveWest = columns.near(enterWest, x - slack > west ? x - slack : west);
      const leaveEast = columns.near(leaveWest, x + slack < east ? x + slack : east);
      if (row >= 0) {
        firsts[span] = Math.max(0, Math.min(enterWest, leaveWest));
        ends[span++] = Math.max(enterEast, leaveEast) + 1;
      }
      enterWest = leaveWest;
      enterEast = leaveEast;
    }
    this.length = span;
    return Math.max(0, firstRow);
  }

  private reserve(count: number): void {
    const least = this.length + count;
    if (least <= this.firsts.length) return;
    const [firsts, ends] = [this.firsts, this.ends];
    this.firsts = new Uint16Array(2 * least);
    this.ends = new Uint16Array(2 * least);
    this.firsts.set(firsts);
    this.ends.set(ends);
  }
}
