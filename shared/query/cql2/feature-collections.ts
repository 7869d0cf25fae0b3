// The feature collections under /ogc (D47). Each belongs to an operation, whose declaration determines the parameters
// and queryables of the collection.

import { type AnswerLayout, dataSetLayouts } from '../../records/data-sets';
import { filterFields } from '../filter-fields';
import {
  aggregatedAmounts,
  type Operation,
  type OperationParameter,
  reportingUnits,
  siteAllocationAmounts,
  sites,
  siteVariableAmounts,
} from '../operations';
import type { Queryable } from '../parameter';

export interface FeatureCollection {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly operation: Operation;
  /** The kind of feature: a record or a place. */
  readonly featureKind: AnswerLayout['kind'];
  readonly queryables: readonly Queryable[];
  /**
   * Parameters of the operation that items accept under the same names. The standard defines other names for the rest.
   */
  readonly parameters: readonly OperationParameter[];
}

/** Parameters for pages and formats, which have different names in the standard. */
const REPLACED: ReadonlySet<OperationParameter['kind']> = new Set(['startIndex', 'recordCount', 'format']);

export const featureCollections: readonly FeatureCollection[] = [
  collection('sites', sites, { title: 'Sites', description: sites.summary }),
  collection('reporting-units', reportingUnits, { title: 'Reporting units', description: reportingUnits.summary }),
  collection('allocations', siteAllocationAmounts, {
    title: 'Water rights',
    description: 'Water allocations, each with the points of its sites as its geometry.',
  }),
  collection('site-amounts', siteVariableAmounts, {
    title: 'Amounts at sites',
    description: 'Time series amounts, one feature per amount, at its site.',
  }),
  collection('aggregated-amounts', aggregatedAmounts, {
    title: 'Aggregated amounts',
    description: 'Aggregate amounts, one feature per amount, with the area of its reporting unit.',
  }),
];

function collection(
  id: string,
  operation: Operation,
  described: Pick<FeatureCollection, 'title' | 'description'>,
): FeatureCollection {
  const parameters = operation.parameters.filter(({ kind }) => !REPLACED.has(kind));
  const { kind, dataSet } = operation;
  const featureKind = kind === 'places' ? dataSetLayouts[dataSet].placeKind : dataSet;
  const queryables = parameters.flatMap((parameter) => listParameterQueryables(parameter, operation));
  return { id, operation, ...described, featureKind, queryables, parameters };
}

/** Lists the queryables that correspond to a parameter of the operation (D47, D48). */
function listParameterQueryables(parameter: OperationParameter, { kind, dataSet }: Operation): readonly Queryable[] {
  const { name, meaning, queryables = [] } = parameter;
  if (parameter.kind === 'organization' || parameter.kind === 'owner') {
    return [{ name, type: 'text', member: { kind: parameter.kind }, meaning }];
  }
  if (parameter.kind !== 'term') return queryables;
  const { field } = parameter;
  const { valueKind: values, queryableNames: otherNames } = filterFields[field];
  const type = values === 'boolean' ? 'boolean' : 'text';
  const otherName = kind === 'places' ? undefined : otherNames?.[dataSet];
  return [{ name: otherName ?? name, type, member: { kind: 'field', field }, meaning }];
}
