// The edges, and posts, of a grid as four numbers each that tell in a few steps on which side of nearly every position they lie.

import type { EdgeGrid } from './edge-grid';
import type { EdgeList } from './edge-list';
import { postLine } from './posts';
import { eastPerNorth } from './row-spans';

/** Of line `l` from 4l on its south and north end, the longitude of its south end, and how far it goes east for each degree north. */
export function linesOf({ count, ends }: EdgeList, { posts }: EdgeGrid): Float64Array {
  const lines = new Float64Array(4 * (count + posts.heights.length));
  for (let at = 0; at < 4 * count; at += 4) {
    const isUp = (ends[at + 1] ?? NaN) <= (ends[at + 3] ?? NaN);
    const [from, to] = isUp ? [at, at + 2] : [at + 2, at];
    const x = ends[from] ?? NaN;
    const south = ends[from + 1] ?? NaN;
    const north = ends[to + 1] ?? NaN;
    lines[at] = south;
    lines[at + 1] = north;
    lines[at + 2] = x;
    lines[at + 3] = eastPerNorth(x, south, ends[to] ?? NaN, north);
  }
  posts.heights.forEach((height, post) => {
    lines.set(postLine(height), 4 * (count + post));
  });
  return lines;
}
