// GET <operation>/Export (D46): all records that match a query, in one file that is sent while it is written. The
// search is the same as for a page; after that, a thread writes the file (ADR 0082).

import { Readable } from 'node:stream';
import type { FileMetadata } from '../../files/records-file';
import { ExportFailedError } from '../../files/threaded-export';
import type { ExportedRelease } from '../../files/write-export';
import { redactKeys } from '../../query/access-key-parameter';
import type { ExportFormat } from '../../query/format-parameters';
import type { ExportOperation } from '../../query/operations';
import type { OperationRequest } from '../../query/read-request';
import { evaluate } from '../../search/evaluate';
import { type CatalogRelease, openReleases } from '../../search/open-releases';
import { MEDIA_TYPES } from '../../values/media-types';
import { negotiateFormat } from '../pipeline/negotiation';
import { exportTooLarge, notAcceptable, type Refusal, refuse, tooManyExports } from '../pipeline/outcome';
import { readParameters } from '../pipeline/read-parameters';
import type { RouteEntry } from '../pipeline/route';
import { type OpenedSearch, type RenderContext, searchRoute, type StreamedAnswer } from '../pipeline/search-route';

interface ExportQuery {
  readonly operation: ExportOperation;
  readonly request: OperationRequest;
  readonly format: ExportFormat;
}

type OpenedExport = OpenedSearch<ExportQuery>;

/** Returns the entry of an export in the routes of its function. */
export function exportEntry(operation: ExportOperation): RouteEntry {
  const route = searchRoute<ExportQuery>({
    name: operation.name,
    access: 'key',
    acceptsPost: true,
    delivery: 'streamed',
    // Weak, because another version of a compressor may compress the same records to different bytes.
    tag: 'weak',
    vary: 'Accept',
    read: (httpRequest, items, service) => {
      const read = readParameters(operation, items, service);
      if (read.kind === 'problem') return read;
      const request = read.query;
      const format = request.exportFormat ?? negotiateFormat(httpRequest.headers.get('accept'), operation.formats);
      if (format === undefined) return refuse(notAcceptable(operation.formats));
      return { kind: 'read', query: { operation, request, format } };
    },
    representationKey: ({ format }) => [format],
    openReleases: ({ request }, state, service) => openReleases(service, state, operation.dataSet, request.condition),
    count: async (opened) => countRecords(await findRecords(opened)),
    render: makeExport,
  });
  return { name: operation.name, path: operation.route, route };
}

async function makeExport(
  opened: OpenedExport,
  { service, request: httpRequest }: RenderContext,
): Promise<StreamedAnswer | Refusal> {
  const { exports } = service;
  const { releases } = opened;
  const { operation, format } = opened.query;
  const matches = await findRecords(opened);
  const total = countRecords(matches);
  if (total > exports.maxRecords) return refuse(exportTooLarge(total, exports.maxRecords));
  const headers = { 'Content-Disposition': `attachment; filename="${operation.dataSet}.${format}"` };
  const answer = { kind: 'streamed', contentType: MEDIA_TYPES[format], headers, total, records: total } as const;
  // A HEAD request gets only the headers.
  if (httpRequest.method === 'HEAD') return { ...answer, read: () => Readable.from([]) };
  const connection = { isClosed: false };
  httpRequest.onClosed?.(() => {
    connection.isClosed = true;
  });
  if (!(await exports.slots.acquireWithin(PATIENCE_MS))) return refuse(tooManyExports(exports.slots.estimateWait()));
  // The client disconnected while the export waited for a slot.
  if (connection.isClosed) {
    exports.slots.release();
    return refuse(tooManyExports(exports.slots.estimateWait()));
  }
  const startedAt = service.now().getTime();
  const stream = exports.start({
    format,
    dataSet: operation.dataSet,
    order: opened.query.request.order,
    releases: matches.filter(({ records }) => records > 0),
    metadata: buildMetadata(opened, releases, total),
  });
  stream.once('close', () => {
    exports.slots.release(stream.readableEnded ? service.now().getTime() - startedAt : undefined);
  });
  // All other errors mean that the client has disconnected.
  stream.once('error', (error) => {
    if (error instanceof ExportFailedError) service.logError(`an answer of ${operation.name} was interrupted`, error);
  });
  // For hosts that do not cancel the body of an answer that nobody reads.
  httpRequest.onClosed?.(() => stream.destroy());
  return { ...answer, read: () => stream };
}

/** How long an export waits for a slot, in milliseconds. Most exports take less time. */
const PATIENCE_MS = 5000;

type MatchedRelease = ExportedRelease & { readonly records: number };

async function findRecords({ query: { request }, releases }: OpenedExport): Promise<readonly MatchedRelease[]> {
  const { condition } = request;
  return Promise.all(
    releases.map(async (release) => {
      const { releaseId, records: all } = release.reader.facts;
      const matches = await evaluate(condition, release);
      const isAll = matches.size === all;
      return { releaseId, records: matches.size, numbers: isAll ? undefined : matches.slice() };
    }),
  );
}

function countRecords(matches: readonly MatchedRelease[]): number {
  return matches.reduce((sum, { records }) => sum + records, 0);
}

/** Builds the metadata of the file: the query, the data version, and the terms of the data. */
function buildMetadata(
  { query: { operation, request }, state }: OpenedExport,
  releases: readonly CatalogRelease[],
  records: number,
): FileMetadata {
  const { dataSet } = operation;
  const names = releases.map(({ reader }) => reader.facts.organization.OrganizationName);
  const sources = releases.map(({ entry, reader }) => ({
    organization: reader.facts.organization.OrganizationUUID,
    name: reader.facts.organization.OrganizationName,
    release: entry.releaseId,
    publishedAt: entry.publishedAt,
    license: entry.submission?.license ?? null,
    citation: entry.submission?.citation ?? null,
    termsOfUse: entry.submission?.termsOfUse ?? null,
  }));
  return {
    title: names.length === 1 ? `${dataSet} of ${names.join()}` : `${dataSet} of ${names.length} organizations`,
    dataSet,
    dataVersion: state.version,
    // People may pass on the file, so it must not repeat a key that was sent in the wrong parameter.
    query: redactKeys(
      request.linkParameters.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&'),
    ),
    records: String(records),
    sources: JSON.stringify(sources),
  };
}
