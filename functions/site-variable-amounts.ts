// SiteVariableAmounts: its records, and what else can be asked about them.

import { exportEndpoint } from '../shared/http/exports/export-endpoint';
import { endpoint } from '../shared/http/operations/endpoint';
import {
  siteVariableAmounts,
  siteVariableAmountsExport,
  siteVariableAmountsFacets,
  siteVariableAmountsRemoved,
  siteVariableAmountsTotals,
} from '../shared/query/operations';

export const siteVariableAmountsFunctions = [
  endpoint(siteVariableAmounts),
  endpoint(siteVariableAmountsTotals),
  endpoint(siteVariableAmountsFacets),
  endpoint(siteVariableAmountsRemoved),
  exportEndpoint(siteVariableAmountsExport),
] as const;
