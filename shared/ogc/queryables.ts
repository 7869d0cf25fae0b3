// The queryables of a collection: what its filters name, as members that CQL2 can compare (D47, D48). They follow from
// the parameters of the operation that the collection is read by.

import type { ComparedMember } from '../query/condition';
import type { OperationParameter } from '../query/operations';
import { filterFields } from '../query/text-filters';
import type { NumberColumn } from '../records/data-sets';

export interface Queryable {
  readonly name: string;
  readonly type: 'text' | 'boolean' | 'number' | 'date' | 'geometry';
  readonly member: ComparedMember;
  readonly meaning: string;
  /** A parameter of items has the same name. */
  readonly isParameter: boolean;
}

export const GEOMETRY_NAME = 'geometry';

/** The members of records that the columns hold. */
const NUMBER_NAMES: Readonly<Record<NumberColumn, string>> = {
  amount: 'Amount',
  flow: 'AllocationFlow_CFS',
  volume: 'AllocationVolume_AF',
};

/** `isRight` says that the effective dates are one day, the priority. */
export function queryablesOf(parameters: readonly OperationParameter[], isRight: boolean): readonly Queryable[] {
  return parameters.flatMap((parameter) => queryablesOfParameter(parameter, isRight));
}

function queryablesOfParameter(parameter: OperationParameter, isRight: boolean): readonly Queryable[] {
  const { name, meaning } = parameter;
  switch (parameter.kind) {
    case 'term': {
      const { field } = parameter;
      const type = filterFields[field].values === 'boolean' ? 'boolean' : 'text';
      return [{ name, type, member: { kind: 'field', field }, meaning, isParameter: true }];
    }
    case 'organization':
      return [{ name, type: 'text', member: { kind: 'organization' }, meaning, isParameter: true }];
    case 'owner':
      return [{ name, type: 'text', member: { kind: 'owner' }, meaning, isParameter: true }];
    case 'minimum': {
      const { column } = parameter;
      const number = NUMBER_NAMES[column];
      return [
        { name: number, type: 'number', member: { kind: 'number', column }, meaning: `${number}.`, isParameter: false },
      ];
    }
    case 'from':
      return datesOf(parameter.range, isRight).map((date) => ({ type: 'date', ...date, isParameter: false }));
    case 'boundary': {
      const text = 'Where the feature lies; touching counts.';
      return [
        { name: GEOMETRY_NAME, type: 'geometry', member: { kind: 'geometry' }, meaning: text, isParameter: false },
      ];
    }
    case 'to':
    case 'maximum':
    case 'changedSince':
    case 'dataVersion':
    case 'exportFormat':
    case 'facet':
    case 'format':
    case 'groupBy':
    case 'minimumYears':
    case 'order':
    case 'recordCount':
    case 'startIndex':
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
