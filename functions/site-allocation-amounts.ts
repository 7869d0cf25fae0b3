// Water rights (allocations) and their sites: GET or POST /v1/SiteAllocationAmounts, and below it their totals, facets,
// removed records and export. Callers need a key.

import { httpFunction } from '../shared/http/pipeline/pipeline';
import { exportEntry } from '../shared/http/v1/exports';
import { operationEntry } from '../shared/http/v1/operations';
import {
  siteAllocationAmounts,
  siteAllocationAmountsExport,
  siteAllocationAmountsFacets,
  siteAllocationAmountsRemoved,
  siteAllocationAmountsTotals,
} from '../shared/query/operations';

export const siteAllocationAmountsFunction = httpFunction({
  name: 'SiteAllocationAmounts',
  route: 'v1/SiteAllocationAmounts/{*path}',
  routes: [
    operationEntry(siteAllocationAmounts),
    operationEntry(siteAllocationAmountsTotals),
    operationEntry(siteAllocationAmountsFacets),
    operationEntry(siteAllocationAmountsRemoved),
    exportEntry(siteAllocationAmountsExport),
  ],
});
