// Reads a box as a boundary (D48): four numbers, or six with heights. Heights are ignored, because places have none.

import { readBoundary } from '../../values/boundary';
import type { CoordinateSystem } from '../../values/coordinate-systems';
import { failure, type Result, success } from '../../values/result';
import { type Boundary, toBoundary } from '../condition';

/** If west is greater than east, the box crosses the antimeridian. */
export function readBoxBoundary(numbers: readonly number[], system: CoordinateSystem): Result<Boundary> {
  const half = numbers.length / 2;
  const [left = NaN, lower = NaN] = numbers;
  const [right = NaN, upper = NaN] = numbers.slice(half);
  // A Web Mercator map often extends beyond the edges of the world (D70).
  const cut = system.name === 'EPSG:3857' ? cutToWorld : keep;
  const [west, south] = cut(system.toDegrees([left, lower]));
  const [east, north] = cut(system.toDegrees([right, upper]));
  const area = readBoundary(`bbox:${[west, south, east, north].join()}`);
  if (!area.ok) return failure(area.problem.replace(/^bbox: /, ''));
  if (area.value.kind !== 'geometry') throw new Error('a box is read as a geometry');
  return success(toBoundary(area.value.geometry));
}

type Pair = readonly [number, number];

function keep(position: Pair): Pair {
  return position;
}

function cutToWorld([longitude, latitude]: Pair): Pair {
  return [Math.max(-180, Math.min(180, longitude)), Math.max(-90, Math.min(90, latitude))];
}
