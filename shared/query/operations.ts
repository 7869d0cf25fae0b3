// The operations of the service, declared as data: name, route, data set and parameters. The data set of an operation
// determines its filters (filters.ts).

import type { DataSetKind } from '../records/data-sets';
import { type Filter, listFilters, listPlaceFilters, organizationUuid, state } from './filters';
import { findParameters, type FoundKindParameter, type WordsParameter } from './find-parameters';
import {
  type AnswerFormat,
  answerFormat,
  type ExportFormat,
  exportFormat,
  type FormatParameter,
  tableFormat,
} from './format-parameters';
import {
  countOnce,
  type CountOnceParameter,
  facet,
  type FacetParameter,
  groupBy,
  type GroupByParameter,
} from './groupings';
import { orderBy, type OrderParameter } from './order-parameter';
import { type PageParameter, placePage, recordCount, rowPage, startIndex } from './page-parameters';
import { changedSince, dataVersion, type DataVersionParameter, since } from './version-parameters';

/** Parameters that do not change which records match. */
type CommonParameter =
  | PageParameter
  | OrderParameter
  | DataVersionParameter
  | FormatParameter<'format', AnswerFormat>
  | FormatParameter<'exportFormat', ExportFormat>;

export type OperationParameter =
  | Filter
  | GroupByParameter
  | CountOnceParameter
  | FacetParameter
  | WordsParameter
  | FoundKindParameter
  | CommonParameter;

export interface Operation {
  /**
   * What the answer contains: records, rows of totals (D38), facets (D41), keys of removed records (D37), or the places
   * of records (D42, D43).
   */
  readonly kind: 'records' | 'totals' | 'facets' | 'removed' | 'places';
  readonly name: string;
  /** Without a leading slash. */
  readonly route: string;
  readonly summary: string;
  /**
   * The data set of the answer. For places, the data set of the amounts that the filters apply to; rights at the same
   * places are read as well.
   */
  readonly dataSet: DataSetKind;
  /** In the order used by errors, links and documents. */
  readonly parameters: readonly OperationParameter[];
  /** The first format is the default. */
  readonly formats: readonly AnswerFormat[];
}

/** An operation that returns all matches in one file (D46). */
export interface ExportOperation extends Omit<Operation, 'kind' | 'formats'> {
  readonly kind: 'export';
  readonly formats: readonly ExportFormat[];
}

/** An operation on records. The operations derived from it share its filters and its order. */
type RecordOperation = Operation & {
  readonly filters: readonly OperationParameter[];
  readonly order: OrderParameter;
};

export const siteVariableAmounts = operation({
  name: 'SiteVariableAmounts',
  summary: 'Time series amounts for sites.',
  dataSet: 'SiteVariableAmounts',
  order: orderBy('TimeframeStart', 'TimeframeEnd', 'Amount'),
});

export const aggregatedAmounts = operation({
  name: 'AggregatedAmounts',
  summary: 'Aggregate water budget amounts within geospatial reporting units.',
  dataSet: 'AggregatedAmounts',
  order: orderBy('TimeframeStart', 'TimeframeEnd', 'Amount'),
});

export const siteAllocationAmounts = operation({
  name: 'SiteAllocationAmounts',
  summary: 'Water allocations (water rights) for sites.',
  dataSet: 'WaterAllocations',
  order: orderBy('AllocationPriorityDate', 'AllocationFlow_CFS', 'AllocationVolume_AF', 'AllocationOwner'),
});

/** The operations that return records, in the order of the specification. */
export const operations: readonly RecordOperation[] = [siteVariableAmounts, aggregatedAmounts, siteAllocationAmounts];

export const siteVariableAmountsTotals = totals(siteVariableAmounts);
export const aggregatedAmountsTotals = totals(aggregatedAmounts);
export const siteAllocationAmountsTotals = totals(siteAllocationAmounts);

/** The totals of each record operation, in the same order. */
export const totalsOperations: readonly Operation[] = [
  siteVariableAmountsTotals,
  aggregatedAmountsTotals,
  siteAllocationAmountsTotals,
];

export const siteVariableAmountsFacets = facets(siteVariableAmounts);
export const aggregatedAmountsFacets = facets(aggregatedAmounts);
export const siteAllocationAmountsFacets = facets(siteAllocationAmounts);

/** The facets of each record operation: how many records each value of a filter would match. */
export const facetsOperations: readonly Operation[] = [
  siteVariableAmountsFacets,
  aggregatedAmountsFacets,
  siteAllocationAmountsFacets,
];

export const siteVariableAmountsRemoved = removed(siteVariableAmounts);
export const aggregatedAmountsRemoved = removed(aggregatedAmounts);
export const siteAllocationAmountsRemoved = removed(siteAllocationAmounts);

/**
 * The removed records of each record operation: records of an earlier data version that the current version no longer
 * contains.
 */
export const removedOperations: readonly Operation[] = [
  siteVariableAmountsRemoved,
  aggregatedAmountsRemoved,
  siteAllocationAmountsRemoved,
];

export const siteVariableAmountsExport = exported(siteVariableAmounts);
export const aggregatedAmountsExport = exported(aggregatedAmounts);
export const siteAllocationAmountsExport = exported(siteAllocationAmounts);

/** The exports of each record operation: all matching records in one file. */
export const exportOperations: readonly ExportOperation[] = [
  siteVariableAmountsExport,
  aggregatedAmountsExport,
  siteAllocationAmountsExport,
];

export const sites = places({
  name: 'Sites',
  summary: 'The sites of amounts and water rights, each with its series and its number of rights.',
  dataSet: 'SiteVariableAmounts',
});

export const reportingUnits = places({
  name: 'ReportingUnits',
  summary: 'The reporting units of aggregated amounts, each with its series.',
  dataSet: 'AggregatedAmounts',
});

/** The operations that return places (D42, D43). */
export const placesOperations: readonly Operation[] = [sites, reportingUnits];

/** All operations that return pages or tables. */
export const pageOperations: readonly Operation[] = [
  ...operations,
  ...totalsOperations,
  ...facetsOperations,
  ...removedOperations,
  ...placesOperations,
];

/** The inventory: what is published, and the values that filters can have (ADR 0038). */
export const inventory: Omit<Operation, 'dataSet' | 'kind' | 'formats'> = {
  name: 'Inventory',
  route: 'v1/Inventory',
  summary: 'The published data sets, with their periods, terms of use and filter values.',
  parameters: [state, organizationUuid, dataVersion],
};

/** The search for names (D60). */
export const find: typeof inventory = {
  name: 'Find',
  route: 'v1/Find',
  summary: 'Finds sites, reporting units, rights, owners, areas, terms and organizations by their names.',
  parameters: [...findParameters, dataVersion],
};

/** The files of current releases (D44). */
export const downloads: typeof inventory = {
  name: 'Downloads',
  route: 'v1/Downloads',
  summary: 'The files of each current data set, for downloading everything.',
  parameters: [],
};

function operation({
  order,
  ...definition
}: Pick<Operation, 'name' | 'summary' | 'dataSet'> & { readonly order: OrderParameter }): RecordOperation {
  const filters = [...listFilters(definition.dataSet), changedSince];
  const common = [startIndex, recordCount, order, dataVersion, answerFormat];
  const parameters = [...filters, ...common];
  const { formats } = answerFormat;
  return { kind: 'records', ...definition, route: `v1/${definition.name}`, filters, order, formats, parameters };
}

function places(definition: Pick<Operation, 'name' | 'summary' | 'dataSet'>): Operation {
  const filters = listPlaceFilters(definition.dataSet);
  const parameters = [...filters, ...placePage, dataVersion, answerFormat];
  return { kind: 'places', ...definition, route: `v1/${definition.name}`, formats: answerFormat.formats, parameters };
}

function totals(base: RecordOperation): Operation {
  const groups = [groupBy(base.dataSet, base.filters), countOnce];
  const parameters = [...base.filters, ...groups, ...rowPage, dataVersion, tableFormat];
  const summary = `Totals of the records that ${base.name} returns, by group.`;
  return { kind: 'totals', ...nestUnder(base, 'Totals'), summary, formats: tableFormat.formats, parameters };
}

function facets(base: RecordOperation): Operation {
  const parameters = [...base.filters, facet(base.dataSet, base.filters), dataVersion, tableFormat];
  const summary = `For each value of a filter of ${base.name}, the number of matching records.`;
  return { kind: 'facets', ...nestUnder(base, 'Facets'), summary, formats: tableFormat.formats, parameters };
}

function removed(base: RecordOperation): Operation {
  const parameters = [since, organizationUuid, startIndex, recordCount, dataVersion];
  const summary = `Keys of records that are in an earlier data version of ${base.name} but not in the current one.`;
  return { kind: 'removed', ...nestUnder(base, 'Removed'), summary, formats: ['json'], parameters };
}

function exported(base: RecordOperation): ExportOperation {
  const parameters = [...base.filters, base.order, dataVersion, exportFormat];
  const summary = `All records that ${base.name} returns, as one file.`;
  return { kind: 'export', ...nestUnder(base, 'Export'), summary, formats: exportFormat.formats, parameters };
}

function nestUnder(base: RecordOperation, name: string): Pick<Operation, 'name' | 'route' | 'dataSet'> {
  return { name: `${base.name}${name}`, route: `${base.route}/${name}`, dataSet: base.dataSet };
}
