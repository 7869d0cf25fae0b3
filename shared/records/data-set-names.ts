// Human-readable names of data sets.

import type { DataSetKind } from './data-sets';

export const KIND_NAMES: Readonly<Record<DataSetKind, string>> = {
  SiteVariableAmounts: 'Amounts at sites',
  AggregatedAmounts: 'Aggregated amounts',
  WaterAllocations: 'Water rights',
};
