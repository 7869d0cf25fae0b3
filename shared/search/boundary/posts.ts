// A ring that leaves a cell to the east, turns there within the row and comes back is crossed by a ray from the cell above the turn
// and not below it, or the other way round, though only one of its two edges at the turn may stand in the cell. Such a cell gets
// a post: an edge far in the east that goes from the height of the turn up without end, so that the cell's own entries tell all.

import { NO_AREA, type EdgeList } from './edge-list';
import type { GridAxes } from './grid-axes';
import type { SpannedEdges } from './row-spans';

/** In degrees: east of all that there is. */
const POST_LONGITUDE = 1_000;
const NO_EDGE = -1;

/** Posts are numbered on from the edges. */
export interface Posts {
  readonly heights: Float64Array;
  readonly areas: Int32Array;
  /** Of each post the first of its cells, which are neighbours in a row, and the one after the last. */
  readonly firstCells: Uint32Array;
  readonly endCells: Uint32Array;
  /** The posts at ends of edge `e` are those from `starts[e]` to `starts[e + 1]`. */
  readonly starts: Uint32Array;
}

/**
 * In a row each edge with `first` as its first column counts for the cells west of `first` from its lower end on to its upper end. Where
 * two edges meet at a height the one's end and the other's beginning cancel out, but for the cells between their first columns.
 */
export function postsOf(edges: EdgeList, { rows, columns }: GridAxes, spanned: SpannedEdges): Posts {
  const posts: { readonly height: number; readonly area: number; readonly first: number; readonly end: number }[] = [];
  const starts = new Uint32Array(edges.count + 1);
  const firstColumn = (edge: number, row: number): number =>
    edge === NO_EDGE
      ? 0
      : (spanned.spans.firsts[(spanned.starts[edge] ?? 0) + row - (spanned.firstRows[edge] ?? 0)] ?? 0);
  forEachTurn(edges, (edge, height, otherEdge) => {
    const row = rows.of(height);
    if (row < 0) return;
    const [one, other] = [firstColumn(edge, row), firstColumn(otherEdge, row)];
    // What ends or begins at the south end of a row is told for all of the row.
    if (one === other || height === rows.starts[row]) return;
    const west = row * columns.count;
    posts.push({
      height,
      area: edges.areas[edge] ?? NO_AREA,
      first: west + Math.min(one, other),
      end: west + Math.max(one, other),
    });
    starts[edge + 1] = posts.length;
  });
  for (let edge = 0; edge < edges.count; edge++) starts[edge + 1] = Math.max(starts[edge] ?? 0, starts[edge + 1] ?? 0);
  return {
    heights: Float64Array.from(posts, (post) => post.height),
    areas: Int32Array.from(posts, (post) => post.area),
    firstCells: Uint32Array.from(posts, (post) => post.first),
    endCells: Uint32Array.from(posts, (post) => post.end),
    starts,
  };
}

/** A post as an edge list has edges. */
export function postEdge(height: number): readonly number[] {
  return [POST_LONGITUDE, height, POST_LONGITUDE, Infinity];
}

/** In the order of the edges; without another edge where none is known to begin where one ends. */
function forEachTurn(
  { count, ends, areaCount, pathStarts }: EdgeList,
  visit: (edge: number, height: number, otherEdge: number) => void,
): void {
  if (areaCount === 0) return;
  if (pathStarts === undefined) {
    for (let edge = 0; edge < count; edge++) {
      visit(edge, ends[4 * edge + 1] ?? NaN, NO_EDGE);
      visit(edge, ends[4 * edge + 3] ?? NaN, NO_EDGE);
    }
    return;
  }
  pathStarts.forEach((start, path) => {
    const end = pathStarts[path + 1] ?? count;
    let before = end - 1;
    for (let edge = start; edge < end; edge++) {
      visit(edge, ends[4 * edge + 1] ?? NaN, before);
      before = edge;
    }
  });
}
