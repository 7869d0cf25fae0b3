// SiteAllocationAmounts: its records, and what else can be asked about them.

import { endpoint } from '../shared/http/operations/endpoint';
import {
  siteAllocationAmounts,
  siteAllocationAmountsFacets,
  siteAllocationAmountsRemoved,
  siteAllocationAmountsTotals,
} from '../shared/query/operations';

export const siteAllocationAmountsFunctions = [
  endpoint(siteAllocationAmounts),
  endpoint(siteAllocationAmountsTotals),
  endpoint(siteAllocationAmountsFacets),
  endpoint(siteAllocationAmountsRemoved),
] as const;
