// A data set is one organization and one kind of amount (submissions.md, 5). Each kind says how its answer is laid out:
// the count's name, the members of an amount record and the order of an organization's members and collections (D23).
//
// By which of its members an amount record refers to which lookups.

import type { LookupKind } from './lookups';
import type { Members } from './object-definition';
import {
  type AggregatedAmount,
  aggregatedAmountMembers,
  type organizationMembers,
  type SiteVariableAmount,
  siteVariableAmountMembers,
  waterAllocationMembers,
} from './records';

export const DATA_SET_KINDS = ['SiteVariableAmounts', 'AggregatedAmounts', 'WaterAllocations'] as const;

export type DataSetKind = (typeof DATA_SET_KINDS)[number];

/** The numbers of records that bounds go by (D35): the amount of an amount, the flow and the volume of a right. */
export type NumberColumn = 'amount' | 'flow' | 'volume';

/** The lookups where records lie. */
export type PlaceKind = 'Sites' | 'ReportingUnits';

/** A part of an organization: one of its own members, a list of lookups, or the list of what the answer is about. */
export type OrganizationPart =
  | { readonly kind: 'member'; readonly name: keyof typeof organizationMembers }
  | { readonly kind: 'lookups'; readonly name: LookupKind }
  | { readonly kind: 'records'; readonly name: DataSetKind | PlaceKind };

/** How an answer that lists records, or places, by organization is laid out. */
export interface AnswerLayout {
  readonly kind: DataSetKind | PlaceKind;
  /** The envelope's count (D20, D22). */
  readonly countName: string;
  readonly recordMembers: Members;
  readonly organization: readonly OrganizationPart[];
}

export interface DataSetLayout extends AnswerLayout {
  readonly kind: DataSetKind;
  /** The members that a record's key is made of (submissions.md, 4). */
  readonly keyMembers: readonly string[];
  /** Where the kind's records lie; their lookup list carries the geometries. */
  readonly placeKind: PlaceKind;
}

/** The members of an organization before its collections. */
export const leadingMembers: readonly OrganizationPart[] = [
  ...memberParts('OrganizationName', 'OrganizationPurview', 'OrganizationWebsite', 'OrganizationPhoneNumber'),
  ...memberParts('OrganizationContactName', 'OrganizationContactEmail', 'OrganizationState'),
];

const beforeLookups: readonly OrganizationPart[] = [...leadingMembers, ...lookupParts('WaterSources')];

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
      ...beforeLookups,
      ...lookupParts('VariableSpecifics', 'Methods', 'BeneficialUses'),
      { kind: 'records', name: 'SiteVariableAmounts' },
      ...lookupParts('Sites'),
      ...memberParts('State', 'OrganizationUUID'),
    ],
  },
  AggregatedAmounts: {
    kind: 'AggregatedAmounts',
    countName: 'TotalAggregatedAmountsCount',
    recordMembers: aggregatedAmountMembers,
    keyMembers: ['ReportingUnitUUID', ...timeSeriesKey],
    placeKind: 'ReportingUnits',
    organization: [
      ...beforeLookups,
      ...lookupParts('ReportingUnits', 'VariableSpecifics', 'Methods', 'BeneficialUses'),
      { kind: 'records', name: 'AggregatedAmounts' },
      ...memberParts('State', 'OrganizationDataMappingURL', 'OrganizationUUID'),
    ],
  },
  WaterAllocations: {
    kind: 'WaterAllocations',
    countName: 'TotalWaterAllocationsCount',
    recordMembers: waterAllocationMembers,
    keyMembers: ['AllocationUUID', 'AllocationNativeID'],
    placeKind: 'Sites',
    organization: [
      ...beforeLookups,
      ...lookupParts('VariableSpecifics', 'Methods', 'BeneficialUses'),
      { kind: 'records', name: 'WaterAllocations' },
      ...lookupParts('Sites'),
      ...memberParts('State', 'OrganizationUUID'),
    ],
  },
};

/** The kinds whose records lie at places of the kind, in the order in which a place's members are taken (D42). */
export function findDataSetsAtPlaces(placeKind: PlaceKind): readonly DataSetKind[] {
  return DATA_SET_KINDS.filter((kind) => dataSetLayouts[kind].placeKind === placeKind);
}

export function isDataSetKind(text: string): text is DataSetKind {
  return DATA_SET_KINDS.some((kind) => kind === text);
}

/**
 * The kinds of lookup that a data set's records refer to, in the order in which a release numbers them: all variables,
 * then all methods, and so on; within a kind by identifier.
 */
export function listLookupKinds(layout: DataSetLayout): readonly LookupKind[] {
  return layout.organization.flatMap((part) => (part.kind === 'lookups' ? [part.name] : []));
}

function memberParts(...names: readonly (keyof typeof organizationMembers)[]): readonly OrganizationPart[] {
  return names.map((name) => ({ kind: 'member', name }));
}

function lookupParts(...names: readonly LookupKind[]): readonly OrganizationPart[] {
  return names.map((name) => ({ kind: 'lookups', name }));
}

/** A record or a lookup as its JSON text reads. */
export type Item = Readonly<Record<string, unknown>>;

export interface RecordReference {
  readonly lookups: LookupKind;
  /** The record's member that holds the identifier, or a list. */
  readonly member: string;
  /** The member of each object of a list that holds the identifier. */
  readonly within?: string;
  readonly isList: boolean;
}

const commonReferences: readonly RecordReference[] = [
  referTo('VariableSpecifics', 'VariableSpecificUUID'),
  referTo('Methods', 'MethodUUID'),
  referTo('WaterSources', 'WaterSourceUUID'),
];

const amountUses = referToList('BeneficialUses', 'BeneficialUseCategoryCV', 'BeneficialUseCategoryCV');

/** The place first. */
export const recordReferences: Readonly<Record<DataSetKind, readonly [RecordReference, ...RecordReference[]]>> = {
  SiteVariableAmounts: [referTo('Sites', 'SiteUUID'), ...commonReferences, amountUses],
  AggregatedAmounts: [referTo('ReportingUnits', 'ReportingUnitUUID'), ...commonReferences, amountUses],
  WaterAllocations: [
    referToList('Sites', 'Sites', 'SiteUUID'),
    ...commonReferences,
    referToList('BeneficialUses', 'BeneficialUses'),
  ],
};

/** The identifiers that a record refers by, in its order; none where the member is null. */
export function readIdentifiers(record: Item, { member, within, isList }: RecordReference): readonly string[] {
  const value = record[member];
  if (value === null) return [];
  const items = isList ? (value as readonly unknown[]) : [value]; // Records are as they were declared.
  return items.map((item) => String(within === undefined ? item : (item as Item)[within]));
}

function referTo(lookups: LookupKind, member: string): RecordReference {
  return { lookups, member, isList: false };
}

function referToList(lookups: LookupKind, member: string, within?: string): RecordReference {
  return { lookups, member, isList: true, ...(within === undefined ? {} : { within }) };
}
