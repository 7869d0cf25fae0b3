// Fetches a range of records in the order of the table.

import { getKind } from '../state/kinds';
import { type OrderedSelection, orderFilters } from '../state/state';
import { type Query, readTotalCount, type ServiceClient } from './client';
import { parseCsv } from './csv';
import { mapReply, type Reply } from './reply';

/** The filters and the order as an operation or its export takes them. */
export function toOrderedQuery(selection: OrderedSelection): Query {
  return { ...orderFilters(selection), OrderBy: selection.order || undefined };
}

export interface RecordsPage {
  readonly total: number;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A part of the records, each by its place among all; undefined where it is not in the part. */
interface RecordsRange extends RecordsPage {
  readonly getRow: (index: number) => readonly string[] | undefined;
}

/** Records by their columns as the CSV form has them: what the table shows is what its file holds. */
export async function fetchRecords(
  client: ServiceClient,
  { start, count, ...asked }: OrderedSelection & { readonly start: number; readonly count: number },
): Promise<Reply<RecordsRange>> {
  const part = { StartIndex: String(start), RecordCount: String(count), format: 'csv' };
  const reply = await client.request(getKind(asked.kind).route, { ...toOrderedQuery(asked), ...part }, readRecordsPage);
  return mapReply(reply, (page) => ({ ...page, getRow: (index) => page.rows[index - start] }));
}

export async function readRecordsPage(response: Response): Promise<RecordsPage> {
  const [columns = [], ...rows] = parseCsv(await response.text());
  return { total: readTotalCount(response), columns, rows };
}
