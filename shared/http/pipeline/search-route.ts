// Routes that answer with the result of a search. A digest of the query and the releases identifies the answer before
// the search. Therefore, a cached answer, or a 304 to a client that already has the answer, needs no search.

import type { Readable } from 'node:stream';
import type { QueryItem } from '../../query/query-string';
import type { OperationRequest } from '../../query/read-request';
import type { CatalogRelease } from '../../search/open-releases';
import { resolveBoundary } from '../../search/resolve-boundary';
import type { CatalogState } from '../../store/catalog-types';
import { digestContent } from '../../values/digest';
import type { CachedAnswer } from './answer-cache';
import { buildLinkHeader, buildStateHeaders, buildTermsLinks, type ExtraHeaders } from './answer-headers';
import { type Access, getParameterItems } from './authorize';
import type { Reservation } from './bytes-in-flight';
import { computeAnswerDigest, findClientCopy, formatEntityTag, formatLastModified } from './conditional-requests';
import { type ContentCoding, encodeBody, negotiateCoding } from './negotiation';
import type { HeaderFields, Outcome, Refusal } from './outcome';
import { answerFromState } from './pipeline';
import type { ReadOutcome } from './read-parameters';
import type { Route } from './route';
import type { HttpRequest, Service } from './service';

/** A parsed query, before any data is read. */
export interface SearchQuery {
  readonly request: OperationRequest;
}

/** A query on one catalog state. */
export interface OpenedSearch<Query extends SearchQuery> {
  /** The query. If it names a boundary, the boundary has been replaced with its geometry. */
  readonly query: Query;
  readonly state: CatalogState;
  /** The releases that can contain matches; none if the place of a named boundary is not in the data. */
  readonly releases: readonly CatalogRelease[];
  /** Identifies the bytes of the answer. */
  readonly digest: string;
  readonly coding: ContentCoding | undefined;
  /**
   * The header Last-Modified, computed before the search. By the end of the search, the second in which the state
   * became current could be over, and a later state within that second would go unnoticed.
   */
  readonly modified: string | undefined;
}

/**
 * What a search route needs to render an answer. The route must resize the reservation before it allocates the answer.
 */
export interface RenderContext {
  readonly service: Service;
  readonly request: HttpRequest;
  readonly reservation: Reservation;
}

/** An answer that is complete in memory. An empty body is sent as a 204. The headers apply only to a 200. */
export interface CompleteAnswer extends CachedAnswer {
  readonly kind: 'complete';
  /**
   * When the answer cache keeps the answer. Clients soon request a map tile again, but rarely the same page of a list.
   */
  readonly cachePolicy: 'at once' | 'the second time' | 'never';
}

/** An answer that is sent while it is written. */
export interface StreamedAnswer extends Omit<CachedAnswer, 'body'> {
  readonly kind: 'streamed';
  /** Called once; never called for HEAD. */
  readonly read: () => Readable;
}

interface SearchRoute<Query extends SearchQuery> {
  /** Part of the digest, so that no two routes share a digest. */
  readonly name: string;
  readonly access: Access;
  readonly acceptsPost?: Route['acceptsPost'];
  /** Streamed answers are neither compressed nor cached. */
  readonly delivery: 'complete' | 'streamed';
  readonly tag: 'strong' | 'weak';
  readonly vary: string;
  /** Reads the parameters. */
  readonly read: (request: HttpRequest, items: readonly QueryItem[], service: Service) => ReadOutcome<Query>;
  /** What the bytes of the answer depend on besides the query and the releases, such as the format. */
  readonly representationKey: (query: Query, coding: string) => readonly string[];
  /**
   * Inputs of the answer's bytes that are not in the digest, such as the spelling of parameters in links. Requests that
   * differ only in these have the same entity tag, but do not share a cached answer.
   */
  readonly cacheVariant?: (query: Query, state: CatalogState) => readonly string[];
  readonly openReleases: (query: Query, state: CatalogState, service: Service) => Promise<readonly CatalogRelease[]>;
  readonly getHeaders?: (opened: OpenedSearch<Query>, total: number, service: Service) => ExtraHeaders;
  /** Counts the matches for a 304 to a client that has the answer but sent no entity tag. */
  readonly count: (opened: OpenedSearch<Query>, service: Service) => Promise<number | Refusal>;
  /** Called only if the answer is not in the cache. */
  readonly render: (
    opened: OpenedSearch<Query>,
    context: RenderContext,
  ) => Promise<CompleteAnswer | StreamedAnswer | Refusal>;
}

export function searchRoute<Query extends SearchQuery>(route: SearchRoute<Query>): Route {
  const answer: Route['answer'] = (request, service) => {
    const parameters = route.read(request, getParameterItems(request), service);
    if (parameters.kind === 'problem') return Promise.resolve(parameters);
    const { query } = parameters;
    return answerFromState(query.request.dataVersion, service, async (state) => {
      const opened = await openSearch(route, query, state, { request, service });
      const copy = findClientCopy(request.headers, opened.digest, state);
      if (copy === undefined) return answerSearch(route, opened, request, service);
      const total = copy.total ?? (await route.count(opened, service));
      if (typeof total !== 'number') return total;
      return { kind: 'no body', status: 304, headers: buildSearchHeaders(route, opened, total, service) };
    });
  };
  return { access: route.access, acceptsPost: route.acceptsPost ?? false, answer };
}

async function openSearch<Query extends SearchQuery>(
  route: SearchRoute<Query>,
  parsed: Query,
  state: CatalogState,
  { request: httpRequest, service }: Pick<RenderContext, 'request' | 'service'>,
): Promise<OpenedSearch<Query>> {
  const modified = formatLastModified(state, service.now());
  const coding =
    route.delivery === 'complete' ? negotiateCoding(httpRequest.headers.get('accept-encoding')) : undefined;
  const condition = await resolveBoundary(service, state, parsed.request.condition);
  const request = { ...parsed.request, condition: condition ?? parsed.request.condition };
  const query = { ...parsed, request };
  const releases = condition === undefined ? [] : await route.openReleases(query, state, service);
  const digest = computeAnswerDigest(route, request, releases, route.representationKey(query, coding ?? 'identity'));
  return { query, state, releases, digest, coding, modified };
}

/** Returns the answer from the cache, or renders it. */
async function answerSearch<Query extends SearchQuery>(
  route: SearchRoute<Query>,
  opened: OpenedSearch<Query>,
  request: HttpRequest,
  service: Service,
): Promise<Outcome> {
  const cached = service.answers.find(getCacheKey(route, opened));
  if (cached !== undefined) {
    service.metrics.cached.inc();
    return toOutcome(cached, buildSearchHeaders(route, opened, cached.total, service));
  }
  if (route.delivery !== 'streamed') service.metrics.searches.inc();
  const reservation = service.bytesInFlight.reserve();
  let outcome: Outcome | undefined;
  try {
    outcome = await renderAnswer(route, opened, { service, request, reservation });
  } finally {
    // For an answer, the sender releases the reservation.
    if (outcome?.kind !== 'answer') reservation.release();
  }
  return outcome.kind === 'answer' ? { ...outcome, reservation } : outcome;
}

async function renderAnswer<Query extends SearchQuery>(
  route: SearchRoute<Query>,
  opened: OpenedSearch<Query>,
  context: RenderContext,
): Promise<Outcome> {
  const { service } = context;
  const rendered = await route.render(opened, context);
  if (rendered.kind === 'problem') return rendered;
  const { contentType, total, records } = rendered;
  const headers = buildSearchHeaders(route, opened, total, service);
  if (rendered.kind === 'streamed') {
    const { read } = rendered;
    return {
      kind: 'file',
      status: 200,
      bytes: undefined,
      read,
      contentType,
      records,
      headers: { ...headers, ...rendered.headers },
    };
  }
  const coded = await encodeBody(rendered.body, opened.coding);
  const answer = { ...coded, headers: { ...rendered.headers, ...coded.headers }, contentType, total, records };
  if (rendered.cachePolicy !== 'never') {
    service.answers.offer(getCacheKey(route, opened), answer, rendered.cachePolicy);
  }
  return toOutcome(answer, headers);
}

function getCacheKey<Query extends SearchQuery>(
  { cacheVariant }: SearchRoute<Query>,
  { digest, query, state }: OpenedSearch<Query>,
): string {
  return cacheVariant === undefined ? digest : digestContent(JSON.stringify([digest, ...cacheVariant(query, state)]));
}

function toOutcome({ body, contentType, records, headers: own }: CachedAnswer, common: HeaderFields): Outcome {
  const headers = { ...common, ...own };
  if (body.length === 0) return { kind: 'no body', status: 204, headers };
  return { kind: 'answer', body, contentType, headers, records };
}

function buildSearchHeaders<Query extends SearchQuery>(
  { tag, vary, getHeaders }: SearchRoute<Query>,
  opened: OpenedSearch<Query>,
  total: number,
  service: Service,
): HeaderFields {
  const { state, digest, releases, modified } = opened;
  const { links = [], headers = {} } = getHeaders?.(opened, total, service) ?? {};
  return {
    ...buildStateHeaders(state, vary),
    ...(modified === undefined ? {} : { 'Last-Modified': modified }),
    ETag: `${tag === 'weak' ? 'W/' : ''}${formatEntityTag(digest, total)}`,
    ...buildLinkHeader([...links, ...buildTermsLinks(releases.map(({ entry }) => entry))]),
    'X-Total-Count': String(total),
    ...headers,
  };
}
