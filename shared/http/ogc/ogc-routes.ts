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

/** The raw path is split first and each part decoded once (D53); slashes at the end count for nothing. */
export function findOgcRoute({ url }: AskedRequest, service: Service): Route | undefined {
  const [first = '', id, third = '', feature, ...others] = segmentsBehind(1, url);
  if (id === undefined) return descriptionRoute(first, OF_SERVICE.get(first));
  const collection = featureCollections.find((one) => one.id === id);
  if (first !== 'collections' || collection === undefined || others.length > 0) return undefined;
  if (feature === undefined) {
    if (third === 'items') return itemsRoute(collection);
    const describe = OF_COLLECTION.get(third);
    return descriptionRoute(`${id} ${third}`, describe && ((asked) => describe(asked, collection)));
  }
  const featureId = third === 'items' ? readFeatureId(feature) : undefined;
  return featureId === undefined ? undefined : featureRoute(collection, featureId, service);
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
  request: AskedRequest,
  service: Service,
): Promise<Outcome> {
  const form = readForm(queryOf(request), request.headers.get('accept'));
  if (typeof form === 'object') return form;
  const state = await service.store.currentState();
  const base = baseOf(request, service);
  const key = `ogc ${name} ${form} ${state.version} ${base}`;
  let content = service.pages.get(key);
  if (content === undefined) {
    const described = await describe({ described: { base, form }, root: `${base}/ogc`, state, service });
    const { type = JSON_TYPE, document, page } = described;
    content = form === 'html' ? contentOf(framed(page(), service).body) : contentOf(JSON.stringify(document), type);
    service.pages.set(key, content, content.body.length);
  }
  const outcome = await fileOutcome(request, content, service.pages);
  const policy: HeaderFields = form === 'html' ? { 'Content-Security-Policy': pagePolicy() } : {};
  return withHeaders(outcome, { Vary: 'Accept, Accept-Encoding', ...policy });
}

interface AskedDescription {
  readonly described: metadata.Described;
  /** The address of the landing page. */
  readonly root: string;
  readonly state: CatalogState;
  readonly service: Service;
}

interface Description {
  /** The media type of the document; JSON where it is left out. */
  readonly type?: string;
  readonly document: object;
  /** The same for people. */
  readonly page: () => PageText;
}

type Describe = (asked: AskedDescription) => Description | Promise<Description>;

/** What describes the service, by the path below /ogc. */
const OF_SERVICE = new Map<string, Describe>(
  Object.entries<Describe>({
    '': ({ described, root }) => {
      const document = metadata.landingDocument(described);
      return { document, page: () => pages.ogcLandingPage(document, featureCollections, root) };
    },
    conformance: ({ described, service }) => {
      const document = metadata.conformanceDocument(described);
      return { document, page: () => pages.conformancePage(document, keySource(service)) };
    },
    api: ({ described, root }) => {
      const document = apiDocument(described.base);
      return { type: API_TYPE, document, page: () => pages.apiPage(document, root) };
    },
    collections: async ({ described, root, state, service }) => {
      const extents = featureCollections.map(async (one) => [one.id, await extentOf(one, state, service)] as const);
      const document = metadata.collectionsDocument(described, new Map(await Promise.all(extents)));
      return { document, page: () => pages.collectionsPage(document, root) };
    },
  }),
);

type DescribeCollection = (...asked: [...Parameters<Describe>, FeatureCollection]) => ReturnType<Describe>;

/** What describes a collection, by the path below its own. */
const OF_COLLECTION = new Map<string, DescribeCollection>(
  Object.entries<DescribeCollection>({
    '': async ({ described, state, service }, collection) => {
      const document = metadata.collectionDocument(collection, described, await extentOf(collection, state, service));
      return { document, page: () => pages.collectionPage(document) };
    },
    queryables: ({ described }, collection) => {
      const document = metadata.queryablesDocument(collection, described);
      return { type: SCHEMA_TYPE, document, page: () => pages.queryablesPage(collection, document.$id) };
    },
    schema: ({ described }, collection) => {
      const document = metadata.schemaDocument(collection, described);
      return { type: SCHEMA_TYPE, document, page: () => pages.schemaPage(collection, document.$id) };
    },
  }),
);

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
