// Where each filter field of each kind of data set takes its values from. A field without a line here does not compile.

import type { DataSetKind } from '../../../shared/records/data-sets';
import { filterTerm, type FilterField, type FilterFieldOf } from '../../../shared/query/filter-terms';
import { foldText } from '../../../shared/values/folded-text';
import { stateCodeOf } from '../../../shared/values/states';
import type { AllocationRow } from '../../format/amount-definitions';
import type { ReportingUnitRow, SiteRow, VariableRow, WaterSourceRow } from '../../format/lookup-files';
import type { UseCategories } from '../records/lookup-json';

interface InOrganization {
  /** The state of the organization that submits it, two letters. */
  readonly organizationState: string;
}

/** What a record's terms are made of. */
export interface TermSubjects {
  readonly site: SiteRow & InOrganization;
  readonly reportingUnit: ReportingUnitRow & InOrganization;
  readonly variable: VariableRow;
  readonly waterSource: WaterSourceRow;
  readonly allocation: AllocationRow;
  readonly use: UseCategories & { readonly name: string };
  /** The state of the organization, two letters. */
  readonly organization: { readonly state: string };
}

type Subject = keyof TermSubjects;

type TermSource = {
  [S in Subject]: { readonly of: S; readonly value: (subject: TermSubjects[S]) => string | null };
}[Subject];

/** Nearly one value a record. */
interface RecordIdentifier {
  readonly identifier: (row: AllocationRow) => string | null;
}

type FieldSources = readonly TermSource[] | RecordIdentifier | 'placeIdentifier';

/** Identifiers of places are indexed from the place index, which knows the records of each. */
const PLACE_IDENTIFIER = 'placeIdentifier';

const variable: TermSource = { of: 'variable', value: (row) => row.VariableCV };
const variableSpecific: TermSource = { of: 'variable', value: (row) => row.VariableSpecificCV };
const use: TermSource = { of: 'use', value: ({ name }) => name };
const usgsCategory: TermSource = { of: 'use', value: ({ usgs }) => usgs };
const siteType: TermSource = { of: 'site', value: (row) => row.SiteTypeCV };
const huc8: TermSource = { of: 'site', value: (row) => row.HUC8 };
const huc12: TermSource = { of: 'site', value: (row) => row.HUC12 };
const county: TermSource = { of: 'site', value: (row) => row.County };
const siteState: TermSource = { of: 'site', value: (row) => stateOfText(row.StateCV) };
const sitePlaceState: TermSource = { of: 'site', value: (row) => placeState(row) };
const sitePlaceCounty: TermSource = { of: 'site', value: (row) => countyIn(placeState(row), row.County) };
const podOrPou: TermSource = { of: 'site', value: (row) => row.PODorPOUSite };
const organizationState: TermSource = { of: 'organization', value: ({ state }) => state };

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
    waterSourceType: [{ of: 'waterSource', value: (row) => row.WaterSourceTypeCV }],
  },
  AggregatedAmounts: {
    reportingUnit: PLACE_IDENTIFIER,
    reportingUnitType: [{ of: 'reportingUnit', value: (row) => row.ReportingUnitTypeCV }],
    variable: [variable],
    variableSpecific: [variableSpecific],
    use: [use],
    usgsCategory: [usgsCategory],
    huc8: [{ of: 'reportingUnit', value: watershedOf }],
    placeState: [{ of: 'reportingUnit', value: placeState }],
    placeCounty: [{ of: 'reportingUnit', value: (row) => countyIn(placeState(row), countyNameOf(row)) }],
    state: [organizationState, { of: 'reportingUnit', value: (row) => stateOfText(row.StateCV) }],
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
    legalStatus: [{ of: 'allocation', value: (row) => row.AllocationLegalStatusCV }],
  },
};

export interface Term {
  readonly field: FilterField;
  readonly text: string;
  /** The value as submitted. */
  readonly value: string;
}

/** The terms that one subject gives to the records that refer to it. */
export function termsOf<S extends Subject>(kind: DataSetKind, of: S, subject: TermSubjects[S]): readonly Term[] {
  const terms: Term[] = [];
  for (const [field, fieldSources] of sourcesOf(kind)) {
    if (!isList(fieldSources)) continue;
    for (const source of fieldSources) {
      if (source.of !== of) continue;
      const value = (source.value as (subject: TermSubjects[S]) => string | null)(subject); // `of` says which it takes.
      if (value !== null) terms.push({ field, text: filterTerm(field, value), value });
    }
  }
  return terms;
}

/** The terms of an allocation's own identifiers. */
export function identifierTermsOf(row: AllocationRow): readonly string[] {
  return sourcesOf('WaterAllocations').flatMap(([field, fieldSources]) => {
    if (isList(fieldSources) || fieldSources === PLACE_IDENTIFIER) return [];
    const value = fieldSources.identifier(row);
    return value === null ? [] : [filterTerm(field, value)];
  });
}

/** The field of the kind's place identifiers. */
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

/** A StateCV that names no state (it is free text in submissions) gives no term. */
function stateOfText(stateCv: string | null): string | null {
  return stateCv === null ? null : (stateCodeOf(stateCv) ?? null);
}

/** ADR 0036: a place without a StateCV that names a state lies in its organization's. */
function placeState({ StateCV, organizationState }: Pick<SiteRow, 'StateCV'> & InOrganization): string {
  return stateOfText(StateCV) ?? organizationState;
}

function countyIn(state: string, county: string | null): string | null {
  return county === null ? null : `${state}/${county}`;
}

/** A reporting unit whose type is County is the county of its name. */
function countyNameOf({ ReportingUnitTypeCV: type, ReportingUnitName: name }: ReportingUnitRow): string | null {
  return type !== null && foldText(type) === 'county' ? name : null;
}

/** A reporting unit whose type begins with HUC is the watershed of its native identifier, whose leading zero is often lost. */
function watershedOf({ ReportingUnitTypeCV: type, ReportingUnitNativeID: id }: ReportingUnitRow): string | null {
  const isWatershed = type !== null && foldText(type).startsWith('huc');
  return isWatershed && id !== null && /^\d{7,8}$/.test(id) ? id.padStart(8, '0') : null;
}
