// Declares the source of each filter field for each kind of data set. A missing field is a compile error.

import type { DataSetFilterField, FilterField } from '../../shared/query/filter-fields';
import { toFilterTerm } from '../../shared/query/filter-terms';
import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import { categorizeUse, type UseCategories } from '../../shared/records/use-categories';
import { foldText } from '../../shared/values/fold-text';
import { buildByName } from '../../shared/values/maps';
import { findStateCode } from '../../shared/values/states';
import type { AllocationRow } from '../format/amount-definitions';
import type { ReportingUnitRow, SiteRow, VariableRow, WaterSourceRow } from '../format/submission-files';

interface SubmittedPlace {
  /** The two-letter code of the state of the organization that submitted the place. */
  readonly organizationState: string;
}

/** The objects whose values become terms of a record: its lookups, its organization, and the row of an allocation. */
export interface TermSubjects {
  readonly site: SiteRow & SubmittedPlace;
  readonly reportingUnit: ReportingUnitRow & SubmittedPlace;
  readonly variable: VariableRow;
  readonly waterSource: WaterSourceRow;
  /** Includes the water sources of a right's sites. */
  readonly sourceIdentifier: WaterSourceRow;
  readonly allocation: AllocationRow;
  /** The identifiers of a right. Nearly every right has its own identifiers, so their terms are kept separately. */
  readonly identifiers: AllocationRow;
  readonly use: UseCategories & { readonly name: string };
  /** `state` is a two-letter code. */
  readonly organization: { readonly state: string };
}

type Subject = keyof TermSubjects;

/** Returns the value of a field, keyed by subject; null for none. */
type TermSources = {
  readonly [S in Subject]?: (values: TermSubjects[S]) => string | null;
};

type FieldTable = Readonly<Partial<Record<FilterField, TermSources>>>;

/** The place index writes the terms of place identifiers, because it already has the records of each place. */
const FROM_PLACE_INDEX: TermSources = {};

const usesTerms = {
  use: { use: ({ name }) => name },
  usgsCategory: { use: ({ usgs }) => usgs },
  useCategory: { use: ({ name }) => categorizeUse(name) },
} satisfies FieldTable;

const variableTerms = {
  variable: { variable: (row) => row.VariableCV },
  variableSpecific: { variable: (row) => row.VariableSpecificCV },
} satisfies FieldTable;

const sourceTerms = {
  waterSourceType: { waterSource: (row) => row.WaterSourceTypeCV },
} satisfies FieldTable;

const siteTerms = {
  site: FROM_PLACE_INDEX,
  siteType: { site: (row) => row.SiteTypeCV },
  huc8: { site: (row) => row.HUC8 },
  huc12: { site: (row) => row.HUC12 },
  county: { site: (row) => row.County },
  placeState: { site: getPlaceState },
  placeCounty: { site: (row) => qualifyCounty(getPlaceState(row), row.County) },
  state: { organization: ({ state }) => state, site: (row) => parseState(row.StateCV) },
  podOrPou: { site: (row) => row.PODorPOUSite },
} satisfies FieldTable;

const sources: { readonly [Kind in DataSetKind]: Readonly<Record<DataSetFilterField<Kind>, TermSources>> } = {
  SiteVariableAmounts: {
    ...siteTerms,
    ...variableTerms,
    ...usesTerms,
    ...sourceTerms,
  },
  AggregatedAmounts: {
    reportingUnit: FROM_PLACE_INDEX,
    reportingUnitType: { reportingUnit: (row) => row.ReportingUnitTypeCV },
    ...variableTerms,
    ...usesTerms,
    huc8: { reportingUnit: getWatershed },
    placeState: { reportingUnit: getPlaceState },
    placeCounty: { reportingUnit: (row) => qualifyCounty(getPlaceState(row), getCountyName(row)) },
    state: { organization: ({ state }) => state, reportingUnit: (row) => parseState(row.StateCV) },
  },
  WaterAllocations: {
    ...siteTerms,
    ...usesTerms,
    ...sourceTerms,
    waterSource: { sourceIdentifier: (row) => row.WaterSourceUUID },
    allocationUuid: { identifiers: (row) => row.AllocationUUID },
    allocationNativeId: { identifiers: (row) => row.AllocationNativeID },
    legalStatus: { allocation: (row) => row.AllocationLegalStatusCV },
    allocationType: { allocation: (row) => row.AllocationTypeCV },
    ownerClass: { allocation: (row) => row.OwnerClassificationCV },
    exempt: { allocation: ({ ExemptOfVolumeFlowPriority: exempt }) => exempt?.toString() ?? null },
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

export function buildTerm({ field, value }: FieldValue): Term {
  return { field, text: toFilterTerm(field, value), value };
}

/** The terms that a subject adds to the records that refer to it. Null values add no terms. */
export function buildTerms<S extends Subject>(kind: DataSetKind, subject: S, values: TermSubjects[S]): readonly Term[] {
  return readFieldValues(kind, subject, values).map(buildTerm);
}

export function readFieldValues<S extends Subject>(
  kind: DataSetKind,
  subject: S,
  values: TermSubjects[S],
): readonly FieldValue[] {
  const fieldValues: FieldValue[] = [];
  for (const [field, bySubject] of termSources[kind]) {
    const value = bySubject[subject]?.(values) ?? null;
    if (value !== null) fieldValues.push({ field, value });
  }
  return fieldValues;
}

/** The fields of places, in the order of readFieldValues. */
export function listPlaceFields(kind: DataSetKind): readonly FilterField[] {
  return termSources[kind].flatMap(([field, { site, reportingUnit }]) => ((site ?? reportingUnit) ? [field] : []));
}

/** Created once, because every right and place iterates over it. */
const termSources = buildByName(DATA_SET_KINDS, (kind) => {
  return Object.entries(sources[kind]) as [FilterField, TermSources][]; // The keys are fields.
});

/** StateCV is free text in submissions. A text that is not a state yields no term. */
function parseState(stateCv: string | null): string | null {
  return stateCv === null ? null : (findStateCode(stateCv) ?? null);
}

/** A place without a valid StateCV is in the state of its organization (ADR 0036). */
function getPlaceState({ StateCV, organizationState }: Pick<SiteRow, 'StateCV'> & SubmittedPlace): string {
  return parseState(StateCV) ?? organizationState;
}

function qualifyCounty(state: string, county: string | null): string | null {
  return county === null ? null : `${state}/${county}`;
}

/** A reporting unit of the type County is the county of that name. */
function getCountyName({ ReportingUnitTypeCV: type, ReportingUnitName: name }: ReportingUnitRow): string | null {
  return type !== null && foldText(type) === 'county' ? name : null;
}

/**
 * If the type of a reporting unit starts with HUC, its native identifier is its HUC8, often without the leading zero.
 */
function getWatershed({ ReportingUnitTypeCV: type, ReportingUnitNativeID: id }: ReportingUnitRow): string | null {
  const isWatershed = type !== null && foldText(type).startsWith('huc');
  return isWatershed && id !== null && /^\d{7,8}$/.test(id) ? id.padStart(8, '0') : null;
}
