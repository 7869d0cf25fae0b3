// The HTTP functions. The platform and the local host take the same list.

import type { HttpFunction } from '../shared/http/pipeline/service';
import { aggregatedAmountsFunctions } from './aggregated-amounts';
import { docsFunction } from './docs';
import {
  dcatCatalogFunction,
  downloadFilesFunction,
  downloadsFunction,
  downloadsPageFunction,
  releaseFeedFunction,
} from './downloads';
import { exploreFunction } from './explore';
import { findFunction } from './find';
import { healthFunction } from './health';
import { inventoryFunction } from './inventory';
import { keysFunction, keysPageFunction } from './keys';
import { mcpFunction } from './mcp';
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
import { submitFunction } from './submit';

/**
 * All HTTP functions, pages among them. Who adds a page
 * - writes a file in shared/http/pages/ that puts its content into `pageFrame` and answers with `pageOutcome`, as
 *   downloads-page.ts does; `html` escapes whatever is put into a template,
 * - puts its style sheet and script into shared/http/pages/files/ and names them in page-files.ts,
 * - registers it in a file of this folder with its path and who may ask, as downloads.ts does, and in this list,
 * - adds a link to the header in `pageFrame` (page.ts) if people should find it from every page.
 */
export const httpFunctions: readonly HttpFunction[] = [
  ...siteVariableAmountsFunctions,
  ...aggregatedAmountsFunctions,
  ...siteAllocationAmountsFunctions,
  ...placesFunctions,
  inventoryFunction,
  findFunction,
  mcpFunction,
  downloadsFunction,
  downloadFilesFunction,
  ...ogcTilesFunctions,
  downloadsPageFunction,
  keysFunction,
  keysPageFunction,
  dcatCatalogFunction,
  submitFunction,
  releaseFeedFunction,
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
