// The three kinds of records that can be explored, with the filters, groups and orders that the public operations offer
// for each. tests/explorer/state.test.ts compares the names with the service's declarations.

import type { LabeledField, LabeledName } from './labels';

export const KINDS = ['rights', 'series', 'aggregates'] as const;

export type Kind = (typeof KINDS)[number];

/** Two parameters that bound a range. Both bounds are inclusive. */
export interface RangeFilter {
  readonly valueType: 'day' | 'number';
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

/** A figure that can be added up over the records of a kind. */
export interface Measure extends LabeledName {
  /** Empty for amounts: they have different units, and amounts in different units are never added up (D40). */
  readonly unit: string;
  /** The tile member with this figure of a single right. */
  readonly member?: string;
}

/** The places that a map shows for a kind: the features of a collection, drawn from its tiles (D50). */
export interface PlaceKind {
  readonly collection: 'allocations' | 'sites' | 'reporting-units';
  /** The title of a single place, and the filter by its identifier. */
  readonly title: string;
  readonly filter: string;
  /** Singular and plural of what a tile feature represents, for sentences. */
  readonly singular: string;
  readonly plural: string;
  /** The available colorings. The first is the default. */
  readonly colors: readonly PlaceColor[];
}

/** A filter, and the tile member that has its values. */
export interface PlaceColor {
  readonly filter: string;
  readonly member: string;
}

/** Use categories that are comparable across states (D63). Each always has the same color. */
export const USE_COLOR = 'UseCategoryCV';

/** Not the name of a filter: this coloring is a scale of years. */
export const DECADE_COLOR = 'PriorityDecade';

export interface RecordKind {
  readonly label: string;
  /** Singular and plural, for sentences. */
  readonly singular: string;
  readonly plural: string;
  readonly route: string;
  /** The name of the data set in /v1/Inventory and /v1/Downloads. */
  readonly dataSet: string;
  /** Text filters whose values are counted in the filter panel. */
  readonly facets: readonly LabeledField[];
  readonly ranges: readonly RangeFilter[];
  /** Filters with a text field: for words in text, or for identifiers, which are too numerous to list. */
  readonly textFilters: readonly LabeledField[];
  readonly boundary: string;
  readonly orders: readonly LabeledName[];
  /** The time axes of a chart. The first is the default. */
  readonly times: readonly LabeledField[];
  /**
   * The groupings that can stack bars. The first is the default: use categories that are comparable across states
   * (D63).
   */
  readonly stacks: readonly string[];
  readonly measures: readonly Measure[];
  /** The default columns of the table. */
  readonly columns: readonly string[];
  readonly places: PlaceKind;
}

/** A column in ascending and in descending order. */
function bothDirections(name: string, label: string, reversedLabel: string): readonly LabeledName[] {
  return [
    { name, label },
    { name: name.startsWith('-') ? name.slice(1) : `-${name}`, label: reversedLabel },
  ];
}

const PUBLISHED: RangeFilter = {
  valueType: 'day',
  label: 'Published',
  from: 'StartPublicationDate',
  to: 'EndPublicationDate',
};

const AMOUNT_DEFAULTS = {
  ranges: [
    { valueType: 'day', label: 'Timeframe', from: 'StartDate', to: 'EndDate' },
    { valueType: 'number', label: 'Amount', from: 'MinimumAmount', to: 'MaximumAmount' },
    PUBLISHED,
  ],
  boundary: 'SearchBoundary',
  orders: [
    ...bothDirections('TimeframeStart', 'oldest first', 'newest first'),
    ...bothDirections('TimeframeEnd', 'earliest end first', 'latest end first'),
    ...bothDirections('-Amount', 'largest amount first', 'smallest amount first'),
  ],
  times: ['Year', 'WaterYear', 'ReportYear', 'Month'],
  measures: [
    { name: 'Sum', label: 'Sum', unit: '' },
    { name: 'Mean', label: 'Mean', unit: '' },
    { name: 'RecordsCount', label: 'Number of records', unit: 'records' },
  ],
} as const satisfies Partial<RecordKind>;

const rights: RecordKind = {
  label: 'Water rights',
  singular: 'water right',
  plural: 'water rights',
  route: 'v1/SiteAllocationAmounts',
  dataSet: 'WaterAllocations',
  facets: [
    'State',
    'County',
    'UseCategoryCV',
    'AllocationLegalStatusCV',
    'BeneficialUseCV',
    'WaterSourceTypeCV',
    'HUC8',
    'AllocationTypeCV',
    'OwnerClassificationCV',
    'SiteTypeCV',
    'PODorPOUSite',
    'USGSCategoryNameCV',
    'OrganizationUUID',
    'HUC12',
  ],
  ranges: [
    { valueType: 'day', label: 'Priority date', from: 'StartPriorityDate', to: 'EndPriorityDate' },
    { valueType: 'number', label: 'Flow (CFS)', from: 'MinimumFlow', to: 'MaximumFlow' },
    { valueType: 'number', label: 'Volume (AF)', from: 'MinimumVolume', to: 'MaximumVolume' },
    PUBLISHED,
  ],
  textFilters: ['AllocationOwner', 'AllocationNativeID', 'AllocationUUID', 'SiteUUID', 'WaterSourceUUID'],
  boundary: 'SearchGeometry',
  orders: [
    ...bothDirections('AllocationPriorityDate', 'oldest right first', 'newest right first'),
    ...bothDirections('-AllocationFlow_CFS', 'largest flow first', 'smallest flow first'),
    ...bothDirections('-AllocationVolume_AF', 'largest volume first', 'smallest volume first'),
    ...bothDirections('AllocationOwner', 'owner A to Z', 'owner Z to A'),
  ],
  times: ['PriorityDecade', 'PriorityYear'],
  stacks: [
    'UseCategoryCV',
    'BeneficialUseCV',
    'AllocationLegalStatusCV',
    'WaterSourceTypeCV',
    'State',
    'County',
    'SiteTypeCV',
    'AllocationTypeCV',
    'OwnerClassificationCV',
    'PODorPOUSite',
  ],
  measures: [
    { name: 'RecordsCount', label: 'Number of rights', unit: 'rights' },
    { name: 'FlowSum', label: 'Flow', unit: 'CFS', member: 'flow' },
    { name: 'VolumeSum', label: 'Volume', unit: 'AF', member: 'volume' },
  ],
  columns: [
    'AllocationNativeID',
    'AllocationOwner',
    'AllocationPriorityDate',
    'AllocationLegalStatusCodeCV',
    'BeneficialUses',
    'AllocationFlow_CFS',
    'AllocationVolume_AF',
    'WaterSourceTypeCV',
    'County',
    'StateCV',
  ],
  places: {
    collection: 'allocations',
    title: 'Water right',
    filter: 'AllocationUUID',
    // A right is counted at each of its points (D53), so circles count points, not rights.
    singular: 'point',
    plural: 'points',
    colors: [
      { filter: USE_COLOR, member: 'mainCategory' },
      { filter: 'BeneficialUseCV', member: 'use' },
      { filter: 'WaterSourceTypeCV', member: 'source' },
      { filter: 'AllocationLegalStatusCV', member: 'status' },
      { filter: 'AllocationTypeCV', member: 'type' },
      { filter: DECADE_COLOR, member: 'decade' },
    ],
  },
};

const series: RecordKind = {
  ...AMOUNT_DEFAULTS,
  label: 'Time series',
  singular: 'site measurement',
  plural: 'site measurements',
  route: 'v1/SiteVariableAmounts',
  dataSet: 'SiteVariableAmounts',
  facets: [
    'State',
    'County',
    'VariableCV',
    'VariableSpecificCV',
    'SiteTypeCV',
    'UseCategoryCV',
    'BeneficialUseCV',
    'WaterSourceTypeCV',
    'HUC8',
    'PODorPOUSite',
    'USGSCategoryNameCV',
    'OrganizationUUID',
    'HUC12',
  ],
  textFilters: ['SiteUUID'],
  stacks: [
    'UseCategoryCV',
    'BeneficialUseCV',
    'State',
    'County',
    'WaterSourceTypeCV',
    'SiteTypeCV',
    'USGSCategoryNameCV',
    'PODorPOUSite',
    'HUC8',
  ],
  columns: [
    'SiteName',
    'SiteUUID',
    'VariableSpecificTypeCV',
    'TimeframeStart',
    'TimeframeEnd',
    'Amount',
    'AmountUnitCV',
    'BeneficialUseCategoryCV',
    'County',
    'StateCV',
  ],
  places: {
    collection: 'sites',
    title: 'Site',
    filter: 'SiteUUID',
    singular: 'site',
    plural: 'sites',
    colors: [
      { filter: 'VariableCV', member: 'variable' },
      { filter: 'SiteTypeCV', member: 'type' },
      { filter: 'PODorPOUSite', member: 'podOrPou' },
      { filter: 'OrganizationUUID', member: 'organization' },
    ],
  },
};

const aggregates: RecordKind = {
  ...AMOUNT_DEFAULTS,
  label: 'Water use by area',
  singular: 'area total',
  plural: 'area totals',
  route: 'v1/AggregatedAmounts',
  dataSet: 'AggregatedAmounts',
  facets: [
    'State',
    'ReportingUnitTypeCV',
    'VariableCV',
    'UseCategoryCV',
    'VariableSpecificCV',
    'BeneficialUseCV',
    'UsgsCategoryNameCV',
    'OrganizationUUID',
  ],
  textFilters: ['ReportingUnitUUID'],
  stacks: ['UseCategoryCV', 'BeneficialUseCV', 'State', 'UsgsCategoryNameCV', 'ReportingUnitUUID'],
  columns: [
    'ReportingUnitName',
    'ReportingUnitTypeCV',
    'VariableSpecificTypeCV',
    'ReportYear',
    'TimeframeStart',
    'TimeframeEnd',
    'Amount',
    'AmountUnitCV',
    'BeneficialUseCategoryCV',
    'StateCV',
  ],
  places: {
    collection: 'reporting-units',
    title: 'Reporting unit',
    filter: 'ReportingUnitUUID',
    singular: 'unit',
    plural: 'units',
    colors: [],
  },
};

/** Filters that identify a single right. */
export const RIGHT_FILTERS = ['AllocationUUID', 'AllocationNativeID', 'AllocationOwner'];

/** All filters by location, for all kinds. */
export const PLACE_FILTERS: ReadonlySet<string> = new Set([
  'State',
  'County',
  'HUC8',
  'HUC12',
  'SiteUUID',
  'ReportingUnitUUID',
  'OrganizationUUID',
  rights.boundary,
  series.boundary,
  ...RIGHT_FILTERS,
]);

export const kinds: Readonly<Record<Kind, RecordKind>> = { rights, series, aggregates };

export function getKind(kind: Kind): RecordKind {
  return kinds[kind];
}
