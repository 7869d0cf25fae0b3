// All paths below /ogc that are not of tiles: what describes the features, and the features themselves (D47, D48).

import { featureCollections } from '../../query/cql2/feature-collections';
import { isFeatureId } from '../../records/feature-ids';
import { framed } from '../pages/feature-frame';
import { contentOf, fileOutcome, madeOnce, pagePolicy } from '../pages/page';
import { getQueryText } from '../pipeline/authorize';
import { type HeaderFields, type Outcome, addHeaders } from '../pipeline/outcome';
import { type Route, readPathSegments } from '../pipeline/pipeline';
import type { HttpRequest, Service } from '../pipeline/service';
import { baseOf, JSON_TYPE, readForm } from './addresses';
import { type Describe, ofCollection, ofService } from './descriptions';
import { featureRoute } from './feature';
import { itemsRoute } from './items';

export function findOgcRoute({ url }: HttpRequest, service: Service): Route | undefined {
  const [first = '', id, third = '', feature, ...others] = readPathSegments(1, url);
  if (id === undefined) return descriptionRoute(first, ofService.get(first));
  const collection = featureCollections.find((one) => one.id === id);
  if (first !== 'collections' || collection === undefined || others.length > 0) return undefined;
  if (feature === undefined) {
    if (third === 'items') return itemsRoute(collection);
    const describe = ofCollection.get(third);
    return descriptionRoute(`${id} ${third}`, describe && ((asked) => describe(collection, asked)));
  }
  return third === 'items' && isFeatureId(feature) ? featureRoute(collection, feature, service) : undefined;
}

/** `name` is one of all descriptions; undefined where there is none. */
function descriptionRoute(name: string, describe: Describe | undefined): Route | undefined {
  if (describe === undefined) return undefined;
  return { access: 'open', answer: (request, service) => answerDescription(name, describe, request, service) };
}

/** A description stays in the cache until something else is published. */
async function answerDescription(
  name: string,
  describe: Describe,
  request: HttpRequest,
  service: Service,
): Promise<Outcome> {
  const form = readForm(getQueryText(request), request.headers.get('accept'));
  if (typeof form === 'object') return form;
  const state = await service.store.currentState();
  const base = baseOf(request, service);
  const key = `ogc ${name} ${form} ${state.version} ${base}`;
  const content = await madeOnce(key, service.pages, async () => {
    const { type = JSON_TYPE, document, page } = await describe({ root: `${base}/ogc`, base, form, state, service });
    return form === 'html' ? contentOf(framed(page(), service).body) : contentOf(JSON.stringify(document), type);
  });
  const outcome = await fileOutcome(request, content, service.pages);
  const policy: HeaderFields = form === 'html' ? { 'Content-Security-Policy': pagePolicy() } : {};
  return addHeaders(outcome, { Vary: 'Accept, Accept-Encoding', ...policy });
}
