// The text filters, one per entry. Operations, CQL2 queryables, groupings, facets, tiles and documents all follow from
// this table. A filter compares the whole value, without regard to letter case (D8). To add a filter, follow "Add a
// text filter" in CONTRIBUTING.md.

import type { DataSetKind } from '../records/data-sets';
import { foldCounty, foldVariable } from '../values/fold-text';
import { BOOLEAN_TEXTS } from '../values/numbers';
import { failure, type Result, success } from '../values/result';
import { readStateCode, STATE_CODE_SHAPE } from '../values/states';
import type { TextFilterDefinition } from './text-filter-definition';

const ALL_DATA_SETS = ['SiteVariableAmounts', 'AggregatedAmounts', 'WaterAllocations'] as const;
const AMOUNT_DATA_SETS = ['SiteVariableAmounts', 'AggregatedAmounts'] as const;
const SITE_DATA_SETS = ['SiteVariableAmounts', 'WaterAllocations'] as const;
const UNIT_DATA_SETS = ['AggregatedAmounts'] as const;
const RIGHT_DATA_SETS = ['WaterAllocations'] as const;

/** The member of records that lists the USGS category of each use. */
const USGS_CATEGORY_OF_USES = 'BeneficialUseUSGSCategoryNameCV';

/** The queryable for all water sources of a right. */
const SOURCES_OF_RIGHTS = 'WaterSourceUUIDs';

/** Keyed by field, in the order of the specification. */
export const TEXT_FILTERS = {
  site: {
    name: 'SiteUUID',
    dataSets: SITE_DATA_SETS,
    scope: 'place',
    valueKind: 'placeIdentifier',
    member: 'SiteUUID',
    meaning: 'Universal site identifier across all states.',
    example: 'UTss_S877',
  },
  siteType: {
    name: 'SiteTypeCV',
    dataSets: SITE_DATA_SETS,
    scope: 'place',
    member: 'SiteTypeCV',
    meaning: 'Controlled site type.',
    example: 'Reservoir',
    tile: { name: 'type', meaning: 'SiteTypeCV.' },
  },
  reportingUnit: {
    name: 'ReportingUnitUUID',
    dataSets: UNIT_DATA_SETS,
    scope: 'place',
    valueKind: 'placeIdentifier',
    member: 'ReportingUnitUUID',
    meaning: 'Reporting unit identifier, unique across member states.',
    example: 'NMag_RU1',
  },
  reportingUnitType: {
    name: 'ReportingUnitTypeCV',
    dataSets: UNIT_DATA_SETS,
    scope: 'place',
    member: 'ReportingUnitTypeCV',
    meaning: 'Reporting unit type, for example HUC, County, Custom.',
    example: 'County',
    tile: { name: 'type', meaning: 'ReportingUnitTypeCV.' },
  },
  variable: {
    name: 'VariableCV',
    dataSets: AMOUNT_DATA_SETS,
    scope: 'record',
    fold: foldVariable,
    member: 'VariableCV',
    meaning: 'Variable; white space, commas, underscores, hyphens and slashes are ignored.',
    example: 'Withdrawal',
  },
  variableSpecific: {
    name: 'VariableSpecificCV',
    dataSets: AMOUNT_DATA_SETS,
    scope: 'record',
    fold: foldVariable,
    member: 'VariableSpecificTypeCV',
    meaning: 'Specific variable; for aggregated amounts a pair of category and subcategory, with any separator.',
    example: 'Aggregated Withdrawal, Irrigation',
  },
  use: {
    name: 'BeneficialUseCV',
    dataSets: ALL_DATA_SETS,
    scope: 'use',
    meaning: "Beneficial use category as defined by each state. Matches the record's primary use or any of its uses.",
    example: 'Irrigation',
    tile: {
      name: 'use',
      meaning: 'BeneficialUseCategoryCV; for a right with several, all of them separated by semicolons.',
    },
  },
  usgsCategory: {
    name: 'USGSCategoryNameCV',
    namesByDataSet: { AggregatedAmounts: 'UsgsCategoryNameCV' },
    dataSets: ALL_DATA_SETS,
    scope: 'use',
    // In features of amounts, the property with this name covers only the primary use.
    queryableNames: { SiteVariableAmounts: USGS_CATEGORY_OF_USES, AggregatedAmounts: USGS_CATEGORY_OF_USES },
    synonyms: [USGS_CATEGORY_OF_USES],
    meaning: 'National water use category (USGS) of the primary use or of any of the uses.',
    example: 'Public Supply',
  },
  huc8: {
    name: 'HUC8',
    dataSets: SITE_DATA_SETS,
    scope: 'place',
    member: 'HUC8',
    meaning: 'Hydrologic unit (watershed) with 8 digits.',
    example: '16010202',
    limits: { pattern: '^\\d{8}$' },
    read: readDigits(8),
  },
  huc12: {
    name: 'HUC12',
    dataSets: SITE_DATA_SETS,
    scope: 'place',
    member: 'HUC12',
    meaning: 'Hydrologic unit (watershed) with 12 digits.',
    example: '160102020305',
    limits: { pattern: '^\\d{12}$' },
    read: readDigits(12),
    unlistedReason:
      'A list of tens of thousands of HUC12 codes is less useful than a list of the HUC8 codes that contain them.',
  },
  county: {
    name: 'County',
    dataSets: SITE_DATA_SETS,
    scope: 'place',
    fold: foldCounty,
    member: 'County',
    meaning: 'County; a trailing "County" is ignored.',
    example: 'Cache',
  },
  state: {
    name: 'State',
    dataSets: ALL_DATA_SETS,
    scope: 'place',
    valueKind: 'code',
    meaning:
      'Two-letter state abbreviation. Matches records that an organization of that state submitted, and records located in that state.',
    example: 'UT',
    limits: { pattern: STATE_CODE_SHAPE.source },
    read: readState,
  },
  podOrPou: {
    name: 'PODorPOUSite',
    dataSets: SITE_DATA_SETS,
    scope: 'place',
    member: 'PODorPOUSite',
    meaning: 'Whether the site is a point of diversion (POD) or a place of use (POU).',
    example: 'POD',
    tile: { name: 'podOrPou', meaning: 'PODorPOUSite.' },
  },
  allocationUuid: {
    name: 'AllocationUUID',
    dataSets: RIGHT_DATA_SETS,
    scope: 'record',
    valueKind: 'recordIdentifier',
    member: 'AllocationUUID',
    meaning: 'Allocation identifier, unique across member states.',
    example: 'COwr_WR0000001',
  },
  allocationNativeId: {
    name: 'AllocationNativeID',
    dataSets: RIGHT_DATA_SETS,
    scope: 'record',
    valueKind: 'recordIdentifier',
    member: 'AllocationNativeID',
    meaning: 'Allocation identifier of the submitting organization; other organizations may use the same one.',
    example: '0042',
  },
  legalStatus: {
    name: 'AllocationLegalStatusCV',
    dataSets: RIGHT_DATA_SETS,
    scope: 'record',
    member: 'AllocationLegalStatusCodeCV',
    // The name of the member in answers is accepted as a synonym.
    synonyms: ['AllocationLegalStatusCodeCV'],
    meaning: 'Legal status of the allocation.',
    example: 'Active',
    tile: { name: 'status', meaning: 'AllocationLegalStatusCodeCV.' },
  },
  ownerClass: {
    name: 'OwnerClassificationCV',
    dataSets: RIGHT_DATA_SETS,
    scope: 'record',
    member: 'OwnerClassificationCV',
    meaning: 'Type of owner of the allocation.',
    example: 'Private',
  },
  allocationType: {
    name: 'AllocationTypeCV',
    dataSets: RIGHT_DATA_SETS,
    scope: 'record',
    member: 'AllocationTypeCV',
    meaning: 'Type of the allocation.',
    example: 'Decree',
    tile: { name: 'type', meaning: 'AllocationTypeCV.' },
  },
  waterSourceType: {
    name: 'WaterSourceTypeCV',
    dataSets: SITE_DATA_SETS,
    scope: 'record',
    member: 'WaterSourceTypeCV',
    meaning: "Type of the record's own water source.",
    example: 'Surface Water',
    tile: { name: 'source', meaning: 'WaterSourceTypeCV.' },
  },
  waterSource: {
    name: 'WaterSourceUUID',
    dataSets: RIGHT_DATA_SETS,
    scope: 'record',
    valueKind: 'sourceIdentifier',
    // In features, the property WaterSourceUUID contains only the right's own source.
    queryableNames: { WaterAllocations: SOURCES_OF_RIGHTS },
    synonyms: [SOURCES_OF_RIGHTS],
    meaning: "Identifier of a water source. Matches the right's own source and those of its sites.",
    example: 'SAMPLE_CO_WS1',
    unlistedReason:
      'There can be tens of thousands of water sources; GET /v1/SiteAllocationAmounts lists those of rights.',
  },
  useCategory: {
    name: 'UseCategoryCV',
    dataSets: ALL_DATA_SETS,
    scope: 'use',
    meaning: 'Category of the primary use or of any of the uses, comparable across states; assigned by this project.',
    example: 'Irrigation',
    tile: {
      name: 'category',
      meaning: 'UseCategoryCV; for a right with several, all of them separated by semicolons.',
    },
  },
  exempt: {
    name: 'ExemptOfVolumeFlowPriority',
    dataSets: RIGHT_DATA_SETS,
    scope: 'record',
    valueKind: 'boolean',
    isSingle: true,
    member: 'ExemptOfVolumeFlowPriority',
    meaning:
      'Whether the allocation is exempt from volume, flow and priority limits. Allocations that do not state this never match. ' +
      '1, 0, yes and no work as well.',
    example: 'true',
    limits: { enum: ['true', 'false'] },
    read: readBoolean,
  },
} as const satisfies Readonly<Record<string, TextFilterDefinition>>;

export type TextFilterField = keyof typeof TEXT_FILTERS;

export interface TextFilter extends TextFilterDefinition {
  readonly field: TextFilterField;
}

export function getTextFilter(field: TextFilterField): TextFilter {
  return { ...TEXT_FILTERS[field], field };
}

/** Lists the filters of a data set, in the order of the table. */
export function listTextFilters(dataSet: DataSetKind): readonly TextFilter[] {
  const fields = Object.keys(TEXT_FILTERS) as TextFilterField[]; // TEXT_FILTERS has no other keys.
  return fields.map(getTextFilter).filter(({ dataSets }) => dataSets.includes(dataSet));
}

/** Moves the items with these names to the front, in the order of the names. The other items keep their order. */
export function orderFirst<Item, Name>(
  items: readonly Item[],
  names: readonly Name[],
  getName: (item: Item) => Name,
): readonly Item[] {
  const first = names.flatMap((name) => items.filter((item) => getName(item) === name));
  return [...first, ...items.filter((item) => !first.includes(item))];
}

function readDigits(count: number): (text: string) => Result<string> {
  const shape = new RegExp(`^\\d{${count}}$`);
  return (text) => (shape.test(text) ? success(text) : failure(`must be exactly ${count} digits`));
}

function readState(text: string): Result<string> {
  const code = readStateCode(text);
  if (code !== undefined) return success(code);
  return failure('must be a two-letter postal abbreviation of a state or territory, such as UT');
}

function readBoolean(text: string): Result<string> {
  const value = BOOLEAN_TEXTS.get(text.toLowerCase());
  return value === undefined ? failure('must be true or false, yes or no, 1 or 0') : success(String(value));
}
