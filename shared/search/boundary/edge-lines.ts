// The edges, and posts, of a grid as four numbers each that tell in a few steps on which side of nearly every position they lie.

import type { EdgeGrid } from './edge-grid';
import type { EdgeList } from './edge-list';
import { postEdge } from './posts';
import { eastPerNorth } from './row-spans';

/** Of line `l` from 4l on its south and north end, the longitude of its south end, and how far it goes east for each degree north. */
export function linesOf({ count, ends }: EdgeList, { posts }: EdgeGrid): Float64Array {
  const lines = new Float64Array(4 * (count + posts.heights.length));
  lines.set(ends);
  posts.heights.forEach((height, post) => {
    lines.set(postEdge(height), 4 * (count + post));
  });
  for (let at = 0; at < lines.length; at += 4) {
    const isUp = (lines[at + 1] ?? NaN) <= (lines[at + 3] ?? NaN);
    const [from, to] = isUp ? [at, at + 2] : [at + 2, at];
    const fromX = lines[from] ?? NaN;
    const fromY = lines[from + 1] ?? NaN;
    const toX = lines[to] ?? NaN;
    const toY = lines[to + 1] ?? NaN;
    lines[at] = fromY;
    lines[at + 1] = toY;
    lines[at + 2] = fromX;
    lines[at + 3] = eastPerNorth(fromX, fromY, toX, toY);
  }
  return lines;
}
