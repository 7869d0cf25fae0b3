// Says where each filter field of each kind of data set takes its values from. A field that is missing here does not
// compile.

import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import { useCategoryOf, type UseCategories } from '../../shared/records/use-categories';
import { filterTerm, type FilterField, type FilterFieldOf } from '../../shared/query/text-filters';
import { byName } from '../../shared/values/maps';
import { foldText } from '../../shared/values/text';
import { stateCodeOf } from '../../shared/values/states';
import type { AllocationRow } from '../format/amount-definitions';
import type { ReportingUnitRow, SiteRow, VariableRow, WaterSourceRow } from '../format/submission-files';

interface InOrganization {
  /** Two-letter code of the state of the organization that submits the place. */
  readonly organizationState: string;
}

/** The objects whose values become terms of a record: its lookups, its organization, and an allocation's own row. */
export interface TermSubjects {
  readonly site: SiteRow & InOrganization;
  readonly reportingUnit: ReportingUnitRow & InOrganization;
  readonly variable: VariableRow;
  readonly waterSource: WaterSourceRow;
  readonly allocation: AllocationRow;
  /** A right's identifiers, of which there are nearly as many as rights, have terms of their own. */
  readonly identifiers: AllocationRow;
  readonly use: UseCategories & { readonly name: string };
  /** `state` is a two-letter code. */
  readonly organization: { readonly state: string };
}

type Subject = keyof TermSubjects;

type TermSource = {
  [S in Subject]: { readonly subject: S; readonly value: (values: TermSubjects[S]) => string | null };
}[Subject];

type FieldTable = Readonly<Partial<Record<FilterField, readonly TermSource[]>>>;

/** Terms of places' identifiers are written from the place index, which knows the records of each place. */
const OF_PLACE_INDEX: readonly TermSource[] = [];

const organizationState: TermSource = { subject: 'organization', value: ({ state }) => state };

const usesTerms = {
  use: [{ subject: 'use', value: ({ name }) => name }],
  usgsCategory: [{ subject: 'use', value: ({ usgs }) => usgs }],
  useCategory: [{ subject: 'use', value: ({ name }) => useCategoryOf(name) }],
} satisfies FieldTable;

const variableTerms = {
  variable: [{ subject: 'variable', value: (row) => row.VariableCV }],
  variableSpecific: [{ subject: 'variable', value: (row) => row.VariableSpecificCV }],
} satisfies FieldTable;

const sourceTerms = {
  waterSourceType: [{ subject: 'waterSource', value: (row) => row.WaterSourceTypeCV }],
} satisfies FieldTable;

const siteTerms = {
  site: OF_PLACE_INDEX,
  siteType: [{ subject: 'site', value: (row) => row.SiteTypeCV }],
  huc8: [{ subject: 'site', value: (row) => row.HUC8 }],
  huc12: [{ subject: 'site', value: (row) => row.HUC12 }],
  county: [{ subject: 'site', value: (row) => row.County }],
  placeState: [{ subject: 'site', value: placeState }],
  placeCounty: [{ subject: 'site', value: (row) => countyIn(placeState(row), row.County) }],
  state: [organizationState, { subject: 'site', value: (row) => stateOfText(row.StateCV) }],
  podOrPou: [{ subject: 'site', value: (row) => row.PODorPOUSite }],
} satisfies FieldTable;

const sources: { readonly [Kind in DataSetKind]: Readonly<Record<FilterFieldOf<Kind>, readonly TermSource[]>> } = {
  SiteVariableAmounts: {
    ...siteTerms,
    ...variableTerms,
    ...usesTerms,
    ...sourceTerms,
  },
  AggregatedAmounts: {
    reportingUnit: OF_PLACE_INDEX,
    reportingUnitType: [{ subject: 'reportingUnit', value: (row) => row.ReportingUnitTypeCV }],
    ...variableTerms,
    ...usesTerms,
    huc8: [{ subject: 'reportingUnit', value: watershedOf }],
    placeState: [{ subject: 'reportingUnit', value: placeState }],
    placeCounty: [{ subject: 'reportingUnit', value: (row) => countyIn(placeState(row), countyNameOf(row)) }],
    state: [organizationState, { subject: 'reportingUnit', value: (row) => stateOfText(row.StateCV) }],
  },
  WaterAllocations: {
    ...siteTerms,
    ...usesTerms,
    ...sourceTerms,
    allocationUuid: [{ subject: 'identifiers', value: (row) => row.AllocationUUID }],
    allocationNativeId: [{ subject: 'identifiers', value: (row) => row.AllocationNativeID }],
    legalStatus: [{ subject: 'allocation', value: (row) => row.AllocationLegalStatusCV }],
    allocationType: [{ subject: 'allocation', value: (row) => row.AllocationTypeCV }],
    ownerClass: [{ subject: 'allocation', value: (row) => row.OwnerClassificationCV }],
    exempt: [{ subject: 'allocation', value: ({ ExemptOfVolumeFlowPriority: exempt }) => exempt?.toString() ?? null }],
  },
};

export interface FieldValue {
  readonly field: FilterField;
  /** The value as submitted. */
  readonly value: string;
}

export interface Term extends FieldValue {
  readonly text: string;
}

export function termOf({ field, value }: FieldValue): Term {
  return { field, text: filterTerm(field, value), value };
}

/** The terms that one subject gives to the records that refer to it; null values give none. */
export function termsOf<S extends Subject>(kind: DataSetKind, subject: S, values: TermSubjects[S]): readonly Term[] {
  return fieldValuesOf(kind, subject, values).map(termOf);
}

export function fieldValuesOf<S extends Subject>(
  kind: DataSetKind,
  subject: S,
  values: TermSubjects[S],
): readonly FieldValue[] {
  const found: FieldValue[] = [];
  for (const { field, source } of termSources[kind]) {
    if (source.subject !== subject) continue;
    // The source's subject says which values it takes.
    const value = (source.value as (values: TermSubjects[S]) => string | null)(values);
    if (value !== null) found.push({ field, value });
  }
  return found;
}

/** The fields of which places have terms, at most one of each, in the order in which fieldValuesOf gives them. */
export function placeFieldsOf(kind: DataSetKind): readonly FilterField[] {
  const ofPlaces = termSources[kind].filter(({ source: { subject } }) => ['site', 'reportingUnit'].includes(subject));
  return ofPlaces.map(({ field }) => field);
}

/** Made once, because they are gone through for each right and each place. */
const termSources = byName(DATA_SET_KINDS, (kind) => {
  const ofFields = Object.entries(sources[kind]) as [FilterField, readonly TermSource[]][]; // Its keys are fields.
  return ofFields.flatMap(([field, ofField]) => ofField.map((source) => ({ field, source })));
});

/** StateCV is free text in submissions; one that names no state gives no term. */
function stateOfText(stateCv: string | null): string | null {
  return stateCv === null ? null : (stateCodeOf(stateCv) ?? null);
}

/** A place without a StateCV that names a state lies in the state of its organization (ADR 0036). */
function placeState({ StateCV, organizationState }: Pick<SiteRow, 'StateCV'> & InOrganization): string {
  return stateOfText(StateCV) ?? organizationState;
}

function countyIn(state: string, county: string | null): string | null {
  return county === null ? null : `${state}/${county}`;
}

/** A reporting unit of the type County is the county of its name. */
function countyNameOf({ ReportingUnitTypeCV: type, ReportingUnitName: name }: ReportingUnitRow): string | null {
  return type !== null && foldText(type) === 'county' ? name : null;
}

/** A reporting unit whose type begins with HUC has its HUC8 as native identifier, often without the leading zero. */
function watershedOf({ ReportingUnitTypeCV: type, ReportingUnitNativeID: id }: ReportingUnitRow): string | null {
  const isWatershed = type !== null && foldText(type).startsWith('huc');
  return isWatershed && id !== null && /^\d{7,8}$/.test(id) ? id.padStart(8, '0') : null;
}
