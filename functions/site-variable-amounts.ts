// SiteVariableAmounts: its records, and what else can be asked about them.

import { exportFunction } from '../shared/http/v1/exports';
import { operationFunction } from '../shared/http/v1/operations';
import {
  siteVariableAmounts,
  siteVariableAmountsExport,
  siteVariableAmountsFacets,
  siteVariableAmountsRemoved,
  siteVariableAmountsTotals,
} from '../shared/query/operations';

export const siteVariableAmountsFunctions = [
  operationFunction(siteVariableAmounts),
  operationFunction(siteVariableAmountsTotals),
  operationFunction(siteVariableAmountsFacets),
  operationFunction(siteVariableAmountsRemoved),
  exportFunction(siteVariableAmountsExport),
] as const;
