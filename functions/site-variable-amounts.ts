// Time series amounts of sites: GET or POST /v1/SiteVariableAmounts, and below it their totals, facets, removed records
// and export. Callers need a key.

import { httpFunction } from '../shared/http/pipeline/pipeline';
import { exportEntry } from '../shared/http/v1/exports';
import { operationEntry } from '../shared/http/v1/operations';
import {
  siteVariableAmounts,
  siteVariableAmountsExport,
  siteVariableAmountsFacets,
  siteVariableAmountsRemoved,
  siteVariableAmountsTotals,
} from '../shared/query/operations';

export const siteVariableAmountsFunction = httpFunction({
  name: 'SiteVariableAmounts',
  route: 'v1/SiteVariableAmounts/{*path}',
  routes: [
    operationEntry(siteVariableAmounts),
    operationEntry(siteVariableAmountsTotals),
    operationEntry(siteVariableAmountsFacets),
    operationEntry(siteVariableAmountsRemoved),
    exportEntry(siteVariableAmountsExport),
  ],
});
