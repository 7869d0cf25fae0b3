// Writes the sentence in the header Query-Hint about a boundary whose coordinate system, such as NAD83, is read as WGS
// 84 (D73).

import type { Operation } from '../../query/operations';
import type { OperationRequest } from '../../query/read-request';
import { findOtherSystem } from '../../values/boundary-system';
import { describeSystem } from '../../values/geographic-systems';

/** Returns the EPSG code of the boundary's coordinate system; undefined if it is WGS 84 or there is no boundary. */
export function findBoundarySystem(operation: Operation, request: OperationRequest): string | undefined {
  const name = operation.parameters.find(({ kind }) => kind === 'boundary')?.name;
  const boundary = request.linkParameters.find((item) => item.name === name);
  return boundary && findOtherSystem(boundary.value);
}

/** Undefined if no hint is needed. */
export function findBoundarySystemHint(operation: Operation, request: OperationRequest): string | undefined {
  const system = findBoundarySystem(operation, request);
  if (system === undefined) return undefined;
  return `The boundary is in ${describeSystem(system)} and was read as WGS 84: the two differ by less than two meters.`;
}
