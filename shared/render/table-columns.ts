// A record as a row of a table, with its lookups joined: the columns of the CSV format (ADR 0033) and of a release's
// files (D44). They are derived from the declarations of records and lookups.

import {
  type AnswerLayout,
  DATA_SET_KINDS,
  type DataSetLayout,
  dataSetLayouts,
  type PlaceKind,
} from '../records/data-sets';
import { type LookupKind, lookupMembers } from '../records/lookups';
import type { Member, Members } from '../records/object-definition';
import { placeLayouts } from '../records/places';
import { type Item, readIdentifiers, type RecordReference, recordReferences } from '../records/record-references';
import { getOrAdd } from '../values/maps';

/** The type of a column, in formats with typed columns (D44, D53). */
export type TableType = 'text' | 'number' | 'boolean' | 'date' | 'timestamp';

export interface TableColumn {
  readonly name: string;
  readonly member: string;
  /** If the member is a list of objects: the member of these objects that the column shows. */
  readonly within?: string;
  readonly isList: boolean;
  readonly type: TableType;
  /** Includes the unit, if any. */
  readonly description: string | undefined;
}

export interface JoinedColumns {
  readonly reference: RecordReference;
  readonly columns: readonly TableColumn[];
}

/**
 * The columns of the record, then the columns of each lookup. A lookup column whose name is already used is left out.
 */
interface TableColumns {
  readonly record: readonly TableColumn[];
  readonly joined: readonly JoinedColumns[];
}

export type Scalar = string | number | boolean | null;

export type ColumnValue = Scalar | readonly Scalar[];

export const ORGANIZATION_COLUMNS = ['OrganizationUUID', 'OrganizationName', 'OrganizationState'] as const;

/** Tables do not show geometries. Term and Name are left out because they repeat the name of a use. */
const HIDDEN_MEMBERS = /Geometry$|^(Term|Name)$/;

/** All other dates are days (D53). */
const TIMESTAMPS: readonly string[] = ['NHDUpdateDate', 'DataPublicationDate'];

/** A property that only features have: the categories of all uses, starting with that of the primary use (D63). */
export const USE_CATEGORY: Pick<TableColumn, 'name' | 'type' | 'isList' | 'description'> = {
  name: 'UseCategoryCV',
  isList: true,
  type: 'text',
  description: 'Categories of the primary use and of all uses, comparable across states; assigned by this project.',
};

export const tableColumns = {
  ...Object.fromEntries(DATA_SET_KINDS.map((kind) => [kind, buildRecordColumns(dataSetLayouts[kind])])),
  Sites: buildPlaceColumns('Sites'),
  ReportingUnits: buildPlaceColumns('ReportingUnits'),
} as Readonly<Record<AnswerLayout['kind'], TableColumns>>; // DATA_SET_KINDS contains every kind.

/** Lists the properties of a feature in order, for the schema of its collection (D48, D53). */
export function listPropertyColumns(
  kind: AnswerLayout['kind'],
): readonly Pick<TableColumn, 'name' | 'type' | 'isList' | 'description'>[] {
  const { record, joined } = tableColumns[kind];
  const organization = ORGANIZATION_COLUMNS.map((name) => {
    return { name, type: 'text', isList: false, description: undefined } as const;
  });
  const recordOnly = kind in recordReferences ? [USE_CATEGORY] : [];
  return [...organization, ...record, ...joined.flatMap(({ columns }) => columns), ...recordOnly];
}

/** Lists the columns of a place, without its series. */
export function listPlaceColumns(placeKind: PlaceKind): readonly TableColumn[] {
  return listFlatColumns(lookupMembers[placeKind], false);
}

/** Returns null, or an empty list, if there is no item. */
export function readColumnValue(item: Item | undefined, { member, within, isList }: TableColumn): ColumnValue {
  if (item === undefined) return isList ? [] : null;
  // The values have the declared type of the column's member.
  if (within === undefined) return item[member] as ColumnValue;
  return (item[member] as readonly Readonly<Record<string, Scalar>>[]).map((inner) => inner[within] ?? null);
}

/** Keyed by kind of lookup, then by identifier. */
export type LookupItems = ReadonlyMap<LookupKind, ReadonlyMap<unknown, Item>>;

/**
 * Returns a function that writes the joined values of a record, in column order. Records with the same reference share
 * the written result.
 */
export function createJoinWriter<Written>(
  { reference, columns }: JoinedColumns,
  lookups: LookupItems,
  write: (values: readonly ColumnValue[]) => Written,
): (record: Item) => Written {
  const writtenByReference = new Map<unknown, Written>();
  return (record) => {
    const value = record[reference.member];
    return getOrAdd(writtenByReference, typeof value === 'object' ? JSON.stringify(value) : value, () => {
      const items = lookups.get(reference.lookups);
      const referredItems = readIdentifiers(record, reference).map((id) => items?.get(id));
      return write(columns.map((column) => readJoinedValue(referredItems, column, reference.isList)));
    });
  };
}

/** Reads the value of a column from the lookups of one reference. */
function readJoinedValue(items: readonly (Item | undefined)[], column: TableColumn, isList: boolean): ColumnValue {
  if (!isList) return readColumnValue(items[0], column);
  // A list of lookups contains no other lists (`listFlatColumns`).
  return items.map((item) => (item?.[column.member] ?? null) as Scalar);
}

function buildRecordColumns(layout: DataSetLayout): TableColumns {
  const record = Object.entries(layout.recordMembers).flatMap(([name, member]) => buildMemberColumns(name, member));
  const usedNames = new Set([...ORGANIZATION_COLUMNS, ...record.map(({ name }) => name)]);
  const joined = recordReferences[layout.kind].map((reference) => {
    const members = listFlatColumns(lookupMembers[reference.lookups], reference.isList);
    const newColumns = members.filter(({ name }) => !usedNames.has(name));
    // If a record refers to a list of lookups, each of their columns contains a list.
    const columns = newColumns.map((column) =>
      reference.isList ? ({ ...column, isList: true, type: 'text' } as const) : column,
    );
    for (const { name } of columns) usedNames.add(name);
    return { reference, columns };
  });
  return { record, joined };
}

/**
 * Builds the columns of the place, then one column for each member of its series, and the number of its rights (D42).
 */
function buildPlaceColumns(placeKind: PlaceKind): TableColumns {
  const { recordMembers } = placeLayouts[placeKind];
  const addedMembers = Object.entries(recordMembers).filter(([name]) => !(name in lookupMembers[placeKind]));
  const record = [
    ...listPlaceColumns(placeKind),
    ...addedMembers.flatMap(([name, member]) => buildMemberColumns(name, member)),
  ];
  return { record, joined: [] };
}

/** A list of objects becomes one column per member, each with the items in the same order. */
function buildMemberColumns(name: string, { schema }: Member<unknown>): readonly TableColumn[] {
  const description = schema['description'] as string | undefined; // Set by `described`.
  if (schema['type'] !== 'array') {
    return [{ name, member: name, isList: false, type: chooseColumnType(name, schema), description }];
  }
  const { properties } = schema['items'] as { readonly properties?: object }; // Always set by `listOf`.
  const list = { member: name, isList: true, type: 'text', description } as const;
  if (properties === undefined) return [{ name, ...list }];
  return Object.keys(properties).map((within) => ({ name: within, within, ...list }));
}

function chooseColumnType(name: string, { type, format, pattern }: Member<unknown>['schema']): TableType {
  const types = [type].flat();
  if (types.includes('number')) return 'number';
  if (types.includes('boolean')) return 'boolean';
  // Only timestamps have a pattern.
  if (format !== 'date' && pattern === undefined) return 'text';
  return TIMESTAMPS.includes(name) ? 'timestamp' : 'date';
}

/** Omits lists of objects and hidden members. If the record refers to a list of these lookups, omits all lists. */
function listFlatColumns(members: Members, isWithinList: boolean): readonly TableColumn[] {
  const columns = Object.entries(members).flatMap(([name, member]) => buildMemberColumns(name, member));
  return columns.filter(
    ({ name, within, isList }) => within === undefined && !(isList && isWithinList) && !HIDDEN_MEMBERS.test(name),
  );
}
