// A page as CSV (RFC 4180): one row for each record, its lookups joined in, made from the same texts as the JSON
// answer. Cells are harmless to spreadsheets and can be read back (ADR 0033).

import type { AnswerLayout, Item } from '../records/data-sets';
import type { Organization } from '../records/records';
import { parseItems } from '../store/port';
import { enclosed, joinBounded, lookupItems, type ReadablePage, type WrittenPage } from './read-page';
import {
  type ColumnValue,
  columnValue,
  joinedValues,
  ORGANIZATION_COLUMNS,
  type Scalar,
  tableColumns,
} from './table-columns';

export const LINE_END = '\r\n';

/** Stands between the items of a list; a backslash stands before one that an item holds, and before a backslash. */
const LIST_SEPARATOR = '|';

/** Spreadsheets run what begins so as a formula. An apostrophe marks it as harmless, and what begins with one. */
const DANGEROUS = /^['=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Everybody reads a negative number as a number. No digit can be taken by two parts of the expression. */
const NEGATIVE_NUMBER = /^-\d+(\.\d+)?(e[+-]?\d+)?$/i;

const NEEDS_QUOTES = /[",\r\n]/;

/** Rows of more than `mostBytes` are too large. */
export function writeCsv({ kind }: AnswerLayout, { slices }: ReadablePage, mostBytes: number): WrittenPage {
  const rows = joinBounded(csvRows(kind, slices), { separator: '', mostBytes });
  return enclosed(csvHeader(kind), rows, '');
}

export function csvHeader(kind: AnswerLayout['kind']): string {
  const { record, joined } = tableColumns[kind];
  const named = [...record, ...joined.flatMap(({ columns }) => columns)].map(({ name }) => name);
  return [...ORGANIZATION_COLUMNS, ...named].map(cellOf).join() + LINE_END;
}

/** A row for each record. */
function* csvRows(kind: AnswerLayout['kind'], slices: ReadablePage['slices']): Iterable<string> {
  for (const slice of slices) {
    const lookups = lookupItems(slice);
    const joins = tableColumns[kind].joined.map((join) => joinedValues(join, lookups, joinedCells));
    const rowOf = csvRow(kind, slice.organization, joins);
    for (const record of parseItems(slice.records)) yield rowOf(record);
  }
}

export function joinedCells(values: readonly ColumnValue[]): string {
  return values.map(valueCell).join();
}

/** Makes the row of a record, with its line end. */
export function csvRow(
  kind: AnswerLayout['kind'],
  organization: Organization,
  joins: readonly ((record: Item) => string)[],
): (record: Item) => string {
  const { record: columns } = tableColumns[kind];
  const start = ORGANIZATION_COLUMNS.map((name) => cellOf(organization[name])).join();
  return (record) => {
    let row = start;
    for (const column of columns) row += `,${valueCell(columnValue(record, column))}`;
    for (const join of joins) row += `,${join(record)}`;
    return row + LINE_END;
  };
}

function valueCell(value: ColumnValue): string {
  return Array.isArray(value) ? listCell(value as readonly Scalar[]) : cellOf(value as Scalar); // As isArray says.
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
