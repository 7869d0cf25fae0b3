// What can be asked: an operation is data, its name and route, the data set it reads, and its parameters. A filter by a
// field that the records of the data set do not have does not fit the list, so it does not compile.

import type { DataSetKind } from '../records/data-sets';
import { accessKey } from './access-key';
import type { FilterFieldOf } from './filter-terms';
import {
  answerFormat,
  dataVersion,
  recordCount,
  startIndex,
  type DataVersionParameter,
  type FormatParameter,
  type PageParameter,
} from './paging-and-format';
import {
  renamed,
  type BoundaryFilter,
  type DateFilter,
  type OrganizationFilter,
  type Parameter,
  type TermFilter,
} from './parameter';
import {
  endDate,
  endPriorityDate,
  endPublicationDate,
  searchBoundary,
  startDate,
  startPriorityDate,
  startPublicationDate,
} from './ranges-and-boundary';
import {
  allocationLegalStatusCv,
  allocationNativeId,
  allocationUuid,
  beneficialUseCv,
  county,
  huc12,
  huc8,
  organizationUuid,
  podOrPouSite,
  reportingUnitTypeCv,
  reportingUnitUuid,
  siteTypeCv,
  siteUuid,
  state,
  usgsCategoryNameCv,
  variableCv,
  variableSpecificCv,
  waterSourceTypeCv,
} from './text-filters';

/** A filter of the operations that read data sets of the kind. */
type OperationFilter<Kind extends DataSetKind = DataSetKind> =
  TermFilter<FilterFieldOf<Kind>> | DateFilter | BoundaryFilter;

export type OperationParameter =
  OperationFilter | OrganizationFilter | PageParameter | DataVersionParameter | FormatParameter;

/** The parameters that a request may have, in the order in which errors, links and documents list them. */
export interface RequestParameters {
  readonly parameters: readonly OperationParameter[];
  readonly names: ParameterNames;
}

export interface ParameterNames {
  /** Every name and synonym in lower case, with the name as its parameter spells it; the access key is among them. */
  readonly spelledBy: ReadonlyMap<string, string>;
  /** Every name and synonym as it is declared, for suggestions (D2). */
  readonly spellings: readonly string[];
}

export interface Operation extends RequestParameters {
  readonly name: string;
  /** Without a leading slash. */
  readonly route: string;
  readonly summary: string;
  readonly dataSet: DataSetKind;
}

/** Time series at sites. */
export const siteVariableAmounts = operation({
  name: 'SiteVariableAmounts',
  summary: 'Time series amounts for sites.',
  dataSet: 'SiteVariableAmounts',
  filters: [
    ...[siteUuid, siteTypeCv, variableCv, variableSpecificCv, beneficialUseCv, usgsCategoryNameCv],
    ...[startDate, endDate, searchBoundary],
    ...[huc8, huc12, county, state, podOrPouSite, waterSourceTypeCv],
  ],
});

/** Water budget amounts per reporting unit. */
export const aggregatedAmounts = operation({
  name: 'AggregatedAmounts',
  summary: 'Aggregate water budget amounts within geospatial reporting units.',
  dataSet: 'AggregatedAmounts',
  filters: [
    ...[reportingUnitUuid, reportingUnitTypeCv, variableCv, variableSpecificCv, beneficialUseCv],
    ...[renamed(usgsCategoryNameCv, 'UsgsCategoryNameCV'), startDate, endDate, searchBoundary, state],
  ],
});

/** Water allocations, which are water rights. */
export const siteAllocationAmounts = operation({
  name: 'SiteAllocationAmounts',
  summary: 'Water allocations (water rights) for sites.',
  dataSet: 'WaterAllocations',
  filters: [
    ...[siteUuid, siteTypeCv, beneficialUseCv, usgsCategoryNameCv],
    ...[startPriorityDate, endPriorityDate, renamed(searchBoundary, 'SearchGeometry')],
    ...[huc8, huc12, county, state, podOrPouSite],
    ...[allocationUuid, allocationNativeId, allocationLegalStatusCv],
  ],
});

/** All operations that answer with records, in the order of the specification. */
export const operations: readonly Operation[] = [siteVariableAmounts, aggregatedAmounts, siteAllocationAmounts];

/** What is published and can be asked for (ADR 0038). */
export const inventory: Omit<Operation, 'dataSet'> = {
  name: 'Inventory',
  route: 'v1/Inventory',
  summary: 'What is published: data sets with their period, their terms and the values that filters find.',
  ...requestParameters([state, organizationUuid, dataVersion]),
};

/** Every operation has, after its own filters, the organization, the publication dates, the page and the format. */
function operation<Kind extends DataSetKind>(
  declared: Pick<Operation, 'name' | 'summary'> & {
    readonly dataSet: Kind;
    readonly filters: readonly OperationFilter<Kind>[];
  },
): Operation {
  const { filters, name, summary, dataSet } = declared;
  const common = [organizationUuid, startPublicationDate, endPublicationDate, startIndex, recordCount, dataVersion];
  return { name, route: `v1/${name}`, summary, dataSet, ...requestParameters([...filters, ...common, answerFormat]) };
}

function requestParameters(parameters: readonly OperationParameter[]): RequestParameters {
  const known: readonly Parameter<unknown>[] = [...parameters, accessKey];
  const spelled = known.flatMap(({ name, synonyms }) => [name, ...synonyms].map((spelling) => ({ spelling, name })));
  return {
    parameters,
    names: {
      spelledBy: new Map(spelled.map(({ spelling, name }) => [spelling.toLowerCase(), name])),
      spellings: spelled.map(({ spelling }) => spelling),
    },
  };
}
