// A filter term is a folded `field:value`. The loader makes the terms of each record and a query makes the terms that
// it asks for, both through this file, so that the two can never fold differently. A new field needs a place in the
// data sets that have it, its source of values in the loader's term-sources.ts, and a folding if text does not suit it.

import type { DataSetKind, PlaceKind } from '../records/data-sets';
import { foldCounty, foldText, foldVariable } from '../values/text';

/** The fields that hold identifiers of places. */
export type PlaceField = 'site' | 'reportingUnit';

export const PLACE_FIELDS: Readonly<Record<PlaceKind, PlaceField>> = { Sites: 'site', ReportingUnits: 'reportingUnit' };

/** The fields that boundaries by name ask for, whatever the operation (ADR 0036). */
type BoundaryField = 'huc8' | 'placeState' | 'placeCounty';

type CommonField = 'use' | 'usgsCategory' | 'state';
type SiteField = 'site' | 'siteType' | 'huc12' | 'county' | 'podOrPou';
type VariableField = 'variable' | 'variableSpecific';
type RightField = 'allocationUuid' | 'allocationNativeId' | 'legalStatus' | 'allocationType' | 'ownerClass' | 'exempt';

/** The fields by which the records of each kind of data set can be asked for. The loader must make terms for each. */
interface FilterFields {
  SiteVariableAmounts: CommonField | SiteField | VariableField | 'waterSourceType';
  AggregatedAmounts: CommonField | VariableField | 'reportingUnit' | 'reportingUnitType';
  WaterAllocations: CommonField | SiteField | RightField | 'waterSourceType';
}

export type FilterFieldOf<Kind extends DataSetKind> = FilterFields[Kind] | BoundaryField;

export type FilterField = FilterFieldOf<DataSetKind>;

/** The fields that say something of a place itself; all others are of records (D42, D43). */
export const FIELDS_OF_PLACES: ReadonlySet<FilterField> = new Set([
  ...(['site', 'siteType', 'huc8', 'huc12', 'county', 'podOrPou', 'state', 'placeState', 'placeCounty'] as const),
  ...(['reportingUnit', 'reportingUnitType'] as const),
]);

/** The fields that do not fold as text. */
const foldings: Readonly<Partial<Record<FilterField, (value: string) => string>>> = {
  variable: foldVariable,
  variableSpecific: foldVariable,
  county: foldCounty,
  placeCounty: foldCounty,
};

export function fieldOfTerm(term: string): FilterField {
  return term.slice(0, term.indexOf(':')) as FilterField; // filterTerm made it.
}

export function filterTerm(field: FilterField, value: string): string {
  return `${field}:${(foldings[field] ?? foldText)(value)}`;
}

/** Has the records with exactly this spelling, where a release has several that fold alike (D53). */
export function spellingTerm(field: FilterField, value: string): string {
  return `=${field}:${value}`;
}

/** Has the rights that have an identifier of the field. */
export function presenceTerm(field: FilterField): string {
  return `?${field}`;
}

/** A value in the spelling that came first, how many records have it, and its other spellings where there are any. */
export type VocabularyValue = readonly [value: string, records: number, others?: readonly string[]];

/**
 * The `vocabulary` artifact of a release: for each field its values as submitted, in the order of their UTF-8 bytes.
 * It has no identifiers.
 */
export type Vocabulary = Readonly<Partial<Record<FilterField, readonly VocabularyValue[]>>>;
