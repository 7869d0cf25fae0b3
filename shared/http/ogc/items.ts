// GET /ogc/collections/ID/items (D48): the operation behind the collection, searched as ever, with features as answer.

import { answerWriters } from '../../render/answer-writers';
import { joinBounded, type PageTexts } from '../../render/read-page';
import type { FeatureCollection } from '../../query/cql2/feature-collections';
import type { ItemForm } from '../../query/cql2/item-parameters';
import { readItems, type ItemsRequest } from '../../query/cql2/read-items';
import { splitQuery } from '../../query/query-values';
import type { ReadRelease } from '../../search/plan-page';
import { resolveBoundary } from '../../search/resolve-boundary';
import type { CatalogState } from '../../store/catalog-types';
import { currentDeadline } from '../../store/deadline';
import { answerDigest, clientCopy, entityTag, lastModified } from '../conditional-requests';
import { answerFromState } from '../memory/request-queue';
import { linkHeader, termsLinks } from '../outcome/links';
import { encodeBody, negotiateCoding } from '../outcome/negotiation';
import { badParameters, OVERLOADED, refused, type HeaderFields, type Outcome } from '../outcome/outcome';
import type { Reservation } from '../outcome/bytes-in-flight';
import type { WrittenForm } from '../pages/feature-frame';
import type { AskedRequest, Service } from '../service';
import { baseOf, collectionOf, formLinks, GEOJSON_TYPE, OGC_RELATIONS, queryText, withoutKeyLinks, type OgcLink } from './addresses';
import { negotiateForm } from './forms';
import { itemsPage } from './ogc-pages';
import { featuresOf, openCollection, planFeatures, type PlannedFeatures } from './plan-features';

/** A query of items over one catalog state. */
interface ItemsQuery {
  readonly collection: FeatureCollection;
  readonly asked: ItemsRequest;
  readonly form: ItemForm;
  /** The address of the items. */
  readonly address: string;
  readonly state: CatalogState;
  readonly releases: readonly ReadRelease[];
}

/** A page of features as it goes into either form. */
export interface FeaturePage {
  /** As JSON, with commas between them. */
  readonly features: Buffer;
  readonly returned: number;
  readonly total: number;
  readonly links: readonly OgcLink[];
}

export function answerItems(
  collection: FeatureCollection,
  request: AskedRequest,
  query: string,
  service: Service,
): Promise<Outcome> {
  const read = readItems(collection, splitQuery(query), service.reading);
  if (!read.ok) return Promise.resolve(refused(badParameters(read.errors)));
  const { asked } = read;
  const form = asked.form ?? negotiateForm(request.headers.get('accept'));
  const address = `${baseOf(request, service)}/ogc/collections/${collection.id}/items`;
  return answerFromState(asked.request.dataVersion, service, async (state) => {
    currentDeadline().check();
    const condition = await resolveBoundary(service, state, asked.request.condition);
    // No place is there whose geometry could be the boundary, so nothing matches.
    const known = { ...asked.request, condition: condition ?? asked.request.condition };
    const releases = condition === undefined ? [] : await openCollection(collection, state, condition, service);
    const opened = { collection, asked: { ...asked, request: known }, form, address, state, releases };
    return answerQuery(opened, request, service);
  });
}

async function answerQuery(query: ItemsQuery, request: AskedRequest, service: Service): Promise<Outcome> {
  const { asked, form, address, releases, state, collection } = query;
  const coding = negotiateCoding(request.headers.get('accept-encoding'));
  const parts = [form, coding ?? 'identity', asked.system.uri, address];
  const digest = answerDigest({ name: `${collection.id} items` }, asked.request, releases, parts);
  const copy = clientCopy(request.headers, digest, state);
  if (copy !== undefined) return { kind: 'not modified', headers: headersOf(query, digest, copy.total ?? 0, service) };
  service.metrics.searched();
  const reservation = service.bytesInFlight.reserve();
  try {
    const made = await makePage(query, service, reservation);
    if (made.kind !== 'page') {
      reservation.release();
      return refused(made.kind === 'no room' ? OVERLOADED : badParameters([tooLarge(query)]));
    }
    const { page } = made;
    const text =
      form === 'html' ? pageText(query.collection, page, service) : featureCollectionText(page, service.now());
    const coded = await encodeBody(text.body, coding);
    const headers = { ...headersOf(query, digest, page.total, service), ...text.headers, ...coded.headers };
    const { returned: records } = page;
    return { kind: 'answer', body: coded.body, contentType: text.contentType, headers, records, reservation };
  } catch (error) {
    reservation.release();
    throw error;
  }
}

type MadePage = { readonly kind: 'page'; readonly page: FeaturePage } | Exclude<PageTexts, { readonly kind: 'texts' }>;

/** Where the bytes run out the page is cut, and its next link goes on (D53). */
async function makePage(query: ItemsQuery, service: Service, reservation: Reservation): Promise<MadePage> {
  const { asked, releases, collection } = query;
  const { memoryFactor } = answerWriters.geojson;
  const mostBytes = service.pageBytes.geojson;
  const reserve = (bytes: number): boolean => reservation.resize(bytes * memoryFactor);
  const planOf = (recordCount: number): Promise<PlannedFeatures> =>
    planFeatures(collection, releases, { ...asked.request, recordCount }, service.caches);
  let planned = await planOf(asked.request.recordCount);
  let read = await planned.read({ mostBytes, reserve });
  if (read.kind === 'too large' && read.fitting > 0) {
    planned = await planOf(read.fitting);
    read = await planned.read({ mostBytes, reserve });
  }
  if (read.kind !== 'texts') return read;
  const { slices } = read;
  const texts = function* (): Iterable<string> {
    const form = { system: asked.system, caches: service.caches };
    for (const slice of slices) for (const { text } of featuresOf(collection, slice, form)) yield text;
  };
  // The last brace of a feature has never counted, and pages are to be cut where they have always been.
  const { bytes: features, count, isWhole } = joinBounded(texts(), { separator: ',', mostBytes, uncounted: 1 });
  if (count === 0 && !isWhole) return { kind: 'too large', fitting: 0 };
  const { total } = planned;
  return { kind: 'page', page: { features, returned: count, total, links: pageLinks(query, count, total) } };
}

/** The next page begins where this one ends, in the same data version. */
function pageLinks({ asked, form, address, state }: ItemsQuery, returned: number, total: number): readonly OgcLink[] {
  const { startIndex, recordCount: limit, dataVersion } = asked.request;
  const given = [...asked.given, { name: 'limit', value: String(limit) }];
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

interface WrittenItems extends Omit<WrittenForm, 'body'> {
  readonly body: Buffer;
}

function pageText(collection: FeatureCollection, page: FeaturePage, service: Service): WrittenItems {
  const { body, ...written } = itemsPage(collection, page, service);
  return { body: Buffer.from(body), ...written };
}

function featureCollectionText({ features, returned, total, links }: FeaturePage, now: Date): WrittenItems {
  const head = {
    type: 'FeatureCollection',
    timeStamp: now.toISOString(),
    numberMatched: total,
    numberReturned: returned,
    links,
  };
  const before = `${JSON.stringify(head).slice(0, -1)},"features":[`;
  const body = Buffer.concat([Buffer.from(before), features, Buffer.from(']}')]);
  return { body, contentType: GEOJSON_TYPE, headers: {} };
}

/** What can be filtered names its queryables in a header (Part 3, /req/queryables/queryables-link). */
function queryablesLink(address: string): string {
  return `<${collectionOf(address)}/queryables>; rel="${OGC_RELATIONS}/queryables"`;
}

/** The tag is weak: an answer says when it was made. */
function headersOf(query: ItemsQuery, digest: string, total: number, service: Service): HeaderFields {
  const { releases, state, asked, address } = query;
  const modified = lastModified(state, service.now());
  return {
    'Data-Version': state.version,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept, Accept-Encoding',
    ...(modified === undefined ? {} : { 'Last-Modified': modified }),
    ETag: `W/${entityTag(digest, total)}`,
    'Content-Crs': `<${asked.system.uri}>`,
    ...linkHeader([queryablesLink(address), ...termsLinks(releases.map(({ entry }) => entry))]),
    'X-Total-Count': String(total),
  };
}

function tooLarge({ asked }: ItemsQuery): {
  readonly parameter: string;
  readonly message: string;
  readonly value: string;
} {
  const { startIndex } = asked.request;
  return {
    parameter: 'offset',
    message: 'begins at a feature that is too large for an answer',
    value: String(startIndex),
  };
}
