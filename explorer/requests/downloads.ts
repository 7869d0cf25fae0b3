// Files of exactly what is filtered. CSV and Parquet are made by the service as one (D46); GeoJSON, which the service
// answers in pages, is put together here from pages of one data version.

import { kindOf } from '../state/kinds';
import type { Query, ServiceClient } from './client';
import { filterQuery, type Selection } from './operations';
import type { Reply } from './reply';

export const FILE_FORMS = ['csv', 'parquet', 'geojson'] as const;

export type FileForm = (typeof FILE_FORMS)[number];

/** Called as bytes arrive. */
export type Progress = (bytes: number) => void;

export type FilteredFile = Selection & { readonly order: string };

const PAGE = 10_000;

export function downloadFile(
  client: ServiceClient,
  download: FilteredFile,
  form: FileForm,
  { onProgress, signal }: { readonly onProgress: Progress; readonly signal: AbortSignal },
): Promise<Reply<Blob>> {
  if (form === 'geojson') return downloadPages(client, download, onProgress, signal);
  const format = form === 'csv' ? 'csv.gz' : form;
  const query: Query = [...downloadQuery(download), ['format', format]];
  const read = (response: Response): Promise<Blob> => {
    const body = counted(response, onProgress);
    // Spreadsheets open no gzip; browsers unpack it.
    return new Response(form === 'csv' ? body.pipeThrough(new DecompressionStream('gzip')) : body).blob();
  };
  return askOnceFree(() => client.ask(`${kindOf(download.kind).route}/Export`, query, read, signal));
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
export function fileNameOf({ kind, filters }: Selection, form: FileForm | 'png', version: string): string {
  const parts = filterQuery(kind, filters)
    .filter(([name]) => name !== 'DataVersion')
    .map(([name, value]) => plainName(value.length > NAME_PART ? name : value));
  const shown = parts.filter((_, index) => parts.slice(0, index + 1).join('_').length <= NAME_PARTS);
  const more = parts.length > shown.length ? [`and-${parts.length - shown.length}-more`] : [];
  return `${[kindOf(kind).dataSet, ...shown, ...more, version.slice(0, 8)].filter(Boolean).join('_')}.${form}`;
}

/** Letters and digits of any script; what lies between them is one hyphen. */
function plainName(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N}.]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
}

/** The filters and the order as an operation or its export takes them. */
export function downloadQuery({ kind, filters, order }: FilteredFile): Query {
  return [...filterQuery(kind, filters), ...(order === '' ? [] : [['OrderBy', order] as const])];
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

interface Page {
  readonly total: number;
  /** The features without the brackets around them. */
  readonly features: string;
}

async function downloadPages(
  client: ServiceClient,
  download: FilteredFile,
  onProgress: Progress,
  signal: AbortSignal,
): Promise<Reply<Blob>> {
  const texts: string[] = [];
  let [bytes, version] = [0, ''];
  for (let start = 0, total = 1; start < total; start += PAGE) {
    const query: Query = [
      ...downloadQuery(download),
      ...(version === '' || download.filters['DataVersion'] !== undefined ? [] : [['DataVersion', version] as const]),
      ['StartIndex', String(start)],
      ['RecordCount', String(PAGE)],
      ['format', 'geojson'],
    ];
    const reply = await client.ask(kindOf(download.kind).route, query, readFeatures, signal);
    if (reply.kind !== 'answer') return reply;
    ({ version } = reply);
    ({ total } = reply.value);
    bytes += reply.value.features.length;
    onProgress(bytes);
    if (reply.value.features !== '') texts.push(reply.value.features);
  }
  const parts = ['{"type":"FeatureCollection","features":[', texts.join(',\n'), ']}\n'];
  return { kind: 'answer', value: new Blob(parts, { type: 'application/geo+json' }), version };
}

async function readFeatures(response: Response): Promise<Page> {
  const { features } = (await response.json()) as { readonly features: readonly unknown[] }; // RFC 7946.
  const texts = features.map((feature) => JSON.stringify(feature));
  return { total: Number(response.headers.get('X-Total-Count')), features: texts.join(',\n') };
}
