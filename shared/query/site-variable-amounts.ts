// GET /v1/SiteVariableAmounts: time series at sites.

import { endDate, searchBoundary, startDate } from './ranges-and-boundary';
import {
  beneficialUseCv,
  county,
  huc12,
  huc8,
  podOrPouSite,
  siteTypeCv,
  siteUuid,
  state,
  usgsCategoryNameCv,
  variableCv,
  variableSpecificCv,
  waterSourceTypeCv,
} from './text-filters';
import { between, defineOperation, term } from './operation';

export const siteVariableAmounts = defineOperation({
  name: 'SiteVariableAmounts',
  route: 'v1/SiteVariableAmounts',
  summary: 'Time series amounts for sites.',
  dataSet: 'SiteVariableAmounts',
  filters: [
    term(siteUuid, 'site'),
    term(siteTypeCv, 'siteType'),
    term(variableCv, 'variable'),
    term(variableSpecificCv, 'variableSpecific'),
    term(beneficialUseCv, 'use'),
    term(usgsCategoryNameCv, 'usgsCategory'),
    ...between('period', startDate, endDate),
    { role: 'boundary', parameter: searchBoundary },
    term(huc8, 'huc8'),
    term(huc12, 'huc12'),
    term(county, 'county'),
    term(state, 'state'),
    term(podOrPouSite, 'podOrPou'),
    term(waterSourceTypeCv, 'waterSourceType'),
  ],
});
