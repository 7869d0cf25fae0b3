// SiteVariableAmounts: its records, and what else can be asked about them.

import { endpoint } from '../shared/http/operations/endpoint';
import {
  siteVariableAmounts,
  siteVariableAmountsFacets,
  siteVariableAmountsRemoved,
  siteVariableAmountsTotals,
} from '../shared/query/operations';

export const siteVariableAmountsFunctions = [
  endpoint(siteVariableAmounts),
  endpoint(siteVariableAmountsTotals),
  endpoint(siteVariableAmountsFacets),
  endpoint(siteVariableAmountsRemoved),
] as const;
