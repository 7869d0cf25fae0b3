// How large the files of what is filtered will be: measured on records of the same answer and on the files of whole
// data sets, so that nobody begins a download without knowing.

import { kindOf } from '../state/kinds';
import type { Query, ServiceClient } from './client';
import { downloadQuery, featuresText, type FilteredFile, type ReadFeatures, type FileForm } from './downloads';
import type { Reply } from './reply';

/** In bytes; a form without a measure is left out. */
export type FileSizes = Readonly<Partial<Record<FileForm, number>>>;

/** Records that are measured: all where there are few, else in slices, since records near to one another are alike. */
const MEASURED = 300;
const SLICES = 3;

/** `total` is the number of records that the download finds. */
export async function askFileSizes(
  client: ServiceClient,
  download: FilteredFile,
  total: number,
  signal: AbortSignal,
): Promise<FileSizes> {
  const sizeOf = async (format: string, measure: (text: string) => MeasuredText): Promise<number | undefined> => {
    const slices = slicesOf(total).map(([start, count]) => {
      const page: Query = [
        ['StartIndex', String(start)],
        ['RecordCount', String(count)],
        ['format', format],
      ];
      const query = [...downloadQuery(download), ...page];
      return client.ask(kindOf(download.kind).route, query, async (answer) => measure(await answer.text()), signal);
    });
    const measured = (await Promise.all(slices)).flatMap((reply) => valueOf(reply) ?? []);
    const [{ head } = { head: 0 }] = measured;
    const bytes = measured.reduce((sum, one) => sum + one.bytes, 0);
    // A slice that did not come leaves nothing to go by.
    return measured.length < slices.length ? undefined : head + (bytes * total) / Math.min(MEASURED, total);
  };
  const [csv, geojson, parquet] = await Promise.all([
    sizeOf('csv', (text) => {
      const head = text.indexOf('\n') + 1;
      return { head, bytes: bytesOf(text) - head };
    }),
    sizeOf('geojson', (text) => ({ head: 0, bytes: bytesOf(featuresText(JSON.parse(text) as ReadFeatures)) })),
    askBytesOfParquet(client, download, signal),
  ]);
  return {
    ...(csv === undefined ? {} : { csv }),
    ...(geojson === undefined ? {} : { geojson }),
    ...(parquet === undefined ? {} : { parquet: parquet * total }),
  };
}

interface MeasuredText {
  /** Bytes that a file has once, and those of the records. */
  readonly head: number;
  readonly bytes: number;
}

/** At the beginning, in the middle and at the end. */
function slicesOf(total: number): readonly (readonly [start: number, count: number])[] {
  if (total <= MEASURED) return [[0, total]];
  const count = MEASURED / SLICES;
  return Array.from({ length: SLICES }, (_, slice) => [Math.floor((slice * (total - count)) / (SLICES - 1)), count]);
}

interface DownloadsList {
  readonly Downloads: readonly {
    readonly DataSet: string;
    readonly Records: number;
    readonly Files: readonly { readonly Name: string; readonly Bytes: number }[];
  }[];
}

/** The bytes of one record in the files of its data sets (D44); undefined while none of these is made. */
async function askBytesOfParquet(
  client: ServiceClient,
  { kind }: FilteredFile,
  signal: AbortSignal,
): Promise<number | undefined> {
  const listed = valueOf(await client.askJson<DownloadsList>('v1/Downloads', [], signal));
  let [bytes, records] = [0, 0];
  for (const { DataSet, Records, Files } of listed?.Downloads ?? []) {
    const file = Files.find(({ Name }) => Name === 'records.parquet');
    if (DataSet !== kindOf(kind).dataSet || file === undefined) continue;
    bytes += file.Bytes;
    records += Records;
  }
  return records === 0 ? undefined : bytes / records;
}

/** Without a size the files are to be had all the same. */
function valueOf<Value>(reply: Reply<Value>): Value | undefined {
  return reply.kind === 'answer' ? reply.value : undefined;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
