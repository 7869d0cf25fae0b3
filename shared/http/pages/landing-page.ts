// The home page: what the service is, what is published, and how to query it. It works without JavaScript and contains
// no key.

import type { CatalogState } from '../../store/catalog-types';
import { FEED } from '../../values/media-types';
import type { Outcome } from '../pipeline/outcome';
import type { HttpRequest, Service } from '../pipeline/service';
import { explorerCards } from './explorer-cards';
import { type Html, html } from './html';
import { describeKeySource } from './keys-page';
import { operationCards } from './operation-cards';
import { renderPage, SERVICE_TITLE } from './page';
import { answerPage, createContent } from './page-answers';
import { getPageAddresses, type PageAddresses } from './page-files';
import { hero, section } from './page-parts';
import { examplesSection } from './program-examples';
import { getReleasesContent, type PublishedRelease } from './published-releases';
import { publishedTable } from './published-table';

/** The page is cached until something is published, because opening the releases is most of the work. */
export async function answerLandingPage(request: HttpRequest, service: Service): Promise<Outcome> {
  const name = `landing ${service.developmentKey !== undefined} ${keySentences(service).text}`;
  const page = await getReleasesContent(name, service, (releases, state) =>
    createContent(renderLandingPage(releases, state, service)),
  );
  return answerPage(request, page, service.pages);
}

function keySentences(service: Service): Html {
  return describeKeySource(service, getPageAddresses(service).base);
}

function renderLandingPage(releases: readonly PublishedRelease[], state: CatalogState, service: Service): Html {
  const addresses = getPageAddresses(service);
  const { base } = addresses;
  const introduction = html`<p>
      Water rights, water use and streamflow from the western states, in one place. Map them, chart them, download them
      or use the API.
    </p>
    <p class="actions">
      <a class="button" href="${base}/explore">Explore the data</a>
      <a class="button plain" href="${base}/keys">Get a key</a>
      <a class="button plain" href="${base}/docs">API reference</a>
      <a class="button plain" href="${base}/${FEED.path}">Release feed</a>
    </p>
    ${findBox(service, addresses)} ${explorerCards(releases, base)}`;
  const asking = html`<p>Try the API. Choose a state and format, add your key, then run the query or copy its URL.</p>
    ${operationCards(releases, base)}`;
  const submitting = html`<p>
    <a href="${base}/submit">Submit data</a>: what to send, how to send it, and templates.
  </p>`;
  const content = html`${hero(SERVICE_TITLE, introduction)}
  ${section('there', 'Available data', publishedTable(releases, state, base))} ${section('ask', 'Try the API', asking)}
  ${section('key', 'Your key', keyText(service))} ${section('reading', 'API basics', readingText(base))}
  ${examplesSection(releases, addresses)} ${section('submit', "Publish your state's data", submitting)}`;
  const styles = ['pages.css', 'landing.css'];
  const modules = ['landing.mjs', 'find-box.mjs'];
  return renderPage({ title: SERVICE_TITLE, content, styles, modules }, service);
}

/**
 * Renders the search box. Suggestions appear while the user types (find-box.mjs). Without JavaScript, the form opens
 * the explorer.
 */
function findBox({ selfService }: Service, { base, fileAddress }: PageAddresses): Html {
  // Gets a key for the browser if keys are issued instantly.
  const program = selfService?.kind === 'instant' ? fileAddress('browser-key.mjs') : '';
  return html`<form class="find" role="search" action="${base}/explore" data-program="${program}">
    <label for="find">Search for a county, owner, site or water right</label>
    <input
      id="find"
      type="search"
      role="combobox"
      autocomplete="off"
      spellcheck="false"
      maxlength="200"
      aria-autocomplete="list"
      aria-expanded="false"
      aria-controls="found"
    />
    <ul id="found" role="listbox" aria-label="Found" hidden></ul>
    <p id="find-status" class="small" role="status"></p>
  </form>`;
}

function keyText(service: Service): Html {
  const development =
    service.developmentKey !== undefined
      ? html`<p>
          <strong>This service runs on your own machine</strong> and accepts a development key. It is in the URL printed
          in your terminal, after <code>#key=</code>, and in the file <code>development-key</code> of the data
          directory. <code>npm run keys -- issue --owner NAME</code> issues keys for others.
        </p>`
      : '';
  return html`${development}
    <p>
      ${keySentences(service)} Send yours in the header <code>X-API-Key</code>, or as the parameter <code>key</code>.
      Prefer the header: URLs end up in logs and browser histories. If both are sent, the header wins.
    </p>`;
}

function readingText(base: string): Html {
  return html`<ul class="facts">
      <li>
        <strong>Filters</strong> combine with AND. A repeated filter matches any of its values:
        <code>State=UT&amp;State=CO</code>. Unknown parameter names return an error.
      </li>
      <li>
        <strong>Dates</strong> are <code>2010-12-31</code>, or <code>12/31/2010</code> with the month first; both ends
        are included.
      </li>
      <li>
        <strong>Places</strong> can be filtered by state, county and watershed (<code>HUC8</code>, <code>HUC12</code>),
        or by a boundary: a named boundary such as <code>huc8:16010202</code>, <code>bbox:-112,40,-111,41</code>, WKT or
        GeoJSON, longitude before latitude.
      </li>
      <li>
        <strong>Pages</strong> have 1,000 records by default; <code>RecordCount</code> allows up to 10,000. Follow the
        header <code>Link</code> to the next page, or increase <code>StartIndex</code> until <code>Organizations</code>
        is empty. Later pages are as fast as the first.
      </li>
      <li>
        <strong>Answers</strong> always have every member: <code>null</code> if unknown, <code>[]</code> for an empty
        list. Records refer by identifier to sites, variables and methods, which are listed next to them.
      </li>
      <li>
        <strong>Formats</strong> are JSON, CSV as a table for spreadsheets (<code>format=csv</code>) and GeoJSON for
        maps (<code>format=geojson</code>); the header <code>Accept</code> also works.
      </li>
      <li>
        <strong>In a GIS</strong>, open <a href="${base}/ogc">${base}/ogc</a> as OGC API - Features, with your key as
        the user name.
      </li>
      <li>
        <strong>Errors</strong> list all problems at once, as <code>application/problem+json</code>. A 429 and a 503 say
        when to try again.
      </li>
    </ul>
    <p>Every parameter and member is described in the <a href="${base}/docs">documentation</a>.</p>`;
}
