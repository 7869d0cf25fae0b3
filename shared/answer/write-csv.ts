// A page as CSV (RFC 4180): one row for each record, its lookups joined in, made from the same texts as the JSON
// answer. Columns follow from the declarations of records and lookups; cells are harmless to spreadsheets and can be
// read back (ADR 0033).

import { DATA_SET_KINDS, dataSetLayouts, type DataSetKind, type DataSetLayout } from '../records/data-sets';
import { lookupIdentifiers, lookupMembers } from '../records/lookups';
import type { Member, Members } from '../records/object-definition';
import { identifiersIn, recordReferences, type Item, type RecordReference } from '../records/record-references';
import { parseItems, type Piece, type ReadablePage, type SliceTexts, type WrittenPage } from './page-texts';

interface CsvColumn {
  readonly name: string;
  readonly member: string;
  /** In a list of objects, the member of each object that the column shows. */
  readonly within?: string;
  readonly isList: boolean;
}

interface JoinedColumns {
  readonly reference: RecordReference;
  readonly columns: readonly CsvColumn[];
}

/** Those of the record, then what each lookup has that the record has not. */
interface CsvColumns {
  readonly record: readonly CsvColumn[];
  readonly joined: readonly JoinedColumns[];
}

const ORGANIZATION_COLUMNS = ['OrganizationUUID', 'OrganizationName', 'OrganizationState'] as const;

/** Geometries have no place in a table, and Term and Name repeat the name of a use. */
const NOT_SHOWN = /Geometry$|^(Term|Name)$/;

const LINE_END = '\r\n';

/** Stands between the items of a list; a backslash stands before one that an item holds, and before a backslash. */
const LIST_SEPARATOR = '|';

/** Spreadsheets run what begins so as a formula. An apostrophe marks it as harmless, and what begins with one. */
const DANGEROUS = /^['=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Everybody reads a negative number as a number. No digit can be taken by two parts of the expression. */
const NEGATIVE_NUMBER = /^-\d+(\.\d+)?(e[+-]?\d+)?$/i;

const NEEDS_QUOTES = /[",\r\n]/;

export type Scalar = string | number | boolean | null;

const columnsOfKind = Object.fromEntries(
  DATA_SET_KINDS.map((kind) => [kind, csvColumns(dataSetLayouts[kind])]),
) as Readonly<Record<DataSetKind, CsvColumns>>; // Every kind is in the list.

/** Rows of more than `mostBytes` are too large. */
export function writeCsv(layout: DataSetLayout, { slices }: ReadablePage, mostBytes: number): WrittenPage {
  const columns = columnsOfKind[layout.kind];
  const named = [...columns.record, ...columns.joined.flatMap((join) => join.columns)].map(({ name }) => name);
  const pieces: Piece[] = [[...ORGANIZATION_COLUMNS, ...named].map(cellOf).join() + LINE_END];
  let written = 0;
  let bytes = 0;
  for (const slice of slices) {
    const rows: string[] = [];
    for (const row of rowsOf(columns, slice)) {
      bytes += Buffer.byteLength(row);
      if (bytes > mostBytes) return { kind: 'too large', fitting: written };
      rows.push(row);
      written++;
    }
    pieces.push(rows.join(''));
  }
  return { kind: 'pieces', pieces };
}

function* rowsOf(columns: CsvColumns, { organization, records, lookups }: SliceTexts): Iterable<string> {
  const start = ORGANIZATION_COLUMNS.map((name) => cellOf(organization[name])).join();
  const joins = columns.joined.map((joined) => joinOf(joined, lookups));
  for (const record of parseItems(records)) {
    yield [start, ...cellsOf(record, columns.record), ...joins.map((join) => join(record))].join() + LINE_END;
  }
}

function cellsOf(item: Item | undefined, columns: readonly CsvColumn[]): readonly string[] {
  return columns.map(({ member, within, isList }) => {
    if (item === undefined) return '';
    // The values have the types that the column's member is declared with.
    if (!isList) return cellOf(item[member] as Scalar);
    if (within === undefined) return listCell(item[member] as readonly Scalar[]);
    const objects = item[member] as readonly Readonly<Record<string, Scalar>>[];
    return listCell(objects.map((inner) => inner[within] ?? null));
  });
}

/** Makes the cells of a record's lookups, once for all records that refer to the same ones. */
function joinOf({ reference, columns }: JoinedColumns, lookups: SliceTexts['lookups']): (record: Item) => string {
  const identifier = lookupIdentifiers[reference.lookups];
  const items = new Map(parseItems(lookups.get(reference.lookups)).map((item) => [item[identifier], item]));
  const made = new Map<string, string>();
  return (record) => {
    const identifiers = identifiersIn(record, reference);
    const key = JSON.stringify(identifiers);
    let cells = made.get(key);
    if (cells === undefined) {
      const found = identifiers.map((id) => items.get(id));
      cells = (reference.isList ? listCells(found, columns) : cellsOf(found[0], columns)).join();
      made.set(key, cells);
    }
    return cells;
  };
}

function listCells(items: readonly (Item | undefined)[], columns: readonly CsvColumn[]): readonly string[] {
  return columns.map(({ member }) => listCell(items.map((item) => (item?.[member] ?? null) as Scalar)));
}

export function cellOf(value: Scalar): string {
  if (value === null) return '';
  return typeof value === 'string' ? textCell(value) : String(value);
}

export function listCell(values: readonly Scalar[]): string {
  if (values.length === 0) return '';
  return textCell(values.map((value) => String(value ?? '').replace(/[\\|]/g, '\\$&')).join(LIST_SEPARATOR));
}

function textCell(text: string): string {
  const harmless = DANGEROUS.test(text) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function csvColumns(layout: DataSetLayout): CsvColumns {
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
