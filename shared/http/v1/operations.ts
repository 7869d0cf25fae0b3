// The operations under /v1 (D1 to D43): records, removed records, places, totals and facets. Each is a search whose
// answer is a page or a table in one of the operation's formats.

import { countFacets, removeFacetFilters } from '../../aggregate/facets';
import { KEY_PATTERN } from '../../query/access-key-parameter';
import type { AnswerFormat } from '../../query/format-parameters';
import type { Operation } from '../../query/operations';
import { recordCount } from '../../query/page-parameters';
import type { OperationRequest } from '../../query/read-request';
import { dataSetLayouts } from '../../records/data-sets';
import { placeLayouts } from '../../records/places';
import { answerWriters, writeRemoved } from '../../render/answer-writers';
import type { WrittenPage } from '../../render/join-texts';
import type { ReadablePage } from '../../render/read-page';
import { type PlannedTexts, planPageTexts } from '../../render/read-places';
import { planTotals, writeFacets, writeTotals } from '../../render/write-totals';
import { type CatalogRelease, openReplacedReleases } from '../../search/open-releases';
import { openListedReleases } from '../../search/places/open-place-releases';
import { type Page } from '../../search/plan-page';
import type { CatalogState } from '../../store/catalog-types';
import type { ExtraHeaders } from '../pipeline/answer-headers';
import type { Reservation } from '../pipeline/bytes-in-flight';
import { negotiateFormat } from '../pipeline/negotiation';
import { badParameters, type HeaderFields, notAcceptable, OVERLOADED, type Refusal, refuse } from '../pipeline/outcome';
import { readParameters } from '../pipeline/read-parameters';
import type { Route, RouteEntry } from '../pipeline/route';
import { type OpenedSearch, type SearchQuery, searchRoute } from '../pipeline/search-route';
import type { Service } from '../pipeline/service';
import { findBoundarySystem, findBoundarySystemHint } from './boundary-system-hint';
import { findLargestRecordHint } from './largest-record-hint';
import { buildQueryHint } from './query-hint';
import { findUnitTypesHint } from './unit-types-hint';

interface OperationQuery {
  readonly operation: Operation;
  readonly request: OperationRequest;
  readonly format: AnswerFormat;
}

type OpenedQuery = OpenedSearch<OperationQuery>;

/** Returns the entry of an operation in the routes of its function. */
export function operationEntry(operation: Operation): RouteEntry {
  return { name: operation.name, path: operation.route, route: operationRoute(operation) };
}

export function operationRoute(operation: Operation): Route {
  return searchRoute<OperationQuery>({
    name: operation.name,
    access: 'key',
    acceptsPost: true,
    delivery: 'complete',
    tag: 'strong',
    vary: 'Accept, Accept-Encoding',
    read: (httpRequest, items, service) => {
      const read = readParameters(operation, items, service);
      if (read.kind === 'problem') return read;
      const request = read.query;
      const format = request.format ?? negotiateFormat(httpRequest.headers.get('accept'), operation.formats);
      if (format === undefined) return refuse(notAcceptable(operation.formats));
      return { kind: 'read', query: { operation, request, format } };
    },
    // The hint depends on the coordinate system of the boundary, so answers for the same boundary can differ.
    representationKey: ({ request, format }, coding) => {
      const system = findBoundarySystem(operation, request);
      return system === undefined ? [format, coding] : [format, coding, system];
    },
    openReleases: openReleasesForQuery,
    // Facets have no pages.
    getHeaders: (opened, total, { publicUrl }) =>
      operation.kind === 'facets' ? {} : buildPageHeaders(opened, total, `${publicUrl}/${operation.route}`),
    count: async (opened, service) => {
      const planned = await planAnswer(opened, service);
      return planned.kind === 'planned' ? planned.total : planned;
    },
    render: async (opened, { service, reservation }) => {
      const planned = await planAnswer(opened, service);
      if (planned.kind === 'problem') return planned;
      const { total, records } = planned;
      const body = await planned.write(reservation);
      if ('kind' in body) return body;
      const { query } = opened;
      const hint = joinHints([...(await listHints(opened, total, service)), await planned.findHint?.()]);
      return {
        kind: 'complete',
        body,
        contentType: answerWriters[query.format].contentType,
        headers: { ...contentDisposition(query), ...hint },
        total,
        records,
        cachePolicy: total > 0 ? 'the second time' : 'never',
      };
    },
  });
}

/** Hints quote values as sent, but the digest covers only their canonical form. */
async function listHints(
  opened: OpenedQuery,
  total: number,
  service: Service,
): Promise<readonly (string | undefined)[]> {
  const { query, state } = opened;
  const { operation, request } = query;
  const hints =
    total === 0
      ? [(await buildQueryHint(operation, request, state, service))['Query-Hint']]
      : await listTotalsHints(opened, total, service);
  return [...hints, findBoundarySystemHint(operation, request)];
}

/** Returns hints about totals, as sentences. */
async function listTotalsHints(
  { query: { operation, request }, releases }: OpenedQuery,
  rowCount: number,
  { caches }: Service,
): Promise<readonly (string | undefined)[]> {
  if (operation.kind !== 'totals') return [];
  return [await findUnitTypesHint(releases, { ...request, dataSet: operation.dataSet }, rowCount, caches)];
}

/** Joins several hints into the sentences of one header. */
function joinHints(hints: readonly (string | undefined)[]): HeaderFields {
  const sentences = hints.filter((hint) => hint !== undefined);
  const ended = sentences.map((sentence, index) =>
    index < sentences.length - 1 && !sentence.endsWith('.') ? `${sentence}.` : sentence,
  );
  return ended.length === 0 ? {} : { 'Query-Hint': ended.join(' ') };
}

function openReleasesForQuery(
  { operation, request: { condition, facets } }: OperationQuery,
  state: CatalogState,
  service: Service,
): Promise<readonly CatalogRelease[]> {
  const { kind, dataSet } = operation;
  if (kind === 'removed') return openReplacedReleases(service, state, dataSet, condition);
  return openListedReleases(
    operation,
    state,
    kind === 'facets' ? removeFacetFilters(condition, facets) : condition,
    service,
  );
}

/** Builds the links between pages at `address`, all of one data version (D33). */
export function buildPageHeaders(
  { query: { request }, state }: OpenedSearch<SearchQuery>,
  total: number,
  address: string,
): ExtraHeaders {
  const count = Math.max(0, Math.min(request.recordCount, total - request.startIndex));
  const links = pageLinks(request, total, state.version, address);
  return { links, headers: { 'X-Record-Count': String(count) } };
}

/**
 * Builds the links to `address`, the most useful first. Returns no links if one contains a key or part of a key (D30).
 */
function pageLinks(
  { linkParameters, ...page }: OperationRequest,
  total: number,
  version: string,
  address: string,
): readonly string[] {
  const query = linkParameters.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  const links = pageRelations(page, total).map(([relation, index]) => {
    const items = [...query, `StartIndex=${index}`, `RecordCount=${page.recordCount}`, `DataVersion=${version}`];
    return `<${address}?${items.join('&')}>; rel="${relation}"`;
  });
  return links.some((link) => link.search(KEY_PATTERN) !== -1) ? [] : links;
}

/** Returns the link relations of a page, each with the index at which the linked page starts. */
function pageRelations(
  { startIndex, recordCount }: Page,
  total: number,
): readonly (readonly [relation: string, index: number])[] {
  // Page boundaries are counted from the requested page, which may start at any record.
  const offset = startIndex % recordCount;
  const last = total > offset ? total - 1 - ((total - 1 - offset) % recordCount) : 0;
  return [
    ...(startIndex + recordCount < total ? [['next', startIndex + recordCount] as const] : []),
    ...(startIndex > 0 ? [['prev', Math.max(0, Math.min(startIndex - recordCount, last))] as const] : []),
    ['first', 0],
    ['last', last],
  ];
}

/** An answer whose body has not been written yet. */
interface PlannedAnswer {
  readonly kind: 'planned';
  /** The number of records or rows on all pages. */
  readonly total: number;
  /** The number of records or rows on this page. */
  readonly records: number;
  readonly write: (reservation: Reservation) => Promise<Buffer | Refusal>;
  /** Finds a hint for readers of the page, as a sentence. */
  readonly findHint?: () => Promise<string | undefined>;
}

/** Throws what `planPage` throws. */
async function planAnswer(opened: OpenedQuery, service: Service): Promise<PlannedAnswer | Refusal> {
  const { releases } = opened;
  const { operation, request, format } = opened.query;
  const { caches } = service;
  switch (operation.kind) {
    case 'records':
    case 'removed':
    case 'places': {
      const planned = await planPageTexts(operation, releases, request);
      const { total, records } = planned;
      return { kind: 'planned', total, records, write: (room) => writePage(opened, planned, service, room) };
    }
    case 'totals': {
      const planned = await planTotals(operation.dataSet, request, releases, caches);
      if (!planned.ok) return refuseGroups(request, planned.problem);
      const { totals, rows } = planned.value;
      return {
        ...planTable(totals.count, rows.length, () => writeTotals(planned.value, format)),
        findHint: () => findLargestRecordHint(planned.value, releases),
      };
    }
    case 'facets': {
      const counted = await countFacets(releases, request.condition, request.facets);
      // Each value counts as a record against the limits of a key.
      const values = counted.facets.reduce((sum, facet) => sum + facet.values.length, 0);
      return planTable(counted.total, values, () => writeFacets(counted, format));
    }
  }
}

/** Plans an answer that reserves memory for the text and its bytes when both exist. */
function planTable(total: number, records: number, writeText: () => string): PlannedAnswer {
  const write: PlannedAnswer['write'] = (reservation) => {
    const body = Buffer.from(writeText());
    const hasRoom = reservation.resize(2 * body.length);
    return Promise.resolve(hasRoom ? body : refuse(OVERLOADED));
  };
  return { kind: 'planned', total, records, write };
}

/** Reserves memory for the answer before rendering it (ADR 0054). */
async function writePage(
  opened: OpenedQuery,
  { total, records, read: readTexts }: PlannedTexts,
  service: Service,
  reservation: Reservation,
): Promise<Buffer | Refusal> {
  const { format } = opened.query;
  const { memoryFactor } = answerWriters[format];
  const maxBytes = service.pageBytes[format];
  const reserve = (bytes: number): boolean => reservation.resize(bytes * memoryFactor);
  const read = await readTexts({ maxBytes, reserve });
  if (read.kind === 'no room') return refuse(OVERLOADED);
  if (read.kind === 'too large') return refuseTexts(read.fittingCount, opened, service, reservation);
  const written = await writeTexts(opened.query, { total, records, slices: read.slices }, maxBytes);
  if (written.kind === 'too large') return refusePage(opened.query, written.fittingCount, service);
  const { body } = written;
  // For JSON, stored texts are copied into the body. In other formats, rows or features are in memory together with the
  // texts that they are built from.
  const isReserved = memoryFactor === 1 || reservation.resize(read.bytes * memoryFactor + body.length);
  return isReserved ? body : refuse(OVERLOADED);
}

/**
 * Refuses a page whose texts are too large, and says how many records fit. Rows and features repeat texts, so fewer
 * records fit into the answer than their texts suggest.
 */
async function refuseTexts(
  fitting: number,
  opened: OpenedQuery,
  service: Service,
  reservation: Reservation,
): Promise<Refusal> {
  const { operation, request, format } = opened.query;
  if (fitting > 0 && answerWriters[format].memoryFactor > 1) {
    const planned = await planPageTexts(operation, opened.releases, { ...request, recordCount: fitting });
    const fewer = await writePage(opened, planned, service, reservation);
    if ('kind' in fewer) return fewer;
  }
  return refusePage(opened.query, fitting, service);
}

function writeTexts(
  { operation, format }: OperationQuery,
  page: ReadablePage,
  maxBytes: number,
): WrittenPage | Promise<WrittenPage> {
  const layout = dataSetLayouts[operation.dataSet];
  if (operation.kind === 'removed') return writeRemoved(layout, page);
  const pageLayout = operation.kind === 'places' ? placeLayouts[layout.placeKind] : layout;
  return answerWriters[format].write(pageLayout, page, maxBytes);
}

function refuseGroups({ groupBy }: OperationRequest, message: string): Refusal {
  const value = groupBy.map(({ name }) => name).join(', ');
  return refuse(badParameters([{ parameter: 'GroupBy', message, value }]));
}

function refusePage({ request, format }: OperationQuery, fitting: number, { pageBytes }: Service): Refusal {
  const megabytes = (name: AnswerFormat): string => `${Math.floor(pageBytes[name] / (1024 * 1024))} MB`;
  const [fit, others] = fitting === 0 ? ['no record fits', 'the first'] : [`${fitting} records fit`, 'more'];
  const hint = format === 'json' ? '' : `; json may have ${megabytes('json')}`;
  const message = `${fit}: ${others} from this StartIndex on would exceed ${megabytes(format)} in ${format}${hint}`;
  return refuse(badParameters([{ parameter: recordCount.name, message, value: String(request.recordCount) }]));
}

/** A browser saves a CSV answer as a file. Each page gets its own file name. */
function contentDisposition({ operation, request, format }: OperationQuery): HeaderFields {
  if (format !== 'csv') return {};
  const page = request.startIndex === 0 ? '' : `-${request.startIndex}`;
  return { 'Content-Disposition': `attachment; filename="${operation.name}${page}.csv"` };
}
