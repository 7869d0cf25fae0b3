// Does a position lie in a boundary? It asks the edges of its cell. A cell with many edges gets a finer grid of its own when it has been
// asked often, so that a knot of edges that is drawn where places are dense costs little; building it takes about as long as the
// questions before it took.

import { BEGINS_AREA, buildEdgeGrid, ENTRY_BITS, IS_ODD, type EdgeGrid } from './edge-grid';
import { contentOfCell } from './cell-content';
import { linesOf } from './edge-lines';
import type { EdgeList } from './edge-list';
import { edgeBeside } from './exact-plane';

/**
 * Distances from edges are counted in these, of which so many make a degree, as whole numbers: far more than rounding moves an edge
 * (some 1e-13 degrees), and all that there are on the earth fit into 31 bits.
 */
const UNITS_PER_DEGREE = 2 ** 20;

/** Entries of a cell, and questions to it, from which on it gets a grid of its own. */
const MANY_ENTRIES = 128;
const MANY_QUESTIONS = 64;

export class PositionGrid {
  private readonly lines: Float64Array;
  private readonly questions: Uint8Array;
  private readonly inCells = new Map<number, PositionGrid>();

  constructor(
    private readonly edges: EdgeList,
    private readonly grid: EdgeGrid,
  ) {
    this.lines = linesOf(edges, grid);
    this.questions = new Uint8Array(grid.insideCells.length);
  }

  /** Of a position that is not south or west of the grid. */
  contains(x: number, y: number): boolean {
    const { rows, columns, insideCells, starts } = this.grid;
    const row = rows.of(y);
    const column = columns.of(x);
    const cell = row * columns.count + column;
    if (insideCells[cell] === 1) return true;
    if ((starts[cell + 1] ?? 0) - (starts[cell] ?? 0) >= MANY_ENTRIES) {
      const inCell = this.inCell(cell, row, column);
      if (inCell !== undefined) return inCell.contains(x, y);
    }
    return this.isInAreaOf(cell, x, y);
  }

  /** The grid of a cell, once it was asked for often. */
  private inCell(cell: number, row: number, column: number): PositionGrid | undefined {
    const asked = this.questions[cell] ?? 0;
    if (asked > MANY_QUESTIONS) return this.inCells.get(cell);
    this.questions[cell] = asked + 1;
    if (asked < MANY_QUESTIONS) return undefined;
    const content = contentOfCell(this.edges, this.grid, row, column);
    if (content === undefined) return undefined;
    const grid = new PositionGrid(content.edges, buildEdgeGrid(content.edges, content.axes, content.oddAreas));
    this.inCells.set(cell, grid);
    return grid;
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
