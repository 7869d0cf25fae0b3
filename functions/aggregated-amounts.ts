// AggregatedAmounts: its records, and what else can be asked about them.

import { exportEndpoint } from '../shared/http/exports/export-endpoint';
import { endpoint } from '../shared/http/operations/endpoint';
import {
  aggregatedAmounts,
  aggregatedAmountsExport,
  aggregatedAmountsFacets,
  aggregatedAmountsRemoved,
  aggregatedAmountsTotals,
} from '../shared/query/operations';

export const aggregatedAmountsFunctions = [
  endpoint(aggregatedAmounts),
  endpoint(aggregatedAmountsTotals),
  endpoint(aggregatedAmountsFacets),
  endpoint(aggregatedAmountsRemoved),
  exportEndpoint(aggregatedAmountsExport),
] as const;
