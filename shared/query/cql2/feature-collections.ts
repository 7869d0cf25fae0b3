// The collections of features under /ogc (D47): each is an operation with a place, and what can be asked of it follows
// from the operation's own declarations.

import { type AnswerLayout, dataSetLayouts } from '../../records/data-sets';
import type { ComparedMember } from '../condition';
import {
  aggregatedAmounts,
  type Operation,
  type OperationParameter,
  reportingUnits,
  type RequestParameters,
  requestParameters,
  siteAllocationAmounts,
  sites,
  siteVariableAmounts,
} from '../operations';
import { filterFields } from '../text-filters';
import { itemParametersOf } from './item-parameters';

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

export const GEOMETRY_NAME = 'geometry';

const GEOMETRY: Queryable = {
  ...{ name: GEOMETRY_NAME, type: 'geometry', member: { kind: 'geometry' }, isParameter: false },
  meaning: 'Where the feature lies; touching counts.',
};

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
  const featureKind = kind === 'places' ? dataSetLayouts[dataSet].placeKind : dataSet;
  return {
    ...{ id, operation, ...described, featureKind },
    queryables: own.flatMap((parameter) => queryablesOf(parameter, operation)),
    parameters: { ...read, spellings: [...read.spellings, ...itemParametersOf(featureKind).map(({ name }) => name)] },
  };
}

// The queryables of a collection: what its filters name, as members that CQL2 can compare (D47, D48). They follow from
// the parameters of the operation that the collection is read by.

export interface Queryable {
  readonly name: string;
  readonly type: 'text' | 'boolean' | 'number' | 'date' | 'geometry';
  readonly member: ComparedMember;
  readonly meaning: string;
  /** A parameter of items has the same name. */
  readonly isParameter: boolean;
}

function queryablesOf(parameter: OperationParameter, { kind, dataSet }: Operation): readonly Queryable[] {
  const { name, meaning } = parameter;
  switch (parameter.kind) {
    case 'term': {
      const { field } = parameter;
      const { values, queryables } = filterFields[field];
      const type = values === 'boolean' ? 'boolean' : 'text';
      const otherName = kind === 'places' ? undefined : queryables?.[dataSet];
      return [{ name: otherName ?? name, type, member: { kind: 'field', field }, meaning, isParameter: true }];
    }
    case 'organization':
    case 'owner':
      return [{ name, type: 'text', member: { kind: parameter.kind }, meaning, isParameter: true }];
    case 'minimum': {
      const { column, member } = parameter;
      const compared = { kind: 'number', column } as const;
      return [{ name: member, type: 'number', member: compared, meaning: `${member}.`, isParameter: false }];
    }
    case 'from':
      return datesOf(parameter.range, dataSet === 'WaterAllocations').map((date) => ({
        type: 'date',
        ...date,
        isParameter: false,
      }));
    case 'boundary':
      return [GEOMETRY];
    case 'to':
    case 'maximum':
    case 'changedSince':
    case 'dataVersion':
    case 'exportFormat':
    case 'facet':
    case 'foundKind':
    case 'format':
    case 'groupBy':
    case 'minimumYears':
    case 'order':
    case 'recordCount':
    case 'startIndex':
    case 'words':
      return [];
  }
}

function datesOf(
  range: 'period' | 'published',
  isRight: boolean,
): readonly Pick<Queryable, 'name' | 'member' | 'meaning'>[] {
  if (range === 'published') {
    return [{ name: 'DataPublicationDate', member: { kind: 'published' }, meaning: 'Day of publication.' }];
  }
  if (isRight) {
    return [{ name: 'AllocationPriorityDate', member: { kind: 'firstDay' }, meaning: 'Day of priority.' }];
  }
  return [
    { name: 'TimeframeStart', member: { kind: 'firstDay' }, meaning: 'First day of the timeframe, as submitted.' },
    { name: 'TimeframeEnd', member: { kind: 'lastDay' }, meaning: 'Last day of the timeframe, as submitted.' },
  ];
}
