// The routes below /ogc, except those of tiles: descriptions and features (D47, D48).

import { featureCollections } from '../../query/cql2/feature-collections';
import { decodeEscapes } from '../../query/query-string';
import { isFeatureId } from '../../records/feature-ids';
import { framePage } from '../pages/framed-page';
import { answerFile, createContent, formatPagePolicy, getOrRender } from '../pages/page-answers';
import { getQueryText } from '../pipeline/authorize';
import { addHeaders, type HeaderFields, type Outcome } from '../pipeline/outcome';
import { readPathSegments } from '../pipeline/pipeline';
import type { Route } from '../pipeline/route';
import type { HttpRequest, Service } from '../pipeline/service';
import { getBaseUrl, JSON_TYPE, readFormat } from './addresses';
import { collectionDescriptions } from './collection-descriptions';
import type { Describe } from './description';
import { createFeatureRoute } from './feature';
import { createItemsRoute } from './items';
import { serviceDescriptions } from './service-descriptions';

export function findOgcRoute({ url }: HttpRequest, service: Service): Route | undefined {
  const [first = '', id, resource = '', ...below] = readPathSegments(1, url);
  if (id === undefined) return createDescriptionRoute(first, serviceDescriptions.get(first));
  const collection = featureCollections.find((candidate) => candidate.id === id);
  if (first !== 'collections' || collection === undefined) return undefined;
  if (below.length === 0) {
    if (resource === 'items') return createItemsRoute(collection);
    const describe = collectionDescriptions.get(resource);
    return createDescriptionRoute(`${id} ${resource}`, describe && ((context) => describe(collection, context)));
  }
  const featureIds = resource === 'items' ? readFeatureIds(url) : [];
  return featureIds.length > 0 ? createFeatureRoute(collection, featureIds, service) : undefined;
}

/** Matches the four path segments before the id of a feature. As in all paths, slashes may be repeated. */
const BEFORE_FEATURE = /^(?:\/+[^/]+){4}\//;

/**
 * Lists the ids that a path may stand for, the most likely first. The first id is everything after `/items/`, decoded
 * once. An id with slashes may thus be sent with `%2F` or with `/`, because front ends and mail programs decode `%2F`.
 * Next comes the same id without outer slashes, and then the id as sent, for a path that a front end has already
 * decoded.
 */
function readFeatureIds(url: string): readonly string[] {
  const sentId = new URL(url).pathname.replace(BEFORE_FEATURE, '');
  const ids = [sentId, trimSlashes(sentId)].flatMap((id) => decodeEscapes(id) ?? []);
  return [...new Set([...ids, trimSlashes(sentId)])].filter(isFeatureId);
}

function trimSlashes(id: string): string {
  let start = 0;
  let end = id.length;
  while (id[start] === '/') start++;
  while (end > start && id[end - 1] === '/') end--;
  return id.slice(start, end);
}

/** `name` identifies the description. Undefined if there is no such description. */
function createDescriptionRoute(name: string, describe: Describe | undefined): Route | undefined {
  if (describe === undefined) return undefined;
  return { access: 'open', answer: (request, service) => answerDescription(name, describe, request, service) };
}

/** Answers with a description, which is cached until something is published. */
async function answerDescription(
  name: string,
  describe: Describe,
  request: HttpRequest,
  service: Service,
): Promise<Outcome> {
  const format = readFormat(getQueryText(request), request.headers.get('accept'));
  if (typeof format === 'object') return format;
  const state = await service.store.currentState();
  const base = getBaseUrl(request, service);
  const key = `ogc ${name} ${format} ${state.version} ${base}`;
  const content = await getOrRender(key, service.pages, async () => {
    const { type = JSON_TYPE, document, page } = await describe({ root: `${base}/ogc`, base, format, state, service });
    return format === 'html'
      ? createContent(framePage(page(), service).body)
      : createContent(JSON.stringify(document), type);
  });
  const outcome = await answerFile(request, content, service.pages);
  const policy: HeaderFields = format === 'html' ? { 'Content-Security-Policy': formatPagePolicy() } : {};
  return addHeaders(outcome, { Vary: 'Accept, Accept-Encoding', ...policy });
}
