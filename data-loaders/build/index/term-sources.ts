// Says where each filter field of each kind of data set takes its values from. A field that is missing here does not
// compile.

import type { DataSetKind } from '../../../shared/records/data-sets';
import { filterTerm, type FilterField, type FilterFieldOf } from '../../../shared/query/filter-terms';
import { foldText } from '../../../shared/values/text';
import { stateCodeOf } from '../../../shared/values/states';
import type { AllocationRow } from '../../format/amount-definitions';
import type { ReportingUnitRow, SiteRow, VariableRow, WaterSourceRow } from '../../format/lookup-files';
import type { UseCategories } from '../records/lookup-json';

interface InOrganization {
  /** Two-letter code of the state of the organization that submits the place. */
  readonly organizationState: string;
}

/**
 * The objects whose values become the terms of a record: its lookups, its organization, and for an allocation its own
 * row.
 */
export interface TermSubjects {
  readonly site: SiteRow & InOrganization;
  readonly reportingUnit: ReportingUnitRow & InOrganization;
  readonly variable: VariableRow;
  readonly waterSource: WaterSourceRow;
  readonly allocation: AllocationRow;
  readonly use: UseCategories & { readonly name: string };
  /** `state` is a two-letter code. */
  readonly organization: { readonly state: string };
}

type Subject = keyof TermSubjects;

type TermSource = {
  [S in Subject]: { readonly subject: S; readonly value: (values: TermSubjects[S]) => string | null };
}[Subject];

/** An identifier of the record itself, of which there are nearly as many values as records. */
interface RecordIdentifier {
  readonly identifier: (row: AllocationRow) => string | null;
}

type FieldSources = readonly TermSource[] | RecordIdentifier | 'placeIdentifier';

/** Terms of places' identifiers are written from the place index, which knows the records of each place. */
const PLACE_IDENTIFIER = 'placeIdentifier';

const variable: TermSource = { subject: 'variable', value: (row) => row.VariableCV };
const variableSpecific: TermSource = { subject: 'variable', value: (row) => row.VariableSpecificCV };
const use: TermSource = { subject: 'use', value: ({ name }) => name };
const usgsCategory: TermSource = { subject: 'use', value: ({ usgs }) => usgs };
const siteType: TermSource = { subject: 'site', value: (row) => row.SiteTypeCV };
const huc8: TermSource = { subject: 'site', value: (row) => row.HUC8 };
const huc12: TermSource = { subject: 'site', value: (row) => row.HUC12 };
const county: TermSource = { subject: 'site', value: (row) => row.County };
const siteState: TermSource = { subject: 'site', value: (row) => stateOfText(row.StateCV) };
const sitePlaceState: TermSource = { subject: 'site', value: (row) => placeState(row) };
const sitePlaceCounty: TermSource = { subject: 'site', value: (row) => countyIn(placeState(row), row.County) };
const podOrPou: TermSource = { subject: 'site', value: (row) => row.PODorPOUSite };
const organizationState: TermSource = { subject: 'organization', value: ({ state }) => state };

const sources: { readonly [Kind in DataSetKind]: Readonly<Record<FilterFieldOf<Kind>, FieldSources>> } = {
  SiteVariableAmounts: {
    site: PLACE_IDENTIFIER,
    siteType: [siteType],
    variable: [variable],
    variableSpecific: [variableSpecific],
    use: [use],
    usgsCategory: [usgsCategory],
    huc8: [huc8],
    huc12: [huc12],
    county: [county],
    placeState: [sitePlaceState],
    placeCounty: [sitePlaceCounty],
    state: [organizationState, siteState],
    podOrPou: [podOrPou],
    waterSourceType: [{ subject: 'waterSource', value: (row) => row.WaterSourceTypeCV }],
  },
  AggregatedAmounts: {
    reportingUnit: PLACE_IDENTIFIER,
    reportingUnitType: [{ subject: 'reportingUnit', value: (row) => row.ReportingUnitTypeCV }],
    variable: [variable],
    variableSpecific: [variableSpecific],
    use: [use],
    usgsCategory: [usgsCategory],
    huc8: [{ subject: 'reportingUnit', value: watershedOf }],
    placeState: [{ subject: 'reportingUnit', value: placeState }],
    placeCounty: [{ subject: 'reportingUnit', value: (row) => countyIn(placeState(row), countyNameOf(row)) }],
    state: [organizationState, { subject: 'reportingUnit', value: (row) => stateOfText(row.StateCV) }],
  },
  WaterAllocations: {
    site: PLACE_IDENTIFIER,
    siteType: [siteType],
    use: [use],
    usgsCategory: [usgsCategory],
    huc8: [huc8],
    huc12: [huc12],
    county: [county],
    placeState: [sitePlaceState],
    placeCounty: [sitePlaceCounty],
    state: [organizationState, siteState],
    podOrPou: [podOrPou],
    allocationUuid: { identifier: (row) => row.AllocationUUID },
    allocationNativeId: { identifier: (row) => row.AllocationNativeID },
    legalStatus: [{ subject: 'allocation', value: (row) => row.AllocationLegalStatusCV }],
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

/** The values behind `termsOf`. */
export function fieldValuesOf<S extends Subject>(
  kind: DataSetKind,
  subject: S,
  values: TermSubjects[S],
): readonly FieldValue[] {
  const found: FieldValue[] = [];
  for (const [field, fieldSources] of sourcesOf(kind)) {
    if (!isList(fieldSources)) continue;
    for (const source of fieldSources) {
      if (source.subject !== subject) continue;
      // The source's subject says which values it takes.
      const value = (source.value as (values: TermSubjects[S]) => string | null)(values);
      if (value !== null) found.push({ field, value });
    }
  }
  return found;
}

/** The terms of the identifiers in an allocation's row. */
export function identifierTermsOf(row: AllocationRow): readonly string[] {
  return sourcesOf('WaterAllocations').flatMap(([field, fieldSources]) => {
    if (isList(fieldSources) || fieldSources === PLACE_IDENTIFIER) return [];
    const value = fieldSources.identifier(row);
    return value === null ? [] : [filterTerm(field, value)];
  });
}

/** The filter field of the identifiers of a kind's places. */
export function placeIdentifierField(kind: DataSetKind): FilterField {
  const found = sourcesOf(kind).find(([, fieldSources]) => fieldSources === PLACE_IDENTIFIER);
  if (found === undefined) throw new Error(`${kind} has no place identifier`);
  return found[0];
}

function sourcesOf(kind: DataSetKind): readonly (readonly [FilterField, FieldSources])[] {
  return Object.entries(sources[kind]) as [FilterField, FieldSources][]; // The keys of `sources` are fields.
}

function isList(fieldSources: FieldSources): fieldSources is readonly TermSource[] {
  return Array.isArray(fieldSources);
}

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

/**
 * The HUC8 of a reporting unit whose type begins with HUC is its native identifier, whose leading zero is often lost.
 */
function watershedOf({ ReportingUnitTypeCV: type, ReportingUnitNativeID: id }: ReportingUnitRow): string | null {
  const isWatershed = type !== null && foldText(type).startsWith('huc');
  return isWatershed && id !== null && /^\d{7,8}$/.test(id) ? id.padStart(8, '0') : null;
}
