// A page as CSV (RFC 4180): one row for each record, its lookups joined in, made from the same texts as the JSON
// answer. Cells are harmless to spreadsheets and can be read back (ADR 0033).

import type { AnswerLayout } from '../records/data-sets';
import { enclosed, joinBounded, lookupItems, type ReadablePage, type WrittenPage } from './read-page';
import { parseItems } from '../store/port';
import {
  columnValue,
  joinedValues,
  ORGANIZATION_COLUMNS,
  tableColumns,
  type ColumnValue,
  type Scalar,
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

/** A row with its line end for each record. */
function* csvRows(kind: AnswerLayout['kind'], slices: ReadablePage['slices']): Iterable<string> {
  const { record: columns, joined } = tableColumns[kind];
  for (const slice of slices) {
    const start = ORGANIZATION_COLUMNS.map((name) => cellOf(slice.organization[name])).join();
    const lookups = lookupItems(slice);
    const joins = joined.map((join) => joinedValues(join, lookups, (values) => values.map(valueCell).join()));
    for (const record of parseItems(slice.records)) {
      const cells = columns.map((column) => valueCell(columnValue(record, column)));
      yield [start, ...cells, ...joins.map((join) => join(record))].join() + LINE_END;
    }
  }
}

export function valueCell(value: ColumnValue): string {
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
