// The kinds of data sets. A data set contains the records of one kind of one organization (submissions.md, 5). Each
// kind declares the layout of its answer: the name of the count, the members of a record, and the order of an
// organization's members and lists (D23).

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

/**
 * The numeric values of records that queries can filter by range (D35): amounts, and the flows and volumes of rights.
 */
export type NumberColumn = 'amount' | 'flow' | 'volume';

/** The lookups that give records a location. */
export type PlaceKind = 'Sites' | 'ReportingUnits';

/** A part of an organization in an answer: one of its members, a list of lookups, or the list of records or places. */
export type OrganizationPart =
  | { readonly kind: 'member'; readonly name: keyof typeof organizationMembers }
  | { readonly kind: 'lookups'; readonly name: LookupKind }
  | { readonly kind: 'records'; readonly name: DataSetKind | PlaceKind };

/** The layout of an answer that lists records or places by organization. */
export interface AnswerLayout {
  readonly kind: DataSetKind | PlaceKind;
  /** The name of the count in the envelope (D20, D22). */
  readonly countName: string;
  readonly recordMembers: Members;
  readonly organization: readonly OrganizationPart[];
}

export interface DataSetLayout extends AnswerLayout {
  readonly kind: DataSetKind;
  /** The members that form a record's key (submissions.md, 4). */
  readonly keyMembers: readonly string[];
  /** The kind of place that records refer to. Its lookup list contains the geometries. */
  readonly placeKind: PlaceKind;
}

/** The members of an organization that precede its lists. */
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

/** Finds the kinds of data sets whose records refer to this kind of place, in the order of precedence of D42. */
export function findDataSetsAtPlaces(placeKind: PlaceKind): readonly DataSetKind[] {
  return DATA_SET_KINDS.filter((kind) => dataSetLayouts[kind].placeKind === placeKind);
}

export function isDataSetKind(text: string): text is DataSetKind {
  return DATA_SET_KINDS.some((kind) => kind === text);
}

/**
 * Lists the kinds of lookup that a data set's records refer to, in the order in which a release numbers them: all
 * variables, then all methods, and so on; within a kind by identifier.
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
