// A box of four numbers, or of six with heights, as a boundary (D48). Heights say nothing of places that have none.

import { boundaryOf, type Boundary } from '../query/condition';
import { readBoundary } from '../values/boundary/boundary';
import type { CoordinateSystem } from '../values/coordinate-systems';
import { failure, success, type Result } from '../values/result';

/** West beyond the east means across the antimeridian. */
export function boxBoundary(numbers: readonly number[], system: CoordinateSystem): Result<Boundary> {
  const half = numbers.length / 2;
  const [left = NaN, lower = NaN] = numbers;
  const [right = NaN, upper = NaN] = numbers.slice(half);
  const [west, south] = system.toDegrees([left, lower]);
  const [east, north] = system.toDegrees([right, upper]);
  const area = readBoundary(`bbox:${[west, south, east, north].join()}`);
  if (!area.ok) return failure(area.problem.replace(/^bbox: /, ''));
  if (area.value.form !== 'geometry') throw new Error('a box that is not a geometry');
  return success(boundaryOf(area.value.geometry));
}
