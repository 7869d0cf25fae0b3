// The kinds of answers. A search is known by its digest before it is answered, so that answers that were sent before,
// and a 304 to a client that names their tag, cost no search. A document, such as the inventory, is written first: its
// tag stands for its text. Content, such as a page, is there already.

import type { Readable } from 'node:stream';
import type { OperationParameter } from '../../query/operations';
import { splitQuery } from '../../query/query-string';
import { type OperationRequest, readRequest } from '../../query/read-request';
import type { CatalogRelease } from '../../search/open-releases';
import { resolveBoundary } from '../../search/resolve-boundary';
import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import { digestContent } from '../../values/digest';
import type { CachedAnswer } from './answer-cache';
import { type Access, getQueryText } from './authorize';
import type { Reservation } from './bytes-in-flight';
import {
  computeAnswerDigest,
  findClientCopy,
  formatEntityTag,
  formatLastModified,
  matchEntityTags,
} from './conditional-requests';
import { type ContentCoding, encodeBody, type EncodedBody, negotiateCoding } from './negotiation';
import { badParameters, type HeaderFields, type Outcome, type Refusal, refuse } from './outcome';
import { answerFromState, type Route } from './pipeline';
import type { HttpRequest, PageCache, PageContent, Service } from './service';

type ReadOutcome<Query> = { readonly kind: 'read'; readonly query: Query } | Refusal;

/** Reads the parameters of an operation. */
export function readParameters(
  { parameters }: { readonly parameters: readonly OperationParameter[] },
  text: string,
  { readingSettings: reading }: Pick<Service, 'readingSettings'>,
): ReadOutcome<OperationRequest> {
  const read = readRequest(parameters, splitQuery(text), reading);
  return read.ok ? { kind: 'read', query: read.query } : refuse(badParameters(read.errors));
}

/** The query as it was read, before any data are looked at. */
export interface SearchQuery {
  readonly request: OperationRequest;
}

/** A query over one catalog state. */
export interface OpenedSearch<Query extends SearchQuery> {
  /** With the geometry of a boundary that was named. */
  readonly query: Query;
  readonly state: CatalogState;
  /** Those that can have what is asked for; none where a boundary was named whose place is not in the data. */
  readonly releases: readonly CatalogRelease[];
  /** Stands for the bytes of the answer. */
  readonly digest: string;
  readonly coding: ContentCoding | undefined;
  /** Last-Modified, as of before the search: a later one can fall into the second that is over after it. */
  readonly modified: string | undefined;
}

/** The service, the request, and the memory that the answer may take: it is resized before the answer is made. */
export interface RenderContext {
  readonly service: Service;
  readonly request: HttpRequest;
  readonly reservation: Reservation;
}

/** An answer that is complete in memory; without any bytes it is sent as 204. Its headers are those of a 200 alone. */
export interface CompleteAnswer extends CachedAnswer {
  readonly kind: 'complete';
  /** When the answer cache takes it: a tile of a map is soon asked for again, other than the pages of a walk. */
  readonly cachePolicy: 'at once' | 'the second time' | 'never';
}

/** An answer that is sent while it is made. */
export interface StreamedAnswer extends Omit<CachedAnswer, 'body'> {
  readonly kind: 'streamed';
  /** Called once, and not for HEAD. */
  readonly read: () => Readable;
}

/** Headers of 200 and 304 beside those that all searches, or all documents, have. */
export interface ExtraHeaders {
  /** Stand before those to terms of use. */
  readonly links?: readonly string[];
  readonly headers?: HeaderFields;
}

interface SearchRoute<Query extends SearchQuery> {
  /** Begins what the digest stands for, so that no two routes have the same. */
  readonly name: string;
  readonly access: Access;
  /** Streams are neither coded nor cached, and their tags are as weak as those of an answer that has its own time. */
  readonly delivery: 'complete' | 'streamed';
  readonly tag: 'strong' | 'weak';
  readonly vary: string;
  /** From the text of the query. */
  readonly read: (asked: HttpRequest, text: string, service: Service) => ReadOutcome<Query>;
  /** What else than the query and the releases the bytes of the answer follow from. */
  readonly representationKey: (query: Query, coding: string) => readonly string[];
  readonly openReleases: (query: Query, state: CatalogState, service: Service) => Promise<readonly CatalogRelease[]>;
  readonly getHeaders?: (opened: OpenedSearch<Query>, total: number, service: Service) => ExtraHeaders;
  /** The total of the answer, for a client that has it and does not say its tag. */
  readonly count: (opened: OpenedSearch<Query>, service: Service) => Promise<number | Refusal>;
  readonly render: (
    opened: OpenedSearch<Query>,
    making: RenderContext,
  ) => Promise<CompleteAnswer | StreamedAnswer | Refusal>;
}

export function searchRoute<Query extends SearchQuery>(route: SearchRoute<Query>): Route {
  const answer: Route['answer'] = (asked, service) => {
    const read = route.read(asked, getQueryText(asked), service);
    if (read.kind === 'problem') return Promise.resolve(read);
    return answerFromState(read.query.request.dataVersion, service, async (state) => {
      const opened = await openSearch(route, read.query, state, { request: asked, service });
      const copy = findClientCopy(asked.headers, opened.digest, state);
      if (copy === undefined) return answerAnew(route, opened, asked, service);
      const total = copy.total ?? (await route.count(opened, service));
      if (typeof total !== 'number') return total;
      return { kind: 'no body', status: 304, headers: searchHeaders(route, opened, total, service) };
    });
  };
  return { access: route.access, answer };
}

async function openSearch<Query extends SearchQuery>(
  route: SearchRoute<Query>,
  read: Query,
  state: CatalogState,
  { request: asked, service }: Pick<RenderContext, 'request' | 'service'>,
): Promise<OpenedSearch<Query>> {
  const modified = formatLastModified(state, service.now());
  const coding = route.delivery === 'complete' ? negotiateCoding(asked.headers.get('accept-encoding')) : undefined;
  const condition = await resolveBoundary(service, state, read.request.condition);
  const request = { ...read.request, condition: condition ?? read.request.condition };
  const query = { ...read, request };
  const releases = condition === undefined ? [] : await route.openReleases(query, state, service);
  const digest = computeAnswerDigest(route, request, releases, route.representationKey(query, coding ?? 'identity'));
  return { query, state, releases, digest, coding, modified };
}

/** From the answer cache, or made. */
async function answerAnew<Query extends SearchQuery>(
  route: SearchRoute<Query>,
  opened: OpenedSearch<Query>,
  asked: HttpRequest,
  service: Service,
): Promise<Outcome> {
  const known = service.answers.find(opened.digest);
  if (known !== undefined) {
    service.metrics.cached.inc();
    return completeOutcome(known, searchHeaders(route, opened, known.total, service));
  }
  if (route.delivery !== 'streamed') service.metrics.searches.inc();
  const reservation = service.bytesInFlight.reserve();
  let outcome: Outcome | undefined;
  try {
    outcome = await makeAnswer(route, opened, { service, request: asked, reservation });
  } finally {
    // What an answer took is released by whoever sends it.
    if (outcome?.kind !== 'answer') reservation.release();
  }
  return outcome.kind === 'answer' ? { ...outcome, reservation } : outcome;
}

async function makeAnswer<Query extends SearchQuery>(
  route: SearchRoute<Query>,
  opened: OpenedSearch<Query>,
  making: RenderContext,
): Promise<Outcome> {
  const { service } = making;
  const made = await route.render(opened, making);
  if (made.kind === 'problem') return made;
  const { contentType, total, records } = made;
  const headers = searchHeaders(route, opened, total, service);
  if (made.kind === 'streamed') {
    const { read } = made;
    return {
      kind: 'file',
      status: 200,
      bytes: undefined,
      read,
      contentType,
      records,
      headers: { ...headers, ...made.headers },
    };
  }
  const coded = await encodeBody(made.body, opened.coding);
  const answer = { ...coded, headers: { ...made.headers, ...coded.headers }, contentType, total, records };
  if (made.cachePolicy !== 'never') service.answers.offer(opened.digest, answer, made.cachePolicy);
  return completeOutcome(answer, headers);
}

function completeOutcome({ body, contentType, records, headers: own }: CachedAnswer, common: HeaderFields): Outcome {
  const headers = { ...common, ...own };
  if (body.length === 0) return { kind: 'no body', status: 204, headers };
  return { kind: 'answer', body, contentType, headers, records };
}

function searchHeaders<Query extends SearchQuery>(
  { tag, vary, getHeaders: headersOf }: SearchRoute<Query>,
  opened: OpenedSearch<Query>,
  total: number,
  service: Service,
): HeaderFields {
  const { state, digest, releases, modified } = opened;
  const { links = [], headers = {} } = headersOf?.(opened, total, service) ?? {};
  return {
    ...commonHeaders(state, vary),
    ...(modified === undefined ? {} : { 'Last-Modified': modified }),
    ETag: `${tag === 'weak' ? 'W/' : ''}${formatEntityTag(digest, total)}`,
    ...linkHeader([...links, ...termsLinks(releases.map(({ entry }) => entry))]),
    'X-Total-Count': String(total),
    ...headers,
  };
}

/** A text about what a catalog state publishes. */
interface Document extends ExtraHeaders {
  readonly body: string;
  readonly contentType: string;
  /** What the tag follows from, beside the coding; the digest of the body where it is left out. */
  readonly tagSource?: string;
  /** Stands in the tag. */
  readonly count: number;
  /** The data sets that the text is about. */
  readonly entries: readonly CatalogEntry[];
  readonly records?: number;
}

interface DocumentQuery {
  readonly dataVersion?: string | undefined;
}

interface DocumentRoute<Query extends DocumentQuery> {
  readonly access: Access;
  readonly vary: string;
  readonly read: (asked: HttpRequest, text: string, service: Service) => ReadOutcome<Query>;
  readonly write: (query: Query, state: CatalogState, service: Service) => Promise<Document | Refusal>;
}

export function documentRoute<Query extends DocumentQuery>(declared: DocumentRoute<Query>): Route {
  const { access, vary, read, write } = declared;
  const answer: Route['answer'] = (asked, service) => {
    const found = read(asked, getQueryText(asked), service);
    if (found.kind === 'problem') return Promise.resolve(found);
    return answerFromState(found.query.dataVersion, service, async (state) => {
      const written = await write(found.query, state, service);
      return 'kind' in written ? written : documentOutcome(written, { state, vary }, asked);
    });
  };
  return { access, answer };
}

async function documentOutcome(
  { body, contentType, tagSource: tagged = digestContent(body), count, entries, links = [], ...written }: Document,
  { state, vary }: { readonly state: CatalogState; readonly vary: string },
  { headers: sent }: HttpRequest,
): Promise<Outcome> {
  const coding = negotiateCoding(sent.get('accept-encoding'));
  const digest = digestContent(JSON.stringify([tagged, coding ?? 'identity']));
  const headers = {
    ...commonHeaders(state, vary),
    ETag: formatEntityTag(digest, count),
    ...linkHeader([...links, ...termsLinks(entries)]),
    ...written.headers,
  };
  if (matchEntityTags(sent.get('if-none-match') ?? '', digest) !== undefined)
    return { kind: 'no body', status: 304, headers };
  const coded = await encodeBody(Buffer.from(body), coding);
  const { records } = written;
  return { kind: 'answer', body: coded.body, contentType, headers: { ...headers, ...coded.headers }, records };
}

/** A page or a file that is there already; `policy` is its content security policy (ADR 0045). */
export async function contentOutcome(
  { headers: sent }: HttpRequest,
  content: PageContent,
  { policy, caching }: { readonly policy: string; readonly caching: string },
  pages: PageCache,
): Promise<Outcome> {
  const coding = negotiateCoding(sent.get('accept-encoding'));
  const digest = coding === undefined ? content.digest : digestContent(`${content.digest} ${coding}`);
  const headers = {
    'Content-Security-Policy': policy,
    ETag: formatEntityTag(digest, content.body.length),
    'Cache-Control': caching,
    Vary: 'Accept-Encoding',
  };
  const known = sent.get('if-none-match') ?? '';
  if (matchEntityTags(known, digest) !== undefined) return { kind: 'no body', status: 304, headers };
  const encoded = await encodeOnce({ ...content, digest }, coding, pages);
  const { contentType } = content;
  return { kind: 'answer', body: encoded.body, contentType, headers: { ...headers, ...encoded.headers } };
}

/** From the cache of pages where it was encoded before; the digest stands for the encoded bytes. */
async function encodeOnce(
  content: PageContent,
  coding: ContentCoding | undefined,
  pages: PageCache,
): Promise<EncodedBody> {
  if (coding === undefined) return { body: content.body, headers: {} };
  const key = `${coding} ${content.digest}`;
  const known = (coding === 'br' ? content.brotli : undefined) ?? pages.get(key)?.body;
  if (known !== undefined) return { body: known, headers: { 'Content-Encoding': coding } };
  const encoded = await encodeBody(content.body, coding);
  if (encoded.body !== content.body) pages.set(key, { ...content, body: encoded.body }, encoded.body.length);
  return encoded;
}

function commonHeaders({ version }: CatalogState, vary: string): HeaderFields {
  return { 'Data-Version': version, 'Cache-Control': 'private, no-cache', Vary: vary };
}

/** Bounds all links: proxies commonly take 4 KiB of headers. A client with a longer query counts StartIndex up. */
const MAX_LINK_BYTES = 3_000;

/** RFC 8288. The most useful links come first; those that do not fit are left out. */
function linkHeader(links: readonly string[]): HeaderFields {
  let bytes = 0;
  const header = links.filter((link) => (bytes += link.length) <= MAX_LINK_BYTES).join(', ');
  return header === '' ? {} : { Link: header };
}

/** Links to the licences and terms of use of an answer's data sets, where these are web addresses, each once. */
function termsLinks(entries: readonly CatalogEntry[]): readonly string[] {
  const licenses = entries.map(({ submission }) => linkTo(submission?.license, 'license'));
  const terms = entries.map(({ submission }) => linkTo(submission?.termsOfUse, 'terms-of-service'));
  return [...new Set([...licenses, ...terms])].filter((link) => link !== undefined);
}

/** In ASCII, as a header must be. */
function linkTo(address: string | null | undefined, relation: string): string | undefined {
  if (address === null || address === undefined || !/^https?:\/\//i.test(address)) return undefined;
  return URL.canParse(address) ? `<${new URL(address).href.replaceAll('>', '%3E')}>; rel="${relation}"` : undefined;
}
