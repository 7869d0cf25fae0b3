// The text filters, each one declared row: its parameter, the data sets that have it, and what else follows from it
// everywhere (operations, queryables of CQL2, groupings, facets, tiles, documents). Values are compared as a whole by
// filter terms, without regard to case (D8). A new row needs its source of values in the loader's term-sources.ts,
// which does not compile without it, and a new FORMAT_VERSION, since former releases have no terms of it; documents and
// the tests that list all filters follow (docs/architecture.md).

import type { DataSetKind, PlaceKind } from '../records/data-sets';
import { BOOLEAN_TEXTS } from '../values/numbers';
import { failure, type Result, success } from '../values/result';
import { readStateCode, STATE_CODE_SHAPE } from '../values/states';
import { foldCounty, foldText, foldVariable } from '../values/text';

/** What JSON Schema can say of a value, for documentation and for tests that draw values; `read` decides. */
export interface ValueLimits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly minLength?: number;
  /** In one letter case, where any is read. */
  readonly enum?: readonly string[];
}

/**
 * What follows from the kind of a field's values: whether they are groups of totals (D38) and facets (D41), and whether
 * one is suggested for another that the data do not have (ADR 0038).
 */
export const VALUE_KINDS = {
  text: { isGrouped: true, isFaceted: true, isSuggested: true },
  /** Any two codes are near one another, and mean nothing to one another. */
  code: { isGrouped: true, isFaceted: true, isSuggested: false },
  /** Nearly every record has a place of its own. */
  placeIdentifier: { isGrouped: true, isFaceted: false, isSuggested: true },
  /** They name single rights (D52). */
  recordIdentifier: { isGrouped: false, isFaceted: false, isSuggested: true },
  boolean: { isGrouped: false, isFaceted: false, isSuggested: false },
} as const;

/** A filter field, whether or not a parameter asks for it. */
interface FilterFieldFacts {
  /** Who has the values: the place itself, any of the uses, of which there may be several, or the record (D42). */
  readonly scope: 'place' | 'use' | 'record';
  /** Texts, unless it says otherwise. */
  readonly valueKind?: keyof typeof VALUE_KINDS;
  /** Where text folding does not suit them. */
  readonly fold?: (value: string) => string;
  /** The member of records, places or other lookups that has the values. */
  readonly member?: string;
  /** The queryable's name where features of records have a property of the parameter's name that says less (D62). */
  readonly queryableNames?: Readonly<Partial<Record<DataSetKind, string>>>;
}

interface DeclaredTextFilter extends FilterFieldFacts {
  /** The parameter's, as documentation and errors spell it. */
  readonly name: string;
  /** The name in operations that spell it otherwise; the first one is a synonym there. */
  readonly namesByDataSet?: Readonly<Partial<Record<DataSetKind, string>>>;
  readonly synonyms?: readonly string[];
  /** Whose operations have the filter. */
  readonly dataSets: readonly DataSetKind[];
  /** One sentence for documentation. */
  readonly meaning: string;
  readonly example: string;
  readonly limits?: ValueLimits;
  /** Reads one value, where not every text is one. */
  readonly read?: (text: string) => Result<string>;
  /** A value excludes all others, so that the parameter stands once. */
  readonly isSingle?: true;
  /** Why the inventory does not list the values. */
  readonly unlistedReason?: string;
  /** The member by which features of tiles show the values, with what it means. */
  readonly tile?: { readonly name: string; readonly meaning: string };
}

const AMOUNTS = ['SiteVariableAmounts', 'AggregatedAmounts'] as const;
const AT_SITES = ['SiteVariableAmounts', 'WaterAllocations'] as const;
const UNITS = ['AggregatedAmounts'] as const;
const RIGHTS = ['WaterAllocations'] as const;
const USES_CATEGORY = 'BeneficialUseUSGSCategoryNameCV';
const ALL = ['SiteVariableAmounts', 'AggregatedAmounts', 'WaterAllocations'] as const;

/** By filter field, in the order of the specification's operations. */
const TEXT_FILTERS = {
  site: {
    name: 'SiteUUID',
    dataSets: AT_SITES,
    scope: 'place',
    valueKind: 'placeIdentifier',
    member: 'SiteUUID',
    meaning: 'Universal site identifier across all states.',
    example: 'UTss_S877',
  },
  siteType: {
    name: 'SiteTypeCV',
    dataSets: AT_SITES,
    scope: 'place',
    member: 'SiteTypeCV',
    meaning: 'Controlled site type.',
    example: 'Reservoir',
    tile: { name: 'type', meaning: 'SiteTypeCV.' },
  },
  reportingUnit: {
    name: 'ReportingUnitUUID',
    dataSets: UNITS,
    scope: 'place',
    valueKind: 'placeIdentifier',
    member: 'ReportingUnitUUID',
    meaning: 'Reporting unit identifier, unique across member states.',
    example: 'NMag_RU1',
  },
  reportingUnitType: {
    name: 'ReportingUnitTypeCV',
    dataSets: UNITS,
    scope: 'place',
    member: 'ReportingUnitTypeCV',
    meaning: 'Reporting unit type, for example HUC, County, Custom.',
    example: 'County',
    tile: { name: 'type', meaning: 'ReportingUnitTypeCV.' },
  },
  variable: {
    name: 'VariableCV',
    dataSets: AMOUNTS,
    scope: 'record',
    fold: foldVariable,
    member: 'VariableCV',
    meaning: 'Variable; white space, commas, underscores, hyphens and slashes do not count.',
    example: 'Withdrawal',
  },
  variableSpecific: {
    name: 'VariableSpecificCV',
    dataSets: AMOUNTS,
    scope: 'record',
    fold: foldVariable,
    member: 'VariableSpecificTypeCV',
    meaning: 'Specific variable, for aggregated amounts a category and subcategory pair, however the pair is joined.',
    example: 'Aggregated Withdrawal, Irrigation',
  },
  use: {
    name: 'BeneficialUseCV',
    dataSets: ALL,
    scope: 'use',
    meaning: "Beneficial use category as defined by each state: the record's primary use or any of its uses.",
    example: 'Irrigation',
    tile: {
      name: 'use',
      meaning: 'BeneficialUseCategoryCV; of a right with several, all of them with semicolons between.',
    },
  },
  usgsCategory: {
    name: 'USGSCategoryNameCV',
    namesByDataSet: { AggregatedAmounts: 'UsgsCategoryNameCV' },
    dataSets: ALL,
    scope: 'use',
    // Their features show the primary use apart from the list of uses and categories.
    queryableNames: { SiteVariableAmounts: USES_CATEGORY, AggregatedAmounts: USES_CATEGORY },
    synonyms: [USES_CATEGORY],
    meaning: 'National water use category (USGS) of the primary use or of any of the uses.',
    example: 'Public Supply',
  },
  huc8: {
    name: 'HUC8',
    dataSets: AT_SITES,
    scope: 'place',
    member: 'HUC8',
    ...hydrologicUnit(8),
    example: '16010202',
  },
  huc12: {
    name: 'HUC12',
    dataSets: AT_SITES,
    scope: 'place',
    member: 'HUC12',
    ...hydrologicUnit(12),
    example: '160102020305',
    unlistedReason: 'A list of tens of thousands of HUC12 says less than the HUC8 that they lie in.',
  },
  county: {
    name: 'County',
    dataSets: AT_SITES,
    scope: 'place',
    fold: foldCounty,
    member: 'County',
    meaning: 'County; a trailing "County" is ignored.',
    example: 'Cache',
  },
  state: {
    name: 'State',
    dataSets: ALL,
    scope: 'place',
    valueKind: 'code',
    meaning: 'Two-letter state abbreviation: records that an organization of that state submitted, or that lie in it.',
    example: 'UT',
    limits: { pattern: STATE_CODE_SHAPE.source },
    read: (text) => {
      const code = readStateCode(text);
      if (code !== undefined) return success(code);
      return failure('must be a two-letter postal abbreviation of a state or territory, such as UT');
    },
  },
  podOrPou: {
    name: 'PODorPOUSite',
    dataSets: AT_SITES,
    scope: 'place',
    member: 'PODorPOUSite',
    meaning: 'Whether the site is a point of diversion (POD) or a place of use (POU).',
    example: 'POD',
    tile: { name: 'podOrPou', meaning: 'PODorPOUSite.' },
  },
  allocationUuid: {
    name: 'AllocationUUID',
    dataSets: RIGHTS,
    scope: 'record',
    valueKind: 'recordIdentifier',
    member: 'AllocationUUID',
    meaning: 'Allocation identifier, unique across member states.',
    example: 'COwr_WR0000001',
  },
  allocationNativeId: {
    name: 'AllocationNativeID',
    dataSets: RIGHTS,
    scope: 'record',
    valueKind: 'recordIdentifier',
    member: 'AllocationNativeID',
    meaning: 'Allocation identifier as the submitting organization gives it; another organization may give the same.',
    example: '0042',
  },
  legalStatus: {
    name: 'AllocationLegalStatusCV',
    dataSets: RIGHTS,
    scope: 'record',
    member: 'AllocationLegalStatusCodeCV',
    // The member of the answer has this name.
    synonyms: ['AllocationLegalStatusCodeCV'],
    meaning: 'Legal status of the allocation.',
    example: 'Active',
    tile: { name: 'status', meaning: 'AllocationLegalStatusCodeCV.' },
  },
  ownerClass: {
    name: 'OwnerClassificationCV',
    dataSets: RIGHTS,
    scope: 'record',
    member: 'OwnerClassificationCV',
    meaning: 'Class of the owner of the allocation.',
    example: 'Private',
  },
  allocationType: {
    name: 'AllocationTypeCV',
    dataSets: RIGHTS,
    scope: 'record',
    member: 'AllocationTypeCV',
    meaning: 'Type of the allocation.',
    example: 'Decree',
    tile: { name: 'type', meaning: 'AllocationTypeCV.' },
  },
  waterSourceType: {
    name: 'WaterSourceTypeCV',
    dataSets: AT_SITES,
    scope: 'record',
    member: 'WaterSourceTypeCV',
    meaning: "Type of the record's own water source.",
    example: 'Surface Water',
    tile: { name: 'source', meaning: 'WaterSourceTypeCV.' },
  },
  useCategory: {
    name: 'UseCategoryCV',
    dataSets: ALL,
    scope: 'use',
    meaning: 'Plain category of the primary use or of any of the uses, which compares across states; our reading.',
    example: 'Irrigation',
    tile: { name: 'category', meaning: 'UseCategoryCV; of a right with several, all of them with semicolons between.' },
  },
  exempt: {
    name: 'ExemptOfVolumeFlowPriority',
    dataSets: RIGHTS,
    scope: 'record',
    valueKind: 'boolean',
    isSingle: true,
    member: 'ExemptOfVolumeFlowPriority',
    meaning: 'Whether the allocation is exempt of volume, flow and priority; one that does not say so never matches.',
    example: 'true',
    limits: { enum: [...BOOLEAN_TEXTS.keys()] },
    read: (text) => {
      const value = BOOLEAN_TEXTS.get(text.toLowerCase());
      return value === undefined ? failure('must be true or false, yes or no, 1 or 0') : success(String(value));
    },
  },
} as const satisfies Readonly<Record<string, DeclaredTextFilter>>;

function hydrologicUnit(digits: number): Required<Pick<DeclaredTextFilter, 'meaning' | 'limits' | 'read'>> {
  const shape = new RegExp(`^\\d{${digits}}$`);
  return {
    meaning: `Hydrologic unit (watershed) of ${digits} digits.`,
    limits: { pattern: shape.source },
    read: (text) => (shape.test(text) ? success(text) : failure(`must be exactly ${digits} digits`)),
  };
}

/** The fields that boundaries by name ask for, in every data set (ADR 0036). */
const BOUNDARY_FIELDS = {
  huc8: TEXT_FILTERS.huc8,
  placeState: { scope: 'place', valueKind: 'code' },
  placeCounty: { scope: 'place', fold: foldCounty },
} as const satisfies Readonly<Record<string, FilterFieldFacts>>;

export type TextFilterField = keyof typeof TEXT_FILTERS;

/** The fields by which the records of each kind of data set can be asked for. The loader must make terms for each. */
export type DataSetFilterField<Kind extends DataSetKind> =
  | {
      readonly [Field in TextFilterField]: Kind extends (typeof TEXT_FILTERS)[Field]['dataSets'][number]
        ? Field
        : never;
    }[TextFilterField]
  | keyof typeof BOUNDARY_FIELDS;

export type FilterField = DataSetFilterField<DataSetKind>;

export interface TextFilter extends DeclaredTextFilter {
  readonly field: TextFilterField;
}

export const filterFields: Readonly<Record<FilterField, FilterFieldFacts>> = { ...TEXT_FILTERS, ...BOUNDARY_FIELDS };

/** In the order of their declaration. */
const textFilters: readonly TextFilter[] = Object.keys(TEXT_FILTERS).map(
  (field) => getTextFilter(field as TextFilterField), // The keys are these.
);

export function listTextFilters(dataSet: DataSetKind): readonly TextFilter[] {
  return textFilters.filter(({ dataSets }) => dataSets.includes(dataSet));
}

/** Those with the first names in the order of these; others follow as they stand. */
export function orderFirst<Named, Name>(
  named: readonly Named[],
  first: readonly Name[],
  nameOf: (one: Named) => Name,
): readonly Named[] {
  const ofFirst = first.flatMap((name) => named.filter((one) => nameOf(one) === name));
  return [...ofFirst, ...named.filter((one) => !ofFirst.includes(one))];
}

export function getTextFilter(field: TextFilterField): TextFilter {
  return { ...TEXT_FILTERS[field], field };
}

/** The fields that hold identifiers of places. */
export type PlaceField = 'site' | 'reportingUnit';

export const PLACE_FIELDS: Readonly<Record<PlaceKind, PlaceField>> = { Sites: 'site', ReportingUnits: 'reportingUnit' };

/** Whether the field says something of a place itself; all others are of records (D42, D43). */
export function isPlaceField(field: FilterField): boolean {
  return filterFields[field].scope === 'place';
}

/** Whether the values are names of places: each place has one of its own. */
export function isPlaceIdentifier(field: FilterField): boolean {
  return filterFields[field].valueKind === 'placeIdentifier';
}

/** A folded `field:value`: the loader makes those of records and a query those that it asks for, both by this. */
export function toFilterTerm(field: FilterField, value: string): string {
  return `${field}:${(filterFields[field].fold ?? foldText)(value)}`;
}

/** Has the records with exactly this spelling, where a release has several that fold alike (D53). */
export function toSpellingTerm(field: FilterField, value: string): string {
  return `=${field}:${value}`;
}

/** Has the rights that have an identifier of the field. */
export function toPresenceTerm(field: FilterField): string {
  return `?${field}`;
}

/** A value in the spelling that came first, how many records have it, and its other spellings where there are any. */
export type VocabularyValue = readonly [value: string, records: number, others?: readonly string[]];

/**
 * The `vocabulary` artifact of a release: for each field its values as submitted, in the order of their UTF-8 bytes.
 * It has no identifiers.
 */
export type Vocabulary = Readonly<Partial<Record<FilterField, readonly VocabularyValue[]>>>;
