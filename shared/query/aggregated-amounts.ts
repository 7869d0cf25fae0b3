// GET /v1/AggregatedAmounts: water budget amounts per reporting unit.

import { renamed } from './parameter';
import { endDate, searchBoundary, startDate } from './ranges-and-boundary';
import {
  beneficialUseCv,
  reportingUnitTypeCv,
  reportingUnitUuid,
  state,
  usgsCategoryNameCv,
  variableCv,
  variableSpecificCv,
} from './text-filters';
import { between, defineOperation, term } from './operation';

export const aggregatedAmounts = defineOperation({
  name: 'AggregatedAmounts',
  route: 'v1/AggregatedAmounts',
  summary: 'Aggregate water budget amounts within geospatial reporting units.',
  dataSet: 'AggregatedAmounts',
  filters: [
    term(reportingUnitUuid, 'reportingUnit'),
    term(reportingUnitTypeCv, 'reportingUnitType'),
    term(variableCv, 'variable'),
    term(variableSpecificCv, 'variableSpecific'),
    term(beneficialUseCv, 'use'),
    term(renamed(usgsCategoryNameCv, 'UsgsCategoryNameCV'), 'usgsCategory'),
    ...between('period', startDate, endDate),
    { role: 'boundary', parameter: searchBoundary },
    term(state, 'state'),
  ],
});
