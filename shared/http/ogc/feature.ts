// GET /ogc/collections/ID/items/FEATURE: one feature as GeoJSON or as an HTML page. Features with pages of their own
// are also available as JSON-LD (D48, D49).

import type { FeatureCollection } from '../../query/cql2/feature-collections';
import { crs, type FeatureFormat, format } from '../../query/cql2/item-parameters';
import { QueryValues } from '../../query/query-values';
import { dataVersion } from '../../query/version-parameters';
import { buildJsonLd, buildThingAddress, buildThingId, type GeoJsonFeature, JSON_LD_TYPE } from '../../render/json-ld';
import type { CatalogState } from '../../store/catalog-types';
import { CRS84 } from '../../values/coordinate-systems';
import { digestContent } from '../../values/digest';
import { renderFeatureDocument } from '../pages/features/feature-document';
import type { FeatureMatch } from '../pages/features/feature-match';
import { renderWithdrawnPage } from '../pages/features/withdrawn-page';
import type { WrittenDocument } from '../pages/framed-page';
import { getPageAccess } from '../pipeline/authorize';
import { documentRoute, type RouteDocument } from '../pipeline/document-route';
import { badParameters, featureGone, NO_FEATURE, type Problem, type Refusal, refuse } from '../pipeline/outcome';
import type { Route } from '../pipeline/route';
import type { Service } from '../pipeline/service';
import { digestState, identifyHistory } from '../pipeline/state-digests';
import {
  buildFormatLinks,
  GEOJSON_TYPE,
  getBaseUrl,
  getCollectionAddress,
  getFormatParameter,
  hasOwnPage,
  JSON_TYPE,
  keepParameters,
  negotiateFeatureFormat,
} from './addresses';
import { type FeatureRequest, findFeature, findPreviousFeature } from './find-feature';
import { renderAmountPage } from './ogc-pages';

/** A request for a feature that several ids may identify. The first id with a match counts. */
interface FeatureQuery extends Omit<FeatureRequest, 'id' | 'address'> {
  readonly ids: readonly string[];
}

/** `ids` are the ids that the path may stand for, the most likely first; at least one. */
export function createFeatureRoute(collection: FeatureCollection, ids: readonly string[], service: Service): Route {
  return documentRoute<FeatureQuery>({
    access: getPageAccess(service, 'key or allowance'),
    vary: 'Accept, Accept-Encoding',
    read: (httpRequest, items, service) => {
      const readable = keepParameters(items, [crs, format, dataVersion]);
      const chooseFormat = (query: QueryValues): FeatureFormat =>
        query.readOne(getFormatParameter(collection)) ?? negotiateFeatureFormat(httpRequest, collection);
      // Shared page addresses may contain extra parameters, such as utm_source, which are ignored (D70).
      const isPage = chooseFormat(new QueryValues([format], readable, service.readingSettings)) === 'html';
      const values = new QueryValues([crs, format, dataVersion], isPage ? readable : items, service.readingSettings);
      const system = values.readOne(crs) ?? CRS84;
      const requestedFormat = chooseFormat(values);
      const version = values.readOne(dataVersion);
      if (values.errors.length > 0) return refuse(badParameters(values.errors));
      const base = getBaseUrl(httpRequest, service);
      return { kind: 'read', query: { collection, ids, format: requestedFormat, system, dataVersion: version, base } };
    },
    cacheKey: (query, state, service) => listKeyParts(query, state, service),
    write: (query, state, service) =>
      service.publicUrl === '' ? writeForAnyHost(query, state, service) : writeFeature(query, query, state, service),
  });
}

/** Lists everything that a document depends on, except its content coding. */
async function listKeyParts(
  { collection, ids, format, system, base }: FeatureQuery,
  state: CatalogState,
  { caches, store, publicUrl, linkedDataId }: Service,
): Promise<readonly string[]> {
  return [
    'feature',
    collection.id,
    JSON.stringify(ids),
    format,
    system.uri,
    base,
    publicUrl,
    linkedDataId,
    digestState(state, caches),
    // The page shows when the feature last changed, which depends on how much history is still kept.
    identifyHistory(await store.history(), caches),
  ];
}

/** Stands for the address of the service in documents that are cached for all hosts. */
const ANY_BASE = 'http://address-of-the-request.invalid';

/**
 * Without PUBLIC_URL, documents contain the host of the request, and a request can name any host. Therefore, the
 * document is written once with a placeholder, and each host gets a copy with its own address. Otherwise, requests with
 * invented hosts, which need no key, could make the service write the same document over and over.
 */
async function writeForAnyHost(
  query: FeatureQuery,
  state: CatalogState,
  service: Service,
): Promise<RouteDocument | Refusal> {
  const documents = service.caches.getCache<RouteDocument>('featureDocuments');
  const forAnyHost = { ...query, base: ANY_BASE };
  const key = digestContent(JSON.stringify(await listKeyParts(forAnyHost, state, service)));
  let document = documents.get(key);
  if (document === undefined) {
    const written = await writeFeature(forAnyHost, query, state, service);
    if ('kind' in written) return written;
    document = written;
    documents.set(key, document, MAX_CHARACTER_BYTES * document.body.length);
  }
  const body = document.body.replaceAll(ANY_BASE, query.base);
  return { ...document, body, tagSource: body };
}

const MAX_CHARACTER_BYTES = 2;

/** `originalQuery` is the query before the placeholder replaced its address. It is used for a refusal. */
async function writeFeature(
  query: FeatureQuery,
  originalQuery: FeatureQuery,
  state: CatalogState,
  service: Service,
): Promise<RouteDocument | Refusal> {
  const found = await findFirst(toRequests(query), (request) => findFeature(request, state, service));
  if (found === undefined) return refuse(await explainMissing(toRequests(originalQuery), state, service));
  const { request, match } = found;
  const { body, contentType, ...document } = await writeDocument(match, request, state, service);
  const headers = { 'Content-Crs': `<${request.system.uri}>`, ...document.headers };
  return { body, contentType, tagSource: body, count: 1, entries: [match.release.entry], headers, records: 1 };
}

function toRequests(query: FeatureQuery): readonly FeatureRequest[] {
  return query.ids.map((id) => toFeatureRequest(query, id));
}

function toFeatureRequest(query: FeatureQuery, id: string): FeatureRequest {
  const { collection, format, system, dataVersion: version, base } = query;
  const address = buildThingAddress(id, { base, collection: collection.id });
  return { collection, id, format, system, dataVersion: version, base, address };
}

/** Tries the requests one after another, because the first one nearly always matches. */
async function findFirst<Match>(
  requests: readonly FeatureRequest[],
  find: (request: FeatureRequest) => Promise<Match | undefined>,
): Promise<{ readonly request: FeatureRequest; readonly match: Match } | undefined> {
  for (const request of requests) {
    const match = await find(request);
    if (match !== undefined) return { request, match };
  }
  return undefined;
}

/**
 * Explains a missing feature. If it was withdrawn, returns a 410 that states its last release (D49), with an HTML page
 * for people (D57).
 */
async function explainMissing(
  requests: readonly FeatureRequest[],
  state: CatalogState,
  service: Service,
): Promise<Problem> {
  const found = await findFirst(requests, (request) => findPreviousFeature(request, state, service));
  if (found === undefined) return NO_FEATURE;
  const { request, match: previous } = found;
  const { entry, reader } = previous.release;
  const { releaseId: release, publishedAt } = entry;
  const problem = { ...featureGone(release), headers: { Vary: 'Accept, Accept-Encoding' } };
  if (request.format !== 'html') return problem;
  // The text is GeoJSON that this program has just written.
  const feature = JSON.parse(previous.text) as GeoJsonFeature;
  const address = `${request.address}?f=html&DataVersion=${previous.version}`;
  const lastRelease = { organization: reader.facts.organization, release, publishedAt, address };
  const { body, headers } = renderWithdrawnPage(feature, lastRelease, service);
  return { ...problem, page: body, headers: { ...problem.headers, ...headers } };
}

async function writeDocument(
  match: FeatureMatch,
  { collection, format, base, address }: FeatureRequest,
  state: CatalogState,
  service: Service,
): Promise<WrittenDocument> {
  if (format === 'json') {
    const links = [
      ...buildFormatLinks(address, 'json', GEOJSON_TYPE),
      ...(hasOwnPage(collection) ? [{ rel: 'alternate', type: JSON_LD_TYPE, href: `${address}?f=jsonld` }] : []),
      { rel: 'collection', type: JSON_TYPE, href: getCollectionAddress(address) },
    ];
    const body = `${match.text.slice(0, -1)},"links":${JSON.stringify(links)}}`;
    return { body, contentType: GEOJSON_TYPE, headers: {} };
  }
  const feature = JSON.parse(match.text) as GeoJsonFeature; // The text is GeoJSON that this program has just written.
  const { reader, entry } = match.release;
  const { organization, statement: terms } = reader.facts;
  const statement = { ...terms, organization, release: entry.releaseId, publishedAt: entry.publishedAt };
  const location = { base, collection: collection.id, idPattern: service.linkedDataId };
  const jsonLd = buildJsonLd(feature, location, statement);
  if (format === 'jsonld') return { body: JSON.stringify(jsonLd), contentType: JSON_LD_TYPE, headers: {} };
  if (!hasOwnPage(collection)) return renderAmountPage(collection, feature, address, service);
  const isRight = collection.featureKind === 'WaterAllocations';
  const id = buildThingId(feature.id, location);
  return renderFeatureDocument(match, { feature, address, id, statement, jsonLd, isRight }, state, service);
}
