// AggregatedAmounts: its records, and what else can be asked about them.

import { exportFunction } from '../shared/http/v1/exports';
import { operationFunction } from '../shared/http/v1/operations';
import {
  aggregatedAmounts,
  aggregatedAmountsExport,
  aggregatedAmountsFacets,
  aggregatedAmountsRemoved,
  aggregatedAmountsTotals,
} from '../shared/query/operations';

export const aggregatedAmountsFunctions = [
  operationFunction(aggregatedAmounts),
  operationFunction(aggregatedAmountsTotals),
  operationFunction(aggregatedAmountsFacets),
  operationFunction(aggregatedAmountsRemoved),
  exportFunction(aggregatedAmountsExport),
] as const;
