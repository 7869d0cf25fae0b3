// All fields that records are searched by: the fields of the text filters, and some that only named boundaries use.

import type { DataSetKind, PlaceKind } from '../records/data-sets';
import { foldCounty } from '../values/fold-text';
import type { FilterFieldDefinition } from './text-filter-definition';
import { TEXT_FILTERS, type TextFilterField } from './text-filters';

/** The fields that named boundaries search by; every data set has them (ADR 0036). */
const BOUNDARY_FIELDS = {
  huc8: TEXT_FILTERS.huc8,
  placeState: { scope: 'place', valueKind: 'code' },
  placeCounty: { scope: 'place', fold: foldCounty },
} as const satisfies Readonly<Record<string, FilterFieldDefinition>>;

/** The fields of a data set. The loader creates terms for each of them. */
export type DataSetFilterField<Kind extends DataSetKind> =
  | {
      readonly [Field in TextFilterField]: Kind extends (typeof TEXT_FILTERS)[Field]['dataSets'][number]
        ? Field
        : never;
    }[TextFilterField]
  | keyof typeof BOUNDARY_FIELDS;

export type FilterField = DataSetFilterField<DataSetKind>;

export const filterFields: Readonly<Record<FilterField, FilterFieldDefinition>> = {
  ...TEXT_FILTERS,
  ...BOUNDARY_FIELDS,
};

/** The fields that identify places. */
export type PlaceField = 'site' | 'reportingUnit';

export const PLACE_FIELDS: Readonly<Record<PlaceKind, PlaceField>> = { Sites: 'site', ReportingUnits: 'reportingUnit' };

/** Whether the field describes the place itself. Other fields describe the records of the place (D42, D43). */
export function isPlaceField(field: FilterField): boolean {
  return filterFields[field].scope === 'place';
}

/**
 * Whether only the posting lists contain all values of a record. The columns lack the water sources of sites and the
 * state of the organization.
 */
export function hasOnlyPostings(field: FilterField): boolean {
  return field === 'state' || filterFields[field].valueKind === 'sourceIdentifier';
}

/** Whether the values identify places, so that no two places share a value. */
export function isPlaceIdentifier(field: FilterField): boolean {
  return filterFields[field].valueKind === 'placeIdentifier';
}
