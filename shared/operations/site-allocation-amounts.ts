// GET /v1/SiteAllocationAmounts: water allocations (water rights).

import { renamed } from '../parameters/parameter';
import { endPriorityDate, searchBoundary, startPriorityDate } from '../parameters/ranges-and-boundary';
import {
  beneficialUseCv,
  county,
  huc12,
  huc8,
  siteTypeCv,
  siteUuid,
  state,
  usgsCategoryNameCv,
} from '../parameters/text-filters';
import { defineOperation, term } from './operation';

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
    { role: 'from', parameter: startPriorityDate },
    { role: 'to', parameter: endPriorityDate },
    { role: 'boundary', parameter: renamed(searchBoundary, 'SearchGeometry') },
    term(huc8, 'huc8'),
    term(huc12, 'huc12'),
    term(county, 'county'),
    term(state, 'state'),
  ],
});
