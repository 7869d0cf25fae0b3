// What stands in a cell of a grid, as the edges and axes of a finer grid in its place. Its edges go on beyond the cell.

import { Bands } from './bands';
import { BEGINS_AREA, ENTRY_BITS, IS_ODD, type EdgeGrid } from './edge-grid';
import type { EdgeList } from './edge-list';
import type { GridAxes } from './grid-axes';
import { postEdge } from './posts';

/** Rows, and columns, per square root of the entries: fewer than in a boundary's own grid, for edges that go right through. */
const FINENESS = 0.7;
/** In degrees, a millimetre: smaller cells are not cut. */
const LEAST_EXTENT = 1e-8;

export interface CellContent {
  readonly edges: EdgeList;
  readonly axes: GridAxes;
  /** 1 for each area of which an odd number of edges lies east of the cell. */
  readonly oddAreas: Uint8Array;
}

/** Undefined for a cell that is too small to cut. */
export function contentOfCell(edges: EdgeList, grid: EdgeGrid, row: number, column: number): CellContent | undefined {
  const [south = NaN, north = NaN] = grid.rows.starts.subarray(row, row + 2);
  const [west = NaN, east = NaN] = grid.columns.starts.subarray(column, column + 2);
  // NaN in the northmost row and the eastmost column, which are lines.
  if (!(Math.min(north - south, east - west) >= LEAST_EXTENT)) return undefined;
  const cell = row * grid.columns.count + column;
  const entries = grid.entries.subarray(grid.starts[cell], grid.starts[cell + 1]);
  const most = Math.ceil(FINENESS * Math.sqrt(entries.length));
  const ends = new Float64Array(4 * entries.length);
  const areas = new Int32Array(entries.length);
  const oddAreas: number[] = [];
  entries.forEach((entry, at) => {
    if ((entry & BEGINS_AREA) !== 0) oddAreas.push((entry & IS_ODD) === 0 ? 0 : 1);
    // Of a line's edges none begins an area, and all get NO_AREA.
    areas[at] = oddAreas.length - 1;
    const edge = entry >> ENTRY_BITS;
    const isPost = edge >= edges.count;
    ends.set(
      isPost ? postEdge(grid.posts.heights[edge - edges.count] ?? NaN) : edges.ends.subarray(4 * edge, 4 * edge + 4),
      4 * at,
    );
  });
  return {
    edges: { count: entries.length, ends, areas, areaCount: oddAreas.length, pathStarts: undefined },
    axes: {
      rows: new Bands(Float64Array.of(south, north), most),
      columns: new Bands(Float64Array.of(west, east), most),
    },
    oddAreas: Uint8Array.from(oddAreas),
  };
}
