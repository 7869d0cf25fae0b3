// The rows and columns of a boundary's grid: as many as make its cells empty without making it long to build.

import { Bands } from './bands';
import type { EdgeList } from './edge-list';

/** Rows, and columns, per square root of the edges: more make the cells emptier and the building longer. */
const FINENESS = 3;
const MOST_BANDS = 512;
/** How much finer the one axis may be than the other's. */
const MOST_STRETCH = 4;

export interface GridAxes {
  readonly rows: Bands;
  readonly columns: Bands;
}

/**
 * Where edges go through many columns and few rows there are fewer and wider columns, and more rows; and the other way round. That
 * makes the cells emptier, and never more entries in them.
 */
export function axesOf({ count, ends }: EdgeList): GridAxes {
  const heights = everySecond(ends, 1);
  const longitudes = everySecond(ends, 0);
  const most = Math.min(MOST_BANDS, Math.ceil(FINENESS * Math.sqrt(count)));
  const rows = new Bands(heights, most);
  const columns = new Bands(longitudes, most);
  const wanted = Math.sqrt(bandsCrossed(columns, longitudes) / bandsCrossed(rows, heights));
  const stretch = Math.max(1 / MOST_STRETCH, Math.min(MOST_STRETCH, wanted));
  if (Math.max(stretch, 1 / stretch) < 1.5) return { rows, columns };
  return {
    rows: new Bands(heights, Math.ceil(most * stretch)),
    columns: new Bands(longitudes, Math.ceil(most / stretch)),
  };
}

/** Over all edges, of which `values` holds both ends each. */
function bandsCrossed(bands: Bands, values: Float64Array): number {
  let crossed = 0;
  for (let at = 0; at < values.length; at += 2) {
    crossed += 1 + Math.abs(bands.of(values[at] ?? NaN) - bands.of(values[at + 1] ?? NaN));
  }
  return crossed;
}

function everySecond(values: Float64Array, first: number): Float64Array {
  const chosen = new Float64Array(values.length / 2);
  for (let at = 0; at < chosen.length; at++) chosen[at] = values[2 * at + first] ?? NaN;
  return chosen;
}
