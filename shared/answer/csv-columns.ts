// The columns of a CSV answer, derived from the declarations of its records and lookups (ADR 0033): the organization,
// the record's members in their order, then those members of its lookups that the record does not have itself.

import type { DataSetLayout } from '../records/data-sets';
import { lookupMembers } from '../records/lookups';
import type { Member, Members } from '../records/object-definition';
import { recordReferences, type RecordReference } from '../records/record-references';

export interface CsvColumn {
  readonly name: string;
  readonly member: string;
  /** In a list of objects, the member of each object that the column shows. */
  readonly within?: string;
  readonly isList: boolean;
}

export interface CsvColumns {
  readonly record: readonly CsvColumn[];
  readonly joined: readonly JoinedColumns[];
}

export interface JoinedColumns {
  readonly reference: RecordReference;
  readonly columns: readonly CsvColumn[];
}

export const ORGANIZATION_COLUMNS = ['OrganizationUUID', 'OrganizationName', 'OrganizationState'] as const;

/** Geometries have no place in a table, and Term and Name repeat the name of a use. */
const NOT_SHOWN = /Geometry$|^(Term|Name)$/;

export function csvColumns(layout: DataSetLayout): CsvColumns {
  const record = Object.entries(layout.recordMembers).flatMap(([name, member]) => columnsOf(name, member));
  const taken = new Set([...ORGANIZATION_COLUMNS, ...record.map(({ name }) => name)]);
  const joined = recordReferences[layout.kind].map((reference) => {
    const members = flatMembers(lookupMembers[reference.lookups], reference.isList);
    const columns = members.filter(({ name }) => !taken.has(name));
    for (const { name } of columns) taken.add(name);
    return { reference, columns };
  });
  return { record, joined };
}

export function columnNames({ record, joined }: CsvColumns): readonly string[] {
  const columns = [...record, ...joined.flatMap((join) => join.columns)];
  return [...ORGANIZATION_COLUMNS, ...columns.map(({ name }) => name)];
}

/** A list of objects becomes a column for each member of the objects, with the items in the same order in each. */
function columnsOf(name: string, { schema }: Member<unknown>): readonly CsvColumn[] {
  if (schema['type'] !== 'array') return [{ name, member: name, isList: false }];
  const { properties } = schema['items'] as { readonly properties?: object }; // listOf always sets it.
  if (properties === undefined) return [{ name, member: name, isList: true }];
  return Object.keys(properties).map((within) => ({ name: within, member: name, within, isList: true }));
}

/** Without lists of objects and geometries, and without lists where a record has a list of the lookups. */
function flatMembers(members: Members, isInList: boolean): readonly CsvColumn[] {
  const columns = Object.entries(members).flatMap(([name, member]) => columnsOf(name, member));
  return columns.filter(
    ({ name, within, isList }) => within === undefined && !(isList && isInList) && !NOT_SHOWN.test(name),
  );
}
