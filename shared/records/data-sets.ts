// A data set is one organization and one kind of amount (submissions.md, 5). Each kind says how its answer is laid out:
// the count's name, the members of an amount record and the order of an organization's members and collections (D23).

import { waterAllocationMembers } from './allocations';
import {
  aggregatedAmountMembers,
  siteVariableAmountMembers,
  type AggregatedAmount,
  type SiteVariableAmount,
} from './amounts';
import type { LookupKind } from './lookups';
import type { Members } from './object-definition';
import type { organizationMembers } from './organization';

export const DATA_SET_KINDS = ['SiteVariableAmounts', 'AggregatedAmounts', 'WaterAllocations'] as const;

export type DataSetKind = (typeof DATA_SET_KINDS)[number];

/** A place in an organization: one of its own members, a list of lookups, or the list of amount records. */
export type OrganizationPart =
  | { readonly kind: 'member'; readonly name: keyof typeof organizationMembers }
  | { readonly kind: 'lookups'; readonly name: LookupKind }
  | { readonly kind: 'records'; readonly name: DataSetKind };

export interface DataSetLayout {
  readonly kind: DataSetKind;
  /** The envelope's count (D20, D22). */
  readonly countName: string;
  readonly recordMembers: Members;
  /** The members that a record's key is made of (submissions.md, 4). */
  readonly keyMembers: readonly string[];
  /** Where the kind's records lie; their lookup list carries the geometries. */
  readonly placeKind: 'Sites' | 'ReportingUnits';
  readonly organization: readonly OrganizationPart[];
}

const ownMembers: readonly OrganizationPart[] = [
  { kind: 'member', name: 'OrganizationName' },
  { kind: 'member', name: 'OrganizationPurview' },
  { kind: 'member', name: 'OrganizationWebsite' },
  { kind: 'member', name: 'OrganizationPhoneNumber' },
  { kind: 'member', name: 'OrganizationContactName' },
  { kind: 'member', name: 'OrganizationContactEmail' },
  { kind: 'member', name: 'OrganizationState' },
  { kind: 'lookups', name: 'WaterSources' },
];

const timeSeriesKey = [
  'VariableSpecificUUID',
  'TimeframeStart',
  'TimeframeEnd',
  'ReportYear',
  'WaterSourceUUID',
  'MethodUUID',
  'PrimaryUseCategoryCV',
  'BeneficialUseCategoryCV',
  'AllocationCommunityWaterSupplySystem',
] as const satisfies readonly (keyof SiteVariableAmount & keyof AggregatedAmount)[];

export const dataSetLayouts: Readonly<Record<DataSetKind, DataSetLayout>> = {
  SiteVariableAmounts: {
    kind: 'SiteVariableAmounts',
    countName: 'TotalSiteVariableAmountsCount',
    recordMembers: siteVariableAmountMembers,
    keyMembers: ['SiteUUID', ...timeSeriesKey],
    placeKind: 'Sites',
    organization: [
      ...ownMembers,
      { kind: 'lookups', name: 'VariableSpecifics' },
      { kind: 'lookups', name: 'Methods' },
      { kind: 'lookups', name: 'BeneficialUses' },
      { kind: 'records', name: 'SiteVariableAmounts' },
      { kind: 'lookups', name: 'Sites' },
      { kind: 'member', name: 'State' },
      { kind: 'member', name: 'OrganizationUUID' },
    ],
  },
  AggregatedAmounts: {
    kind: 'AggregatedAmounts',
    countName: 'TotalAggregatedAmountsCount',
    recordMembers: aggregatedAmountMembers,
    keyMembers: ['ReportingUnitUUID', ...timeSeriesKey],
    placeKind: 'ReportingUnits',
    organization: [
      ...ownMembers,
      { kind: 'lookups', name: 'ReportingUnits' },
      { kind: 'lookups', name: 'VariableSpecifics' },
      { kind: 'lookups', name: 'Methods' },
      { kind: 'lookups', name: 'BeneficialUses' },
      { kind: 'records', name: 'AggregatedAmounts' },
      { kind: 'member', name: 'State' },
      { kind: 'member', name: 'OrganizationDataMappingURL' },
      { kind: 'member', name: 'OrganizationUUID' },
    ],
  },
  WaterAllocations: {
    kind: 'WaterAllocations',
    countName: 'TotalWaterAllocationsCount',
    recordMembers: waterAllocationMembers,
    keyMembers: ['AllocationUUID', 'AllocationNativeID'],
    placeKind: 'Sites',
    organization: [
      ...ownMembers,
      { kind: 'lookups', name: 'VariableSpecifics' },
      { kind: 'lookups', name: 'Methods' },
      { kind: 'lookups', name: 'BeneficialUses' },
      { kind: 'records', name: 'WaterAllocations' },
      { kind: 'lookups', name: 'Sites' },
      { kind: 'member', name: 'State' },
      { kind: 'member', name: 'OrganizationUUID' },
    ],
  },
};

export function isDataSetKind(text: string): text is DataSetKind {
  return DATA_SET_KINDS.some((kind) => kind === text);
}

/**
 * The kinds of lookup that a data set's records refer to, in the order in which a release numbers them: all variables,
 * then all methods, and so on; within a kind by identifier.
 */
export function lookupKindsOf(layout: DataSetLayout): readonly LookupKind[] {
  return layout.organization.flatMap((part) => (part.kind === 'lookups' ? [part.name] : []));
}
