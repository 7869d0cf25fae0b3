// The page for people who follow a link to a path that does not exist, or to a page that needs a key. Programs get the
// same problem as JSON.

import { ASK_FOR_HEADER } from '../pipeline/authorize';
import type { Problem } from '../pipeline/outcome';
import type { HttpRequest, Service } from '../pipeline/service';
import { type Html, html } from './html';
import { describeKeySource } from './keys-page';
import { renderPage } from './page';
import { formatPagePolicy } from './page-answers';
import { getPageAddresses } from './page-files';
import { hero } from './page-parts';

/**
 * Adds an HTML page to a 401 or 404 for a browser. A Basic challenge would make the browser open a log-in window, so
 * the page comes with the challenge that asks for the key in a header.
 */
export function addProblemPage(problem: Problem, request: HttpRequest, service: Service): Problem {
  if (problem.page !== undefined || !isForPerson(request)) return problem;
  const isKeyNeeded = problem.status === 401;
  if (!isKeyNeeded && problem.status !== 404) return problem;
  const title = isKeyNeeded ? 'You need an access key' : 'Page not found';
  const content = isKeyNeeded ? explainKey(problem, service) : explainPath(request, service);
  const body = html`${hero(title, content)} ${linkPages(service)}`;
  const page = renderPage({ title, content: body, styles: ['pages.css', 'landing.css'] }, service);
  const challenge = isKeyNeeded ? ASK_FOR_HEADER : {};
  const headers = { 'Content-Security-Policy': formatPagePolicy(), Vary: 'Accept, Accept-Encoding' };
  return { ...problem, page: page.text, headers: { ...problem.headers, ...challenge, ...headers } };
}

/**
 * Whether a browser will show the answer as a page: it accepts HTML, no script sent the request, and `f` does not
 * request another format.
 */
function isForPerson({ method, headers, url }: HttpRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  const isScripted = headers.has('x-requested-with');
  const format = new URL(url).searchParams.get('f') ?? 'html';
  return isRead && !isScripted && format === 'html' && /\btext\/html\b/i.test(headers.get('accept') ?? '');
}

function explainKey(problem: Problem, service: Service): Html {
  const { base } = getPageAddresses(service);
  const reason = problem.title === 'Key missing' ? '' : html`<p>${problem.detail.split('. ', 1)[0] ?? ''}.</p>`;
  return html`${reason}
    <p>These records need a free access key. ${describeKeySource(service, base)}</p>
    <p>
      With a key, <a href="${base}/explore">explore the same records</a> on a map. Programs and GIS send the key as the
      user name, or in the header <code>X-API-Key</code>.
    </p>`;
}

function explainPath({ url }: HttpRequest, service: Service): Html {
  const { base } = getPageAddresses(service);
  const { pathname } = new URL(url);
  const isOfPrograms = /^\/(?:v1|ogc|mcp)(?:\/|$)/i.test(pathname);
  const advice = isOfPrograms
    ? html`<p>
        Check the address against the <a href="${base}/docs">API reference</a> or the
        <a href="${base}/ogc/collections">collections for GIS</a>.
      </p>`
    : html`<p>Check the address for a typing error, or start from one of these pages.</p>`;
  return html`<p>There is no page at <code>${pathname}</code>.</p>
    ${advice}`;
}

function linkPages(service: Service): Html {
  const { base } = getPageAddresses(service);
  return html`<ul>
    <li><a href="${base}/explore">Explore the data</a>: map, table and charts</li>
    <li><a href="${base}/downloads">Downloads</a>: complete data sets as files</li>
    <li><a href="${base}/docs/data">About the data</a>: what the records mean</li>
    <li><a href="${base}/">Search</a> for a county, owner, site or water right</li>
  </ul>`;
}
