// SiteAllocationAmounts: its records, and what else can be asked about them.

import { exportEndpoint } from '../shared/http/exports/export-endpoint';
import { endpoint } from '../shared/http/operations/endpoint';
import {
  siteAllocationAmounts,
  siteAllocationAmountsExport,
  siteAllocationAmountsFacets,
  siteAllocationAmountsRemoved,
  siteAllocationAmountsTotals,
} from '../shared/query/operations';

export const siteAllocationAmountsFunctions = [
  endpoint(siteAllocationAmounts),
  endpoint(siteAllocationAmountsTotals),
  endpoint(siteAllocationAmountsFacets),
  endpoint(siteAllocationAmountsRemoved),
  exportEndpoint(siteAllocationAmountsExport),
] as const;
