// GET /ogc/collections/ID/items (D48): runs the same search as the collection's operation under /v1, but returns
// features: records or places (D42, D43, D47).

import type { FeatureCollection } from '../../query/cql2/feature-collections';
import type { ItemFormat } from '../../query/cql2/item-parameters';
import { type ItemsRequest, readItems } from '../../query/cql2/read-items';
import type { OperationRequest } from '../../query/read-request';
import { dataSetLayouts } from '../../records/data-sets';
import { answerWriters } from '../../render/answer-writers';
import { writePlaceFeatures, writeRecordFeatures } from '../../render/features';
import { joinChunks, joinTexts, type TextSteps } from '../../render/join-texts';
import { inPageOrder } from '../../render/page-order';
import type { ChooseLookups } from '../../render/read-page';
import { type PlannedTexts, planPageTexts } from '../../render/read-places';
import { selectFeatureLookups } from '../../render/site-details';
import { openListedReleases } from '../../search/places/open-place-releases';
import { badParameters, OVERLOADED, type Problem, type Refusal, refuse } from '../pipeline/outcome';
import type { Route } from '../pipeline/route';
import { type CompleteAnswer, type OpenedSearch, type RenderContext, searchRoute } from '../pipeline/search-route';
import {
  buildFormatLinks,
  formatQuery,
  GEOJSON_TYPE,
  getBaseUrl,
  getCollectionAddress,
  negotiateFormat,
  OGC_RELATIONS,
  type OgcLink,
  removeKeyLinks,
} from './addresses';
import { type ItemsPage, renderItemsPage } from './ogc-pages';

interface ItemsQuery {
  readonly request: OperationRequest;
  readonly items: ItemsRequest;
  readonly format: ItemFormat;
  /** The address of the items. */
  readonly address: string;
  /** False if the query was sent in a body: links would repeat a query that is too long for an address (D68). */
  readonly hasLinks: boolean;
}

type OpenedItems = OpenedSearch<ItemsQuery>;

export function createItemsRoute(collection: FeatureCollection): Route {
  return searchRoute<ItemsQuery>({
    name: `${collection.id} items`,
    access: 'key or allowance',
    acceptsPost: true,
    delivery: 'complete',
    // Weak, because the answer contains the time at which it was written.
    tag: 'weak',
    vary: 'Accept, Accept-Encoding',
    read: (httpRequest, queryItems, service) => {
      const read = readItems(collection, queryItems, service.readingSettings);
      if (!read.ok) return refuse(badParameters(read.errors));
      const { query: items } = read;
      const format = items.format ?? negotiateFormat(httpRequest.headers.get('accept'));
      const address = `${getBaseUrl(httpRequest, service)}/ogc/collections/${collection.id}/items`;
      const hasLinks = httpRequest.method !== 'POST';
      return { kind: 'read', query: { request: items.request, items, format, address, hasLinks } };
    },
    representationKey: ({ format, items, address, hasLinks }, coding) => [
      format,
      coding,
      items.system.uri,
      address,
      ...(hasLinks ? [] : ['without links']),
    ],
    // Links repeat the parameters and the current data version.
    cacheVariant: ({ items: { request } }, { version }) => [
      version,
      request.dataVersion ?? '',
      formatQuery(request.linkParameters),
    ],
    openReleases: ({ request }, state, service) =>
      openListedReleases(collection.operation, state, request.condition, service),
    getHeaders: ({ query: { items, address } }) => ({
      // Resources that can be filtered must link to their queryables (Part 3, /req/queryables/queryables-link).
      links: [`<${getCollectionAddress(address)}/queryables>; rel="${OGC_RELATIONS}/queryables"`],
      headers: { 'Content-Crs': `<${items.system.uri}>` },
    }),
    count: async ({ query: { request }, releases }) =>
      (await planPageTexts(collection.operation, releases, request)).total,
    render: (opened, context) => writeItems(collection, opened, context),
  });
}

async function writeItems(
  collection: FeatureCollection,
  opened: OpenedItems,
  context: RenderContext,
): Promise<CompleteAnswer | Refusal> {
  const { service } = context;
  const page = await readItemsPage(collection, opened, context);
  if ('kind' in page) return page;
  const { total, count: records } = page;
  const cachePolicy = total > 0 ? 'the second time' : 'never';
  if (opened.query.format === 'json') {
    const body = await writeFeatureCollection(page, service.now());
    return { kind: 'complete', body, contentType: GEOJSON_TYPE, headers: {}, total, records, cachePolicy };
  }
  const document = await renderItemsPage(collection, page, service);
  return { kind: 'complete', ...document, total, records, cachePolicy };
}

/** Reads the page. A page that would be too large is cut, and its next link continues where it ends (D53). */
async function readItemsPage(
  collection: FeatureCollection,
  opened: OpenedItems,
  { service, reservation }: RenderContext,
): Promise<ItemsPage | Refusal> {
  const { items, request } = opened.query;
  const releases = opened.releases;
  const { memoryFactor } = answerWriters.geojson;
  const maxBytes = service.pageBytes.geojson;
  const reserve = (bytes: number): boolean => reservation.resize(bytes * memoryFactor);
  const { caches } = service;
  const choose: ChooseLookups = (reader, kind, numbers) => selectFeatureLookups(reader, kind, numbers, caches);
  const plan = (recordCount: number): Promise<PlannedTexts> =>
    planPageTexts(collection.operation, releases, { ...request, recordCount }, choose);
  let planned = await plan(request.recordCount);
  let read = await planned.read({ maxBytes, reserve });
  if (read.kind === 'too large' && read.fittingCount > 0) {
    planned = await plan(read.fittingCount);
    read = await planned.read({ maxBytes, reserve });
  }
  if (read.kind === 'no room') return refuse(OVERLOADED);
  if (read.kind === 'too large') return refuse(explainTooLarge(opened));
  const { slices } = read;
  const { kind, dataSet } = collection.operation;
  const texts = function* (): TextSteps {
    const context = { system: items.system, caches };
    const { placeKind } = dataSetLayouts[dataSet];
    const features = inPageOrder(slices, (slice) =>
      kind === 'places' ? writePlaceFeatures(placeKind, slice, context) : writeRecordFeatures(dataSet, slice, context),
    );
    for (const feature of features) yield feature?.text;
  };
  const { chunks: features, count, isComplete } = await joinTexts(texts(), { separator: ',', maxBytes });
  if (count === 0 && !isComplete) return refuse(explainTooLarge(opened));
  const { total } = planned;
  return { features, count, total, links: buildPageLinks(opened, count, total) };
}

/** Builds the links of a page. The next page starts where this page ends, in the same data version. */
function buildPageLinks({ query, state }: OpenedItems, count: number, total: number): readonly OgcLink[] {
  const { items, format, address, hasLinks } = query;
  if (!hasLinks) return [];
  const { startIndex, recordCount: limit, dataVersion } = items.request;
  const parameters = [...items.request.linkParameters, { name: 'limit', value: String(limit) }];
  const buildPageAddress = (offset: number, version: string | undefined): string => {
    const page = [
      ...(offset === 0 ? [] : [{ name: 'offset', value: String(offset) }]),
      ...(version === undefined ? [] : [{ name: 'DataVersion', value: version }]),
    ];
    return `${address}?${formatQuery([...parameters, ...page])}`;
  };
  const buildWalkLink = (rel: string, offset: number): OgcLink => {
    const href = buildPageAddress(offset, state.version);
    return format === 'json' ? { rel, type: GEOJSON_TYPE, href } : { rel, type: 'text/html', href: `${href}&f=html` };
  };
  return removeKeyLinks([
    ...buildFormatLinks(buildPageAddress(startIndex, dataVersion), format, GEOJSON_TYPE),
    ...(count > 0 && startIndex + count < total ? [buildWalkLink('next', startIndex + count)] : []),
    ...(startIndex > 0 ? [buildWalkLink('prev', Math.max(0, startIndex - limit))] : []),
    { rel: 'collection', type: 'application/json', href: getCollectionAddress(address) },
  ]);
}

function writeFeatureCollection({ features, count, total, links }: ItemsPage, now: Date): Promise<Buffer> {
  const head = {
    type: 'FeatureCollection',
    timeStamp: now.toISOString(),
    numberMatched: total,
    numberReturned: count,
    ...(links.length > 0 && { links }),
  };
  const before = `${JSON.stringify(head).slice(0, -1)},"features":[`;
  return joinChunks([Buffer.from(before), ...features, Buffer.from(']}')]);
}

function explainTooLarge({ query }: OpenedItems): Problem {
  const value = String(query.request.startIndex);
  return badParameters([
    { parameter: 'offset', message: 'starts at a feature that is too large for an answer', value },
  ]);
}
