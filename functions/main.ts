// The HTTP functions, by name and route. The platform and the local host serve the same list.

import { answerDcatCatalog } from '../shared/http/harvesters/dcat-catalog';
import { answerReleaseFeed } from '../shared/http/harvesters/release-feed';
import { answerRobots } from '../shared/http/harvesters/robots';
import { answerSitemap } from '../shared/http/harvesters/sitemap';
import { findMatrixSetRoute } from '../shared/http/ogc/matrix-set-routes';
import { MATRIX_SETS_PATH } from '../shared/http/ogc/matrix-sets';
import { findOgcRoute } from '../shared/http/ogc/ogc-routes';
import { findTilesRoute } from '../shared/http/ogc/tiles';
import { getTilesPath } from '../shared/http/ogc/tilesets';
import { checkHealth } from '../shared/http/operating/health';
import { collectDataMetrics, METRICS_TYPE } from '../shared/http/operating/metrics';
import { findDocs } from '../shared/http/pages/documentation-page';
import { answerDownloadsPage } from '../shared/http/pages/downloads-page';
import { findExplorer } from '../shared/http/pages/explorer-page';
import { answerKeysPage } from '../shared/http/pages/keys-page';
import { answerLandingPage } from '../shared/http/pages/landing-page';
import { answerOpenApi } from '../shared/http/pages/openapi-document';
import { answerIcon } from '../shared/http/pages/page-answers';
import { findSubmit } from '../shared/http/pages/submit-page';
import { getPageAccess } from '../shared/http/pipeline/authorize';
import { NOT_READY, notReady, refuse } from '../shared/http/pipeline/outcome';
import { httpFunction, type Route } from '../shared/http/pipeline/pipeline';
import type { HttpFunction, Service } from '../shared/http/pipeline/service';
import { downloadsRoute, findDownloadRoute } from '../shared/http/v1/downloads';
import { exportFunction } from '../shared/http/v1/exports';
import { findRoute } from '../shared/http/v1/find';
import { inventoryRoute } from '../shared/http/v1/inventory';
import { findKeysRoute } from '../shared/http/v1/keys';
import { operationFunction } from '../shared/http/v1/operations';
import { downloads, exportOperations, find, inventory, pageOperations } from '../shared/query/operations';
import { tileCollections } from '../shared/query/tile-collections';

/** For health probes and for people (docs/operating.md). */
const healthRoute: Route = {
  access: 'open',
  answer: async (_, service) => {
    const health = await checkHealth(service);
    if (health.kind === 'not ready') {
      return refuse(health.unreadable.length === 0 ? NOT_READY : notReady(health.unreadable));
    }
    const headers = { 'Data-Version': health.dataVersion, 'Cache-Control': 'no-store' };
    return { kind: 'answer', body: Buffer.from(health.document), contentType: 'application/json', headers };
  },
};

/** For Prometheus (ADR 0056). Needs a key that may read metrics. */
const metricsRoute: Route = {
  access: 'metrics key',
  answer: async (_, service) => {
    // When the store fails, the process's own counts are still sent: they say what fails.
    const data = collectDataMetrics(service.store).catch((error: unknown) => {
      service.logError('the metrics of the data cannot be read', error);
      return '';
    });
    const body = Buffer.from(`${await service.collectMetrics()}\n${await data}`);
    return { kind: 'answer', body, contentType: METRICS_TYPE, headers: { 'Cache-Control': 'no-store' } };
  },
};

/**
 * All HTTP functions, including pages. To add a page:
 * - Write a file in shared/http/pages/ that puts its content into the page frame, as downloads-page.ts does. `html`
 *   escapes everything that is put into a template.
 * - Put its style sheet and script into shared/http/pages/files/ and name them in page-files.ts.
 * - Register it in this list with its path and its access.
 * - Add a link to the header of the page frame if people should find it from every page.
 */
export const httpFunctions: readonly HttpFunction[] = [
  ...pageOperations.map(operationFunction),
  ...exportOperations.map(exportFunction),
  httpFunction(inventory.name, inventory.route, inventoryRoute),
  httpFunction(find.name, find.route, findRoute),
  // Assistants (D67): the Model Context Protocol. Its SDK takes longer to load than all else together.
  httpFunction('Mcp', 'mcp', () => import('../shared/http/assistants/mcp-route.js').then(({ mcpRoute }) => mcpRoute)),
  httpFunction(downloads.name, downloads.route, downloadsRoute),
  httpFunction('DownloadFiles', `${downloads.route}/{*path}`, findDownloadRoute),
  // Vector tiles of the collections under /ogc (D50), and the grid that they share.
  ...tileCollections.map((collection) =>
    httpFunction(collection.name, `${getTilesPath(collection)}/{*path}`, (request) =>
      findTilesRoute(collection, request),
    ),
  ),
  httpFunction('TileMatrixSets', `${MATRIX_SETS_PATH}/{*path}`, findMatrixSetRoute),
  openFunction('DownloadsPage', 'downloads', answerDownloadsPage),
  // Self-service keys (D56): the operations, and the page that uses them.
  httpFunction('Keys', 'v1/Keys/{*path}', findKeysRoute),
  openFunction('KeysPage', 'keys', answerKeysPage),
  openFunction('DcatCatalog', 'data.json', answerDcatCatalog),
  pageFunction('Submit', 'submit', findSubmit),
  openFunction('ReleaseFeed', 'releases.atom', answerReleaseFeed),
  httpFunction('Ogc', 'ogc/{*path}', findOgcRoute),
  // Clients that may open the pages may read their addresses: without a key when pages need none (D51, D57).
  httpFunction('Sitemap', 'sitemap.xml', (_, service) => ({
    access: getPageAccess(service, service.access.limits.answersWithoutKey ? 'open' : 'key'),
    answer: answerSitemap,
  })),
  openFunction('Robots', 'robots.txt', answerRobots),
  httpFunction('Health', 'health', healthRoute),
  httpFunction('Metrics', 'metrics', metricsRoute),
  openFunction('OpenApi', 'openapi.json', answerOpenApi),
  // The documentation and the explorer, each with the files that it needs.
  pageFunction('Docs', 'docs', findDocs),
  pageFunction('Explore', 'explore', findExplorer),
  // Every other path: the landing page at the root, where the platform allows no route of its own; the icon that
  // browsers request with an answer; and a 404 (D31).
  httpFunction('OtherPaths', '{*path}', ({ url }) => {
    switch (new URL(url).pathname) {
      case '/':
        return open(answerLandingPage);
      case '/favicon.ico':
        return open(answerIcon);
      default:
        return undefined;
    }
  }),
];

/** A function that needs no key. */
function openFunction(name: string, path: string, answer: Route['answer']): HttpFunction {
  return httpFunction(name, path, open(answer));
}

/** A page that needs no key, and the files below it. `find` gets the part of the path below the page. */
function pageFunction(
  name: string,
  path: string,
  find: (below: string, service: Service) => Route['answer'] | undefined,
): HttpFunction {
  return httpFunction(name, `${path}/{*path}`, ({ url }, service) => {
    const answer = find(new URL(url).pathname.slice(`/${path}`.length).replace(/^\//, ''), service);
    return answer && open(answer);
  });
}

function open(answer: Route['answer']): Route {
  return { access: 'open', answer };
}
