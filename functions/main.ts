// The entry that package.json names: importing a function registers it on the platform. The local host takes the list.

import { aggregatedAmountsFunction } from './aggregated-amounts';
import { docsFunction } from './docs';
import { healthFunction } from './health';
import { inventoryFunction } from './inventory';
import { openApiFunction } from './openapi';
import { otherPathsFunction } from './other-paths';
import { siteAllocationAmountsFunction } from './site-allocation-amounts';
import { siteVariableAmountsFunction } from './site-variable-amounts';

export const httpFunctions = [
  siteVariableAmountsFunction,
  aggregatedAmountsFunction,
  siteAllocationAmountsFunction,
  inventoryFunction,
  healthFunction,
  openApiFunction,
  docsFunction,
  otherPathsFunction,
];
