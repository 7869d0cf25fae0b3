// Reads the parameters of an operation.

import type { OperationParameter } from '../../query/operations';
import type { QueryItem } from '../../query/query-string';
import { type OperationRequest, readRequest } from '../../query/read-request';
import { badParameters, type Refusal, refuse } from './outcome';
import type { Service } from './service';

export type ReadOutcome<Query> = { readonly kind: 'read'; readonly query: Query } | Refusal;

/** Reads the parameters of an operation. If any are invalid, refuses the request with all errors at once. */
export function readParameters(
  { parameters }: { readonly parameters: readonly OperationParameter[] },
  items: readonly QueryItem[],
  { readingSettings: reading }: Pick<Service, 'readingSettings'>,
): ReadOutcome<OperationRequest> {
  const result = readRequest(parameters, items, reading);
  return result.ok ? { kind: 'read', query: result.query } : refuse(badParameters(result.errors));
}
