// Routes that answer with a document, such as the inventory. The document is written before its entity tag is known,
// unless a finished document is in the answer cache.

import type { QueryItem } from '../../query/query-string';
import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import { digestContent } from '../../values/digest';
import type { CachedAnswer } from './answer-cache';
import { buildLinkHeader, buildStateHeaders, buildTermsLinks, type ExtraHeaders } from './answer-headers';
import { type Access, getParameterItems } from './authorize';
import { ANSWER_FORMAT, formatEntityTag, getTagDigest, matchEntityTags } from './conditional-requests';
import { encodeBody, negotiateCoding } from './negotiation';
import type { HeaderFields, Outcome, Refusal } from './outcome';
import { answerFromState } from './pipeline';
import type { ReadOutcome } from './read-parameters';
import type { Route } from './route';
import type { HttpRequest, Service } from './service';

/** A document about the contents of a catalog state. */
export interface RouteDocument extends ExtraHeaders {
  readonly body: string;
  readonly contentType: string;
  /** What the entity tag depends on besides the coding. Defaults to the digest of the body. */
  readonly tagSource?: string;
  /** A count that becomes part of the entity tag. */
  readonly count: number;
  /** The data sets that the document describes. */
  readonly entries: readonly CatalogEntry[];
  readonly records?: number;
}

interface DocumentQuery {
  readonly dataVersion?: string | undefined;
}

interface DocumentRoute<Query extends DocumentQuery> {
  readonly access: Access;
  readonly acceptsPost?: Route['acceptsPost'];
  readonly vary: string;
  readonly read: (request: HttpRequest, items: readonly QueryItem[], service: Service) => ReadOutcome<Query>;
  readonly write: (query: Query, state: CatalogState, service: Service) => Promise<RouteDocument | Refusal>;
  /**
   * Everything that the answer depends on, except its content coding. If set, finished documents are cached; otherwise,
   * each request writes the document.
   */
  readonly cacheKey?: (query: Query, state: CatalogState, service: Service) => Promise<readonly string[]>;
}

export function documentRoute<Query extends DocumentQuery>(route: DocumentRoute<Query>): Route {
  const answer: Route['answer'] = (request, service) => {
    const parameters = route.read(request, getParameterItems(request), service);
    if (parameters.kind === 'problem') return Promise.resolve(parameters);
    return answerFromState(parameters.query.dataVersion, service, async (state) => {
      const document = await getDocument(route, parameters.query, state, { request, service });
      return 'kind' in document ? document : sendDocument(document, request);
    });
  };
  return { access: route.access, acceptsPost: route.acceptsPost ?? false, answer };
}

/** An encoded document with all of its headers. */
interface EncodedDocument extends Pick<CachedAnswer, 'body' | 'contentType' | 'headers'> {
  readonly records: number | undefined;
}

/** Returns the document from the cache, or writes it. */
async function getDocument<Query extends DocumentQuery>(
  { write, vary, cacheKey }: DocumentRoute<Query>,
  query: Query,
  state: CatalogState,
  { request, service }: { readonly request: HttpRequest; readonly service: Service },
): Promise<EncodedDocument | Refusal> {
  const coding = negotiateCoding(request.headers.get('accept-encoding'));
  const keyParts = await cacheKey?.(query, state, service);
  const key = keyParts && digestContent(JSON.stringify(['document', ANSWER_FORMAT, coding ?? 'identity', ...keyParts]));
  const cached = key === undefined ? undefined : service.answers.find(key);
  if (cached !== undefined) {
    service.metrics.cached.inc();
    return cached;
  }
  const document = await write(query, state, service);
  if ('kind' in document) return document;
  const digest = digestContent(
    JSON.stringify([document.tagSource ?? digestContent(document.body), coding ?? 'identity']),
  );
  const headers = { ...buildStateHeaders(state, vary), ...buildDocumentHeaders(document, digest) };
  const { contentType, records } = document;
  // With a cache key, a document is encoded even for a 304, so that the next request finds it in the cache.
  if (key === undefined && hasCopy(request, digest)) return { body: Buffer.alloc(0), contentType, headers, records };
  const coded = await encodeBody(Buffer.from(document.body), coding);
  const encoded = { body: coded.body, contentType, headers: { ...headers, ...coded.headers }, records };
  if (key !== undefined) {
    service.answers.offer(key, { ...encoded, total: document.count, records: document.records ?? 0 }, 'at once');
  }
  return encoded;
}

function buildDocumentHeaders({ count, links = [], entries, headers }: RouteDocument, digest: string): HeaderFields {
  return {
    ETag: formatEntityTag(digest, count),
    ...buildLinkHeader([...links, ...buildTermsLinks(entries)]),
    ...headers,
  };
}

function hasCopy({ headers }: HttpRequest, digest: string): boolean {
  return matchEntityTags(headers.get('if-none-match') ?? '', digest) !== undefined;
}

function sendDocument({ body, contentType, headers, records }: EncodedDocument, request: HttpRequest): Outcome {
  if (hasCopy(request, getTagDigest(headers['ETag'] ?? ''))) {
    const withoutCoding = Object.entries(headers).filter(([name]) => name !== 'Content-Encoding');
    return { kind: 'no body', status: 304, headers: Object.fromEntries(withoutCoding) };
  }
  return { kind: 'answer', body, contentType, headers, records };
}
