// GET /v1/SiteVariableAmounts: time series at sites.

import { endDate, searchBoundary, startDate } from '../parameters/ranges-and-boundary';
import {
  beneficialUseCv,
  county,
  huc12,
  huc8,
  siteTypeCv,
  siteUuid,
  state,
  usgsCategoryNameCv,
  variableCv,
  variableSpecificCv,
} from '../parameters/text-filters';
import { defineOperation, term } from './operation';

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
    { role: 'from', parameter: startDate },
    { role: 'to', parameter: endDate },
    { role: 'boundary', parameter: searchBoundary },
    term(huc8, 'huc8'),
    term(huc12, 'huc12'),
    term(county, 'county'),
    term(state, 'state'),
  ],
});
