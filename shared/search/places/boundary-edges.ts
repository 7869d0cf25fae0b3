// What positions, segments and boxes ask of a boundary: each looks at the few edges of the cells that it lies in.

import { boundingBox, type Box, type Geometry } from '../../values/geometry';
import { BEGINS_AREA, buildEdgeGrid, ENTRY_BITS, IS_ODD, type EdgeGrid } from './edge-grid';
import { linesOf } from './edge-lines';
import { edgesOf, type EdgeList } from './edge-list';
import { edgeBeside, segmentMeetsBox, segmentsMeet, sidesBeyond } from './exact-plane';
import { RowSpans } from './row-spans';

export type Standing = 'inside' | 'outside' | 'crossed';

/**
 * Distances from edges are counted in these, of which so many make a degree, as whole numbers: far more than rounding moves an edge
 * (some 1e-13 degrees), and all that there are on the earth fit into 31 bits.
 */
const UNITS_PER_DEGREE = 2 ** 20;

export class BoundaryEdges {
  private readonly box: Box;
  private readonly edges: EdgeList;
  private readonly grid: EdgeGrid;
  private readonly lines: Float64Array;
  /** Of the segment that is asked about. */
  private readonly spans: RowSpans;

  constructor(boundary: Geometry) {
    this.box = boundingBox(boundary);
    this.edges = edgesOf(boundary);
    this.grid = buildEdgeGrid(this.edges);
    this.lines = linesOf(this.edges, this.grid);
    this.spans = new RowSpans(this.grid.rows, this.grid.columns);
  }

  containsPoint(x: number, y: number): boolean {
    if (Number.isNaN(x) || Number.isNaN(y) || sidesBeyond(this.box, x, y) !== 0) return false;
    const { rows, columns, insideCells } = this.grid;
    const cell = rows.of(y) * columns.count + columns.of(x);
    return insideCells[cell] === 1 || this.isInAreaOf(cell, x, y);
  }

  /** Whether a segment has a point in common with an edge of the boundary. One that lies inside, off the edges, has none. */
  meetsEdge(ax: number, ay: number, bx: number, by: number): boolean {
    const { spans } = this;
    spans.length = 0;
    let row = spans.add(ax, ay, bx, by);
    for (let span = 0; span < spans.length; span++) {
      const isMet = this.someEdge(row, spans.firsts[span] ?? 0, spans.ends[span] ?? 0, (cx, cy, dx, dy) =>
        segmentsMeet(ax, ay, bx, by, cx, cy, dx, dy),
      );
      if (isMet) return true;
      row++;
    }
    return false;
  }

  /** `inside`: every point of the box is in the boundary. `outside`: none is. `crossed`: an edge meets the box. */
  standingOf(box: Box): Standing {
    const { rows, columns } = this.grid;
    const first = Math.max(0, columns.of(box[0]));
    const end = columns.of(box[2]) + 1;
    const lastRow = rows.of(box[3]);
    for (let row = Math.max(0, rows.of(box[1])); row <= lastRow; row++) {
      if (this.someEdge(row, first, end, (ax, ay, bx, by) => segmentMeetsBox(box, ax, ay, bx, by))) return 'crossed';
    }
    // No edge meets the box, so that a corner tells of all of it.
    return this.containsPoint(box[0], box[1]) ? 'inside' : 'outside';
  }

  /** Whether an edge that stands in some columns of a row, from the first to the one before the end, fulfils a test. */
  private someEdge(
    row: number,
    firstColumn: number,
    endColumn: number,
    test: (ax: number, ay: number, bx: number, by: number) => boolean,
  ): boolean {
    const { columns, starts, entries } = this.grid;
    const { count, ends } = this.edges;
    const end = starts[row * columns.count + endColumn] ?? 0;
    for (let at = starts[row * columns.count + firstColumn] ?? 0; at < end; at++) {
      const edge = (entries[at] ?? 0) >> ENTRY_BITS;
      if (edge >= count) continue; // A post.
      const from = 4 * edge;
      if (test(ends[from] ?? NaN, ends[from + 1] ?? NaN, ends[from + 2] ?? NaN, ends[from + 3] ?? NaN)) return true;
    }
    return false;
  }

  /** Whether a position of the cell is on an edge, or in an area that has edges in the cell. */
  private isInAreaOf(cell: number, x: number, y: number): boolean {
    const { starts, entries } = this.grid;
    const { lines } = this;
    const end = starts[cell + 1] ?? 0;
    // IS_ODD or 0: whether an odd number of edges of an area lies to the east.
    let odd = 0;
    for (let at = starts[cell] ?? 0; at < end; at++) {
      const entry = entries[at] ?? 0;
      if ((entry & BEGINS_AREA) !== 0) {
        if (odd !== 0) return true;
        odd = entry & IS_ODD;
      }
      const line = (entry >> ENTRY_BITS) << 2;
      const south = lines[line] ?? NaN;
      const north = lines[line + 1] ?? NaN;
      if (y < south || y > north) continue;
      const eastward = (lines[line + 2] ?? NaN) + (y - south) * (lines[line + 3] ?? NaN) - x;
      // 0 also for NaN.
      const units = (eastward * UNITS_PER_DEGREE) | 0;
      if (units === 0 || y === north) {
        const beside = this.besideEdge(line, x, y);
        if (beside === 'on') return true;
        if (beside === 'crossed') odd ^= IS_ODD;
      } else {
        // Without a branch, which would be mispredicted every other time.
        odd ^= ~(units >> 31) & IS_ODD;
      }
    }
    return odd !== 0 && this.edges.areaCount > 0;
  }

  private besideEdge(at: number, x: number, y: number): 'on' | 'crossed' | 'apart' {
    const { ends } = this.edges;
    return edgeBeside(ends[at] ?? NaN, ends[at + 1] ?? NaN, ends[at + 2] ?? NaN, ends[at + 3] ?? NaN, x, y);
  }
}
