// An operation as an HTTP function: key, query, search, answer, headers, in the order of D31.

import { answerWriters } from '../answer/answer-writers';
import { bytesOf, joinPieces } from '../answer/page-texts';
import type { Operation } from '../query/operations';
import { recordCount, type AnswerFormat } from '../query/paging-and-format';
import type { QueryItem } from '../query/query-values';
import { readRequest, type OperationRequest } from '../query/read-request';
import { dataSetLayouts } from '../records/data-sets';
import { openReleases, planPage, type ReadRelease } from '../search/plan-page';
import { resolveBoundary } from '../search/resolve-boundary';
import type { CatalogState } from '../store/catalog-types';
import { currentDeadline } from '../store/deadline';
import { success, type Result } from '../values/result';
import { keyHolderFunction } from './access';
import type { CachedAnswer } from './answer-cache';
import { answerDigest, clientCopy, entityTag, lastModified } from './conditional-requests';
import { countHeaders, linkHeader, termsLinks, walkLinks } from './links';
import { encodeBody, negotiateCoding, negotiateFormat, type ContentCoding } from './negotiation';
import { badParameters, NOT_ACCEPTABLE, refused, type HeaderFields, type Outcome } from './outcome';
import { queryHint } from './query-hint';
import { answerFromState } from './request-queue';
import type { AskedRequest, HttpFunction, Service } from './service';

/** A query as it was read and negotiated, before any data are looked at. */
interface Query {
  readonly operation: Operation;
  readonly request: OperationRequest;
  readonly format: AnswerFormat;
  readonly coding: ContentCoding | undefined;
  /** Its body is not sent, so that its length is enough. */
  readonly isHead: boolean;
  readonly sent: AskedRequest['headers'];
}

/** A query with the releases of one catalog state that its answer is read from. */
interface OpenedQuery extends Query {
  readonly state: CatalogState;
  readonly releases: readonly ReadRelease[];
  /** Stands for the answer's bytes. */
  readonly digest: string;
  /** Last-Modified, as of before the search: a later publish can fall into the second that is over after it. */
  readonly modified: string | undefined;
}

/** Its headers are only those that do not follow from the query. For HEAD, a length may stand for the body. */
interface MadeAnswer extends Omit<CachedAnswer, 'body'> {
  readonly body: Buffer | number;
}

export function endpoint(operation: Operation): HttpFunction {
  return keyHolderFunction(operation, (...asked) => answer(operation, ...asked));
}

async function answer(
  operation: Operation,
  { method, headers }: AskedRequest,
  items: readonly QueryItem[],
  service: Service,
): Promise<Outcome> {
  const read = readRequest(operation, items, service.reading);
  if (!read.ok) return refused(badParameters(read.errors));
  const { request } = read;
  const format = request.format ?? negotiateFormat(headers.get('accept'));
  if (format === undefined) return refused(NOT_ACCEPTABLE);
  const coding = negotiateCoding(headers.get('accept-encoding'));
  const query = { operation, request, format, coding, isHead: method === 'HEAD', sent: headers };
  return answerFromState(request.dataVersion, service, async (state) => {
    // A request that waited too long for its turn is not searched for.
    currentDeadline().check();
    return answerQuery(await openQuery(query, state, service), service);
  });
}

async function openQuery(query: Query, state: CatalogState, service: Service): Promise<OpenedQuery> {
  const { operation, format, coding } = query;
  const criteria = await resolveBoundary(service, state, query.request.criteria);
  // No place is there whose geometry could be the boundary, so nothing matches.
  const releases = criteria === undefined ? [] : await openReleases(service, state, operation.dataSet, criteria);
  const request = { ...query.request, criteria: criteria ?? query.request.criteria };
  const digest = answerDigest(operation, request, releases, [format, coding ?? 'identity']);
  return { ...query, request, state, releases, digest, modified: lastModified(releases, service.now()) };
}

async function answerQuery(query: OpenedQuery, service: Service): Promise<Outcome> {
  const { request, releases } = query;
  const copy = clientCopy(query.sent, query.digest, query.state);
  if (copy !== undefined) {
    const total = copy.total ?? (await planPage(releases, request.criteria, request, service.caches)).total;
    return { kind: 'not modified', headers: headersOf(query, total, service.publicUrl) };
  }
  const made = await findOrMakeAnswer(query, service);
  if (!made.ok) {
    const value = String(request.recordCount);
    return refused(badParameters([{ parameter: recordCount.name, message: made.problem, value }]));
  }
  const { body, total, records } = made.value;
  const { contentType } = answerWriters[query.format];
  const headers = { ...headersOf(query, total, service.publicUrl), ...made.value.headers };
  return { kind: 'answer', body, contentType, headers, records };
}

/** The headers that follow from the query, its releases and its total, in the order in which they are sent. */
function headersOf(query: OpenedQuery, total: number, publicUrl: string): HeaderFields {
  const { request, state, releases, digest, modified } = query;
  const links = walkLinks(query, total, publicUrl);
  return {
    'Data-Version': state.version,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept, Accept-Encoding',
    ...(modified === undefined ? {} : { 'Last-Modified': modified }),
    ETag: entityTag(digest, total),
    ...linkHeader([...links, ...termsLinks(releases.map(({ entry }) => entry))]),
    ...countHeaders(request, total),
  };
}

/** A failure is a sentence about RecordCount. Throws as `planPage` does. */
async function findOrMakeAnswer(query: OpenedQuery, service: Service): Promise<Result<MadeAnswer>> {
  const known = service.answers.find(query.digest);
  return known === undefined ? makeAnswer(query, service) : success(query.isHead ? lengthOf(known, service) : known);
}

async function makeAnswer(query: OpenedQuery, service: Service): Promise<Result<MadeAnswer>> {
  const { operation, request, releases, format, coding, digest, isHead } = query;
  const { answers, buffers, caches } = service;
  const page = await planPage(releases, request.criteria, request, caches);
  const written = await answerWriters[format].write(dataSetLayouts[operation.dataSet], page);
  if (!written.ok) return written;
  const { total } = page;
  const hint = total === 0 ? await queryHint(operation, request, query.state, service) : {};
  const plainHeaders = { ...contentDisposition(query), ...hint };
  const records = page.slices.reduce((sum, { numbers }) => sum + numbers.length, 0);
  const counts = { total, records };
  if (isHead && coding === undefined)
    return success({ body: bytesOf(written.value), headers: plainHeaders, ...counts });
  const plain = joinPieces(written.value, (bytes) => answers.allocate(bytes));
  const coded = await encodeBody(plain, coding);
  if (coded.body !== plain) buffers.release(plain);
  const made = { body: coded.body, headers: { ...plainHeaders, ...coded.headers }, ...counts };
  // An answer without records may have a hint, which repeats what was asked; the digest has only its canonical form.
  if (total > 0) answers.offer(digest, made);
  return success(isHead ? lengthOf(made, service) : made);
}

/** HEAD does not send the body, so it is released at once. */
function lengthOf({ body, ...others }: CachedAnswer, { buffers }: Service): MadeAnswer {
  buffers.release(body);
  return { ...others, body: body.length };
}

/** A browser saves a CSV answer as a file, each page of a walk under its own name. */
function contentDisposition({ operation, request, format }: Query): HeaderFields {
  if (format !== 'csv') return {};
  const page = request.startIndex === 0 ? '' : `-${request.startIndex}`;
  return { 'Content-Disposition': `attachment; filename="${operation.name}${page}.csv"` };
}
