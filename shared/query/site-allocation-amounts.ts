// GET /v1/SiteAllocationAmounts: water allocations (water rights).

import { renamed } from './parameter';
import { endPriorityDate, searchBoundary, startPriorityDate } from './ranges-and-boundary';
import {
  allocationLegalStatusCv,
  allocationNativeId,
  allocationUuid,
  beneficialUseCv,
  county,
  huc12,
  huc8,
  podOrPouSite,
  siteTypeCv,
  siteUuid,
  state,
  usgsCategoryNameCv,
} from './text-filters';
import { between, defineOperation, term } from './operation';

export const siteAllocationAmounts = defineOperation({
  name: 'SiteAllocationAmounts',
  route: 'v1/SiteAllocationAmounts',
  summary: 'Water allocations (water rights) for sites.',
  dataSet: 'WaterAllocations',
  filters: [
    term(siteUuid, 'site'),
    term(siteTypeCv, 'siteType'),
    term(beneficialUseCv, 'use'),
    term(usgsCategoryNameCv, 'usgsCategory'),
    ...between('period', startPriorityDate, endPriorityDate),
    { role: 'boundary', parameter: renamed(searchBoundary, 'SearchGeometry') },
    term(huc8, 'huc8'),
    term(huc12, 'huc12'),
    term(county, 'county'),
    term(state, 'state'),
    term(podOrPouSite, 'podOrPou'),
    term(allocationUuid, 'allocationUuid'),
    term(allocationNativeId, 'allocationNativeId'),
    term(allocationLegalStatusCv, 'legalStatus'),
  ],
});
