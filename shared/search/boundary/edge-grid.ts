// A grid of cells over the edges of a boundary. A cell lists the edges that run through it, and knows the crossing
// numbers of the others: for each area that has an edge in the cell, whether a ray to the east crosses an odd number of
// that area's edges outside the cell. A point therefore asks the edges of its cell and no others, even in a boundary
// that is scribbled over itself. Built once, in time and memory that N edges bound by a small multiple of N^1.5.

import { NO_AREA, type EdgeList } from './edges';
import { axesOf, Intervals, runsOf, type EdgeRuns, type GridAxes } from './grid-axes';

/** An entry of a cell is the number of an edge, shifted by these bits. The bits are the three flags below. */
export const ENTRY_BITS = 3;
/** The entry is the first of its area in the cell. */
export const BEGINS_AREA = 1;
/** A ray from the cell to the east crosses an odd number of the area's edges outside the cell; at its first entry. */
export const IS_ODD = 2;
/** The cell is the westmost one of the edge in its row, and the edge crosses the scan line at the south of the row. */
const CROSSES_SOUTH = 4;

export interface EdgeGrid extends GridAxes {
  /** The edges of the boundary, then the virtual ones: ends and areas as in an EdgeList. */
  readonly ends: Float64Array;
  readonly areas: Int32Array;
  readonly areaCount: number;
  /** The number of the first virtual edge. */
  readonly firstVirtual: number;
  /** Row by row: the entries of cell `c` stand from `starts[c]` to `starts[c + 1]`, those of an area together. */
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
  /** 1 for each cell that lies wholly in an area. */
  readonly insideCells: Uint8Array;
}

/**
 * A ring may leave a cell to the east, turn there within the row and come back, with only one of its two edges at the
 * turn in the cell. The crossing number of the others is then not the same above and below the turn. Such a cell gets a
 * virtual edge, far in the east, from the height of the turn to the north without end.
 */
interface VirtualEdge {
  /** It stands in the cells before this edge, which is of the same area. */
  readonly before: number;
  readonly height: number;
  readonly area: number;
  readonly firstCell: number;
  readonly endCell: number;
}

/** Degrees: east of everything. */
const VIRTUAL_LONGITUDE = 1_000;

/** Run `r` puts `entries[r]` into the cells from `firsts[r]` to the one before `ends[r]`. */
type EntryRuns = Readonly<Record<'firsts' | 'ends' | 'entries', Uint32Array>>;

/** `oddAreas` has a 1 for each area of which an odd number of edges that are not listed lie east of the grid. */
export function buildEdgeGrid(
  edges: EdgeList,
  axes: GridAxes = axesOf(edges),
  oddAreas: Uint8Array = new Uint8Array(edges.areaCount),
): EdgeGrid {
  const { count, areaCount } = edges;
  const edgeRuns = runsOf(edges, axes);
  const virtualEdges = virtualEdgesOf(edges, axes, edgeRuns);
  const ends = new Float64Array(4 * (count + virtualEdges.length));
  const areas = new Int32Array(count + virtualEdges.length);
  ends.set(edges.ends);
  areas.set(edges.areas);
  virtualEdges.forEach(({ height, area }, index) => {
    ends.set([VIRTUAL_LONGITUDE, height, VIRTUAL_LONGITUDE, Infinity], 4 * (count + index));
    areas[count + index] = area;
  });
  const entryRuns = entryRunsOf(edges, axes, edgeRuns, virtualEdges);
  const starts = startsOf(entryRuns, axes.rows.count * axes.columns.count);
  const entries = entriesOf(entryRuns, starts);
  const insideCells = new Uint8Array(starts.length - 1);
  const grid = { ...axes, ends, areas, areaCount, firstVirtual: count, starts, entries, insideCells };
  if (areaCount > 0) settleCells(grid, oddAreas);
  return grid;
}

/**
 * In its row an edge counts for all cells west of its first column, from its lower end to its upper end. Where two
 * edges meet, one ends to count at the height where the other begins, so that only the cells between their first
 * columns need a virtual edge.
 */
function virtualEdgesOf(edges: EdgeList, { rows, columns }: GridAxes, edgeRuns: EdgeRuns): readonly VirtualEdge[] {
  const { count, ends, areas, areaCount, previous } = edges;
  const { runs, starts, firstRows } = edgeRuns;
  const virtualEdges: VirtualEdge[] = [];
  const firstColumn = (edge: number | undefined, row: number): number =>
    edge === undefined ? 0 : (runs.firsts[(starts[edge] ?? 0) + row - (firstRows[edge] ?? 0)] ?? 0);
  const addAt = (height: number, edge: number, neighbour: number | undefined): void => {
    const row = rows.indexOf(height);
    // An edge that begins or ends on the scan line at the south of a row counts for the whole row.
    if (row < 0 || height === rows.starts[row]) return;
    const one = firstColumn(edge, row);
    const other = firstColumn(neighbour, row);
    if (one === other) return;
    const firstCell = row * columns.count + Math.min(one, other);
    const endCell = row * columns.count + Math.max(one, other);
    virtualEdges.push({ before: edge, height, area: areas[edge] ?? NO_AREA, firstCell, endCell });
  };
  for (let edge = 0; areaCount > 0 && edge < count; edge++) {
    addAt(ends[4 * edge + 1] ?? NaN, edge, previous?.[edge]);
    if (previous === undefined) addAt(ends[4 * edge + 3] ?? NaN, edge, undefined);
  }
  return virtualEdges;
}

/** Edge after edge, so that the entries of an area will stand together in every cell. */
function entryRunsOf(
  { count, ends }: EdgeList,
  { rows, columns }: GridAxes,
  { runs, starts, firstRows }: EdgeRuns,
  virtualEdges: readonly VirtualEdge[],
): EntryRuns {
  const length = runs.length + virtualEdges.length;
  const all = { firsts: new Uint32Array(length), ends: new Uint32Array(length), entries: new Uint32Array(length) };
  let at = 0;
  let virtual = 0;
  for (let edge = 0; edge < count; edge++) {
    for (let next = virtualEdges[virtual]; next?.before === edge; next = virtualEdges[++virtual]) {
      all.firsts[at] = next.firstCell;
      all.ends[at] = next.endCell;
      all.entries[at++] = (count + virtual) << ENTRY_BITS;
    }
    const low = Math.min(ends[4 * edge + 1] ?? NaN, ends[4 * edge + 3] ?? NaN);
    const high = Math.max(ends[4 * edge + 1] ?? NaN, ends[4 * edge + 3] ?? NaN);
    const endRun = starts[edge + 1] ?? 0;
    let row = firstRows[edge] ?? 0;
    for (let run = starts[edge] ?? 0; run < endRun; run++) {
      const scanLine = rows.starts[row] ?? NaN;
      const west = row++ * columns.count;
      all.firsts[at] = west + (runs.firsts[run] ?? 0);
      all.ends[at] = west + (runs.ends[run] ?? 0);
      all.entries[at++] = (edge << ENTRY_BITS) | (low <= scanLine && scanLine < high ? CROSSES_SOUTH : 0);
    }
  }
  return all;
}

function startsOf({ firsts, ends }: EntryRuns, cellCount: number): Uint32Array {
  // By how many entries a cell has more than the one before it.
  const steps = new Int32Array(cellCount + 1);
  for (let run = 0; run < firsts.length; run++) {
    const first = firsts[run] ?? 0;
    const end = ends[run] ?? 0;
    steps[first] = (steps[first] ?? 0) + 1;
    steps[end] = (steps[end] ?? 0) - 1;
  }
  const starts = new Uint32Array(steps.length);
  let here = 0;
  let total = 0;
  for (let cell = 0; cell < steps.length; cell++) {
    starts[cell] = total;
    here += steps[cell] ?? 0;
    total += here;
  }
  return starts;
}

function entriesOf(runs: EntryRuns, starts: Uint32Array): Uint32Array {
  const places = starts.slice();
  const entries = new Uint32Array(starts.at(-1) ?? 0);
  for (let run = 0; run < runs.firsts.length; run++) {
    const end = runs.ends[run] ?? 0;
    let entry = runs.entries[run] ?? 0;
    for (let cell = runs.firsts[run] ?? 0; cell < end; cell++) {
      const place = places[cell] ?? 0;
      entries[place] = entry;
      places[cell] = place + 1;
      // The edge crosses the scan line in the first cell only.
      entry &= ~CROSSES_SOUTH;
    }
  }
  return entries;
}

/** Sets the flags of areas and the inside cells, from the eastmost cell of each row to the west. */
function settleCells(
  { rows, columns, areas, areaCount, starts, entries, insideCells }: EdgeGrid,
  oddAreas: Uint8Array,
): void {
  const isOdd = new Uint8Array(areaCount);
  const oddCount = oddAreas.reduce((sum, one) => sum + one, 0);
  for (let row = 0; row < rows.count; row++) {
    isOdd.set(oddAreas);
    let odd = oddCount;
    const west = row * columns.count;
    for (let cell = west + columns.count - 1; cell >= west; cell--) {
      const oddBefore = odd;
      let oddHere = 0;
      const end = starts[cell + 1] ?? 0;
      let at = starts[cell] ?? 0;
      while (at < end) {
        const area = areas[(entries[at] ?? 0) >> ENTRY_BITS] ?? NO_AREA;
        const wasOdd = isOdd[area] ?? 0;
        entries[at] = (entries[at] ?? 0) | BEGINS_AREA | (wasOdd === 1 ? IS_ODD : 0);
        let crossings = 0;
        for (; at < end && areas[(entries[at] ?? 0) >> ENTRY_BITS] === area; at++) {
          crossings += ((entries[at] ?? 0) & CROSSES_SOUTH) / CROSSES_SOUTH;
        }
        const isNowOdd = wasOdd ^ (crossings & 1);
        isOdd[area] = isNowOdd;
        odd += isNowOdd - wasOdd;
        oddHere += wasOdd;
      }
      // An area that is odd and has no edge in the cell holds all of it.
      if (oddHere < oddBefore) insideCells[cell] = 1;
    }
  }
}

/** Rows, and columns, per square root of the entries: fewer than for a boundary, as edges go right through a cell. */
const FINENESS_IN_CELL = 0.7;
/** Degrees, a millimetre: a smaller cell gets no grid. */
const LEAST_EXTENT = 1e-8;

/** A finer grid in place of one cell, whose edges go on beyond it. Undefined for a cell that is too small. */
export function buildGridInCell(grid: EdgeGrid, row: number, column: number): EdgeGrid | undefined {
  const [south = NaN, north = NaN] = grid.rows.starts.subarray(row, row + 2);
  const [west = NaN, east = NaN] = grid.columns.starts.subarray(column, column + 2);
  // NaN in the northmost row and the eastmost column, which are lines.
  if (!(Math.min(north - south, east - west) >= LEAST_EXTENT)) return undefined;
  const cell = row * grid.columns.count + column;
  const entries = grid.entries.subarray(grid.starts[cell], grid.starts[cell + 1]);
  const ends = new Float64Array(4 * entries.length);
  const areas = new Int32Array(entries.length);
  const oddAreas: number[] = [];
  entries.forEach((entry, at) => {
    if ((entry & BEGINS_AREA) !== 0) oddAreas.push((entry & IS_ODD) / IS_ODD);
    // The edges of lines begin no area, so that all get NO_AREA.
    areas[at] = oddAreas.length - 1;
    const edge = entry >> ENTRY_BITS;
    ends.set(grid.ends.subarray(4 * edge, 4 * edge + 4), 4 * at);
  });
  const most = Math.ceil(FINENESS_IN_CELL * Math.sqrt(entries.length));
  const rows = new Intervals(Float64Array.of(south, north), most);
  const columns = new Intervals(Float64Array.of(west, east), most);
  const edges = { count: entries.length, ends, areas, areaCount: oddAreas.length, previous: undefined };
  return buildEdgeGrid(edges, { rows, columns }, Uint8Array.from(oddAreas));
}
