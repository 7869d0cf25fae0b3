// Files of exactly what is filtered, and how large each will be. CSV and Parquet are made by the service as one (D46);
// GeoJSON, which the service answers in pages, is put together here from pages of one data version. The sizes of CSV
// and GeoJSON are measured: of all records where they are few, else of slices of the answer, as many as it takes to be
// right within a tenth. A Parquet file of few records is made; one of many has the share of the files of its releases
// that its records are of theirs.

import { getKind } from '../state/kinds';
import { type OrderedSelection, orderFilters, type Selection } from '../state/state';
import { fetchPages, type ServiceClient } from './client';
import { fetchFacets, toOrderedQuery } from './operations';
import { mapReply, type Reply } from './reply';

export const FILE_FORMATS = ['csv', 'parquet', 'geojson'] as const;

export type FileFormat = (typeof FILE_FORMATS)[number];

/** Called as bytes arrive. */
type Progress = (bytes: number) => void;

export function downloadFile(
  client: ServiceClient,
  download: OrderedSelection,
  format: FileFormat,
  onProgress: Progress,
): Promise<Reply<Blob>> {
  if (format === 'geojson') return downloadPages(client, download, onProgress);
  const query = { ...toOrderedQuery(download), format: format === 'csv' ? 'csv.gz' : format };
  const read = (response: Response): Promise<Blob> => {
    const body = countBytes(response, onProgress);
    // Spreadsheets open no gzip; browsers unpack it.
    return new Response(format === 'csv' ? body.pipeThrough(new DecompressionStream('gzip')) : body).blob();
  };
  return retryWhileBusy(() => client.request(`${getKind(download.kind).route}/Export`, query, read));
}

const MAX_ATTEMPTS = 10;

/** The service makes few files at once. The place of one that was given up is free as soon as it has noticed. */
async function retryWhileBusy<Value>(ask: () => Promise<Reply<Value>>): Promise<Reply<Value>> {
  let reply = await ask();
  for (let asked = 1; reply.kind === 'busy' && asked < MAX_ATTEMPTS; asked++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    reply = await ask();
  }
  return reply;
}

/** Characters of a value that a file name repeats, and of all of them. */
const MAX_VALUE_LENGTH = 30;
const MAX_VALUES_LENGTH = 90;

/** Says what is inside: the kind, the values that are filtered, and the beginning of the data version. */
export function buildFileName(selection: Selection, format: FileFormat | 'png', version: string): string {
  const parts = Object.entries(orderFilters(selection))
    .filter(([name]) => name !== 'DataVersion')
    .flatMap(([name, values]) => values.map((value) => toNamePart(value.length > MAX_VALUE_LENGTH ? name : value)));
  const shown = parts.filter((_, index) => parts.slice(0, index + 1).join('_').length <= MAX_VALUES_LENGTH);
  const more = parts.length > shown.length ? [`and-${parts.length - shown.length}-more`] : [];
  return `${[getKind(selection.kind).dataSet, ...shown, ...more, version.slice(0, 8)].filter(Boolean).join('_')}.${format}`;
}

/** Letters and digits of any script; what lies between them is one hyphen. */
function toNamePart(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N}.]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
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
  // The features of a page without the brackets around them.
  const read = async (response: Response): Promise<string> => {
    const { features } = (await response.json()) as { readonly features: readonly unknown[] }; // RFC 7946.
    const text = features.map((feature) => JSON.stringify(feature)).join(',\n');
    onProgress((bytes += text.length));
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

/** In bytes; the lowest and the highest where the measure is not right within a tenth. */
export type FileSize = number | readonly [least: number, most: number];

/** Records of a slice, and slices at first and at most. */
const SLICE = 20;
const SLICES = { first: 15, most: 60 } as const;

/** So many records are all measured. */
const FEW = SLICE * SLICES.most;

/** A Parquet file of so many records takes the service a second. */
const FEW_ROWS = 20_000;

/** So many records take as many bytes each in a Parquet file as all of a release do; fewer take up to a third more. */
const MANY_ROWS = 70_000;
const MORE = 1.35;

/** Standard errors of a mean within which nearly every measure lies, and the share of it that is asked for. */
const ERRORS = 2;
const RIGHT = 0.1;

export type Measured = OrderedSelection & { readonly total: number };

/** Undefined where it cannot be known. */
export async function askFileSize(
  client: ServiceClient,
  file: Measured,
  format: FileFormat,
): Promise<FileSize | undefined> {
  if (format !== 'parquet') return askTextSize(client, file, format, SLICES.first);
  if (file.total > FEW_ROWS) return askShareOfReleases(client, file);
  const query = { ...toOrderedQuery(file), format };
  const reply = await client.request(`${getKind(file.kind).route}/Export`, query, (answer) => answer.blob());
  return reply.kind === 'answer' ? reply.value.size : undefined;
}

async function askTextSize(
  client: ServiceClient,
  file: Measured,
  format: 'csv' | 'geojson',
  wanted: number,
): Promise<FileSize | undefined> {
  const { kind, total } = file;
  // From the beginning to the end, in equal distances.
  const startOf = (slice: number): number => Math.floor((slice * (total - SLICE)) / (wanted - 1));
  const slices =
    total <= FEW
      ? [[0, total] as const]
      : Array.from({ length: wanted }, (_, slice) => [startOf(slice), SLICE] as const);
  const asked = slices.map(([start, count]) => {
    // As published: an order would put all large records into one slice.
    const query = { ...orderFilters(file), StartIndex: String(start), RecordCount: String(count), format };
    return client.request(getKind(kind).route, query, async (answer) => {
      const text = await answer.text();
      // The bytes that a file has once, and those of the records.
      const head = format === 'csv' ? text.indexOf('\n') + 1 : 0;
      return { head, bytes: new TextEncoder().encode(text).length - head };
    });
  });
  const parts = (await Promise.all(asked)).flatMap((reply) => (reply.kind === 'answer' ? reply.value : []));
  if (parts.length < slices.length) return undefined;
  const head = parts[0]?.head ?? 0;
  const [mean, error] = meanOf(parts.map(({ bytes }, at) => bytes / (slices[at]?.[1] ?? 1)));
  // Slices of nearly everything leave little to be wrong about.
  const off = slices.length === 1 ? 0 : ERRORS * error * Math.sqrt(1 - (slices.length * SLICE) / total);
  if (off <= RIGHT * mean) return head + mean * total;
  if (2 * wanted <= SLICES.most) return askTextSize(client, file, format, 2 * wanted);
  return [head + Math.max(0, mean - off) * total, head + (mean + off) * total];
}

/** With its standard error. */
function meanOf(values: readonly number[]): readonly [mean: number, error: number] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return [mean, Math.sqrt(squares / Math.max(1, values.length - 1) / values.length)];
}

/** The members of /v1/Downloads that are read. */
interface Downloads {
  readonly Downloads: readonly {
    readonly OrganizationUUID: string;
    readonly DataSet: string;
    readonly Records: number;
    readonly Files: readonly { readonly Name: string; readonly Bytes: number }[];
  }[];
}

async function askShareOfReleases(client: ServiceClient, file: Measured): Promise<FileSize | undefined> {
  const [releases, facets] = await Promise.all([
    client.request<Downloads>('v1/Downloads'),
    fetchFacets(client, file, ['OrganizationUUID']),
  ]);
  if (releases.kind !== 'answer' || facets.kind !== 'answer') return undefined;
  const ofKind = releases.value.Downloads.filter(({ DataSet }) => DataSet === getKind(file.kind).dataSet);
  const counts = new Map(facets.value.Facets[0]?.Values.map(({ Value, Count }) => [Value, Count]));
  const shares = ofKind.map(({ OrganizationUUID, Records, Files }) => {
    const bytes = Files.find(({ Name }) => Name === 'records.parquet')?.Bytes ?? Number.NaN;
    return ((counts.get(OrganizationUUID) ?? 0) / Records) * bytes;
  });
  const sum = shares.reduce((all, share) => all + share, 0);
  if (Number.isNaN(sum)) return undefined;
  return file.total < MANY_ROWS ? [sum, MORE * sum] : sum;
}
