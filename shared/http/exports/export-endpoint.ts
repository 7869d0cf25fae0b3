// GET <operation>/Export (D46): everything that a query finds, in one file that is sent while it is made. It is
// searched for as a page is, so errors, the total and a 304 come as ever; then a thread takes over (ADR 0082).

import type { ExportedRelease } from '../../files/write-export';
import type { Condition } from '../../query/condition';
import type { ExportOperation } from '../../query/operations';
import type { ExportFormat } from '../../query/paging-and-format';
import { splitQuery } from '../../query/query-values';
import { readRequest, type OperationRequest } from '../../query/read-request';
import { openReleases, type ReadRelease } from '../../search/plan-page';
import { evaluate } from '../../search/evaluate';
import { resolveBoundary } from '../../search/resolve-boundary';
import type { CatalogState } from '../../store/catalog-types';
import { currentDeadline } from '../../store/deadline';
import { MEDIA_TYPES } from '../../values/media-types';
import { keyHolderFunction } from '../access';
import { answerDigest, clientCopy, entityTag, lastModified } from '../conditional-requests';
import { answerFromState } from '../memory/request-queue';
import { linkHeader, termsLinks } from '../outcome/links';
import { negotiateFormat } from '../outcome/negotiation';
import { badParameters, exportTooLarge, notAcceptable, refused, TOO_MANY_EXPORTS, type HeaderFields, type Outcome } from '../outcome/outcome';
import type { AskedRequest, HttpFunction, Service } from '../service';
import { exportMetadata } from './export-metadata';
import { ExportFailedError } from '../../files/threaded-export';

/** A query for an export over one catalog state. */
interface ExportQuery {
  readonly operation: ExportOperation;
  readonly request: OperationRequest;
  readonly format: ExportFormat;
  readonly state: CatalogState;
  readonly releases: readonly ReadRelease[];
  /** Stands for the records, their order and the form. */
  readonly digest: string;
}

export function exportEndpoint(operation: ExportOperation): HttpFunction {
  return keyHolderFunction(operation, (...asked) => answer(operation, ...asked));
}

function answer(operation: ExportOperation, asked: AskedRequest, text: string, service: Service): Promise<Outcome> {
  const read = readRequest(operation, splitQuery(text), service.reading);
  if (!read.ok) return Promise.resolve(refused(badParameters(read.errors)));
  const format = read.request.exportFormat ?? negotiateFormat(asked.headers.get('accept'), operation.formats);
  if (format === undefined) return Promise.resolve(refused(notAcceptable(operation.formats)));
  return answerFromState(read.request.dataVersion, service, async (state) => {
    // A request that waited too long for its turn is not searched for.
    currentDeadline().check();
    const condition = await resolveBoundary(service, state, read.request.condition);
    const releases = condition === undefined ? [] : await openReleases(service, state, operation.dataSet, condition);
    const request = { ...read.request, condition: condition ?? read.request.condition };
    const digest = answerDigest(operation, request, releases, [format]);
    return answerQuery({ operation, request, format, state, releases, digest }, asked, service);
  });
}

async function answerQuery(query: ExportQuery, asked: AskedRequest, service: Service): Promise<Outcome> {
  const { state, digest, releases, request } = query;
  const { exports } = service;
  const copy = clientCopy(asked.headers, digest, state);
  if (copy?.total !== undefined) return { kind: 'not modified', headers: headersOf(query, copy.total, service) };
  const found = await findRecords(releases, request.condition, service);
  const total = found.reduce((sum, { records }) => sum + records, 0);
  const headers = headersOf(query, total, service);
  if (copy !== undefined) return { kind: 'not modified', headers };
  if (total > exports.mostRecords) return refused(exportTooLarge(total, exports.mostRecords));
  const file = { kind: 'file', status: 200, bytes: undefined, contentType: MEDIA_TYPES[query.format] } as const;
  const named = { ...headers, 'Content-Disposition': dispositionOf(query) };
  // The headers are all that a client gets.
  if (asked.method === 'HEAD') return { ...file, headers: named, read: neverRead };
  if (!exports.places.take()) return refused(TOO_MANY_EXPORTS);
  const { format, operation } = query;
  const stream = exports.start({
    ...{ format, dataSet: operation.dataSet, order: request.order },
    releases: found.filter(({ records }) => records > 0),
    metadata: exportMetadata(query, total),
  });
  stream.once('close', () => {
    exports.places.free();
  });
  // The other errors are those of a client who has gone.
  stream.once('error', (error) => {
    if (error instanceof ExportFailedError) service.logError(`an answer of ${operation.name} was broken off`, error);
  });
  // Where a host does not cancel the body of an answer that nobody takes.
  asked.onClosed?.(() => stream.destroy());
  return { ...file, headers: named, read: () => stream, records: total };
}

function neverRead(): never {
  throw new Error('HEAD has no body');
}

async function findRecords(
  releases: readonly ReadRelease[],
  condition: Condition,
  { caches }: Service,
): Promise<readonly (ExportedRelease & { readonly records: number })[]> {
  return Promise.all(
    releases.map(async (release) => {
      const { releaseId, records: all } = release.reader.facts;
      const found = await evaluate(condition, release, caches);
      const isAll = found.size === all;
      return { releaseId, records: found.size, numbers: isAll ? undefined : found.numbers() };
    }),
  );
}

function headersOf({ state, releases, digest }: ExportQuery, total: number, service: Service): HeaderFields {
  const modified = lastModified(state, service.now());
  return {
    'Data-Version': state.version,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept',
    ...(modified === undefined ? {} : { 'Last-Modified': modified }),
    // The same records in the same form; another version of a compressor may make other bytes of them.
    ETag: `W/${entityTag(digest, total)}`,
    ...linkHeader(termsLinks(releases.map(({ entry }) => entry))),
    'X-Total-Count': String(total),
  };
}

function dispositionOf({ operation, format }: ExportQuery): string {
  return `attachment; filename="${operation.dataSet}.${format}"`;
}
