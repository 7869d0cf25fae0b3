// What positions, segments and boxes ask of a boundary: each looks at the few edges of the cells that it lies in.

import { boundingBox, type Box, type Geometry } from '../../values/geometry';
import { buildEdgeGrid, eastEnd, westEnd, type EdgeGrid } from './edge-grid';
import { edgesOf, NO_AREA, type EdgeList } from './edge-list';
import { NumberList } from './number-list';
import { edgeBeside, segmentMeetsBox, segmentsMeet, sidesBeyond } from './exact-plane';

export type Standing = 'inside' | 'outside' | 'crossed';

export class BoundaryEdges {
  private readonly box: Box;
  private readonly edges: EdgeList;
  private readonly grid: EdgeGrid;
  /** While a position is asked about: of each area whether an odd number of edges was counted, and how many areas are odd. */
  private readonly isOdd: Uint8Array;
  private odd = 0;
  private readonly counted = new NumberList();

  constructor(boundary: Geometry) {
    this.box = boundingBox(boundary);
    this.edges = edgesOf(boundary);
    this.grid = buildEdgeGrid(this.edges);
    this.isOdd = new Uint8Array(this.edges.areaCount);
  }

  containsPoint(x: number, y: number): boolean {
    if (Number.isNaN(x) || Number.isNaN(y) || sidesBeyond(this.box, x, y) !== 0) return false;
    const row = this.grid.rows.of(y);
    const column = this.grid.columns.of(x);
    const cell = row * this.grid.columns.count + column;
    if (this.grid.insideCells[cell] === 1) return true;
    const isInside = this.isOnEdgeOf(cell, x, y) || this.isInAreaFrom(row, column, cell, y);
    for (let at = 0; at < this.counted.length; at++) this.isOdd[this.counted.all[at] ?? 0] = 0;
    this.counted.length = 0;
    this.odd = 0;
    return isInside;
  }

  /** Whether a segment has a point in common with an edge of the boundary. One that lies inside, off the edges, has none. */
  meetsEdge(ax: number, ay: number, bx: number, by: number): boolean {
    const { rows, columns } = this.grid;
    const low = Math.min(ay, by);
    const high = Math.max(ay, by);
    const lastRow = rows.of(high);
    for (let row = Math.max(0, rows.of(low)); row <= lastRow; row++) {
      const south = Math.max(low, rows.starts[row] ?? NaN);
      const north = Math.min(high, rows.starts[row + 1] ?? Infinity);
      const first = columns.of(westEnd(ax, ay, bx, by, south, north));
      const last = columns.of(eastEnd(ax, ay, bx, by, south, north));
      const isMet = this.someEdge(row, first, last, (cx, cy, dx, dy) => segmentsMeet(ax, ay, bx, by, cx, cy, dx, dy));
      if (isMet) return true;
    }
    return false;
  }

  /** `inside`: every point of the box is in the boundary. `outside`: none is. `crossed`: an edge meets the box. */
  standingOf(box: Box): Standing {
    const { rows, columns } = this.grid;
    const first = columns.of(box[0]);
    const last = columns.of(box[2]);
    const lastRow = rows.of(box[3]);
    for (let row = Math.max(0, rows.of(box[1])); row <= lastRow; row++) {
      if (this.someEdge(row, first, last, (ax, ay, bx, by) => segmentMeetsBox(box, ax, ay, bx, by))) return 'crossed';
    }
    // No edge meets the box, so that a corner tells of all of it.
    return this.containsPoint(box[0], box[1]) ? 'inside' : 'outside';
  }

  /** Whether an edge that stands in some columns of a row, from -1 for what is west of all, fulfils a test. */
  private someEdge(
    row: number,
    firstColumn: number,
    lastColumn: number,
    test: (ax: number, ay: number, bx: number, by: number) => boolean,
  ): boolean {
    if (lastColumn < 0) return false;
    const { columns, starts, cellEdges } = this.grid;
    const { ends } = this.edges;
    const end = starts[row * columns.count + lastColumn + 1] ?? 0;
    for (let at = starts[row * columns.count + Math.max(0, firstColumn)] ?? 0; at < end; at++) {
      const edge = 4 * (cellEdges[at] ?? 0);
      if (test(ends[edge] ?? NaN, ends[edge + 1] ?? NaN, ends[edge + 2] ?? NaN, ends[edge + 3] ?? NaN)) return true;
    }
    return false;
  }

  /** Counts the edges of the cell that lie east of the position, until it lies on one. */
  private isOnEdgeOf(cell: number, x: number, y: number): boolean {
    const { starts, cellEdges } = this.grid;
    const { ends, areas } = this.edges;
    const end = starts[cell + 1] ?? 0;
    for (let at = starts[cell] ?? 0; at < end; at++) {
      const edge = cellEdges[at] ?? 0;
      const from = 4 * edge;
      const beside = edgeBeside(
        ends[from] ?? NaN,
        ends[from + 1] ?? NaN,
        ends[from + 2] ?? NaN,
        ends[from + 3] ?? NaN,
        x,
        y,
      );
      if (beside === 'apart') continue;
      if (beside === 'on') return true;
      const area = areas[edge] ?? NO_AREA;
      if (area !== NO_AREA) this.count(area);
    }
    return false;
  }

  /** Counts the edges of the cells to the east: those across the whole row, and those that begin or end in it. */
  private isInAreaFrom(row: number, column: number, cell: number, y: number): boolean {
    const { oddStarts, oddAreas, partialStarts, partialAreas, partialColumns, partialSouths, partialNorths } =
      this.grid;
    const lastOdd = oddStarts[cell + 1] ?? 0;
    for (let at = oddStarts[cell] ?? 0; at < lastOdd; at++) this.count(oddAreas[at] ?? 0);
    const lastPartial = partialStarts[row + 1] ?? 0;
    for (let at = partialStarts[row] ?? 0; at < lastPartial; at++) {
      // They stand from the eastmost on.
      if ((partialColumns[at] ?? 0) <= column) break;
      if ((partialSouths[at] ?? NaN) <= y && y < (partialNorths[at] ?? NaN)) this.count(partialAreas[at] ?? 0);
    }
    return this.odd > 0;
  }

  private count(area: number): void {
    const isOdd = 1 - (this.isOdd[area] ?? 0);
    this.isOdd[area] = isOdd;
    this.odd += 2 * isOdd - 1;
    this.counted.add(area);
  }
}
