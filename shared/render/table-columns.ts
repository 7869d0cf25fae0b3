// A record as a row of a table, its lookups joined in: the columns of the CSV form (ADR 0033) and of the files of a
// release (D44). They follow from the declarations of records and lookups.

import { type AnswerLayout, DATA_SET_KINDS, type DataSetLayout, dataSetLayouts, type PlaceKind } from '../records/data-sets';
import { type Item, readIdentifiers, type RecordReference, recordReferences } from '../records/record-references';
import { type LookupKind, lookupMembers } from '../records/lookups';
import type { Member, Members } from '../records/object-definition';
import { placeLayouts } from '../records/places';
import { getOrAdd } from '../values/maps';

/** What a column holds where the form has types (D44, D53). */
export type TableType = 'text' | 'number' | 'boolean' | 'date' | 'timestamp';

export interface TableColumn {
  readonly name: string;
  readonly member: string;
  /** In a list of objects, the member of each object that the column shows. */
  readonly within?: string;
  readonly isList: boolean;
  readonly type: TableType;
  /** With the unit where there is one. */
  readonly description: string | undefined;
}

export interface JoinedColumns {
  readonly reference: RecordReference;
  readonly columns: readonly TableColumn[];
}

/** Those of the record, then what each lookup has that the record has not. */
interface TableColumns {
  readonly record: readonly TableColumn[];
  readonly joined: readonly JoinedColumns[];
}

export type Scalar = string | number | boolean | null;

export type ColumnValue = Scalar | readonly Scalar[];

export const ORGANIZATION_COLUMNS = ['OrganizationUUID', 'OrganizationName', 'OrganizationState'] as const;

/** Geometries have no place in a table, and Term and Name repeat the name of a use. */
const HIDDEN_MEMBERS = /Geometry$|^(Term|Name)$/;

/** All other dates are days (D53). */
const TIMESTAMPS: readonly string[] = ['NHDUpdateDate', 'DataPublicationDate'];

/** What features of records have and tables have not: the plain categories of all uses, the primary one first (D63). */
export const USE_CATEGORY: Pick<TableColumn, 'name' | 'type' | 'isList' | 'description'> = {
  name: 'UseCategoryCV',
  isList: true,
  type: 'text',
  description: 'Plain categories of the primary use and of all uses, which compare across states; our reading.',
};

export const tableColumns = {
  ...Object.fromEntries(DATA_SET_KINDS.map((kind) => [kind, buildRecordColumns(dataSetLayouts[kind])])),
  Sites: buildPlaceColumns('Sites'),
  ReportingUnits: buildPlaceColumns('ReportingUnits'),
} as Readonly<Record<AnswerLayout['kind'], TableColumns>>; // Every kind is in the list.

/** The properties of a feature in their order, for what describes features (D48, D53). */
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

/** The columns of a place by itself. */
export function listPlaceColumns(placeKind: PlaceKind): readonly TableColumn[] {
  return listFlatColumns(lookupMembers[placeKind], false);
}

/** Null, and an empty list, where there is no item. */
export function readColumnValue(item: Item | undefined, { member, within, isList }: TableColumn): ColumnValue {
  if (item === undefined) return isList ? [] : null;
  // The values have the types that the column's member is declared with.
  if (within === undefined) return item[member] as ColumnValue;
  return (item[member] as readonly Readonly<Record<string, Scalar>>[]).map((inner) => inner[within] ?? null);
}

/** Lookups by identifier. */
export type LookupItems = ReadonlyMap<LookupKind, ReadonlyMap<unknown, Item>>;

/**
 * What `write` makes of the values of a record's lookups, in the order of the columns; made once for all records that
 * refer to the same ones.
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

/** What a column has of the lookups that a record refers to by one reference. */
function readJoinedValue(items: readonly (Item | undefined)[], column: TableColumn, isList: boolean): ColumnValue {
  if (!isList) return readColumnValue(items[0], column);
  // A list of lookups has no lists inside (`flatMembers`).
  return items.map((item) => (item?.[column.member] ?? null) as Scalar);
}

function buildRecordColumns(layout: DataSetLayout): TableColumns {
  const record = Object.entries(layout.recordMembers).flatMap(([name, member]) => buildMemberColumns(name, member));
  const usedNames = new Set([...ORGANIZATION_COLUMNS, ...record.map(({ name }) => name)]);
  const joined = recordReferences[layout.kind].map((reference) => {
    const members = listFlatColumns(lookupMembers[reference.lookups], reference.isList);
    const newColumns = members.filter(({ name }) => !usedNames.has(name));
    // Where a record has a list of the lookups, a column has a list of what they say.
    const columns = newColumns.map((column) =>
      reference.isList ? ({ ...column, isList: true, type: 'text' } as const) : column,
    );
    for (const { name } of columns) usedNames.add(name);
    return { reference, columns };
  });
  return { record, joined };
}

/** Those of the place, then one for each member of its series, and how many rights there are (D42). */
function buildPlaceColumns(placeKind: PlaceKind): TableColumns {
  const { recordMembers } = placeLayouts[placeKind];
  const addedMembers = Object.entries(recordMembers).filter(([name]) => !(name in lookupMembers[placeKind]));
  const record = [
    ...listPlaceColumns(placeKind),
    ...addedMembers.flatMap(([name, member]) => buildMemberColumns(name, member)),
  ];
  return { record, joined: [] };
}

/** A list of objects becomes a column for each member of the objects, with the items in the same order in each. */
function buildMemberColumns(name: string, { schema }: Member<unknown>): readonly TableColumn[] {
  const description = schema['description'] as string | undefined; // `described` sets it.
  if (schema['type'] !== 'array') {
    return [{ name, member: name, isList: false, type: chooseColumnType(name, schema), description }];
  }
  const { properties } = schema['items'] as { readonly properties?: object }; // listOf always sets it.
  const list = { member: name, isList: true, type: 'text', description } as const;
  if (properties === undefined) return [{ name, ...list }];
  return Object.keys(properties).map((within) => ({ name: within, within, ...list }));
}

function chooseColumnType(name: string, { type, format, pattern }: Member<unknown>['schema']): TableType {
  const types = [type].flat();
  if (types.includes('number')) return 'number';
  if (types.includes('boolean')) return 'boolean';
  // A pattern is that of a timestamp.
  if (format !== 'date' && pattern === undefined) return 'text';
  return TIMESTAMPS.includes(name) ? 'timestamp' : 'date';
}

/** Without lists of objects and geometries, and without lists where a record has a list of the lookups. */
function listFlatColumns(members: Members, isWithinList: boolean): readonly TableColumn[] {
  const columns = Object.entries(members).flatMap(([name, member]) => buildMemberColumns(name, member));
  return columns.filter(
    ({ name, within, isList }) => within === undefined && !(isList && isWithinList) && !HIDDEN_MEMBERS.test(name),
  );
}
