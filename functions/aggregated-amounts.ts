// AggregatedAmounts: its records, and what else can be asked about them.

import { endpoint } from '../shared/http/operations/endpoint';
import {
  aggregatedAmounts,
  aggregatedAmountsFacets,
  aggregatedAmountsRemoved,
  aggregatedAmountsTotals,
} from '../shared/query/operations';

export const aggregatedAmountsFunctions = [
  endpoint(aggregatedAmounts),
  endpoint(aggregatedAmountsTotals),
  endpoint(aggregatedAmountsFacets),
  endpoint(aggregatedAmountsRemoved),
] as const;
