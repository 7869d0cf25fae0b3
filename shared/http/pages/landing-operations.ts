// How the landing page lets people ask: for each operation a form that opens an answer, with the address of that answer
// to copy, and short examples for programs.

import { accessKey } from '../../query/access-key-parameter';
import { state } from '../../query/filters';
import {
  ANSWER_FORMATS,
  answerFormat,
  EXPORT_FORMATS,
  type ExportFormat,
  exportFormat,
} from '../../query/format-parameters';
import {
  exportOperations,
  type Operation,
  operations,
  placesOperations,
  siteVariableAmounts,
  totalsOperations,
} from '../../query/operations';
import { RECORD_COUNT, recordCount } from '../../query/page-parameters';
import { type DataSetKind, dataSetLayouts } from '../../records/data-sets';
import { formatNumber } from './charts-and-maps';
import { type Html, html } from './page';
import { ADDRESS, type PageAddresses } from './page-files';
import { example, section } from './page-parts';
import type { PublishedRelease } from './published-releases';

const KEY = accessKey.example;

/** As many records as a person can look through. */
const EXAMPLE_RECORDS = 5;

export function operationCards(releases: readonly PublishedRelease[], base: string): Html {
  return html`<div class="cards">${operations.map((operation) => card(operation, releases, base))}</div>`;
}

export function countRecords(releases: readonly PublishedRelease[], kind: DataSetKind): number {
  return releases.reduce((sum, { facts }) => sum + (facts.dataSet === kind ? facts.records : 0), 0);
}

function card({ name, route, summary, dataSet }: Operation, releases: readonly PublishedRelease[], base: string): Html {
  const path = `${base}/${route}`;
  const states = listStates(releases, dataSet);
  const href = `${path}?${buildExampleQuery(states, EXAMPLE_RECORDS)}&${accessKey.name}=${KEY}`;
  // landing.mjs puts in the state and the key that are chosen.
  const stateAndKey = `${buildStateQuery(states)}${accessKey.name}=${KEY}`;
  return html`<article class="card">
    <h3>${name}</h3>
    <p>${summary} <span class="count">${formatNumber(countRecords(releases, dataSet))} records.</span></p>
    <form action="${path}" method="get" target="_blank" autocomplete="off">
      <label
        >State
        <select name="${state.name}">
          ${stateOptions(states)}
        </select></label
      >
      <label
        >Records
        <input
          name="${recordCount.name}"
          type="number"
          min="${RECORD_COUNT.minimum}"
          max="${RECORD_COUNT.maximum}"
          value="${EXAMPLE_RECORDS}"
          required
      /></label>
      <label
        >Format
        <select name="${answerFormat.name}">
          ${formatOptions}
        </select></label
      >
      <label class="wide"
        >Key <input name="${accessKey.name}" required spellcheck="false" autocapitalize="off"
      /></label>
      <button class="button">Open the answer</button>
    </form>
    <p class="address"><a href="${href}" target="_blank" rel="noopener">${href}</a></p>
    <div class="beside">${moreLinks(dataSet, stateAndKey, base)}</div>
  </article> `;
}

/** By what the records of a kind are first looked at as totals. */
const TOTALS_EXAMPLES: Readonly<Record<DataSetKind, { readonly groupBy: string; readonly words: string }>> = {
  SiteVariableAmounts: { groupBy: 'Year', words: 'by year' },
  AggregatedAmounts: { groupBy: 'Year', words: 'by year' },
  WaterAllocations: { groupBy: 'PriorityDecade', words: 'by decade of priority' },
};

const EXPORT_WORDS: Readonly<Record<ExportFormat, string>> = { parquet: 'Parquet', 'csv.gz': 'compressed CSV' };

/** What else can be asked about what the form asks for: added up, where it is (D42, D43), and whole as a file (D46). */
function moreLinks(kind: DataSetKind, stateAndKey: string, base: string): readonly Html[] {
  const { placeKind } = dataSetLayouts[kind];
  const { groupBy, words } = TOTALS_EXAMPLES[kind];
  const totals = totalsOperations.find(({ dataSet }) => dataSet === kind);
  const places = placesOperations.find(({ dataSet }) => dataSetLayouts[dataSet].placeKind === placeKind);
  const exported = exportOperations.find(({ dataSet }) => dataSet === kind);
  const buildAddress = (operation: Pick<Operation, 'route'> | undefined, query: string): string =>
    `${base}/${operation?.route ?? ''}?${query}&${stateAndKey}`;
  const byTime = buildAddress(totals, `GroupBy=${groupBy}`);
  const byPlace = buildAddress(places, `${recordCount.name}=${EXAMPLE_RECORDS}`);
  const files = EXPORT_FORMATS.map((format, index) => {
    const href = buildAddress(exported, `${exportFormat.name}=${format}`);
    return html`${index === 0 ? '' : ', '}<a href="${href}">${EXPORT_WORDS[format]}</a>`;
  });
  const placeWords = placeKind === 'Sites' ? 'sites' : 'reporting units';
  return [
    html`<p>Added up: <a href="${byTime}" target="_blank" rel="noopener">totals ${words}</a></p>`,
    html`<p>Where: <a href="${byPlace}" target="_blank" rel="noopener">${placeWords} with their series</a></p>`,
    html`<p>All of it as a file: ${files}</p>`,
  ];
}

/** The first format comes without a value, since a blank one counts as not given (D1): addresses stay short. */
const formatOptions = ANSWER_FORMATS.map(
  (format, index) => html`<option value="${index === 0 ? '' : format}">${format}</option>`,
);

/** The first state is selected, so that the answer is small and not empty. */
function stateOptions(states: readonly StateName[]): readonly Html[] {
  const options = states.map(
    ([code, name], index) => html`<option value="${code}" ${index === 0 ? html` selected` : ''}>${name}</option>`,
  );
  return [html`<option value="">all</option>`, ...options];
}

type StateName = readonly [code: string, name: string];

/** The states of which there are records, by name. */
function listStates(releases: readonly PublishedRelease[], kind: DataSetKind): readonly StateName[] {
  const states = releases.flatMap(({ facts: { dataSet, organization } }) =>
    dataSet === kind ? [[organization.OrganizationState, organization.State] as const] : [],
  );
  return [...new Map(states)].sort(([, a], [, b]) => (a < b ? -1 : 1));
}

/** The query finds something, if anything is published. */
function buildExampleQuery(states: readonly StateName[], records: number): string {
  return `${buildStateQuery(states)}${recordCount.name}=${records}`;
}

function buildStateQuery([first]: readonly StateName[]): string {
  return first === undefined ? '' : `${state.name}=${first[0]}&`;
}

interface ClientExample {
  readonly language: string;
  /** `list` is the member that has the records, and `query` what the address asks for. */
  readonly text: (url: string, list: string, query: string) => string;
  /** The name of its file in docs/examples. */
  readonly program?: string;
}

/** The functions of clients/ have these names behind `get_` in Python and `read_` in R. */
const clientFunctions: Readonly<Record<string, string>> = {
  SiteVariableAmounts: 'site_amounts',
  AggregatedAmounts: 'aggregated_amounts',
  WaterAllocations: 'allocations',
};

function formatStateArguments(query: string, assignment: string): string {
  const states = new URLSearchParams(query).getAll(state.name);
  return states.map((name) => `state${assignment}"${name}", `).join('');
}

const clients: readonly ClientExample[] = [
  {
    language: 'Python, with the package waterdataquery',
    text: (
      _,
      list,
      query,
    ) => `# The package is in clients/python of this service's repository: pip install "clients/python[all]"
import waterdataquery as water

records, metadata = water.get_${clientFunctions[list] ?? ''}(
    ${formatStateArguments(query, '=')}limit=100, url="${ADDRESS}", key="${KEY}"
)
print(records)`,
  },
  {
    language: 'R, with the package waterdataquery',
    text: (_, list, query) => `# The package is in clients/r of this service's repository: R CMD INSTALL clients/r
library(waterdataquery)

records <- read_${clientFunctions[list] ?? ''}(
  ${formatStateArguments(query, ' = ')}limit = 100, url = "${ADDRESS}", key = "${KEY}"
)
print(records)`,
  },
  { language: 'curl', text: (url) => `curl -H "X-API-Key: ${KEY}" "${url}"` },
  {
    language: 'Python',
    program: 'walk.py',
    text: (url, list) => `import pandas
import requests

answer = requests.get("${url}", headers={"X-API-Key": "${KEY}"}, timeout=60)
answer.raise_for_status()
records = [record for organization in answer.json()["Organizations"] for record in organization["${list}"]]
print(pandas.DataFrame(records))`,
  },
  {
    language: 'R',
    program: 'walk.R',
    text: (url, list) => `library(jsonlite)

answer <- fromJSON(url("${url}", headers = c("X-API-Key" = "${KEY}")))
records <- do.call(rbind, answer$Organizations$${list})
print(records)`,
  },
  {
    language: 'JavaScript',
    program: 'walk.mjs',
    text: (url, list) => `const answer = await fetch("${url}", { headers: { "X-API-Key": "${KEY}" } });
if (!answer.ok) throw new Error(await answer.text());
const { Organizations } = await answer.json();
console.table(Organizations.flatMap((organization) => organization.${list}));`,
  },
];

export function examplesSection(releases: readonly PublishedRelease[], addresses: PageAddresses): Html {
  const operation = operations.find(({ dataSet }) => countRecords(releases, dataSet) > 0) ?? siteVariableAmounts;
  const query = buildExampleQuery(listStates(releases, operation.dataSet), 100);
  const url = `${ADDRESS}/${operation.route}?${query}`;
  const examples = clients.map(({ language, text, program }, index) => {
    const more = program === undefined ? '' : downloadLink(addresses, program);
    return example(language, text(url, operation.dataSet, query), { more, isOpen: index === 0 });
  });
  return section('programs', 'From your program', examples);
}

function downloadLink({ fileAddress }: PageAddresses, program: string): Html {
  return html`<p class="small">
    A program that walks through all pages and writes CSV:
    <a href="${fileAddress(`examples/${program}`)}" download="${program}">${program}</a>
  </p> `;
}
