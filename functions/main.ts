// The entry that package.json names: registers the functions on the platform. The local host takes the list.

import { registerHttpFunctions } from '../shared/http/platform';
import type { HttpFunction } from '../shared/http/service';
import { aggregatedAmountsFunction } from './aggregated-amounts';
import { aggregatedAmountsFacetsFunction } from './aggregated-amounts-facets';
import { aggregatedAmountsRemovedFunction } from './aggregated-amounts-removed';
import { aggregatedAmountsTotalsFunction } from './aggregated-amounts-totals';
import { docsFunction } from './docs';
import { downloadFilesFunction, downloadsFunction } from './downloads';
import { healthFunction } from './health';
import { observed } from '../shared/http/metrics-function';
import { inventoryFunction } from './inventory';
import { metricsFunction } from './metrics';
import { openApiFunction } from './openapi';
import { otherPathsFunction } from './other-paths';
import { siteAllocationAmountsFunction } from './site-allocation-amounts';
import { siteAllocationAmountsFacetsFunction } from './site-allocation-amounts-facets';
import { siteAllocationAmountsRemovedFunction } from './site-allocation-amounts-removed';
import { siteAllocationAmountsTotalsFunction } from './site-allocation-amounts-totals';
import { siteVariableAmountsFunction } from './site-variable-amounts';
import { siteVariableAmountsFacetsFunction } from './site-variable-amounts-facets';
import { siteVariableAmountsRemovedFunction } from './site-variable-amounts-removed';
import { siteVariableAmountsTotalsFunction } from './site-variable-amounts-totals';

const functions: readonly HttpFunction[] = [
  siteVariableAmountsFunction,
  aggregatedAmountsFunction,
  siteAllocationAmountsFunction,
  siteVariableAmountsTotalsFunction,
  aggregatedAmountsTotalsFunction,
  siteAllocationAmountsTotalsFunction,
  siteVariableAmountsFacetsFunction,
  aggregatedAmountsFacetsFunction,
  siteAllocationAmountsFacetsFunction,
  siteVariableAmountsRemovedFunction,
  aggregatedAmountsRemovedFunction,
  siteAllocationAmountsRemovedFunction,
  inventoryFunction,
  downloadsFunction,
  downloadFilesFunction,
  healthFunction,
  metricsFunction,
  openApiFunction,
  docsFunction,
  otherPathsFunction,
];

export const httpFunctions = functions.map(observed);

registerHttpFunctions(httpFunctions);
