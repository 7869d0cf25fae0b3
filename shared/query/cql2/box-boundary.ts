// A box as a boundary (D48): four numbers, or six with heights. Heights are ignored, because places have none.

import { readBoundary } from '../../values/boundary';
import type { CoordinateSystem } from '../../values/coordinate-systems';
import { failure, type Result, success } from '../../values/result';
import { type Boundary, toBoundary } from '../condition';

/** A west that is greater than the east means that the box crosses the antimeridian. */
export function readBoxBoundary(numbers: readonly number[], system: CoordinateSystem): Result<Boundary> {
  const half = numbers.length / 2;
  const [left = NaN, lower = NaN] = numbers;
  const [right = NaN, upper = NaN] = numbers.slice(half);
  const [west, south] = system.toDegrees([left, lower]);
  const [east, north] = system.toDegrees([right, upper]);
  const area = readBoundary(`bbox:${[west, south, east, north].join()}`);
  if (!area.ok) return failure(area.problem.replace(/^bbox: /, ''));
  if (area.value.kind !== 'geometry') throw new Error('a box is read as a geometry');
  return success(toBoundary(area.value.geometry));
}
