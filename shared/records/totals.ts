// The members of the answers that count records: totals (D40) and facets (D41).

import type { DataSetKind } from './data-sets';
import { variableSpecificMembers } from './lookups';
import {
  date,
  listMember,
  type Members,
  number,
  objectMember,
  requiredNumber,
  requiredText,
  withDescription,
} from './object-definition';
import { pickSharedMembers } from './records';

const { AggregationStatisticCV, AggregationInterval, AggregationIntervalUnitCV } = variableSpecificMembers;

/** Amounts that differ in one of these members are never added up. */
export const totaledVariableMembers = {
  ...pickSharedMembers('VariableSpecificTypeCV', 'VariableCV', 'AmountUnitCV'),
  AggregationStatisticCV,
  AggregationInterval,
  AggregationIntervalUnitCV,
};

const RecordsCount = withDescription(requiredNumber, 'How many records are in the group.');

/** Why a sum is null (D40). */
function describeNullSum(count: string): string {
  return `null where ${count} is 0, and where the sum is beyond 1.797e308, the largest number (${count} is above 0 then).`;
}

const amountStatistics = {
  RecordsCount,
  AmountsCount: withDescription(requiredNumber, 'How many of them have an Amount.'),
  Sum: withDescription(number, `Sum of the amounts to 15 significant digits; ${describeNullSum('AmountsCount')}`),
  Mean: withDescription(number, 'Mean of the amounts to 15 significant digits; null without one.'),
  Minimum: withDescription(number, 'The smallest amount; null without one.'),
  Maximum: withDescription(number, 'The largest amount; null without one.'),
  FirstDay: withDescription(date, 'First day of the timeframes.'),
  LastDay: withDescription(date, 'Last day of the timeframes.'),
  PlacesCount: withDescription(requiredNumber, 'How many distinct sites or reporting units the records have.'),
};

const allocationStatistics = {
  RecordsCount,
  FlowCount: withDescription(requiredNumber, 'How many of them have a flow.'),
  FlowSum: withDescription(
    number,
    `Sum of the flows in cubic feet per second, to 15 significant digits; ${describeNullSum('FlowCount')}`,
  ),
  VolumeCount: withDescription(requiredNumber, 'How many of them have a volume.'),
  VolumeSum: withDescription(
    number,
    `Sum of the volumes in acre-feet, to 15 significant digits; ${describeNullSum('VolumeCount')}`,
  ),
  FirstPriorityDate: withDescription(date, 'The earliest priority date.'),
  LastPriorityDate: withDescription(date, 'The latest priority date.'),
  SitesCount: withDescription(requiredNumber, 'How many distinct sites the rights have.'),
};

/** The members of a row after its groups and its variable. */
export const totalsMembers = {
  SiteVariableAmounts: amountStatistics,
  AggregatedAmounts: amountStatistics,
  WaterAllocations: allocationStatistics,
} as const satisfies Readonly<Record<DataSetKind, Members>>;

const valueMembers = {
  Value: withDescription(requiredText, 'As it was submitted.'),
  Count: withDescription(
    requiredNumber,
    'The total with this value alone in the filter of the facet, and all other filters.',
  ),
};

const facetMembers = {
  Name: withDescription(requiredText, 'The filter.'),
  Values: withDescription(listMember(objectMember(valueMembers)), 'Those with most records first.'),
  MoreValues: withDescription(requiredNumber, 'How many values are not listed.'),
};

export const facetsMembers = {
  TotalCount: withDescription(requiredNumber, 'How many records match all filters.'),
  Facets: withDescription(listMember(objectMember(facetMembers)), 'In the order asked for.'),
};
