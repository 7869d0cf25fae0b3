// The HTTP functions that the platform and the local host serve. The three endpoints of the specification come first.
// The order has no effect on routing: the platform sorts functions by name (host/platform-router.ts).

import type { HttpFunction } from '../shared/http/pipeline/service';
import { aggregatedAmountsFunction } from './aggregated-amounts';
import { downloadsFunction } from './downloads';
import { findFunction } from './find';
import { healthFunction } from './health';
import { inventoryFunction } from './inventory';
import { keysFunction } from './keys';
import { mcpFunction } from './mcp';
import { metricsFunction } from './metrics';
import { ogcFunction } from './ogc';
import { reportingUnitsFunction } from './reporting-units';
import { siteAllocationAmountsFunction } from './site-allocation-amounts';
import { siteVariableAmountsFunction } from './site-variable-amounts';
import { sitesFunction } from './sites';
import { submissionsFunction } from './submissions';
import { webPagesFunction } from './web-pages';

export const httpFunctions: readonly HttpFunction[] = [
  siteVariableAmountsFunction,
  aggregatedAmountsFunction,
  siteAllocationAmountsFunction,
  sitesFunction,
  reportingUnitsFunction,
  inventoryFunction,
  findFunction,
  downloadsFunction,
  keysFunction,
  submissionsFunction,
  ogcFunction,
  mcpFunction,
  healthFunction,
  metricsFunction,
  webPagesFunction,
];
