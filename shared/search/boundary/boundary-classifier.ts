// Where points, segments and boxes lie in relation to a boundary: each asks the few edges of the cells that it lies in.
// A cell with many edges gets a finer grid of its own once it has been asked often, so that a knot of edges in the
// midst of crowded places costs little. Building it takes about as long as the questions before it took.

import type { Position } from 'geojson';
import { boundingBox, type Box, type Geometry } from '../../values/geometry';
import { BEGINS_AREA, buildEdgeGrid, buildGridInCell, ENTRY_BITS, IS_ODD, type EdgeGrid } from './edge-grid';
import { edgeMeetsBox, edgesMeet, edgesOf, rayCrossing, sidesBeyond } from './edges';
import { CellRuns, eastPerNorth } from './grid-axes';

/** `inside`: every point of the box is in the boundary. `outside`: none is. `crossed`: an edge meets the box. */
export type BoxClass = 'inside' | 'outside' | 'crossed';

export class BoundaryClassifier {
  private readonly box: Box;
  private readonly grid: EdgeGrid;
  private readonly locator: PointLocator;
  /** The last point, since many places may lie at the same one, and whether it lies in the boundary. */
  private readonly lastPoint = Float64Array.of(NaN, NaN);
  private containsLastPoint = false;
  /** The segment that is asked about, as a list of one edge, and the cells that it runs through. */
  private readonly segment = new Float64Array(4);
  private readonly runs: CellRuns;

  constructor(boundary: Geometry) {
    this.box = boundingBox(boundary);
    this.grid = buildEdgeGrid(edgesOf(boundary));
    this.locator = new PointLocator(this.grid);
    this.runs = new CellRuns(this.grid);
  }

  /** Degrees. A point on an edge is in the boundary, one that is not two numbers is not. */
  containsPoint(x: number, y: number): boolean {
    if (Number.isNaN(x) || Number.isNaN(y) || sidesBeyond(this.box, x, y) !== 0) return false;
    if (x === this.lastPoint[0] && y === this.lastPoint[1]) return this.containsLastPoint;
    this.lastPoint[0] = x;
    this.lastPoint[1] = y;
    this.containsLastPoint = this.locator.contains(x, y);
    return this.containsLastPoint;
  }

  /** Whether a segment has a point in common with an edge of the boundary; one that lies wholly inside has none. */
  meetsEdge(from: Position, to: Position): boolean {
    const { runs, segment, grid } = this;
    const [ax = NaN, ay = NaN] = from;
    const [bx = NaN, by = NaN] = to;
    segment.set([ax, ay, bx, by]);
    runs.length = 0;
    let row = runs.add(ax, ay, bx, by);
    for (let run = 0; run < runs.length; run++) {
      const isMet = this.someEdge(row, runs.firsts[run] ?? 0, runs.ends[run] ?? 0, (edge) =>
        edgesMeet(segment, 0, grid.ends, edge),
      );
      if (isMet) return true;
      row++;
    }
    return false;
  }

  classifyBox(box: Box): BoxClass {
    const { rows, columns, ends } = this.grid;
    const first = Math.max(0, columns.indexOf(box[0]));
    const end = columns.indexOf(box[2]) + 1;
    const lastRow = rows.indexOf(box[3]);
    for (let row = Math.max(0, rows.indexOf(box[1])); row <= lastRow; row++) {
      if (this.someEdge(row, first, end, (edge) => edgeMeetsBox(ends, edge, box))) return 'crossed';
    }
    // No edge meets the box, so that one corner stands for all of it.
    return this.containsPoint(box[0], box[1]) ? 'inside' : 'outside';
  }

  /** Whether some edge that runs through the cells of a row, from a column to the one before the end, passes a test. */
  private someEdge(row: number, firstColumn: number, endColumn: number, test: (edge: number) => boolean): boolean {
    const { columns, starts, entries, firstVirtual } = this.grid;
    const west = row * columns.count;
    const end = starts[west + endColumn] ?? 0;
    for (let at = starts[west + firstColumn] ?? 0; at < end; at++) {
      const edge = (entries[at] ?? 0) >> ENTRY_BITS;
      if (edge < firstVirtual && test(edge)) return true;
    }
    return false;
  }
}

/** A cell with so many entries gets a grid of its own after so many questions. */
const MANY_ENTRIES = 128;
const MANY_QUESTIONS = 64;

// Distances to edges are whole units, so that all on the earth fit 31 bits; rounding moves an edge far less (1e-13).
const UNITS_PER_DEGREE = 2 ** 20;

/** Finds out whether points lie in a boundary by the even-odd rule. */
class PointLocator {
  private readonly lines: Float64Array;
  private readonly questions: Uint8Array;
  private readonly inCells = new Map<number, PointLocator>();

  constructor(private readonly grid: EdgeGrid) {
    this.lines = linesOf(grid.ends);
    this.questions = new Uint8Array(grid.insideCells.length);
  }

  /** The point must not lie south or west of the grid. */
  contains(x: number, y: number): boolean {
    const { rows, columns, insideCells, starts } = this.grid;
    const row = rows.indexOf(y);
    const column = columns.indexOf(x);
    const cell = row * columns.count + column;
    if (insideCells[cell] === 1) return true;
    if ((starts[cell + 1] ?? 0) - (starts[cell] ?? 0) >= MANY_ENTRIES) {
      const inCell = this.inCell(cell, row, column);
      if (inCell !== undefined) return inCell.contains(x, y);
    }
    return this.isInAreaOf(cell, x, y);
  }

  /** The locator of a cell that has been asked often. */
  private inCell(cell: number, row: number, column: number): PointLocator | undefined {
    const asked = this.questions[cell] ?? 0;
    if (asked > MANY_QUESTIONS) return this.inCells.get(cell);
    this.questions[cell] = asked + 1;
    if (asked < MANY_QUESTIONS) return undefined;
    const grid = buildGridInCell(this.grid, row, column);
    if (grid === undefined) return undefined;
    const locator = new PointLocator(grid);
    this.inCells.set(cell, locator);
    return locator;
  }

  /** Whether a point of the cell lies on an edge, or in an area that has edges in the cell. */
  private isInAreaOf(cell: number, x: number, y: number): boolean {
    const { starts, entries, ends, areaCount } = this.grid;
    const { lines } = this;
    const end = starts[cell + 1] ?? 0;
    // IS_ODD where the crossing number of the area is odd so far, or 0.
    let odd = 0;
    for (let at = starts[cell] ?? 0; at < end; at++) {
      const entry = entries[at] ?? 0;
      if ((entry & BEGINS_AREA) !== 0) {
        if (odd !== 0) return true;
        odd = entry & IS_ODD;
      }
      const edge = entry >> ENTRY_BITS;
      const line = edge << 2;
      const south = lines[line] ?? NaN;
      const north = lines[line + 1] ?? NaN;
      if (y < south || y > north) continue;
      const eastward = (lines[line + 2] ?? NaN) + (y - south) * (lines[line + 3] ?? NaN) - x;
      // 0 for NaN, too.
      const units = (eastward * UNITS_PER_DEGREE) | 0;
      if (units === 0 || y === north) {
        const crossing = rayCrossing(ends, edge, x, y);
        if (crossing === 'on edge') return true;
        if (crossing === 'crossed') odd ^= IS_ODD;
      } else {
        // Without a branch, which the processor would mispredict every other time.
        odd ^= ~(units >> 31) & IS_ODD;
      }
    }
    return odd !== 0 && areaCount > 0;
  }
}

/** Four numbers an edge: latitudes of its south and north end, longitude of its south end, degrees east per north. */
function linesOf(ends: Float64Array): Float64Array {
  const lines = new Float64Array(ends.length);
  for (let at = 0; at < ends.length; at += 4) {
    const isNorthward = (ends[at + 1] ?? NaN) <= (ends[at + 3] ?? NaN);
    const from = isNorthward ? at : at + 2;
    const to = isNorthward ? at + 2 : at;
    lines[at] = ends[from + 1] ?? NaN;
    lines[at + 1] = ends[to + 1] ?? NaN;
    lines[at + 2] = ends[from] ?? NaN;
    lines[at + 3] = eastPerNorth(ends[from] ?? NaN, ends[from + 1] ?? NaN, ends[to] ?? NaN, ends[to + 1] ?? NaN);
  }
  return lines;
}
