// Files of exactly what is filtered. CSV and Parquet are made by the service as one (D46); GeoJSON, which the service
// answers in pages, is put together here from pages of one data version.

import { kindOf } from '../state/kinds';
import { askPages, type Query, type ServiceClient } from './client';
import type { OrderedSelection, Selection } from '../state/state';
import { filterQuery, orderedQuery } from './operations';
import type { Reply } from './reply';

export const FILE_FORMS = ['csv', 'parquet', 'geojson'] as const;

export type FileForm = (typeof FILE_FORMS)[number];

/** Called as bytes arrive. */
type Progress = (bytes: number) => void;

export function downloadFile(
  client: ServiceClient,
  download: OrderedSelection,
  form: FileForm,
  onProgress: Progress,
): Promise<Reply<Blob>> {
  if (form === 'geojson') return downloadPages(client, download, onProgress);
  const format = form === 'csv' ? 'csv.gz' : form;
  const query: Query = [...orderedQuery(download), ['format', format]];
  const read = (response: Response): Promise<Blob> => {
    const body = counted(response, onProgress);
    // Spreadsheets open no gzip; browsers unpack it.
    return new Response(form === 'csv' ? body.pipeThrough(new DecompressionStream('gzip')) : body).blob();
  };
  return askOnceFree(() => client.ask(`${kindOf(download.kind).route}/Export`, query, read));
}

const TRIES = 10;

/** The service makes few files at once. The place of one that was given up is free as soon as it has noticed. */
async function askOnceFree<Value>(ask: () => Promise<Reply<Value>>): Promise<Reply<Value>> {
  let reply = await ask();
  for (let asked = 1; reply.kind === 'busy' && asked < TRIES; asked++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    reply = await ask();
  }
  return reply;
}

/** Characters of a value that a file name repeats, and of all of them. */
const NAME_PART = 30;
const NAME_PARTS = 90;

/** Says what is inside: the kind, the values that are filtered, and the beginning of the data version. */
export function fileNameOf(selection: Selection, form: FileForm | 'png', version: string): string {
  const parts = filterQuery(selection)
    .filter(([name]) => name !== 'DataVersion')
    .map(([name, value]) => plainName(value.length > NAME_PART ? name : value));
  const shown = parts.filter((_, index) => parts.slice(0, index + 1).join('_').length <= NAME_PARTS);
  const more = parts.length > shown.length ? [`and-${parts.length - shown.length}-more`] : [];
  return `${[kindOf(selection.kind).dataSet, ...shown, ...more, version.slice(0, 8)].filter(Boolean).join('_')}.${form}`;
}

/** Letters and digits of any script; what lies between them is one hyphen. */
function plainName(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N}.]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
}

function counted(response: Response, onProgress: Progress): ReadableStream<Uint8Array<ArrayBuffer>> {
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
  // The features of a page without the brackets around them.
  const read = async (response: Response): Promise<string> => {
    const { features } = (await response.json()) as { readonly features: readonly unknown[] }; // RFC 7946.
    const text = features.map((feature) => JSON.stringify(feature)).join(',\n');
    onProgress((bytes += text.length));
    return text;
  };
  const query: Query = [...orderedQuery(download), ['format', 'geojson']];
  const reply = await askPages(client, { route: kindOf(download.kind).route, query, read });
  if (reply.kind !== 'answer') return reply;
  const features = reply.value.pages.filter((text) => text !== '').join(',\n');
  const parts = ['{"type":"FeatureCollection","features":[', features, ']}\n'];
  return { ...reply, value: new Blob(parts, { type: 'application/geo+json' }) };
}
