// The operations that list places (D42, D43): filters of what the places are, and of what one of their amounts meets.

import type { DataSetKind } from '../records/data-sets';
import { requestParameters, type Operation, type OperationFilter } from './operations';
import { answerFormat, dataVersion, placePage } from './paging-and-format';
import { renamed, type Parameter } from './parameter';
import * as ranges from './ranges-and-boundary';
import * as texts from './text-filters';

export const sites = places({
  name: 'Sites',
  summary: 'The sites of amounts and of water rights, with the series of each and how many rights name it.',
  dataSet: 'SiteVariableAmounts',
  ofPlaces: [
    ...[texts.siteUuid, texts.siteTypeCv, texts.podOrPouSite, texts.state, texts.county, texts.huc8, texts.huc12],
    ranges.searchBoundary,
  ],
  ofAmounts: [
    ...[texts.variableCv, texts.variableSpecificCv, texts.beneficialUseCv, texts.usgsCategoryNameCv],
    ...[texts.waterSourceTypeCv, ranges.startDate, ranges.endDate],
  ],
});

export const reportingUnits = places({
  name: 'ReportingUnits',
  summary: 'The reporting units of aggregated amounts, with the series of each.',
  dataSet: 'AggregatedAmounts',
  ofPlaces: [texts.reportingUnitUuid, texts.reportingUnitTypeCv, texts.state, ranges.searchBoundary],
  ofAmounts: [
    ...[texts.variableCv, texts.variableSpecificCv, texts.beneficialUseCv],
    ...[renamed(texts.usgsCategoryNameCv, 'UsgsCategoryNameCV'), ranges.startDate, ranges.endDate],
  ],
});

/** The operations that list places. */
export const placesOperations: readonly Operation[] = [sites, reportingUnits];

function places<Kind extends DataSetKind>({
  ofPlaces,
  ofAmounts,
  ...declared
}: Pick<Operation, 'name' | 'summary'> & {
  readonly dataSet: Kind;
  readonly ofPlaces: readonly OperationFilter<Kind>[];
  readonly ofAmounts: readonly OperationFilter<Kind>[];
}): Operation {
  const filters = [...ofPlaces, texts.organizationUuid, ...ofAmounts.map(ofOneAmount), ranges.minimumYears];
  const parameters = requestParameters([...filters, ...placePage, dataVersion, answerFormat]);
  return { kind: 'places', ...declared, route: `v1/${declared.name}`, formats: answerFormat.formats, ...parameters };
}

/** The filters of amounts hold for one amount of the place together (D42). */
function ofOneAmount<Filter extends Parameter<unknown>>(filter: Filter): Filter {
  return { ...filter, meaning: `${filter.meaning} One amount of the place must meet all filters of amounts.` };
}
