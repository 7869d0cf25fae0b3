// A filter term is a folded `field:value`. The loader makes the terms of each record and a query makes the terms that
// it asks for, both through this file, so that the two can never fold differently. A new field needs a folding here, a
// place in the table of the data sets that have it, and its source of values in the loader's term-sources.ts.

import type { DataSetKind } from '../records/data-sets';
import { foldCounty, foldText, foldVariable } from '../values/text';

const foldings = {
  site: foldText,
  siteType: foldText,
  reportingUnit: foldText,
  reportingUnitType: foldText,
  variable: foldVariable,
  variableSpecific: foldVariable,
  use: foldText,
  usgsCategory: foldText,
  huc8: foldText,
  huc12: foldText,
  county: foldCounty,
  state: foldText,
  placeState: foldText,
  placeCounty: foldCounty,
  podOrPou: foldText,
  waterSourceType: foldText,
  allocationUuid: foldText,
  allocationNativeId: foldText,
  legalStatus: foldText,
} as const;

export type FilterField = keyof typeof foldings;

/** The fields that hold identifiers of places. */
export type PlaceField = 'site' | 'reportingUnit';

/** The fields that boundaries by name ask for, whatever the operation (ADR 0036). */
type BoundaryField = 'huc8' | 'placeState' | 'placeCounty';

/** The fields by which the records of each kind of data set can be asked for. The loader must make terms for each. */
export interface FilterFields {
  SiteVariableAmounts:
    | 'site'
    | 'siteType'
    | 'variable'
    | 'variableSpecific'
    | 'use'
    | 'usgsCategory'
    | 'huc12'
    | 'county'
    | 'state'
    | 'podOrPou'
    | 'waterSourceType';
  AggregatedAmounts:
    'reportingUnit' | 'reportingUnitType' | 'variable' | 'variableSpecific' | 'use' | 'usgsCategory' | 'state';
  WaterAllocations:
    | 'site'
    | 'siteType'
    | 'use'
    | 'usgsCategory'
    | 'huc12'
    | 'county'
    | 'state'
    | 'podOrPou'
    | 'allocationUuid'
    | 'allocationNativeId'
    | 'legalStatus';
}

export type FilterFieldOf<Kind extends DataSetKind> = FilterFields[Kind] | BoundaryField;

export function filterTerm(field: FilterField, value: string): string {
  return `${field}:${foldings[field](value)}`;
}

/**
 * The `vocabulary` artifact of a release: for each field its values as submitted, in the order of their UTF-8 bytes,
 * with how many records have each. It has no identifiers.
 */
export type Vocabulary = Readonly<Partial<Record<FilterField, readonly (readonly [value: string, records: number])[]>>>;
