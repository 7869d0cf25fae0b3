// The edges of a boundary in a grid of rows and columns, so that even a boundary that is scribbled over itself leaves few edges to
// ask in each cell. A cell knows of each area that has an edge in it whether a ray to the east crosses an odd number of the area's
// other edges: a position asks the edges of its cell and no others. Built once, in time and memory that N edges bound by a
// small multiple of N^1.5 (ADR 0037).

import { NO_AREA, type EdgeList } from './edge-list';
import { axesOf, type GridAxes } from './grid-axes';
import { postsOf, type Posts } from './posts';
import { spansOf, type SpannedEdges } from './row-spans';

/** An entry of a cell is the number of an edge, or of a post, above these bits: */
export const ENTRY_BITS = 3;
/** The entry is the first of its area in the cell, */
export const BEGINS_AREA = 1;
/** and a ray from the cell to the east crosses an odd number of the area's edges that do not stand in the cell. */
export const IS_ODD = 2;
/** The cell is the westmost one of the edge in its row, and the edge goes on from there at the height of the row's south end. */
const CROSSES_SOUTH = 4;

export interface EdgeGrid extends GridAxes {
  /** Cell by cell, row by row: the entries of cell `c` stand from `starts[c]` to `starts[c + 1]`, those of an area together. */
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
  /** 1 for each cell that lies wholly in an area. */
  readonly insideCells: Uint8Array;
  readonly posts: Posts;
}

/** `oddAreas` has a 1 for each area of which a ray to the east of the grid crosses an odd number of edges that are not listed. */
export function buildEdgeGrid(
  edges: EdgeList,
  axes: GridAxes = axesOf(edges),
  oddAreas: Uint8Array = new Uint8Array(edges.areaCount),
): EdgeGrid {
  const spanned = spansOf(edges, axes);
  const posts = postsOf(edges, axes, spanned);
  const starts = startsOf(axes, spanned, posts);
  const entries = entriesOf(edges, axes, spanned, posts, starts);
  const grid = { ...axes, starts, entries, insideCells: new Uint8Array(starts.length - 1), posts };
  if (edges.areaCount > 0) settleCells(grid, edges, oddAreas);
  return grid;
}

function startsOf({ rows, columns }: GridAxes, { spans, starts, firstRows }: SpannedEdges, posts: Posts): Uint32Array {
  const width = columns.count;
  // By how many entries a cell has more than the one before it.
  const steps = new Int32Array(rows.count * width + 1);
  const addRun = (from: number, to: number): void => {
    steps[from] = (steps[from] ?? 0) + 1;
    steps[to] = (steps[to] ?? 0) - 1;
  };
  for (let edge = 0; edge < firstRows.length; edge++) {
    const endSpan = starts[edge + 1] ?? 0;
    let west = (firstRows[edge] ?? 0) * width;
    for (let span = starts[edge] ?? 0; span < endSpan; span++) {
      addRun(west + (spans.firsts[span] ?? 0), west + (spans.ends[span] ?? 0));
      west += width;
    }
  }
  posts.firstCells.forEach((first, post) => {
    addRun(first, posts.endCells[post] ?? 0);
  });
  const cellStarts = new Uint32Array(steps.length);
  let here = 0;
  let total = 0;
  steps.forEach((step, cell) => {
    cellStarts[cell] = total;
    here += step;
    total += here;
  });
  return cellStarts;
}

/** Edge after edge, so that those of an area stand together in every cell. */
function entriesOf(
  edges: EdgeList,
  { rows, columns }: GridAxes,
  { spans, starts, firstRows }: SpannedEdges,
  posts: Posts,
  cellStarts: Uint32Array,
): Uint32Array {
  const { count, ends } = edges;
  const places = cellStarts.slice();
  const entries = new Uint32Array(cellStarts.at(-1) ?? 0);
  const add = (cell: number, entry: number): void => {
    const place = places[cell] ?? 0;
    entries[place] = entry;
    places[cell] = place + 1;
  };
  for (let edge = 0; edge < count; edge++) {
    const endPost = posts.starts[edge + 1] ?? 0;
    for (let post = posts.starts[edge] ?? 0; post < endPost; post++) {
      const endCell = posts.endCells[post] ?? 0;
      for (let cell = posts.firstCells[post] ?? 0; cell < endCell; cell++) add(cell, (count + post) << ENTRY_BITS);
    }
    const low = Math.min(ends[4 * edge + 1] ?? NaN, ends[4 * edge + 3] ?? NaN);
    const high = Math.max(ends[4 * edge + 1] ?? NaN, ends[4 * edge + 3] ?? NaN);
    const entry = edge << ENTRY_BITS;
    const endSpan = starts[edge + 1] ?? 0;
    let row = firstRows[edge] ?? 0;
    for (let span = starts[edge] ?? 0; span < endSpan; span++) {
      const south = rows.starts[row] ?? NaN;
      const first = row * columns.count + (spans.firsts[span] ?? 0);
      const end = row * columns.count + (spans.ends[span] ?? 0);
      if (first < end) add(first, low <= south && south < high ? entry | CROSSES_SOUTH : entry);
      for (let cell = first + 1; cell < end; cell++) add(cell, entry);
      row++;
    }
  }
  return entries;
}

/** From the eastmost cell of each row westwards, with the areas of which an odd number of edges lies to the east of the cell. */
function settleCells(
  { rows, columns, starts, entries, insideCells, posts }: EdgeGrid,
  edges: EdgeList,
  oddAreas: Uint8Array,
): void {
  const areas = new Int32Array(edges.count + posts.areas.length);
  areas.set(edges.areas);
  areas.set(posts.areas, edges.count);
  const isOdd = new Uint8Array(edges.areaCount);
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
      if (oddHere < oddBefore) insideCells[cell] = 1;
    }
  }
}
