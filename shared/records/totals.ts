// The answers that count records: a row of totals behind its groups (D40), and facets (D41), members in order.

import type { DataSetKind } from './data-sets';
import { variableSpecificMembers } from './lookups';
import {
  date,
  described,
  listOf,
  type Members,
  number,
  objectOf,
  requiredNumber,
  requiredText,
} from './object-definition';
import { recurringMembers } from './records';

const { AggregationStatisticCV, AggregationInterval, AggregationIntervalUnitCV } = variableSpecificMembers;

/** Amounts that differ in one of these are never added up. */
export const totalledVariableMembers = {
  ...recurringMembers('VariableSpecificTypeCV', 'VariableCV', 'AmountUnitCV'),
  AggregationStatisticCV,
  AggregationInterval,
  AggregationIntervalUnitCV,
};

const RecordsCount = described(requiredNumber, 'How many records are in the group.');

/** Why a sum is null (D40). */
function sumIsNull(count: string): string {
  return `null where ${count} is 0, and where the sum is beyond 1.797e308, the largest number (${count} is above 0 then).`;
}

const amountStatistics = {
  RecordsCount,
  AmountsCount: described(requiredNumber, 'How many of them have an Amount.'),
  Sum: described(number, `Sum of the amounts to 15 significant digits; ${sumIsNull('AmountsCount')}`),
  Mean: described(number, 'Mean of the amounts to 15 significant digits; null without one.'),
  Minimum: described(number, 'The smallest amount; null without one.'),
  Maximum: described(number, 'The largest amount; null without one.'),
  FirstDay: described(date, 'First day of the timeframes.'),
  LastDay: described(date, 'Last day of the timeframes.'),
  PlacesCount: described(requiredNumber, 'How many distinct sites or reporting units the records have.'),
};

const allocationStatistics = {
  RecordsCount,
  FlowCount: described(requiredNumber, 'How many of them have a flow.'),
  FlowSum: described(
    number,
    `Sum of the flows in cubic feet per second, to 15 significant digits; ${sumIsNull('FlowCount')}`,
  ),
  VolumeCount: described(requiredNumber, 'How many of them have a volume.'),
  VolumeSum: described(
    number,
    `Sum of the volumes in acre-feet, to 15 significant digits; ${sumIsNull('VolumeCount')}`,
  ),
  FirstPriorityDate: described(date, 'The earliest priority date.'),
  LastPriorityDate: described(date, 'The latest priority date.'),
  SitesCount: described(requiredNumber, 'How many distinct sites the rights have.'),
};

/** What a row has behind its groups and its variable. */
export const totalsMembers = {
  SiteVariableAmounts: amountStatistics,
  AggregatedAmounts: amountStatistics,
  WaterAllocations: allocationStatistics,
} as const satisfies Readonly<Record<DataSetKind, Members>>;

const valueMembers = {
  Value: described(requiredText, 'As it was submitted.'),
  Count: described(
    requiredNumber,
    'The total with this value alone in the filter of the facet, and all other filters.',
  ),
};

const facetMembers = {
  Name: described(requiredText, 'The filter.'),
  Values: described(listOf(objectOf(valueMembers)), 'Those with most records first.'),
  MoreValues: described(requiredNumber, 'How many values are not listed.'),
};

export const facetsMembers = {
  TotalCount: described(requiredNumber, 'How many records match all filters.'),
  Facets: described(listOf(objectOf(facetMembers)), 'In the order asked for.'),
};
