// An operation as an HTTP function: key, query, search, answer, headers, in the order of D31.

import { answerWriters } from '../../render/answer-writers';
import { planTotals } from '../../render/write-totals';
import type { Operation } from '../../query/operations';
import { recordCount, type AnswerFormat } from '../../query/paging-and-format';
import { splitQuery, type ParameterError } from '../../query/query-values';
import { readRequest, type OperationRequest } from '../../query/read-request';
import { openPlaceReleases } from '../../search/places/plan-places';
import { dataSetLayouts } from '../../records/data-sets';
import { openReleases, type ReadRelease, openReplaced } from '../../search/plan-page';
import { resolveBoundary } from '../../search/resolve-boundary';
import type { CatalogState } from '../../store/catalog-types';
import { currentDeadline } from '../../store/deadline';
import { countFacets, conditionOfFacets } from '../../aggregate/facets';
import { success, type Result } from '../../values/result';
import { keyHolderFunction } from '../access';
import { answerDigest, clientCopy, entityTag, lastModified } from '../conditional-requests';
import { countHeaders, linkHeader, termsLinks, walkLinks } from '../outcome/links';
import { findOrMakeAnswer, type OpenedQuery } from './make-answer';
import { planAnswer } from './planned-answer';
import { negotiateCoding, negotiateFormat } from '../outcome/negotiation';
import { badParameters, notAcceptable, OVERLOADED, refused, type HeaderFields, type Outcome } from '../outcome/outcome';
import { QUERY_BYTES, RecentQuery, recentQueryKey, type QueryInState, type ReadQuery } from '../memory/recent-queries';
import { answerFromState } from '../memory/request-queue';
import type { AskedRequest, HttpFunction, Service } from '../service';
import type { Condition } from '../../query/condition';

/** A query as one client asks it. */
interface AskedQuery extends OpenedQuery, Pick<QueryInState, 'terms'> {
  readonly recent: RecentQuery;
  /** Last-Modified, as of before the search: a later one can fall into the second that is over after it. */
  readonly modified: string | undefined;
}

export function endpoint(operation: Operation): HttpFunction {
  return keyHolderFunction(operation, (...asked) => answer(operation, ...asked));
}

async function answer(
  operation: Operation,
  { method, headers }: AskedRequest,
  text: string,
  service: Service,
): Promise<Outcome> {
  const key = recentQueryKey(operation, text, headers);
  let recent = key === undefined ? undefined : service.queries.get(key);
  if (recent === undefined) {
    const read = readQuery(operation, text, headers, service);
    if (read.kind === 'problem') return read;
    recent = new RecentQuery(read);
    if (key !== undefined) service.queries.set(key, recent, QUERY_BYTES);
  }
  const asked = recent;
  return answerFromState(asked.read.request.dataVersion, service, async (state) => {
    // A request that waited too long for its turn is not searched for.
    currentDeadline().check();
    return answerQuery(await openQuery(asked, state, method === 'HEAD', service), headers, service);
  });
}

function readQuery(
  operation: Operation,
  text: string,
  headers: AskedRequest['headers'],
  service: Service,
): ReadQuery | Extract<Outcome, { kind: 'problem' }> {
  const read = readRequest(operation, splitQuery(text), service.reading);
  if (!read.ok) return { kind: 'problem', problem: badParameters(read.errors) };
  const { request } = read;
  const format = request.format ?? negotiateFormat(headers.get('accept'), operation.formats);
  if (format === undefined) return { kind: 'problem', problem: notAcceptable(operation.formats) };
  return { kind: 'read', operation, request, format, coding: negotiateCoding(headers.get('accept-encoding')) };
}

async function openQuery(
  recent: RecentQuery,
  state: CatalogState,
  isHead: boolean,
  service: Service,
): Promise<AskedQuery> {
  const { operation, request } = recent.read;
  const known = recent.inState;
  if (known?.state === state) {
    const releases = async (): Promise<readonly ReadRelease[]> =>
      known.isNowhere ? [] : releasesOf(operation, known.request, state, service);
    return { ...known, recent, releases, isHead, modified: lastModified(state, service.now()) };
  }
  const condition = await resolveBoundary(service, state, request.condition);
  // No place is there whose geometry could be the boundary, so nothing matches.
  const releases =
    condition === undefined ? [] : await releasesOf(operation, { ...request, condition }, state, service);
  const opened = rememberIn(recent, state, condition, releases);
  const modified = lastModified(state, service.now());
  return { ...opened, recent, releases: () => Promise.resolve(releases), isHead, modified };
}

function releasesOf(
  { kind, dataSet }: Operation,
  { condition, facets }: OperationRequest,
  state: CatalogState,
  service: Service,
): Promise<readonly ReadRelease[]> {
  if (kind === 'removed') return openReplaced(service, state, dataSet, condition);
  if (kind === 'places') return openPlaceReleases(service, state, dataSetLayouts[dataSet].placeKind, condition);
  return openReleases(service, state, dataSet, conditionOfFacets(condition, facets));
}

function rememberIn(
  recent: RecentQuery,
  state: CatalogState,
  condition: Condition | undefined,
  releases: readonly ReadRelease[],
): QueryInState {
  const { operation, format, coding } = recent.read;
  const request = { ...recent.read.request, condition: condition ?? recent.read.request.condition };
  const digest = answerDigest(operation, request, releases, [format, coding ?? 'identity']);
  const terms = termsLinks(releases.map(({ entry }) => entry));
  const isNowhere = condition === undefined;
  recent.inState = { operation, format, coding, request, state, digest, isNowhere, terms };
  return recent.inState;
}

async function answerQuery(query: AskedQuery, sent: AskedRequest['headers'], service: Service): Promise<Outcome> {
  const { request } = query;
  const copy = clientCopy(sent, query.digest, query.state);
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
async function totalOf(query: AskedQuery, service: Service): Promise<Result<number>> {
  const { operation, request } = query;
  switch (operation.kind) {
    case 'records':
    case 'removed':
    case 'places':
      return success((await planAnswer(query, service)).total);
    case 'facets':
      return success(
        (await countFacets(await query.releases(), request.condition, request.facets, service.caches)).total,
      );
    case 'totals': {
      const planned = await planTotals(operation.dataSet, request, await query.releases(), service.caches);
      return planned.ok ? success(planned.value.totals.count) : planned;
    }
  }
}

function tooManyGroups({ request }: AskedQuery, message: string): ParameterError {
  return { parameter: 'GroupBy', message, value: request.groupBy.map(({ name }) => name).join(', ') };
}

/** The headers that follow from the query, its releases and its total, in the order in which they are sent. */
function headersOf(query: AskedQuery, total: number, publicUrl: string): HeaderFields {
  const { recent, request, state, digest, modified, terms } = query;
  const last = recent.answered;
  if (last?.state === state && last.total === total && last.modified === modified) return last.headers;
  const hasPages = query.operation.kind !== 'facets';
  const headers = {
    'Data-Version': state.version,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept, Accept-Encoding',
    ...(modified === undefined ? {} : { 'Last-Modified': modified }),
    ETag: entityTag(digest, total),
    ...linkHeader([...(hasPages ? walkLinks(query, total, publicUrl) : []), ...terms]),
    ...(hasPages ? countHeaders(request, total) : { 'X-Total-Count': String(total) }),
  };
  recent.answered = { state, total, modified, headers };
  return headers;
}

function tooLarge(format: AnswerFormat, fitting: number, { pageBytes }: Service): Omit<ParameterError, 'value'> {
  const megabytes = (name: AnswerFormat): string => `${Math.floor(pageBytes[name] / (1024 * 1024))} MB`;
  const [fit, others] = fitting === 0 ? ['no record fits', 'the first'] : [`${fitting} records fit`, 'more'];
  const hint = format === 'json' ? '' : `; json may have ${megabytes('json')}`;
  const message = `${fit}: ${others} from this StartIndex on needs over ${megabytes(format)} in ${format}${hint}`;
  return { parameter: recordCount.name, message };
}
