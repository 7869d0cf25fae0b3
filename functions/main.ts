// The HTTP functions. The platform and the local host take the same list.

import type { HttpFunction } from '../shared/http/pipeline/service';
import { aggregatedAmountsFunctions } from './aggregated-amounts';
import { docsFunction } from './docs';
import { dcatCatalogFunction, downloadFilesFunction, downloadsFunction, downloadsPageFunction } from './downloads';
import { exploreFunction } from './explore';
import { healthFunction } from './health';
import { inventoryFunction } from './inventory';
import { metricsFunction } from './metrics';
import { ogcFunction } from './ogc';
import { ogcTilesFunctions } from './ogc-tiles';
import { openApiFunction } from './openapi';
import { otherPathsFunction } from './other-paths';
import { placesFunctions } from './places';
import { robotsFunction } from './robots';
import { siteAllocationAmountsFunctions } from './site-allocation-amounts';
import { siteVariableAmountsFunctions } from './site-variable-amounts';
import { sitemapFunction } from './sitemap';

export const httpFunctions: readonly HttpFunction[] = [
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
