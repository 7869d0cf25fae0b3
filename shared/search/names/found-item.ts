// An item of the answer to a search for names (D60).

import type { DataSetKind } from '../../records/data-sets';
import type { FindResult, RecordsCounts } from '../../records/find-results';

/** The operation that returns the records of each kind of data set. */
export const OPERATIONS = {
  SiteVariableAmounts: 'SiteVariableAmounts',
  AggregatedAmounts: 'AggregatedAmounts',
  WaterAllocations: 'SiteAllocationAmounts',
} as const satisfies Readonly<Record<DataSetKind, keyof RecordsCounts>>;

/** The members that describe a named thing. Missing members become null. */
export type NamedThing = Pick<FindResult, 'Kind'> & Partial<Omit<FindResult, 'Kind' | 'RecordsCounts' | 'Filter'>>;

/** `filters` are the parameters that find the records of the thing. */
export function buildFoundItem(
  { Kind, OrganizationUUID = null, Identifier = null, Name = null, State = null, County = null }: NamedThing,
  RecordsCounts: RecordsCounts,
  filters: readonly (readonly [name: string, value: string])[],
): FindResult {
  const Filter = filters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  // The answer has the members in this order.
  return { Kind, OrganizationUUID, Identifier, Name, State, County, RecordsCounts, Filter };
}
