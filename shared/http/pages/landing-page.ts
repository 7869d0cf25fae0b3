// The page at the root: what the service is, what is published, how to ask. It needs no JavaScript and holds no key.

import { DATA_SET_KINDS, type DataSetKind } from '../../records/data-sets';
import type { Organization } from '../../records/records';
import type { CatalogState } from '../../store/catalog-types';
import { FEED } from '../../values/media-types';
import type { Outcome } from '../pipeline/outcome';
import type { AskedRequest, Service } from '../pipeline/service';
import { formatNumber } from './charts-and-maps';
import { countRecords, examplesSection, operationCards } from './landing-operations';
import { whereKeysComeFrom } from './keys-page';
import { contentOf, html, type Html, pageFrame, pageOutcome, SERVICE_TITLE } from './page';
import { pageAddresses, type PageAddresses } from './page-files';
import { contentOfReleases, KIND_NAMES, type PublishedRelease, SAMPLES_NOTICE } from './published-releases';

interface Published {
  readonly state: CatalogState;
  readonly releases: readonly PublishedRelease[];
}

/** The page stays in the cache until something else is published: opening the releases is most of the work. */
export async function landingPage(request: AskedRequest, service: Service): Promise<Outcome> {
  const hasDevelopmentKey = service.developmentKey !== undefined;
  const addresses = pageAddresses(service);
  const keys = { hasDevelopmentKey, source: whereKeysComeFrom(service, addresses.base) };
  const name = `landing ${hasDevelopmentKey} ${keys.source.text}`;
  const page = await contentOfReleases(name, service, (releases, state) =>
    contentOf(landingHtml({ releases, state }, addresses, keys)),
  );
  return pageOutcome(request, page, service.pages);
}

interface KeySection {
  readonly hasDevelopmentKey: boolean;
  /** Where keys come from. */
  readonly source: Html;
}

function landingHtml(published: Published, addresses: PageAddresses, keys: KeySection): Html {
  const { base } = addresses;
  const { releases } = published;
  const content = html` <section class="hero">
      <h1>${SERVICE_TITLE}</h1>
      <p>
        States publish water data: time series at sites, aggregate amounts per reporting unit, and water rights. See
        them on a map, add them up and take them along, or let a program ask: by place, by time, by use and by kind.
      </p>
      <p class="actions">
        <a class="button" href="${base}/explore">Explore: map, table, chart, files</a>
        <a class="button plain" href="${base}/keys">Get a key</a>
        <a class="button plain" href="${base}/docs">All parameters and answers</a>
        <a class="button plain" href="${base}/${FEED.path}">Feed of what is published</a>
      </p>
      ${findBox} ${explorerCards(releases, base)}
    </section>
    ${publishedSection(published, base)}
    <section aria-labelledby="ask">
      <h2 id="ask">Ask</h2>
      <p>
        Each operation is one address. Choose, put in your key, and open the answer or copy the address into your
        program.
      </p>
      ${operationCards(releases, base)}
    </section>
    ${keySection(keys)} ${readingSection(base)} ${examplesSection(releases, addresses)} ${submitSection(base)}`;
  return pageFrame({
    title: SERVICE_TITLE,
    addresses,
    content,
    styles: ['pages.css', 'landing.css'],
    modules: ['landing.mjs', 'find-box.mjs'],
  });
}

/** Suggestions come while somebody types (find-box.mjs); without JavaScript it leads to the explorer. */
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

function keySection({ hasDevelopmentKey, source }: KeySection): Html {
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
      ${source} Send yours in the header <code>X-API-Key</code>, or as the parameter <code>key</code>. The header wins
      and is the better place: addresses end up in logs and histories.
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

function submitSection(base: string): Html {
  return html`<section aria-labelledby="submit">
    <h2 id="submit">Have data of a state?</h2>
    <p><a href="${base}/submit">Submit data</a>: what to send, how it comes in here, and files to begin with.</p>
  </section>`;
}

interface View {
  /** The query of the explorer's address. */
  readonly query: string;
  readonly text: string;
}

interface ExploredKind {
  readonly kind: DataSetKind;
  readonly question: string;
  readonly views: readonly View[];
}

const EXPLORED: readonly ExploredKind[] = [
  {
    kind: 'WaterAllocations',
    question: 'Who may take water, where, and since when?',
    views: [
      { query: '', text: 'Rights on the map' },
      { query: '?view=chart&stack=BeneficialUseCV', text: 'By decade and use' },
      { query: '?view=table&order=AllocationPriorityDate', text: 'The most senior first' },
    ],
  },
  {
    kind: 'AggregatedAmounts',
    question: 'How much does each area take, year by year?',
    views: [
      { query: '?kind=aggregates', text: 'Areas on the map' },
      { query: '?kind=aggregates&view=chart&stack=BeneficialUseCV', text: 'By year and use' },
    ],
  },
  {
    kind: 'SiteVariableAmounts',
    question: 'What was measured at a site?',
    views: [
      { query: '?kind=series', text: 'Sites on the map' },
      { query: '?kind=series&view=chart', text: 'By year' },
      { query: '?kind=series&view=table', text: 'As a table' },
    ],
  },
];

function explorerCards(releases: readonly PublishedRelease[], base: string): Html {
  const shown = EXPLORED.filter(({ kind }) => countRecords(releases, kind) > 0);
  if (shown.length === 0) return html``;
  return html`<div class="cards explored">
    ${shown.map(
      ({ kind, question, views }) =>
        html`<section class="explored-kind">
          <h2>${question}</h2>
          <p class="small">${KIND_NAMES[kind]}: ${formatNumber(countRecords(releases, kind))}</p>
          <ul>
            ${views.map(({ query, text }) => html`<li><a href="${base}/explore${query}">${text}</a></li>`)}
          </ul>
        </section>`,
    )}
  </div>`;
}

function publishedSection({ state, releases }: Published, base: string): Html {
  if (releases.length === 0) {
    return html`<section aria-labelledby="there">
      <h2 id="there">What is there now</h2>
      <p class="notice">
        Nothing is published yet. The operator loads submissions with <code>npm run load -- FOLDER</code>.
      </p>
    </section>`;
  }
  const organizations = new Map(
    releases.map(({ facts: { organization } }) => [organization.OrganizationUUID, organization]),
  );
  const totals = DATA_SET_KINDS.map(
    (kind) => html`<td data-kind="${KIND_NAMES[kind]}">${formatNumber(countRecords(releases, kind))}</td>`,
  );
  return html`<section aria-labelledby="there">
    <h2 id="there">What is there now</h2>
    ${state.entries.some(({ isSample }) => isSample) ? SAMPLES_NOTICE : ''}
    <table>
      <thead>
        <tr>
          <th scope="col">Organization</th>
          <th scope="col">State</th>
          ${DATA_SET_KINDS.map((kind) => html`<th scope="col" class="number">${KIND_NAMES[kind]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${[...organizations.values()].map((organization) => organizationRow(organization, releases))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colspan="2">All records</th>
          ${totals}
        </tr>
      </tfoot>
    </table>
    <p>
      Every value that a filter finds, with counts, and the terms of use of each data set: <code>/v1/Inventory</code>,
      with your key. Each data set as a whole, for analysis and maps: <a href="${base}/downloads">downloads</a>.
    </p>
    <p class="small">
      Data version
      <code>${state.version}</code>${state.since === null ? '' : `, since ${state.since.slice(0, 10)}`}.
    </p>
  </section>`;
}

function organizationRow(
  { OrganizationUUID, OrganizationName, State }: Organization,
  releases: readonly PublishedRelease[],
): Html {
  const published = releases.filter(({ facts }) => facts.organization.OrganizationUUID === OrganizationUUID);
  const cells = DATA_SET_KINDS.map((kind) => dataSetCell(published.find(({ facts }) => facts.dataSet === kind)));
  return html`<tr>
    <th scope="row">${OrganizationName}</th>
    <td class="text">${State}</td>
    ${cells}
  </tr> `;
}

function dataSetCell(release: PublishedRelease | undefined): Html {
  if (release === undefined) return html`<td class="none">–</td>`;
  const { dataSet, firstDay, lastDay, records } = release.facts;
  const span = firstDay === null || lastDay === null ? '' : `${firstDay.slice(0, 4)}–${lastDay.slice(0, 4)}`;
  return html`<td data-kind="${KIND_NAMES[dataSet]}">${formatNumber(records)} <span class="years">${span}</span></td>`;
}
