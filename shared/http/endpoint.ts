// An operation as an HTTP function: key, query, search, answer, headers, in the order of D31.

import { answerWriters } from '../answer/answer-writers';
import { planTotals } from '../answer/write-totals';
import type { Operation } from '../query/operations';
import { recordCount, type AnswerFormat } from '../query/paging-and-format';
import type { ParameterError, QueryItem } from '../query/query-values';
import { readRequest } from '../query/read-request';
import { openReleases, planPage } from '../search/plan-page';
import { resolveBoundary } from '../search/resolve-boundary';
import type { CatalogState } from '../store/catalog-types';
import { currentDeadline } from '../store/deadline';
import { success, type Result } from '../values/result';
import { keyHolderFunction } from './access';
import { answerDigest, clientCopy, entityTag, lastModified } from './conditional-requests';
import { countHeaders, linkHeader, termsLinks, walkLinks } from './links';
import { findOrMakeAnswer, type OpenedQuery } from './make-answer';
import { negotiateCoding, negotiateFormat } from './negotiation';
import { badParameters, notAcceptable, OVERLOADED, refused } from './outcome';
import type { HeaderFields, Outcome } from './outcome';
import { answerFromState } from './request-queue';
import type { AskedRequest, HttpFunction, Service } from './service';

/** A query as it was read and negotiated, before any data are looked at. */
interface Query extends Pick<OpenedQuery, 'operation' | 'request' | 'format' | 'coding' | 'isHead'> {
  readonly sent: AskedRequest['headers'];
}

interface ReadableQuery extends OpenedQuery, Query {
  /** Last-Modified, as of before the search: a later publish can fall into the second that is over after it. */
  readonly modified: string | undefined;
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
  const format = request.format ?? negotiateFormat(headers.get('accept'), operation.formats);
  if (format === undefined) return refused(notAcceptable(operation.formats));
  const coding = negotiateCoding(headers.get('accept-encoding'));
  const query = { operation, request, format, coding, isHead: method === 'HEAD', sent: headers };
  return answerFromState(request.dataVersion, service, async (state) => {
    // A request that waited too long for its turn is not searched for.
    currentDeadline().check();
    return answerQuery(await openQuery(query, state, service), service);
  });
}

async function openQuery(query: Query, state: CatalogState, service: Service): Promise<ReadableQuery> {
  const { operation, format, coding } = query;
  const criteria = await resolveBoundary(service, state, query.request.criteria);
  // No place is there whose geometry could be the boundary, so nothing matches.
  const releases = criteria === undefined ? [] : await openReleases(service, state, operation.dataSet, criteria);
  const request = { ...query.request, criteria: criteria ?? query.request.criteria };
  const digest = answerDigest(operation, request, releases, [format, coding ?? 'identity']);
  return { ...query, request, state, releases, digest, modified: lastModified(releases, service.now()) };
}

async function answerQuery(query: ReadableQuery, service: Service): Promise<Outcome> {
  const { request } = query;
  const copy = clientCopy(query.sent, query.digest, query.state);
  if (copy !== undefined) {
    const total = copy.total === undefined ? await totalOf(query, service) : success(copy.total);
    if (!total.ok) return refused(badParameters([tooManyGroups(query, total.problem)]));
    return { kind: 'not modified', headers: headersOf(query, total.value, service.publicUrl) };
  }
  const made = await findOrMakeAnswer(query, service);
  switch (made.kind) {
    case 'too large':
      return refused(
        badParameters([{ ...tooLarge(query.format, made.fitting, service), value: String(request.recordCount) }]),
      );
    case 'too many groups':
      return refused(badParameters([tooManyGroups(query, made.problem)]));
    case 'no room':
      return refused(OVERLOADED);
    case 'made': {
      const { body, total, records, reservation } = made;
      const headers = { ...headersOf(query, total, service.publicUrl), ...made.headers };
      const { contentType } = answerWriters[query.format];
      return { kind: 'answer', body, contentType, headers, records, ...(reservation && { reservation }) };
    }
  }
}

/** Records or rows, over all pages. */
async function totalOf({ operation, request, releases }: ReadableQuery, { caches }: Service): Promise<Result<number>> {
  if (operation.kind === 'records') return success((await planPage(releases, request.criteria, request, caches)).total);
  const planned = await planTotals(operation.dataSet, request, releases, caches);
  return planned.ok ? success(planned.value.totals.count) : planned;
}

function tooManyGroups({ request }: Query, message: string): ParameterError {
  return { parameter: 'GroupBy', message, value: request.groupBy.map(({ name }) => name).join(', ') };
}

/** The headers that follow from the query, its releases and its total, in the order in which they are sent. */
function headersOf(query: ReadableQuery, total: number, publicUrl: string): HeaderFields {
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

function tooLarge(format: AnswerFormat, fitting: number, { pageBytes }: Service): Omit<ParameterError, 'value'> {
  const megabytes = (name: AnswerFormat): string => `${Math.floor(pageBytes[name] / (1024 * 1024))} MB`;
  const [fit, others] = fitting === 0 ? ['no record fits', 'the first'] : [`${fitting} records fit`, 'more'];
  const hint = format === 'json' ? '' : `; json may have ${megabytes('json')}`;
  const message = `${fit}: ${others} from this StartIndex on needs over ${megabytes(format)} in ${format}${hint}`;
  return { parameter: recordCount.name, message };
}
