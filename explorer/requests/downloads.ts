// Downloads exactly the filtered records as one file. The service writes CSV and Parquet (D46). GeoJSON, which the
// service returns in pages, is assembled here from pages of one data version.

import { getKind } from '../state/kinds';
import type { OrderedSelection } from '../state/state';
import type { ServiceClient } from './client';
import { toCsvBlob } from './csv-files';
import { fetchPages } from './pages';
import { toOrderedQuery } from './records';
import { mapReply, type Reply } from './reply';

export const FILE_FORMATS = ['csv', 'parquet', 'geojson'] as const;

export type FileFormat = (typeof FILE_FORMATS)[number];

/** Called as bytes arrive, with the total so far. */
type Progress = (bytes: number) => void;

export function downloadFile(
  client: ServiceClient,
  download: OrderedSelection,
  format: FileFormat,
  onProgress: Progress,
): Promise<Reply<Blob>> {
  if (format === 'geojson') return downloadPages(client, download, onProgress);
  const query = { ...toOrderedQuery(download), format: format === 'csv' ? 'csv.gz' : format };
  const read = async (response: Response): Promise<Blob> => {
    const body = countBytes(response, onProgress);
    if (format !== 'csv') return new Response(body).blob();
    // Spreadsheets cannot open gzip, so the page unpacks it.
    return toCsvBlob(await new Response(body.pipeThrough(new DecompressionStream('gzip'))).blob());
  };
  return retryWhileBusy(() => client.request(`${getKind(download.kind).route}/Export`, query, read));
}

const MAX_ATTEMPTS = 10;

/**
 * The service makes only a few files at the same time. A canceled file frees its slot as soon as the service notices.
 */
async function retryWhileBusy<Value>(ask: () => Promise<Reply<Value>>): Promise<Reply<Value>> {
  let reply = await ask();
  for (let asked = 1; reply.kind === 'busy' && asked < MAX_ATTEMPTS; asked++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    reply = await ask();
  }
  return reply;
}

function countBytes(response: Response, onProgress: Progress): ReadableStream<Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      onProgress(bytes);
      controller.enqueue(chunk);
    },
  });
  return (response.body ?? new Blob([]).stream()).pipeThrough(count);
}

async function downloadPages(
  client: ServiceClient,
  download: OrderedSelection,
  onProgress: Progress,
): Promise<Reply<Blob>> {
  let bytes = 0;
  // The features of a page, without the array brackets.
  const read = async (response: Response): Promise<string> => {
    const { features } = (await response.json()) as { readonly features: readonly unknown[] }; // RFC 7946.
    const text = features.map((feature) => JSON.stringify(feature)).join(',\n');
    bytes += text.length;
    onProgress(bytes);
    return text;
  };
  const query = { ...toOrderedQuery(download), format: 'geojson' };
  const reply = await fetchPages(client, { route: getKind(download.kind).route, query, read });
  return mapReply(reply, ({ pages }) => {
    const features = pages.filter((text) => text !== '').join(',\n');
    const parts = ['{"type":"FeatureCollection","features":[', features, ']}\n'];
    return new Blob(parts, { type: 'application/geo+json' });
  });
}
