// A page as CSV: one row for each record, its lookups joined in (ADR 0033). Made from the same texts as the JSON answer.

import { DATA_SET_KINDS, dataSetLayouts, type DataSetKind, type DataSetLayout } from '../records/data-sets';
import { lookupIdentifiers, type LookupKind } from '../records/lookups';
import { identifiersIn, type Item } from '../records/record-references';
import type { PlannedPage, PageSlice } from '../search/plan-page';
import type { JoinedFragments } from '../store/port';
import { cellOf, listCell, type Scalar } from './csv-cells';
import { columnNames, csvColumns, type Column, type CsvColumns, type JoinedColumns } from './csv-columns';
import type { Piece } from './pieces';
import { parseItems, readSlice } from './read-slice';

const LINE_END = '\r\n';

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
  const start = columns.organization.map((name) => cellOf(organization[name])).join();
  const joins = columns.joined.map((joined) => joinOf(joined, lookups));
  return parseItems(records)
    .map(
      (record) =>
        `${start},${[...cellsOf(record, columns.record), ...joins.map((join) => join(record))].join()}${LINE_END}`,
    )
    .join('');
}

function cellsOf(item: Item, columns: readonly Column[]): readonly string[] {
  return columns.map(({ member, within, isList }) => {
    // Of the types that the column's member is declared with.
    if (!isList) return cellOf(item[member] as Scalar);
    if (within === undefined) return listCell(item[member] as readonly Scalar[]);
    return listCell(
      (item[member] as readonly Readonly<Record<string, Scalar>>[]).map((inner) => inner[within] ?? null),
    );
  });
}

/** The cells of what a record refers to; many records refer to the same, so they are made once. */
function joinOf(
  { reference, columns }: JoinedColumns,
  lookups: ReadonlyMap<LookupKind, JoinedFragments>,
): (record: Item) => string {
  const identifier = lookupIdentifiers[reference.lookups];
  const items = new Map(parseItems(lookups.get(reference.lookups)).map((item) => [item[identifier], item]));
  const made = new Map<string, string>();
  return (record) => {
    const identifiers = identifiersIn(record, reference);
    const key = JSON.stringify(identifiers);
    let cells = made.get(key);
    if (cells === undefined) {
      const found = identifiers.map((id) => items.get(id));
      cells = (reference.isList ? listCells(found, columns) : itemCells(found[0], columns)).join();
      made.set(key, cells);
    }
    return cells;
  };
}

function itemCells(item: Item | undefined, columns: readonly Column[]): readonly string[] {
  return item === undefined ? columns.map(() => '') : cellsOf(item, columns);
}

function listCells(items: readonly (Item | undefined)[], columns: readonly Column[]): readonly string[] {
  return columns.map(({ member }) => listCell(items.map((item) => (item?.[member] ?? null) as Scalar)));
}
