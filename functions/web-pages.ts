// The pages for people and crawlers, and a 404 for every path that no other function handles. Open to anyone, except
// the sitemap if pages need a key. The name must sort after those of all other functions: the platform tries functions
// in the order of their names, and this route matches every path.

import { answerDcatCatalog } from '../shared/http/harvesters/dcat-catalog';
import { answerReleaseFeed } from '../shared/http/harvesters/release-feed';
import { answerRobots } from '../shared/http/harvesters/robots';
import { answerSitemap } from '../shared/http/harvesters/sitemap';
import { findDocs } from '../shared/http/pages/documentation-page';
import { answerDownloadsPage } from '../shared/http/pages/downloads-page';
import { findExplorer } from '../shared/http/pages/explorer-page';
import { answerKeysPage } from '../shared/http/pages/keys-page';
import { answerLandingPage } from '../shared/http/pages/landing-page';
import { answerOpenApi } from '../shared/http/pages/openapi-document';
import { answerIcon } from '../shared/http/pages/page-answers';
import { addProblemPage } from '../shared/http/pages/problem-page';
import { findSubmit } from '../shared/http/pages/submit-page';
import { getPageAccess } from '../shared/http/pipeline/authorize';
import { httpFunction } from '../shared/http/pipeline/pipeline';
import type { FindRoute, Route, RouteEntry } from '../shared/http/pipeline/route';
import type { Service } from '../shared/http/pipeline/service';

/** Finds the handler for a path below the page. */
type FindBelowPage = (below: string, service: Service) => Route['answer'] | undefined;

/**
 * To add a page:
 * - Write a file in shared/http/pages/ that puts its content into the page frame, as downloads-page.ts does. `html`
 *   escapes everything that is put into a template.
 * - Put its style sheet and script into shared/http/pages/files/ and list them in page-files.ts.
 * - Add it to this list with its path.
 * - Add a link to the header of the page frame if people should find it from every page.
 */
export const webPagesFunction = httpFunction({
  name: 'WebPages',
  route: '{*path}',
  addPage: addProblemPage,
  routes: [
    openPage('LandingPage', '', answerLandingPage),
    openPage('DownloadsPage', 'downloads', answerDownloadsPage),
    openPage('KeysPage', 'keys', answerKeysPage),
    // The documentation, the explorer and the page for submitters, each with the files below it.
    pageWithFiles('Docs', 'docs', findDocs),
    pageWithFiles('Explore', 'explore', findExplorer),
    pageWithFiles('Submit', 'submit', findSubmit),
    openPage('OpenApi', 'openapi.json', answerOpenApi),
    openPage('DcatCatalog', 'data.json', answerDcatCatalog),
    openPage('ReleaseFeed', 'releases.atom', answerReleaseFeed),
    { name: 'Sitemap', path: 'sitemap.xml', route: findSitemapRoute },
    openPage('Robots', 'robots.txt', answerRobots),
    openPage('Icon', 'favicon.ico', answerIcon),
  ],
});

function openPage(name: string, path: string, answer: Route['answer']): RouteEntry {
  return { name, path, route: { access: 'open', answer } };
}

function pageWithFiles(name: string, path: string, find: FindBelowPage): RouteEntry {
  const route: FindRoute = ({ url }, service) => {
    const answer = find(new URL(url).pathname.slice(`/${path}`.length).replace(/^\//, ''), service);
    return answer && { access: 'open', answer };
  };
  return { name, path: `${path}/{*path}`, route };
}

/** Clients that may open the pages may also read the sitemap: without a key if pages need none (D51, D57). */
function findSitemapRoute(_: unknown, service: Service): Route {
  const access = service.access.limits.answersWithoutKey ? 'open' : 'key';
  return { access: getPageAccess(service, access), answer: answerSitemap };
}
