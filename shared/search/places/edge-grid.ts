// The edges of a boundary in a grid of rows and columns, so that even a boundary that is scribbled over itself leaves few edges to
// ask in each cell. Which areas a position lies in follows from the edges to its east: those across its whole row were counted for
// the cell, those that begin or end in the row are few, and those in the cell are tested exactly. Built once, row by row from the
// south, in time and memory that N edges bound by a small multiple of N^1.5.

import { Bands } from './bands';
import { NO_AREA, type EdgeList } from './edge-list';
import { NumberList } from './number-list';

/** Rows, and columns, per square root of the edges: more make the cells emptier and the building longer. */
const FINENESS = 3;
const MOST_ROWS = 4096;
const MOST_COLUMNS = 512;

/**
 * In degrees, far more than the rounding of a position on an edge (some 1e-13), far less than what matters: an edge may stand in a
 * cell that it only nearly meets, never not in one that it meets.
 */
const SLACK = 1e-11;

export interface EdgeGrid {
  readonly rows: Bands;
  readonly columns: Bands;
  /** Cell by cell, row by row: the edges of cell `c` stand from `starts[c]` to `starts[c + 1]`. */
  readonly starts: Uint32Array;
  readonly cellEdges: Uint32Array;
  /** 1 for each cell that lies wholly in an area. */
  readonly insideCells: Uint8Array;
  /** The areas of which a cell has an odd number of edges to its east that go across its row; found as the edges are. */
  readonly oddStarts: Uint32Array;
  readonly oddAreas: Uint32Array;
  /** Row by row the edges that begin or end within it, from the eastmost on: areas, first columns, south and north ends. */
  readonly partialStarts: Uint32Array;
  readonly partialAreas: Uint32Array;
  readonly partialColumns: Uint32Array;
  readonly partialSouths: readonly number[];
  readonly partialNorths: readonly number[];
}

/** West and east end, in degrees, of what of an edge lies between two heights; both heights are the edge's own or between. */
export function westEnd(ax: number, ay: number, bx: number, by: number, south: number, north: number): number {
  const west = Math.min(ax, bx);
  if (ay === by || ax === bx) return west;
  return Math.max(west, Math.min(xAt(ax, ay, bx, by, south), xAt(ax, ay, bx, by, north)) - SLACK);
}

export function eastEnd(ax: number, ay: number, bx: number, by: number, south: number, north: number): number {
  const east = Math.max(ax, bx);
  if (ay === by || ax === bx) return east;
  return Math.min(east, Math.max(xAt(ax, ay, bx, by, south), xAt(ax, ay, bx, by, north)) + SLACK);
}

export function buildEdgeGrid(edges: EdgeList): EdgeGrid {
  return new GridBuilder(edges).build();
}

/** Goes through the rows from south to north, with the edges that stand in each. */
class GridBuilder {
  private readonly rows: Bands;
  private readonly columns: Bands;
  private readonly starts: Uint32Array;
  private readonly cellEdges = new NumberList();
  private readonly insideCells: Uint8Array;
  private readonly oddStarts: Uint32Array;
  private readonly oddAreas = new NumberList();
  private readonly partialStarts: Uint32Array;
  private readonly partialAreas = new NumberList();
  private readonly partialColumns = new NumberList();
  private readonly partialSouths: number[] = [];
  private readonly partialNorths: number[] = [];

  /** The edges of the row at hand, and the first and last column of each there. */
  private readonly standing: Uint32Array;
  private standingCount = 0;
  private readonly firstColumns: Uint32Array;
  private readonly lastColumns: Uint32Array;
  /** By column, the edges that begin there and go across the row: a chain through `nextCrossing`, -1 at its end. */
  private readonly crossing: Int32Array;
  private readonly nextCrossing: Int32Array;
  private readonly isOdd: Uint8Array;
  /** The last cell that looked at each area. */
  private readonly seenBy: Int32Array;

  constructor(private readonly edges: EdgeList) {
    const { count, areaCount, ends } = edges;
    const fineness = Math.ceil(FINENESS * Math.sqrt(count));
    this.rows = new Bands(
      ends.filter((_, index) => index % 2 === 1),
      Math.min(fineness, MOST_ROWS),
    );
    this.columns = new Bands(
      ends.filter((_, index) => index % 2 === 0),
      Math.min(fineness, MOST_COLUMNS),
    );
    const cells = this.rows.count * this.columns.count;
    this.starts = new Uint32Array(cells + 1);
    this.insideCells = new Uint8Array(cells);
    this.oddStarts = new Uint32Array(cells + 1);
    this.partialStarts = new Uint32Array(this.rows.count + 1);
    this.standing = new Uint32Array(count);
    this.firstColumns = new Uint32Array(count);
    this.lastColumns = new Uint32Array(count);
    this.crossing = new Int32Array(this.columns.count);
    this.nextCrossing = new Int32Array(count);
    this.isOdd = new Uint8Array(areaCount);
    this.seenBy = new Int32Array(areaCount).fill(-1);
  }

  build(): EdgeGrid {
    const { rows, columns, starts, insideCells, oddStarts, partialStarts, partialSouths, partialNorths } = this;
    const { heads, next } = this.edgesByFirstRow();
    for (let row = 0; row < rows.count; row++) {
      for (let edge = heads[row] ?? -1; edge !== -1; edge = next[edge] ?? -1)
        this.standing[this.standingCount++] = edge;
      this.layOut(row);
      this.fillCells(row * columns.count);
      if (this.edges.areaCount > 0) this.countEastwards(row);
      this.leave(row);
    }
    return {
      ...{ rows, columns, starts, insideCells, oddStarts, partialStarts, partialSouths, partialNorths },
      cellEdges: this.cellEdges.numbers(),
      oddAreas: this.oddAreas.numbers(),
      partialAreas: this.partialAreas.numbers(),
      partialColumns: this.partialColumns.numbers(),
    };
  }

  private edgesByFirstRow(): { readonly heads: Int32Array; readonly next: Int32Array } {
    const { count, ends } = this.edges;
    const heads = new Int32Array(this.rows.count).fill(-1);
    const next = new Int32Array(count);
    for (let edge = 0; edge < count; edge++) {
      const row = this.rows.of(Math.min(ends[4 * edge + 1] ?? NaN, ends[4 * edge + 3] ?? NaN));
      next[edge] = heads[row] ?? -1;
      heads[row] = edge;
    }
    return { heads, next };
  }

  /** Finds the columns of each edge in the row, and what it does to positions west of it. */
  private layOut(row: number): void {
    const { ends, areas } = this.edges;
    const bottom = this.rows.starts[row] ?? NaN;
    const top = this.rows.starts[row + 1] ?? Infinity;
    this.crossing.fill(-1);
    const partial: { readonly area: number; readonly first: number; readonly low: number; readonly high: number }[] =
      [];
    for (let index = 0; index < this.standingCount; index++) {
      const edge = this.standing[index] ?? 0;
      const ax = ends[4 * edge] ?? NaN;
      const bx = ends[4 * edge + 2] ?? NaN;
      const ay = ends[4 * edge + 1] ?? NaN;
      const by = ends[4 * edge + 3] ?? NaN;
      const low = Math.min(ay, by);
      const high = Math.max(ay, by);
      const south = Math.max(low, bottom);
      const north = Math.min(high, top);
      const first = this.columns.of(westEnd(ax, ay, bx, by, south, north));
      this.firstColumns[index] = first;
      this.lastColumns[index] = this.columns.of(eastEnd(ax, ay, bx, by, south, north));
      const area = areas[edge] ?? NO_AREA;
      if (area === NO_AREA || low === high) continue;
      if (low <= bottom && high >= top) {
        this.nextCrossing[edge] = this.crossing[first] ?? -1;
        this.crossing[first] = edge;
      } else if (high > bottom) {
        partial.push({ area, first, low, high });
      }
    }
    partial.sort((a, b) => b.first - a.first);
    for (const { area, first, low, high } of partial) {
      this.partialAreas.add(area);
      this.partialColumns.add(first);
      this.partialSouths.push(low);
      this.partialNorths.push(high);
    }
    this.partialStarts[row + 1] = this.partialAreas.length;
  }

  private fillCells(firstCell: number): void {
    const { starts, standing, standingCount, firstColumns, lastColumns } = this;
    const endCell = firstCell + this.columns.count;
    for (let index = 0; index < standingCount; index++) {
      const last = firstCell + (lastColumns[index] ?? 0) + 1;
      for (let next = firstCell + (firstColumns[index] ?? 0) + 1; next <= last; next++)
        starts[next] = (starts[next] ?? 0) + 1;
    }
    for (let cell = firstCell; cell < endCell; cell++) starts[cell + 1] = (starts[cell + 1] ?? 0) + (starts[cell] ?? 0);
    const cellEdges = this.cellEdges.reserve((starts[endCell] ?? 0) - (starts[firstCell] ?? 0));
    const places = starts.slice(firstCell, endCell);
    for (let index = 0; index < standingCount; index++) {
      const last = lastColumns[index] ?? 0;
      for (let column = firstColumns[index] ?? 0; column <= last; column++) {
        const place = places[column] ?? 0;
        cellEdges[place] = standing[index] ?? 0;
        places[column] = place + 1;
      }
    }
  }

  /** From the eastmost cell of the row westwards: which areas have an odd number of edges across the row to the cell's east. */
  private countEastwards(row: number): void {
    const { areas } = this.edges;
    const width = this.columns.count;
    let odd = 0;
    this.isOdd.fill(0);
    // Cells come from the east, their lists of odd areas are kept from the west.
    const listed: number[] = [];
    const ends: number[] = [];
    for (let column = width - 1; column >= 0; column--) {
      const before = listed.length;
      if (odd > 0 && this.listUnsettled(row, column, odd, listed) < odd) {
        listed.length = before;
        this.insideCells[row * width + column] = 1;
      }
      ends.push(listed.length);
      for (let edge = this.crossing[column] ?? -1; edge !== -1; edge = this.nextCrossing[edge] ?? -1) {
        const area = areas[edge] ?? 0;
        const isOdd = 1 - (this.isOdd[area] ?? 0);
        this.isOdd[area] = isOdd;
        odd += 2 * isOdd - 1;
      }
    }
    for (let column = 0; column < width; column++) {
      const from = ends[width - 2 - column] ?? 0;
      const to = ends[width - 1 - column] ?? 0;
      for (let at = from; at < to; at++) this.oddAreas.add(listed[at] ?? 0);
      this.oddStarts[row * width + column + 1] = this.oddAreas.length;
    }
  }

  /**
   * Lists, and counts, the odd areas that have an edge in the cell or one that begins or ends in its row; an odd area that has
   * neither holds all of the cell. Stops when all `odd` are listed.
   */
  private listUnsettled(row: number, column: number, odd: number, listed: number[]): number {
    const { areas } = this.edges;
    const cell = row * this.columns.count + column;
    const before = listed.length;
    const list = (area: number): void => {
      if (this.isOdd[area] !== 1 || this.seenBy[area] === cell) return;
      this.seenBy[area] = cell;
      listed.push(area);
    };
    const end = before + odd;
    const lastEdge = this.starts[cell + 1] ?? 0;
    for (let at = this.starts[cell] ?? 0; at < lastEdge && listed.length < end; at++) {
      list(areas[this.cellEdges.all[at] ?? 0] ?? 0);
    }
    const lastPartial = this.partialStarts[row + 1] ?? 0;
    for (let at = this.partialStarts[row] ?? 0; at < lastPartial && listed.length < end; at++) {
      list(this.partialAreas.all[at] ?? 0);
    }
    return listed.length - before;
  }

  /** Edges that end in the row are not in the next one. */
  private leave(row: number): void {
    const { ends } = this.edges;
    const nextBottom = this.rows.starts[row + 1] ?? Infinity;
    let kept = 0;
    for (let index = 0; index < this.standingCount; index++) {
      const edge = this.standing[index] ?? 0;
      if (Math.max(ends[4 * edge + 1] ?? NaN, ends[4 * edge + 3] ?? NaN) >= nextBottom) this.standing[kept++] = edge;
    }
    this.standingCount = kept;
  }
}

function xAt(ax: number, ay: number, bx: number, by: number, y: number): number {
  return ax + ((y - ay) / (by - ay)) * (bx - ax);
}
