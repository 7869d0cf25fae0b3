// What can be asked: an operation is data, its name and route, the data set it reads, and its parameters. Its filters
// follow from the data set (filters.ts).

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
import { facet, type FacetParameter, groupBy, type GroupByParameter } from './groupings';
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
  Filter | GroupByParameter | FacetParameter | WordsParameter | FoundKindParameter | CommonParameter;

export interface Operation {
  /**
   * What the answer holds: records, rows of totals (D38), facets (D41), keys of removed records (D37), or the places of
   * records (D42, D43).
   */
  readonly kind: 'records' | 'totals' | 'facets' | 'removed' | 'places';
  readonly name: string;
  /** Without a leading slash. */
  readonly route: string;
  readonly summary: string;
  /** Where places are listed, the amounts whose filters it takes; the rights at the same places are read as well. */
  readonly dataSet: DataSetKind;
  /** In the order in which errors, links and documents list them. */
  readonly parameters: readonly OperationParameter[];
  /** A client that names none gets the first one. */
  readonly formats: readonly AnswerFormat[];
}

/** An operation that answers with everything it finds, in one file (D46). */
export interface ExportOperation extends Omit<Operation, 'kind' | 'formats'> {
  readonly kind: 'export';
  readonly formats: readonly ExportFormat[];
}

/** An operation with the filters and the order that the ones beside it take as well. */
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

/** All operations that answer with records, in the order of the specification. */
export const operations: readonly RecordOperation[] = [siteVariableAmounts, aggregatedAmounts, siteAllocationAmounts];

/** The operations that add up what the others find, in the same order. */
export const totalsOperations: readonly Operation[] = operations.map(totals);

/** The operations that count what each value of a filter would find, in the same order. */
export const facetsOperations: readonly Operation[] = operations.map(facets);

/** The operations that list what a former data version had and the current one has not, in the same order. */
export const removedOperations: readonly Operation[] = operations.map(removed);

/** The operations that answer with all records that the others find, in one file, in the same order. */
export const exportOperations: readonly ExportOperation[] = operations.map(exported);

export const sites = places({
  name: 'Sites',
  summary: 'The sites of amounts and of water rights, with the series of each and how many rights name it.',
  dataSet: 'SiteVariableAmounts',
});

export const reportingUnits = places({
  name: 'ReportingUnits',
  summary: 'The reporting units of aggregated amounts, with the series of each.',
  dataSet: 'AggregatedAmounts',
});

/** The operations that list places (D42, D43). */
export const placesOperations: readonly Operation[] = [sites, reportingUnits];

/** All operations whose answers are pages or tables. */
export const pageOperations: readonly Operation[] = [
  ...operations,
  ...totalsOperations,
  ...facetsOperations,
  ...removedOperations,
  ...placesOperations,
];

/** The inventory of what is published and can be asked for (ADR 0038). */
export const inventory: Omit<Operation, 'dataSet' | 'kind' | 'formats'> = {
  name: 'Inventory',
  route: 'v1/Inventory',
  summary: 'What is published: data sets with their period, their terms and the values that filters find.',
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
  summary: 'What can be downloaded as a whole: the files of each data set as it is published now.',
  parameters: [],
};

/** Every operation has, after its filters, changes, page, order and format. */
function operation({
  order,
  ...declared
}: Pick<Operation, 'name' | 'summary' | 'dataSet'> & { readonly order: OrderParameter }): RecordOperation {
  const filters = [...listFilters(declared.dataSet), changedSince];
  const common = [startIndex, recordCount, order, dataVersion, answerFormat];
  const parameters = [...filters, ...common];
  const { formats } = answerFormat;
  return { kind: 'records', ...declared, route: `v1/${declared.name}`, filters, order, formats, parameters };
}

function places(declared: Pick<Operation, 'name' | 'summary' | 'dataSet'>): Operation {
  const filters = listPlaceFilters(declared.dataSet);
  const parameters = [...filters, ...placePage, dataVersion, answerFormat];
  return { kind: 'places', ...declared, route: `v1/${declared.name}`, formats: answerFormat.formats, parameters };
}

function totals(of: RecordOperation): Operation {
  const parameters = [...of.filters, groupBy(of.dataSet, of.filters), ...rowPage, dataVersion, tableFormat];
  const summary = `Totals over what ${of.name} finds, in groups.`;
  return { kind: 'totals', ...nestUnder(of, 'Totals'), summary, formats: tableFormat.formats, parameters };
}

function facets(of: RecordOperation): Operation {
  const parameters = [...of.filters, facet(of.dataSet, of.filters), dataVersion, tableFormat];
  const summary = `How many records each value of a filter of ${of.name} would find.`;
  return { kind: 'facets', ...nestUnder(of, 'Facets'), summary, formats: tableFormat.formats, parameters };
}

function removed(of: RecordOperation): Operation {
  const parameters = [since, organizationUuid, startIndex, recordCount, dataVersion];
  const summary = `Keys of the records that ${of.name} had in a former data version and has not now.`;
  return { kind: 'removed', ...nestUnder(of, 'Removed'), summary, formats: ['json'], parameters };
}

function exported(of: RecordOperation): ExportOperation {
  const parameters = [...of.filters, of.order, dataVersion, exportFormat];
  const summary = `Everything that ${of.name} finds, as one file.`;
  return { kind: 'export', ...nestUnder(of, 'Export'), summary, formats: exportFormat.formats, parameters };
}

function nestUnder(of: RecordOperation, name: string): Pick<Operation, 'name' | 'route' | 'dataSet'> {
  return { name: `${of.name}${name}`, route: `${of.route}/${name}`, dataSet: of.dataSet };
}
