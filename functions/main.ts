// The entry that package.json names: registers the functions on the platform. The local host takes the list.

import { registerHttpFunctions } from '../shared/http/platform';
import type { HttpFunction } from '../shared/http/service';
import { aggregatedAmountsFunctions } from './aggregated-amounts';
import { docsFunction } from './docs';
import { dcatCatalogFunction, downloadFilesFunction, downloadsFunction, downloadsPageFunction } from './downloads';
import { exploreFunction } from './explore';
import { healthFunction } from './health';
import { observed } from '../shared/http/metrics-function';
import { inventoryFunction } from './inventory';
import { metricsFunction } from './metrics';
import { ogcFunction } from '../shared/http/ogc/ogc-function';
import { sitemapFunction } from '../shared/http/pages/sitemap';
import { ogcTilesFunctions } from './ogc-tiles';
import { openApiFunction } from './openapi';
import { otherPathsFunction } from './other-paths';
import { placesFunctions } from './places';
import { robotsFunction } from './robots';
import { siteAllocationAmountsFunctions } from './site-allocation-amounts';
import { siteVariableAmountsFunctions } from './site-variable-amounts';

const functions: readonly HttpFunction[] = [
  ...siteVariableAmountsFunctions,
  ...aggregatedAmountsFunctions,
  ...siteAllocationAmountsFunctions,
  ...placesFunctions,
  inventoryFunction,
  downloadsFunction,
  downloadFilesFunction,
  ...ogcTilesFunctions,
  downloadsPageFunction,
  dcatCatalogFunction,
  ogcFunction,
  sitemapFunction,
  robotsFunction,
  healthFunction,
  metricsFunction,
  openApiFunction,
  docsFunction,
  exploreFunction,
  otherPathsFunction,
];

export const httpFunctions = functions.map(observed);

registerHttpFunctions(httpFunctions);
