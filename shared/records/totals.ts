// The members of the answers that count records: totals (D40) and facets (D41).

import type { DataSetKind } from './data-sets';
import { variableSpecificMembers } from './lookups';
import {
  date,
  listMember,
  type Members,
  number,
  objectMember,
  requiredCount,
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

const RecordsCount = withDescription(requiredCount, 'Number of records in the group.');

/** Explains why a sum is null (D40). */
function describeNullSum(count: string): string {
  return `null if ${count} is 0, or if the sum exceeds 1.797e308, the largest number (then ${count} is above 0).`;
}

/**
 * Explains the share of the largest record, which is often an error in the data if it exceeds half of the sum (D72).
 */
function describeShare(sum: string): string {
  return `The largest value as a share of ${sum}, from 0 to 1; above 0.5, one record is more than half of it. null if there is no sum.`;
}

const amountStatistics = {
  RecordsCount,
  AmountsCount: withDescription(requiredCount, 'Number of these records that have an Amount.'),
  Sum: withDescription(number, `Sum of the amounts to 15 significant digits; ${describeNullSum('AmountsCount')}`),
  Mean: withDescription(number, 'Mean of the amounts to 15 significant digits; null if there are no amounts.'),
  Minimum: withDescription(number, 'The smallest amount; null if there are no amounts.'),
  Maximum: withDescription(number, 'The largest amount; null if there are no amounts.'),
  LargestAmountShare: withDescription(number, describeShare('Sum')),
  FirstDay: withDescription(date, 'First day of the timeframes.'),
  LastDay: withDescription(date, 'Last day of the timeframes.'),
  PlacesCount: withDescription(requiredCount, 'Number of distinct sites or reporting units that the records refer to.'),
};

const allocationStatistics = {
  RecordsCount,
  FlowCount: withDescription(requiredCount, 'Number of these rights that have a flow.'),
  FlowSum: withDescription(
    number,
    `Sum of the flows in cubic feet per second, to 15 significant digits; ${describeNullSum('FlowCount')}`,
  ),
  VolumeCount: withDescription(requiredCount, 'Number of these rights that have a volume.'),
  VolumeSum: withDescription(
    number,
    `Sum of the volumes in acre-feet, to 15 significant digits; ${describeNullSum('VolumeCount')}`,
  ),
  FirstPriorityDate: withDescription(date, 'The earliest priority date.'),
  LastPriorityDate: withDescription(date, 'The latest priority date.'),
  SitesCount: withDescription(requiredCount, 'Number of distinct sites that the rights refer to.'),
};

/** The members of a row after its groups and its variable. */
export const totalsMembers = {
  SiteVariableAmounts: amountStatistics,
  AggregatedAmounts: amountStatistics,
  WaterAllocations: allocationStatistics,
} as const satisfies Readonly<Record<DataSetKind, Members>>;

const valueMembers = {
  Value: withDescription(requiredText, 'The value as submitted.'),
  Count: withDescription(
    requiredCount,
    'Number of records if the filter of this facet had only this value, with all other filters unchanged.',
  ),
};

const facetMembers = {
  Name: withDescription(requiredText, 'The filter.'),
  Values: withDescription(listMember(objectMember(valueMembers)), 'The values with the most records first.'),
  MoreValues: withDescription(requiredCount, 'Number of values that are not listed.'),
};

export const facetsMembers = {
  TotalCount: withDescription(requiredCount, 'Number of records that match all filters.'),
  Facets: withDescription(listMember(objectMember(facetMembers)), 'In the requested order.'),
};
