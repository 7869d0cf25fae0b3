// A page as CSV (RFC 4180): one row for each record, its lookups joined in, made from the same texts as the JSON
// answer. Cells are harmless to spreadsheets and can be read back (ADR 0033).

import { DATA_SET_KINDS, dataSetLayouts, type DataSetKind, type DataSetLayout } from '../records/data-sets';
import { lookupIdentifiers } from '../records/lookups';
import { identifiersIn, type Item } from '../records/record-references';
import type { PlannedPage, PageSlice } from '../search/plan-page';
import { columnNames, csvColumns, ORGANIZATION_COLUMNS } from './csv-columns';
import type { CsvColumn, CsvColumns, JoinedColumns } from './csv-columns';
import { parseItems, readSlice, type Piece, type SliceTexts } from './page-texts';

const LINE_END = '\r\n';

/** Stands between the items of a list; a backslash stands before one that an item holds, and before a backslash. */
const LIST_SEPARATOR = '|';

/**
 * Spreadsheets begin a formula with these characters, or skip them and begin one. An apostrophe in front marks such a
 * text as harmless, so a text that begins with an apostrophe gets one as well.
 */
const DANGEROUS = /^['=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Everybody reads a negative number as a number. No digit can be taken by two parts of the expression. */
const NEGATIVE_NUMBER = /^-\d+(\.\d+)?(e[+-]?\d+)?$/i;

const NEEDS_QUOTES = /[",\r\n]/;

export type Scalar = string | number | boolean | null;

const columnsOfKind = Object.fromEntries(
  DATA_SET_KINDS.map((kind) => [kind, csvColumns(dataSetLayouts[kind])]),
) as Readonly<Record<DataSetKind, CsvColumns>>; // Every kind is in the list.

export async function writeCsv(layout: DataSetLayout, page: PlannedPage): Promise<readonly Piece[]> {
  const columns = columnsOfKind[layout.kind];
  const pieces: Piece[] = [columnNames(columns).map(cellOf).join() + LINE_END];
  for (const slice of page.slices) pieces.push(await rowsOf(columns, slice));
  return pieces;
}

async function rowsOf(columns: CsvColumns, slice: PageSlice): Promise<string> {
  const { records, lookups } = await readSlice(slice);
  const { organization } = slice.reader.facts;
  const start = ORGANIZATION_COLUMNS.map((name) => cellOf(organization[name])).join();
  const joins = columns.joined.map((joined) => joinOf(joined, lookups));
  const rows = parseItems(records).map((record) =>
    [start, ...cellsOf(record, columns.record), ...joins.map((join) => join(record))].join(),
  );
  return rows.map((row) => row + LINE_END).join('');
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
