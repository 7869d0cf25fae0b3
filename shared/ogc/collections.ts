// The collections of features under /ogc (D47): each is an operation with a place, and what can be asked of it follows
// from the operation's own declarations.

import {
  aggregatedAmounts,
  reportingUnits,
  requestParameters,
  siteAllocationAmounts,
  sites,
  siteVariableAmounts,
  type Operation,
  type OperationParameter,
  type RequestParameters,
} from '../query/operations';
import { dataSetLayouts, type AnswerLayout } from '../records/data-sets';
import { itemParameters } from './item-parameters';
import { queryablesOf, type Queryable } from './queryables';

export interface FeatureCollection {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly operation: Operation;
  /** What a feature is: a record, or a place. */
  readonly featureKind: AnswerLayout['kind'];
  readonly queryables: readonly Queryable[];
  /** Those of the operation that items take under the same names; the others have names of the standard. */
  readonly parameters: RequestParameters;
}

/** The standard has names of its own for pages and forms. */
const REPLACED: ReadonlySet<OperationParameter['kind']> = new Set(['startIndex', 'recordCount', 'format']);

export const featureCollections: readonly FeatureCollection[] = [
  collection('sites', sites, {
    title: 'Sites',
    description: 'The sites of amounts and of water rights, with the series of each and how many rights name it.',
  }),
  collection('reporting-units', reportingUnits, {
    title: 'Reporting units',
    description: 'The reporting units of aggregated amounts, with the series of each.',
  }),
  collection('allocations', siteAllocationAmounts, {
    title: 'Water rights',
    description: 'Water allocations; the geometry of each is the points of its sites.',
  }),
  collection('site-amounts', siteVariableAmounts, {
    title: 'Amounts at sites',
    description: 'Time series amounts, a feature for each amount, where its site lies.',
  }),
  collection('aggregated-amounts', aggregatedAmounts, {
    title: 'Aggregated amounts',
    description: 'Aggregate amounts, a feature for each amount, with the area of its reporting unit.',
  }),
];

function collection(
  id: string,
  operation: Operation,
  described: Pick<FeatureCollection, 'title' | 'description'>,
): FeatureCollection {
  const own = operation.parameters.filter(({ kind }) => !REPLACED.has(kind));
  const read = requestParameters(own);
  const { kind, dataSet } = operation;
  return {
    ...{ id, operation, ...described },
    featureKind: kind === 'places' ? dataSetLayouts[dataSet].placeKind : dataSet,
    queryables: queryablesOf(own, operation.dataSet === 'WaterAllocations'),
    parameters: { ...read, spellings: [...read.spellings, ...itemParameters.map(({ name }) => name)] },
  };
}
