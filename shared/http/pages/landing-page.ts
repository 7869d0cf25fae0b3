// The page at the root: what the service is, what is published, and how to query it. It needs no JavaScript and holds no
// key.

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
import { getPageAddresses } from './page-files';
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
      States publish water data: time series at sites, aggregate amounts per reporting unit, and water rights. See them
      on a map, add them up and take them along, or let a program ask: by place, by time, by use and by kind.
    </p>
    <p class="actions">
      <a class="button" href="${base}/explore">Explore: map, table, chart, files</a>
      <a class="button plain" href="${base}/keys">Get a key</a>
      <a class="button plain" href="${base}/docs">All parameters and answers</a>
      <a class="button plain" href="${base}/${FEED.path}">Feed of what is published</a>
    </p>
    ${findBox} ${explorerCards(releases, base)}`;
  const asking = html`<p>
      Each operation is one address. Choose, put in your key, and open the answer or copy the address into your program.
    </p>
    ${operationCards(releases, base)}`;
  const submitting = html`<p>
    <a href="${base}/submit">Submit data</a>: what to send, how it comes in here, and files to begin with.
  </p>`;
  const content = html`${hero(SERVICE_TITLE, introduction)}
  ${section('there', 'What is there now', publishedTable(releases, state, base))} ${section('ask', 'Ask', asking)}
  ${section('key', 'Your key', keyText(service))} ${section('reading', 'What to know', readingText(base))}
  ${examplesSection(releases, addresses)} ${section('submit', 'Have data of a state?', submitting)}`;
  const styles = ['pages.css', 'landing.css'];
  const modules = ['landing.mjs', 'find-box.mjs'];
  return renderPage({ title: SERVICE_TITLE, content, styles, modules }, service);
}

/** Suggestions appear while you type (find-box.mjs). Without JavaScript the form opens the explorer. */
const findBox = html`<form class="find" role="search" action="/explore">
  <label for="find">Find a site, a right, an owner, a county or a use</label>
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

function keyText(service: Service): Html {
  const development =
    service.developmentKey !== undefined
      ? html`<p>
          <strong>This service runs on your own machine</strong> and accepts a development key: it stands in the address
          that the console printed at the start, behind <code>#key=</code>, and in the file
          <code>development-key</code> of the data directory.
        </p>`
      : '';
  return html`${development}
    <p>
      ${keySentences(service)} Send yours in the header <code>X-API-Key</code>, or as the parameter <code>key</code>.
      The header wins and is the better place: addresses end up in logs and histories.
    </p>`;
}

function readingText(base: string): Html {
  return html`<ul class="facts">
      <li>
        <strong>Filters</strong> combine with AND. One that may repeat means any of its values:
        <code>State=UT&amp;State=CO</code>. A name that is not known is an error, never ignored.
      </li>
      <li>
        <strong>Dates</strong> are <code>2010-12-31</code>, or <code>12/31/2010</code> with the month first; both ends
        count.
      </li>
      <li>
        <strong>Places</strong> are found by state, county and watershed (<code>HUC8</code>, <code>HUC12</code>), or by
        a boundary: a named one such as <code>huc8:16010202</code> or <code>bbox:-112,40,-111,41</code>, WKT or GeoJSON,
        longitude before latitude.
      </li>
      <li>
        <strong>Pages</strong> have 1,000 records unless <code>RecordCount</code> says otherwise, up to 10,000. The
        header <code>Link</code> leads to the next one; or count <code>StartIndex</code> up until
        <code>Organizations</code> is empty. Any depth costs the same.
      </li>
      <li>
        <strong>Answers</strong> have every member, always: <code>null</code> when it is unknown, <code>[]</code> when a
        list is empty. What records refer to by identifier is in the lists beside them.
      </li>
      <li>
        <strong>Formats</strong> are JSON, CSV as a table for spreadsheets (<code>format=csv</code>) and GeoJSON for
        maps (<code>format=geojson</code>); the header <code>Accept</code> is read too.
      </li>
      <li>
        <strong>In a GIS</strong>, open <a href="${base}/ogc">${base}/ogc</a> as OGC API - Features, with your key as
        the user name.
      </li>
      <li>
        <strong>Errors</strong> say all that is wrong at once, as <code>application/problem+json</code>. A 429 and a 503
        say when to try again.
      </li>
    </ul>
    <p>All of it, with every parameter and member: <a href="${base}/docs">documentation</a>.</p>`;
}
