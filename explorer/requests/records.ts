// Fetches a range of records in the order of the table.

import { getKind } from '../state/kinds';
import { type OrderedSelection, orderFilters } from '../state/state';
import { type Query, readTotalCount, type ServiceClient } from './client';
import { parseCsv } from './csv';
import { mapReply, type Reply } from './reply';

/** The filters and the order as parameters of an operation or its export. */
export function toOrderedQuery(selection: OrderedSelection): Query {
  return { ...orderFilters(selection), OrderBy: selection.order || undefined };
}

export interface RecordsPage {
  readonly total: number;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A range of the records. */
interface RecordsRange extends RecordsPage {
  readonly getRow: (index: number) => readonly string[] | undefined;
}

/** Fetches records in the columns of the CSV format, so the table shows exactly what its file contains. */
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
