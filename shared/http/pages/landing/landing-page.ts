// The page at the root: what the service is, what is published, how to ask. It needs no JavaScript and holds no key.

import type { Outcome } from '../../pipeline/outcome';
import type { AskedRequest, Service } from '../../pipeline/service';
import { examplesSection } from './landing-examples';
import { explorerCards } from './landing-explorer';
import { operationCards } from './landing-operations';
import { pageAddresses, type PageAddresses } from '../page-files';
import { html, pageFrame, type Html } from '../page-frame';
import { contentOf, pageOutcome } from '../page-outcome';
import { publishedSection, readPublishedData, type PublishedData } from '../published-data';

const TITLE = 'Water Data Query Service';

/** The page stays in the cache until something else is published: opening the releases is most of the work. */
export async function landingPage(request: AskedRequest, service: Service): Promise<Outcome> {
  const { pages } = service;
  const state = await service.store.currentState();
  const hasDevelopmentKey = service.developmentKey !== undefined;
  const key = `landing ${state.version} ${hasDevelopmentKey}`;
  let page = pages.get(key);
  if (page === undefined) {
    const published = await readPublishedData(service, state);
    page = contentOf(landingHtml(published, pageAddresses(service), hasDevelopmentKey));
    // A data set that cannot be read is shown again once it can.
    if (published.releases.length === state.entries.length) pages.set(key, page, page.body.length);
  }
  return pageOutcome(request, page, pages);
}

function landingHtml(published: PublishedData, addresses: PageAddresses, hasDevelopmentKey: boolean): Html {
  const { base } = addresses;
  const content = html` <section class="hero">
      <h1>${TITLE}</h1>
      <p>
        States publish water data: time series at sites, aggregate amounts per reporting unit, and water rights. See
        them on a map, add them up and take them along, or let a program ask: by place, by time, by use and by kind.
      </p>
      <p class="actions">
        <a class="button" href="${base}/explore">Explore: map, table, chart, files</a>
        <a class="button plain" href="${base}/docs">All parameters and answers</a>
        <a class="button plain" href="${base}/openapi.json">OpenAPI document</a>
      </p>
      ${explorerCards(published, base)}
    </section>
    ${publishedSection(published, base)}
    <section aria-labelledby="ask">
      <h2 id="ask">Ask</h2>
      <p>
        Each operation is one address. Choose, put in your key, and open the answer or copy the address into your
        program.
      </p>
      ${operationCards(published, base)}
    </section>
    ${keySection(hasDevelopmentKey)} ${readingSection(base)} ${examplesSection(published, addresses)}`;
  return pageFrame({
    title: TITLE,
    addresses,
    content,
    styles: ['pages.css', 'landing.css'],
    modules: ['landing.mjs'],
  });
}

function keySection(hasDevelopmentKey: boolean): Html {
  const development = hasDevelopmentKey
    ? html`<p>
        <strong>This service runs on your own machine</strong> and accepts a development key: it stands in the address
        that the console printed at the start, behind <code>#key=</code>, and in the file
        <code>development-key</code> of the data directory.
      </p>`
    : '';
  return html`<section aria-labelledby="key">
    <h2 id="key">Your key</h2>
    ${development}
    <p>
      The operator of the service issues keys on request, with <code>npm run keys -- issue --owner NAME</code>. Send
      yours in the header <code>X-API-Key</code>, or as the parameter <code>key</code>. The header wins and is the
      better place: addresses end up in logs and histories.
    </p>
  </section>`;
}

function readingSection(base: string): Html {
  return html`<section aria-labelledby="reading">
    <h2 id="reading">What to know</h2>
    <ul class="facts">
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
    <p>All of it, with every parameter and member: <a href="${base}/docs">documentation</a>.</p>
  </section>`;
}
