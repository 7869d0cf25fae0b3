// How large the CSV file of what is filtered will be, measured on records of the same answer. The sizes of the other
// forms are not said: the shapes of a few places are most of a GeoJSON file, and a Parquet file has its schema once.

import { kindOf } from '../state/kinds';
import type { Query, ServiceClient } from './client';
import { downloadQuery, type FilteredFile } from './downloads';

/** Records that are measured: all where there are few, else in slices, since records near to one another are alike. */
const MEASURED = 600;
const SLICES = 10;

/** `total` is the number of records that the download finds. Undefined where a part that is measured did not come. */
export async function askCsvBytes(
  client: ServiceClient,
  download: FilteredFile,
  total: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const slices = slicesOf(total).map(([start, count]) => {
    const page: Query = [
      ['StartIndex', String(start)],
      ['RecordCount', String(count)],
      ['format', 'csv'],
    ];
    // As published: an order would put all large records into one slice.
    const query = [...downloadQuery({ ...download, order: '' }), ...page];
    return client.ask(kindOf(download.kind).route, query, async (answer) => measured(await answer.text()), signal);
  });
  const parts = (await Promise.all(slices)).flatMap((reply) => (reply.kind === 'answer' ? reply.value : []));
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  return parts.length < slices.length ? undefined : (parts[0]?.head ?? 0) + (bytes * total) / Math.min(MEASURED, total);
}

/** From the beginning to the end, in equal distances. */
function slicesOf(total: number): readonly (readonly [start: number, count: number])[] {
  if (total <= MEASURED) return [[0, total]];
  const count = MEASURED / SLICES;
  return Array.from({ length: SLICES }, (_, slice) => [Math.floor((slice * (total - count)) / (SLICES - 1)), count]);
}

/** The bytes that a file has once, and those of the records. */
function measured(text: string): { readonly head: number; readonly bytes: number } {
  const head = text.indexOf('\n') + 1;
  return { head, bytes: new TextEncoder().encode(text).length - head };
}
