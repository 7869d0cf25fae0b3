// All paths below /ogc that are not of tiles: what describes the features, and the features themselves (D47, D48).

import { EVERYTHING } from '../../query/condition';
import { featureCollections, type FeatureCollection } from '../../query/cql2/feature-collections';
import { openListed } from '../../search/places/plan-places';
import type { CatalogState } from '../../store/catalog-types';
import { unionOfBoxes } from '../../values/geometry';
import { framed, type PageText } from '../pages/feature-frame';
import { contentOf, fileOutcome, pagePolicy } from '../pages/page';
import { boxOfPlaces } from '../pages/published-releases';
import { keySource, queryOf } from '../pipeline/authorize';
import { withHeaders, type HeaderFields, type Outcome } from '../pipeline/outcome';
import { segmentsBehind, type Route } from '../pipeline/pipeline';
import type { AskedRequest, Service } from '../pipeline/service';
import { API_TYPE, baseOf, JSON_TYPE, readForm, SCHEMA_TYPE } from './addresses';
import { apiDocument } from './api-document';
import * as metadata from './descriptions';
import { featureRoute, readFeatureId } from './feature';
import { itemsRoute } from './items';
import * as pages from './ogc-pages';

const ROOT = 'ogc';

/** A path below /ogc that describes what there is. */
type DescriptionPath =
  | { readonly kind: 'landing' | 'conformance' | 'api' | 'collections' }
  | { readonly kind: 'collection' | 'queryables' | 'schema'; readonly collection: FeatureCollection };

/** The raw path is split first and each part decoded once (D53); slashes at the end count for nothing. */
export function findOgcRoute({ url }: AskedRequest, service: Service): Route | undefined {
  const [first, id, third, feature, ...others] = segmentsBehind(1, url);
  if (first === undefined) return descriptionRoute({ kind: 'landing' });
  if (id === undefined) {
    const isKnown = first === 'conformance' || first === 'api' || first === 'collections';
    return isKnown ? descriptionRoute({ kind: first }) : undefined;
  }
  const collection = featureCollections.find((one) => one.id === id);
  if (first !== 'collections' || collection === undefined || others.length > 0) return undefined;
  if (third === undefined) return descriptionRoute({ kind: 'collection', collection });
  if (feature === undefined) {
    if (third === 'items') return itemsRoute(collection);
    return third === 'queryables' || third === 'schema' ? descriptionRoute({ kind: third, collection }) : undefined;
  }
  const featureId = third === 'items' ? readFeatureId(feature) : undefined;
  return featureId === undefined ? undefined : featureRoute(collection, featureId, service);
}

function descriptionRoute(path: DescriptionPath): Route {
  return { access: 'open', answer: (asked, service) => answerDescription(path, asked, service) };
}

/** A description stays in the cache until something else is published. */
async function answerDescription(path: DescriptionPath, request: AskedRequest, service: Service): Promise<Outcome> {
  const form = readForm(queryOf(request), request.headers.get('accept'));
  if (typeof form === 'object') return form;
  const state = await service.store.currentState();
  const described = { base: baseOf(request, service), form };
  const name = 'collection' in path ? `${path.kind} ${path.collection.id}` : path.kind;
  const key = `ogc ${name} ${form} ${state.version} ${described.base}`;
  let content = service.pages.get(key);
  if (content === undefined) {
    const { document, page } = await describe(path, described, state, service);
    content =
      form === 'html'
        ? contentOf(framed(page(), service).body)
        : contentOf(JSON.stringify(document), MEDIA_TYPES[path.kind]);
    service.pages.set(key, content, content.body.length);
  }
  const outcome = await fileOutcome(request, content, service.pages);
  const policy: HeaderFields = form === 'html' ? { 'Content-Security-Policy': pagePolicy() } : {};
  return withHeaders(outcome, { Vary: 'Accept, Accept-Encoding', ...policy });
}

const MEDIA_TYPES: Readonly<Record<DescriptionPath['kind'], string>> = {
  landing: JSON_TYPE,
  conformance: JSON_TYPE,
  api: API_TYPE,
  collections: JSON_TYPE,
  collection: JSON_TYPE,
  queryables: SCHEMA_TYPE,
  schema: SCHEMA_TYPE,
};

interface Description {
  readonly document: object;
  /** The same for people. */
  readonly page: () => PageText;
}

async function describe(
  path: DescriptionPath,
  described: metadata.Described,
  state: CatalogState,
  service: Service,
): Promise<Description> {
  const root = `${described.base}/${ROOT}`;
  switch (path.kind) {
    case 'landing': {
      const document = metadata.landingDocument(described);
      return { document, page: () => pages.ogcLandingPage(document, featureCollections, root) };
    }
    case 'conformance': {
      const document = metadata.conformanceDocument(described);
      return { document, page: () => pages.conformancePage(document, keySource(service)) };
    }
    case 'api': {
      const document = apiDocument(described.base);
      return { document, page: () => pages.apiPage(document, root) };
    }
    case 'collections': {
      const extents = featureCollections.map(async (one) => [one.id, await extentOf(one, state, service)] as const);
      const document = metadata.collectionsDocument(described, new Map(await Promise.all(extents)));
      return { document, page: () => pages.collectionsPage(document, root) };
    }
    case 'collection':
    case 'queryables':
    case 'schema':
      return describeCollection(path, described, state, service);
  }
}

async function describeCollection(
  { kind, collection }: Extract<DescriptionPath, { readonly collection: FeatureCollection }>,
  described: metadata.Described,
  state: CatalogState,
  service: Service,
): Promise<Description> {
  const address = `${described.base}/${ROOT}/collections/${collection.id}/${kind}`;
  switch (kind) {
    case 'collection': {
      const extent = await extentOf(collection, state, service);
      const document = metadata.collectionDocument(collection, described, extent);
      return { document, page: () => pages.collectionPage(document) };
    }
    case 'queryables': {
      const document = metadata.queryablesDocument(collection, described);
      return { document, page: () => pages.queryablesPage(collection, address) };
    }
    case 'schema': {
      const document = metadata.schemaDocument(collection, described);
      return { document, page: () => pages.schemaPage(collection, address) };
    }
  }
}

async function extentOf(
  collection: FeatureCollection,
  state: CatalogState,
  service: Service,
): Promise<metadata.Extent> {
  const releases = await openListed(collection.operation, state, EVERYTHING, service);
  const boxes = await Promise.all(releases.map(boxOfPlaces));
  // Priority dates of rights are no dates of their sites.
  const dated = releases.filter(({ entry }) => entry.dataSet === collection.operation.dataSet);
  const facts = dated.map(({ reader }) => reader.facts);
  const firstDays = facts.flatMap(({ firstDay }) => firstDay ?? []).sort();
  const lastDays = facts.flatMap(({ lastDay }) => lastDay ?? []).sort();
  return {
    box: boxes.reduce(unionOfBoxes, undefined),
    firstDay: firstDays[0] ?? null,
    lastDay: lastDays.at(-1) ?? null,
  };
}
