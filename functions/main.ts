// The HTTP functions, by name and route. The platform and the local host take the same list. Code that few requests
// need, such as that of a page, is loaded with the first request for it.

import { MATRIX_SETS_PATH, tilesPath } from '../shared/http/ogc/tilesets';
import { pageAccess } from '../shared/http/pipeline/authorize';
import { httpFunction, type Route } from '../shared/http/pipeline/pipeline';
import type { HttpFunction } from '../shared/http/pipeline/service';
import { exportFunction } from '../shared/http/v1/exports';
import { findRoute } from '../shared/http/v1/find';
import { inventoryRoute } from '../shared/http/v1/inventory';
import { operationFunction } from '../shared/http/v1/operations';
import {
  downloads,
  exportOperations,
  facetsOperations,
  find,
  inventory,
  operations,
  placesOperations,
  removedOperations,
  totalsOperations,
} from '../shared/query/operations';
import { tileCollections } from '../shared/query/tile-collections';
import { checkHealth } from '../shared/http/operating/health';
import { dataMetrics, METRICS_TYPE } from '../shared/http/operating/metrics';
import { NOT_READY, notReady, refused } from '../shared/http/pipeline/outcome';

/** For probes and for people (docs/operating.md). */
export const healthRoute: Route = {
  access: 'open',
  answer: async (_, service) => {
    const health = await checkHealth(service);
    if (health.kind === 'not ready') {
      return refused(health.unreadable.length === 0 ? NOT_READY : notReady(health.unreadable));
    }
    const headers = { 'Data-Version': health.dataVersion, 'Cache-Control': 'no-store' };
    return { kind: 'answer', body: Buffer.from(health.document), contentType: 'application/json', headers };
  },
};

/** For Prometheus (ADR 0056), with a key that may read it. */
const metricsRoute: Route = {
  access: 'metrics key',
  answer: async (_, service) => {
    // Without the store the counts are answered all the same: they say what fails.
    const data = dataMetrics(service.store).catch((error: unknown) => {
      service.logError('the metrics of the data cannot be read', error);
      return '';
    });
    const body = Buffer.from(`${await service.collectMetrics()}\n${await data}`);
    return { kind: 'answer', body, contentType: METRICS_TYPE, headers: { 'Cache-Control': 'no-store' } };
  },
};

/**
 * All HTTP functions, pages among them. Who adds a page
 * - writes a file in shared/http/pages/ that puts its content into `pageFrame` and answers with `pageOutcome`, as
 *   downloads-page.ts does; `html` escapes whatever is put into a template,
 * - puts its style sheet and script into shared/http/pages/files/ and names them in page-files.ts,
 * - registers it in this list with its path and who may ask,
 * - adds a link to the header in `pageFrame` (page.ts) if people should find it from every page.
 */
export const httpFunctions: readonly HttpFunction[] = [
  // The records of each data set, what else can be asked about them, and the places that they are at.
  ...operations.flatMap(({ dataSet }) => [
    ...[operations, totalsOperations, facetsOperations, removedOperations]
      .flatMap((some) => some.filter((one) => one.dataSet === dataSet))
      .map(operationFunction),
    ...exportOperations.filter((one) => one.dataSet === dataSet).map(exportFunction),
  ]),
  ...placesOperations.map(operationFunction),
  httpFunction(inventory.name, inventory.route, inventoryRoute),
  httpFunction(find.name, find.route, findRoute),
  // Assistants (D67): the Model Context Protocol.
  httpFunction('Mcp', 'mcp', () => import('../shared/http/assistants/mcp-route.js').then(({ mcpRoute }) => mcpRoute)),
  httpFunction(downloads.name, downloads.route, () => {
    return import('../shared/http/v1/downloads.js').then(({ downloadsRoute }) => downloadsRoute);
  }),
  httpFunction('DownloadFiles', `${downloads.route}/{*path}`, (request, service) => {
    return import('../shared/http/v1/downloads.js').then(({ findDownloadRoute }) =>
      findDownloadRoute(request, service),
    );
  }),
  // Vector tiles of the collections under /ogc (D50), and the grid that they share.
  ...tileCollections.map((collection) =>
    httpFunction(collection.name, `${tilesPath(collection)}/{*path}`, (request) => {
      return import('../shared/http/ogc/tiles.js').then(({ findTilesRoute }) => findTilesRoute(collection, request));
    }),
  ),
  httpFunction('TileMatrixSets', `${MATRIX_SETS_PATH}/{*path}`, (request) => {
    return import('../shared/http/ogc/tiles.js').then(({ findMatrixSetRoute }) => findMatrixSetRoute(request));
  }),
  openFunction('DownloadsPage', 'downloads', () => {
    return import('../shared/http/pages/downloads-page.js').then(({ downloadsPage }) => downloadsPage);
  }),
  // Keys by oneself (D56): the operations, and the page that uses them.
  httpFunction('Keys', 'v1/Keys/{*path}', (request, service) => {
    return import('../shared/http/v1/keys.js').then(({ findKeysRoute }) => findKeysRoute(request, service));
  }),
  openFunction('KeysPage', 'keys', () => import('../shared/http/pages/keys-page.js').then(({ keysPage }) => keysPage)),
  openFunction('DcatCatalog', 'data.json', () => {
    return import('../shared/http/harvesters/dcat-catalog.js').then(({ dcatCatalog }) => dcatCatalog);
  }),
  httpFunction('Submit', 'submit/{*path}', (request) => {
    return import('../shared/http/pages/submit-page.js').then(({ findSubmitRoute }) => findSubmitRoute(request));
  }),
  openFunction('ReleaseFeed', 'releases.atom', () => {
    return import('../shared/http/harvesters/release-feed.js').then(({ releaseFeed }) => releaseFeed);
  }),
  httpFunction('Ogc', 'ogc/{*path}', (request, service) => {
    return import('../shared/http/ogc/ogc-routes.js').then(({ findOgcRoute }) => findOgcRoute(request, service));
  }),
  // Whoever may open the pages may read their addresses: without a key where these need none (D51, D57).
  httpFunction('Sitemap', 'sitemap.xml', (_, service) => {
    const access = pageAccess(service, service.access.answersWithoutKey ? 'open' : 'key');
    return import('../shared/http/harvesters/sitemap.js').then(({ answerSitemap }) => ({
      access,
      answer: answerSitemap,
    }));
  }),
  openFunction('Robots', 'robots.txt', () =>
    import('../shared/http/harvesters/sitemap.js').then(({ robotsFile }) => robotsFile),
  ),
  httpFunction('Health', 'health', healthRoute),
  httpFunction('Metrics', 'metrics', metricsRoute),
  openFunction('OpenApi', 'openapi.json', () =>
    import('../shared/http/pages/script-pages.js').then(({ openApi }) => openApi),
  ),
  // The documentation and the explorer, each with the files that it needs.
  httpFunction('Docs', 'docs/{*path}', (request, service) => {
    return import('../shared/http/pages/script-pages.js').then(({ findDocsRoute }) => findDocsRoute(request, service));
  }),
  httpFunction('Explore', 'explore/{*path}', (request, service) => {
    return import('../shared/http/pages/script-pages.js').then(({ findExplorerRoute }) => {
      return findExplorerRoute(request, service);
    });
  }),
  // Every path that no other function has: the landing page at the root, where the platform allows no route of its own;
  // the icon that browsers ask for when they show an answer; and a 404 (D31).
  httpFunction('OtherPaths', '{*path}', ({ url }) => {
    switch (new URL(url).pathname) {
      case '/':
        return import('../shared/http/pages/landing-page.js').then(({ landingPage }) => open(landingPage));
      case '/favicon.ico':
        return import('../shared/http/pages/page.js').then(({ icon }) => open(icon));
      default:
        return undefined;
    }
  }),
];

/** A function that everybody may ask, without a key; `load` brings its code. */
function openFunction(name: string, path: string, load: () => Promise<Route['answer']>): HttpFunction {
  return httpFunction(name, path, async () => open(await load()));
}

function open(answer: Route['answer']): Route {
  return { access: 'open', answer };
}
