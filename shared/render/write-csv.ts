// Writes a page as CSV (RFC 4180): one row per record, with its lookups joined, from the same texts as the JSON answer.
// Cells are safe in spreadsheets, and the original values can be restored (ADR 0033).

import type { AnswerLayout } from '../records/data-sets';
import type { Item } from '../records/record-references';
import type { Organization } from '../records/records';
import { iterateItems } from '../store/joined-fragments';
import { isFormula } from '../values/formula-guard';
import { encloseTexts, joinTexts, type TextSteps, type WrittenPage } from './join-texts';
import { inPageOrder } from './page-order';
import { indexLookupsInSteps, type ReadablePage, type SliceTexts } from './read-page';
import {
  type ColumnValue,
  createJoinWriter,
  ORGANIZATION_COLUMNS,
  readColumnValue,
  type Scalar,
  tableColumns,
} from './table-columns';

export const LINE_END = '\r\n';

/** Separates the items of a list. A separator or a backslash within an item is escaped with a backslash. */
const LIST_SEPARATOR = '|';

const NEEDS_QUOTES = /[",\r\n]/;

/** Writes the page, or reports it as too large if its rows take more than `maxBytes`. */
export async function writeCsv(
  { kind }: AnswerLayout,
  { slices }: ReadablePage,
  maxBytes: number,
): Promise<WrittenPage> {
  const rows = await joinTexts(
    inPageOrder(slices, (slice) => writeCsvRows(kind, slice)),
    { separator: '', maxBytes },
  );
  return encloseTexts(writeCsvHeader(kind), rows, '');
}

export function writeCsvHeader(kind: AnswerLayout['kind']): string {
  const { record, joined } = tableColumns[kind];
  const names = [...record, ...joined.flatMap(({ columns }) => columns)].map(({ name }) => name);
  return [...ORGANIZATION_COLUMNS, ...names].map(writeCell).join() + LINE_END;
}

/** Yields one row per record. */
function* writeCsvRows(kind: AnswerLayout['kind'], slice: SliceTexts): TextSteps {
  const lookups = yield* indexLookupsInSteps(slice);
  const joins = tableColumns[kind].joined.map((join) => createJoinWriter(join, lookups, writeJoinedCells));
  const writeRow = createRowWriter(kind, slice.organization, joins);
  for (const record of iterateItems(slice.records)) yield writeRow(record);
}

export function writeJoinedCells(values: readonly ColumnValue[]): string {
  return values.map(writeValueCell).join();
}

/** Returns a function that writes a record as a row, with its line end. */
export function createRowWriter(
  kind: AnswerLayout['kind'],
  organization: Organization,
  joins: readonly ((record: Item) => string)[],
): (record: Item) => string {
  const { record: columns } = tableColumns[kind];
  const start = ORGANIZATION_COLUMNS.map((name) => writeCell(organization[name])).join();
  return (record) => {
    let row = start;
    for (const column of columns) row += `,${writeValueCell(readColumnValue(record, column))}`;
    for (const join of joins) row += `,${join(record)}`;
    return row + LINE_END;
  };
}

function writeValueCell(value: ColumnValue): string {
  // `Array.isArray` makes both casts safe.
  return Array.isArray(value) ? writeListCell(value as readonly Scalar[]) : writeCell(value as Scalar);
}

export function writeCell(value: Scalar): string {
  if (value === null) return '';
  return typeof value === 'string' ? writeTextCell(value) : String(value);
}

export function writeListCell(values: readonly Scalar[]): string {
  if (values.length === 0) return '';
  return writeTextCell(values.map((value) => String(value ?? '').replace(/[\\|]/g, '\\$&')).join(LIST_SEPARATOR));
}

function writeTextCell(text: string): string {
  // A leading apostrophe is escaped with another apostrophe, so that a reader can always remove the first one.
  const harmless = text.startsWith("'") || isFormula(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
