// The page at the root: what the service is, what is published, how to ask. It needs no JavaScript and holds no key.

import { DATA_SET_KINDS, type DataSetKind } from '../../records/data-sets';
import type { CatalogState } from '../../store/catalog-types';
import { FEED } from '../../values/media-types';
import type { Outcome } from '../pipeline/outcome';
import type { HttpRequest, Service } from '../pipeline/service';
import { formatNumber } from './charts-and-maps';
import { describeKeySource } from './keys-page';
import { countRecords, examplesSection, operationCards } from './landing-operations';
import { answerPage, createContent, type Html, html, renderPage, SERVICE_TITLE } from './page';
import { getPageAddresses } from './page-files';
import { head, hero, namedCell, row, section, table } from './page-parts';
import { getReleasesContent, KIND_NAMES, type PublishedRelease, SAMPLES_NOTICE } from './published-releases';

/** The page stays in the cache until something else is published: opening the releases is most of the work. */
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

/** A question to the records of a kind, and what of the explorer answers it: the query of its address, and a label. */
interface ExplorerQuestion {
  readonly kind: DataSetKind;
  readonly question: string;
  readonly views: readonly (readonly [query: string, label: string])[];
}

const EXPLORER_QUESTIONS: readonly ExplorerQuestion[] = [
  {
    kind: 'WaterAllocations',
    question: 'Who may take water, where, and since when?',
    views: [
      ['', 'Rights on the map'],
      ['?view=chart&stack=BeneficialUseCV', 'By decade and use'],
      ['?view=table&order=AllocationPriorityDate', 'The most senior first'],
    ],
  },
  {
    kind: 'AggregatedAmounts',
    question: 'How much does each area take, year by year?',
    views: [
      ['?kind=aggregates', 'Areas on the map'],
      ['?kind=aggregates&view=chart&stack=BeneficialUseCV', 'By year and use'],
    ],
  },
  {
    kind: 'SiteVariableAmounts',
    question: 'What was measured at a site?',
    views: [
      ['?kind=series', 'Sites on the map'],
      ['?kind=series&view=chart', 'By year'],
      ['?kind=series&view=table', 'As a table'],
    ],
  },
];

function explorerCards(releases: readonly PublishedRelease[], base: string): Html {
  const questions = EXPLORER_QUESTIONS.filter(({ kind }) => countRecords(releases, kind) > 0);
  if (questions.length === 0) return html``;
  return html`<div class="cards explored">
    ${questions.map(
      ({ kind, question, views }) =>
        html`<section class="explored-kind">
          <h2>${question}</h2>
          <p class="small">${KIND_NAMES[kind]}: ${formatNumber(countRecords(releases, kind))}</p>
          <ul>
            ${views.map(([query, label]) => html`<li><a href="${base}/explore${query}">${label}</a></li>`)}
          </ul>
        </section>`,
    )}
  </div>`;
}

function publishedTable(releases: readonly PublishedRelease[], state: CatalogState, base: string): Html {
  if (releases.length === 0) {
    return html`<p class="notice">
      Nothing is published yet. The operator loads submissions with <code>npm run load -- FOLDER</code>.
    </p>`;
  }
  const organizations = Map.groupBy(releases, ({ facts }) => facts.organization.OrganizationUUID);
  const totals = DATA_SET_KINDS.map((kind) => namedCell(KIND_NAMES[kind], formatNumber(countRecords(releases, kind))));
  const heads = [
    head('Organization'),
    head('State'),
    ...DATA_SET_KINDS.map((kind) => head(KIND_NAMES[kind], 'number')),
  ];
  const foot = html`<tfoot>
    <tr>
      <th scope="row" colspan="2">All records</th>
      ${totals}
    </tr>
  </tfoot>`;
  return html`${state.entries.some(({ isSample }) => isSample) ? SAMPLES_NOTICE : ''}
    ${table(heads, [...organizations.values()].map(organizationRow), foot)}
    <p>
      Every value that a filter finds, with counts, and the terms of use of each data set: <code>/v1/Inventory</code>,
      with your key. Each data set as a whole, for analysis and maps: <a href="${base}/downloads">downloads</a>.
    </p>
    <p class="small">
      Data version
      <code>${state.version}</code>${state.since === null ? '' : `, since ${state.since.slice(0, 10)}`}.
    </p>`;
}

/** The releases are those of one organization. */
function organizationRow(releases: readonly PublishedRelease[]): Html {
  const { OrganizationName: name, State: state } = releases[0]?.facts.organization ?? {};
  const dataSetCells = DATA_SET_KINDS.map((kind) => dataSetCell(releases.find(({ facts }) => facts.dataSet === kind)));
  return row(name ?? '', [html`<td class="text">${state ?? ''}</td>`, ...dataSetCells]);
}

function dataSetCell(release: PublishedRelease | undefined): Html {
  if (release === undefined) return html`<td class="none">–</td>`;
  const { dataSet, firstDay, lastDay, records } = release.facts;
  const span = firstDay === null || lastDay === null ? '' : `${firstDay.slice(0, 4)}–${lastDay.slice(0, 4)}`;
  return namedCell(KIND_NAMES[dataSet], html`${formatNumber(records)} <span class="years">${span}</span>`);
}
