// SiteAllocationAmounts: its records, and what else can be asked about them.

import { exportFunction } from '../shared/http/v1/exports';
import { operationFunction } from '../shared/http/v1/operations';
import {
  siteAllocationAmounts,
  siteAllocationAmountsExport,
  siteAllocationAmountsFacets,
  siteAllocationAmountsRemoved,
  siteAllocationAmountsTotals,
} from '../shared/query/operations';

export const siteAllocationAmountsFunctions = [
  operationFunction(siteAllocationAmounts),
  operationFunction(siteAllocationAmountsTotals),
  operationFunction(siteAllocationAmountsFacets),
  operationFunction(siteAllocationAmountsRemoved),
  exportFunction(siteAllocationAmountsExport),
] as const;
