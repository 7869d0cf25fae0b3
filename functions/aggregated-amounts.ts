// Aggregated amounts of reporting units: GET or POST /v1/AggregatedAmounts, and below it their totals, facets, removed
// records and export. Callers need a key.

import { httpFunction } from '../shared/http/pipeline/pipeline';
import { exportEntry } from '../shared/http/v1/exports';
import { operationEntry } from '../shared/http/v1/operations';
import {
  aggregatedAmounts,
  aggregatedAmountsExport,
  aggregatedAmountsFacets,
  aggregatedAmountsRemoved,
  aggregatedAmountsTotals,
} from '../shared/query/operations';

export const aggregatedAmountsFunction = httpFunction({
  name: 'AggregatedAmounts',
  route: 'v1/AggregatedAmounts/{*path}',
  routes: [
    operationEntry(aggregatedAmounts),
    operationEntry(aggregatedAmountsTotals),
    operationEntry(aggregatedAmountsFacets),
    operationEntry(aggregatedAmountsRemoved),
    exportEntry(aggregatedAmountsExport),
  ],
});
