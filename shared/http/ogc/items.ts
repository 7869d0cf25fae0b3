// GET /ogc/collections/ID/items (D48): the operation behind the collection, searched as under /v1, with features as
// answer: records, or places (D42, D43, D47).

import type { FeatureCollection } from '../../query/cql2/feature-collections';
import type { ItemFormat } from '../../query/cql2/item-parameters';
import { type ItemsRequest, readItems } from '../../query/cql2/read-items';
import { splitQuery } from '../../query/query-values';
import type { OperationRequest } from '../../query/read-request';
import { dataSetLayouts } from '../../records/data-sets';
import { answerWriters } from '../../render/answer-writers';
import { selectFeatureLookups, writePlaceFeatures, writeRecordFeatures } from '../../render/features';
import { type ChooseLookups, joinTexts } from '../../render/read-page';
import { type PlannedTexts, planPageTexts } from '../../render/read-places';
import { openListedReleases } from '../../search/places/plan-places';
import { badParameters, OVERLOADED, type Problem, type Refusal, refuse } from '../pipeline/outcome';
import type { Route } from '../pipeline/pipeline';
import { type CompleteAnswer, type RenderContext, type OpenedSearch, searchRoute } from '../pipeline/routes';
import {
  baseOf,
  collectionOf,
  formLinks,
  GEOJSON_TYPE,
  negotiateForm,
  OGC_RELATIONS,
  type OgcLink,
  queryText,
  withoutKeyLinks,
} from './addresses';
import { type FeaturePage, itemsPage } from './ogc-pages';

interface ItemsQuery {
  readonly request: OperationRequest;
  readonly asked: ItemsRequest;
  readonly form: ItemFormat;
  /** The address of the items. */
  readonly address: string;
}

type OpenedItems = OpenedSearch<ItemsQuery>;

export function itemsRoute(collection: FeatureCollection): Route {
  return searchRoute<ItemsQuery>({
    name: `${collection.id} items`,
    access: 'key or allowance',
    delivery: 'complete',
    // An answer says when it was made.
    tag: 'weak',
    vary: 'Accept, Accept-Encoding',
    read: (sent, text, service) => {
      const read = readItems(collection, splitQuery(text), service.readingSettings);
      if (!read.ok) return refuse(badParameters(read.errors));
      const { query: asked } = read;
      const form = asked.format ?? negotiateForm(sent.headers.get('accept'));
      const address = `${baseOf(sent, service)}/ogc/collections/${collection.id}/items`;
      return { kind: 'read', query: { request: asked.request, asked, form, address } };
    },
    representationKey: ({ form, asked, address }, coding) => [form, coding, asked.system.uri, address],
    openReleases: ({ request }, state, service) =>
      openListedReleases(collection.operation, state, request.condition, service),
    getHeaders: ({ query: { asked, address } }) => ({
      // What can be filtered names its queryables in a header (Part 3, /req/queryables/queryables-link).
      links: [`<${collectionOf(address)}/queryables>; rel="${OGC_RELATIONS}/queryables"`],
      headers: { 'Content-Crs': `<${asked.system.uri}>` },
    }),
    count: async ({ query: { request }, releases }) =>
      (await planPageTexts(collection.operation, releases, request)).total,
    render: (opened, making) => makeItems(collection, opened, making),
  });
}

async function makeItems(
  collection: FeatureCollection,
  opened: OpenedItems,
  making: RenderContext,
): Promise<CompleteAnswer | Refusal> {
  const { service } = making;
  const page = await makePage(collection, opened, making);
  if ('kind' in page) return page;
  const { total, returned: records } = page;
  if (opened.query.form === 'json') {
    const body = featureCollectionText(page, service.now());
    return { kind: 'complete', body, contentType: GEOJSON_TYPE, headers: {}, total, records, cachePolicy: 'never' };
  }
  const { body, ...written } = itemsPage(collection, page, service);
  return { kind: 'complete', ...written, body: Buffer.from(body), total, records, cachePolicy: 'never' };
}

/** Where the bytes run out the page is cut, and its next link goes on (D53). */
async function makePage(
  collection: FeatureCollection,
  opened: OpenedItems,
  { service, reservation }: RenderContext,
): Promise<FeaturePage | Refusal> {
  const { asked, request } = opened.query;
  const releases = opened.releases;
  const { memoryFactor } = answerWriters.geojson;
  const mostBytes = service.pageBytes.geojson;
  const reserve = (bytes: number): boolean => reservation.resize(bytes * memoryFactor);
  const { caches } = service;
  const choose: ChooseLookups = (reader, kind, numbers) => selectFeatureLookups(reader, kind, numbers, caches);
  const planOf = (recordCount: number): Promise<PlannedTexts> =>
    planPageTexts(collection.operation, releases, { ...request, recordCount }, choose);
  let planned = await planOf(request.recordCount);
  let read = await planned.read({ maxBytes: mostBytes, reserve });
  if (read.kind === 'too large' && read.fittingCount > 0) {
    planned = await planOf(read.fittingCount);
    read = await planned.read({ maxBytes: mostBytes, reserve });
  }
  if (read.kind === 'no room') return refuse(OVERLOADED);
  if (read.kind === 'too large') return refuse(tooLarge(opened));
  const { slices } = read;
  const { kind, dataSet } = collection.operation;
  const texts = function* (): Iterable<string> {
    const form = { system: asked.system, caches };
    for (const slice of slices) {
      const { placeKind } = dataSetLayouts[dataSet];
      const features =
        kind === 'places' ? writePlaceFeatures(placeKind, slice, form) : writeRecordFeatures(dataSet, slice, form);
      for (const { text } of features) yield text;
    }
  };
  // The last brace of a feature has never counted, and pages are to be cut where they have always been.
  const {
    bytes: features,
    count,
    isComplete: isWhole,
  } = joinTexts(texts(), { separator: ',', maxBytes: mostBytes, uncounted: 1 });
  if (count === 0 && !isWhole) return refuse(tooLarge(opened));
  const { total } = planned;
  return { features, returned: count, total, links: pageLinks(opened, count, total) };
}

/** The next page begins where this one ends, in the same data version. */
function pageLinks({ query, state }: OpenedItems, returned: number, total: number): readonly OgcLink[] {
  const { asked, form, address } = query;
  const { startIndex, recordCount: limit, dataVersion } = asked.request;
  const given = [...asked.request.linkParameters, { name: 'limit', value: String(limit) }];
  const addressAt = (offset: number, version: string | undefined): string => {
    const page = [
      ...(offset === 0 ? [] : [{ name: 'offset', value: String(offset) }]),
      ...(version === undefined ? [] : [{ name: 'DataVersion', value: version }]),
    ];
    return `${address}?${queryText([...given, ...page])}`;
  };
  const walk = (rel: string, offset: number): OgcLink => {
    const href = addressAt(offset, state.version);
    return form === 'json' ? { rel, type: GEOJSON_TYPE, href } : { rel, type: 'text/html', href: `${href}&f=html` };
  };
  return withoutKeyLinks([
    ...formLinks(addressAt(startIndex, dataVersion), form, GEOJSON_TYPE),
    ...(returned > 0 && startIndex + returned < total ? [walk('next', startIndex + returned)] : []),
    ...(startIndex > 0 ? [walk('prev', Math.max(0, startIndex - limit))] : []),
    { rel: 'collection', type: 'application/json', href: collectionOf(address) },
  ]);
}

function featureCollectionText({ features, returned, total, links }: FeaturePage, now: Date): Buffer {
  const head = {
    type: 'FeatureCollection',
    timeStamp: now.toISOString(),
    numberMatched: total,
    numberReturned: returned,
    links,
  };
  const before = `${JSON.stringify(head).slice(0, -1)},"features":[`;
  return Buffer.concat([Buffer.from(before), features, Buffer.from(']}')]);
}

function tooLarge({ query }: OpenedItems): Problem {
  const value = String(query.request.startIndex);
  return badParameters([
    { parameter: 'offset', message: 'begins at a feature that is too large for an answer', value },
  ]);
}
