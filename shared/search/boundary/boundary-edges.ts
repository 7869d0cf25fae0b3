// What positions, segments and boxes ask of a boundary: each looks at the few edges of the cells that it lies in.

import { boundingBox, type Box, type Geometry } from '../../values/geometry';
import { buildEdgeGrid, ENTRY_BITS, type EdgeGrid } from './edge-grid';
import { edgesOf, type EdgeList } from './edge-list';
import { segmentMeetsBox, segmentsMeet, sidesBeyond } from './exact-plane';
import { PositionGrid } from './position-grid';
import { RowSpans } from './row-spans';

export type Standing = 'inside' | 'outside' | 'crossed';

export class BoundaryEdges {
  private readonly box: Box;
  private readonly edges: EdgeList;
  private readonly grid: EdgeGrid;
  private readonly positions: PositionGrid;
  /** The last position, since many places may have the same one, and whether it lies in the boundary. */
  private readonly last = Float64Array.of(NaN, NaN);
  private containsLast = false;
  /** Of the segment that is asked about. */
  private readonly spans: RowSpans;

  constructor(boundary: Geometry) {
    this.box = boundingBox(boundary);
    this.edges = edgesOf(boundary);
    this.grid = buildEdgeGrid(this.edges);
    this.positions = new PositionGrid(this.edges, this.grid);
    this.spans = new RowSpans(this.grid.rows, this.grid.columns);
  }

  containsPoint(x: number, y: number): boolean {
    if (Number.isNaN(x) || Number.isNaN(y) || sidesBeyond(this.box, x, y) !== 0) return false;
    if (x === this.last[0] && y === this.last[1]) return this.containsLast;
    this.last[0] = x;
    this.last[1] = y;
    this.containsLast = this.positions.contains(x, y);
    return this.containsLast;
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
}
