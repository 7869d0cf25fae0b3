// The landing page's card of each operation: a form that opens an answer, and the address of that answer to copy.

import { accessKey } from '../../../query/parameter';
import { exportOperations, operations, totalsOperations, type Operation } from '../../../query/operations';
import { placesOperations } from '../../../query/operations';
import {
  ANSWER_FORMATS,
  answerFormat,
  EXPORT_FORMATS,
  exportFormat,
  RECORD_COUNT,
  recordCount,
} from '../../../query/paging-and-format';
import type { ExportFormat } from '../../../query/paging-and-format';
import { state } from '../../../query/filters';
import { dataSetLayouts, type DataSetKind } from '../../../records/data-sets';
import { html, type Html } from '../page-frame';
import { countRecords, type PublishedData } from '../published-data';
import { formatCount } from '../year-chart';

/** As many records as a person can look through. */
const SHOWN_RECORDS = 5;

export function operationCards(published: PublishedData, base: string): Html {
  return html`<div class="cards">${operations.map((operation) => card(operation, published, base))}</div>`;
}

/** The query finds something, if anything is published. */
export function exampleQuery(published: PublishedData, kind: DataSetKind, records: number): string {
  const [[code] = []] = statesOf(published, kind);
  return `${code === undefined ? '' : `${state.name}=${code}&`}${recordCount.name}=${records}`;
}

function card({ name, route, summary, dataSet }: Operation, published: PublishedData, base: string): Html {
  const path = `${base}/${route}`;
  const href = `${path}?${exampleQuery(published, dataSet, SHOWN_RECORDS)}&${accessKey.name}=${accessKey.example}`;
  return html`<article class="card">
    <h3>${name}</h3>
    <p>${summary} <span class="count">${formatCount(countRecords(published, dataSet))} records.</span></p>
    <form action="${path}" method="get" target="_blank" autocomplete="off">
      <label
        >State
        <select name="${state.name}">
          ${stateOptions(published, dataSet)}
        </select></label
      >
      <label
        >Records
        <input
          name="${recordCount.name}"
          type="number"
          min="${RECORD_COUNT.minimum}"
          max="${RECORD_COUNT.maximum}"
          value="${SHOWN_RECORDS}"
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
    <div class="beside">
      ${totalsLink(published, dataSet, base)} ${placesLink(published, dataSet, base)}
      ${exportLinks(published, dataSet, base)}
    </div>
  </article> `;
}

/** By what the records of a kind are first looked at as totals. */
const TOTALS_OF: Readonly<Record<DataSetKind, { readonly groupBy: string; readonly words: string }>> = {
  SiteVariableAmounts: { groupBy: 'Year', words: 'by year' },
  AggregatedAmounts: { groupBy: 'Year', words: 'by year' },
  WaterAllocations: { groupBy: 'PriorityDecade', words: 'by decade of priority' },
};

function totalsLink(published: PublishedData, kind: DataSetKind, base: string): Html | '' {
  const totals = totalsOperations.find(({ dataSet }) => dataSet === kind);
  if (totals === undefined) return '';
  const { groupBy, words } = TOTALS_OF[kind];
  const href = `${base}/${totals.route}?GroupBy=${groupBy}&${stateAndKey(published, kind)}`;
  return html`<p>Added up: <a href="${href}" target="_blank" rel="noopener">totals ${words}</a></p>`;
}

const EXPORT_WORDS: Readonly<Record<ExportFormat, string>> = { parquet: 'Parquet', 'csv.gz': 'compressed CSV' };

/** The whole of what the form asks for, as one file (D46). */
function exportLinks(published: PublishedData, kind: DataSetKind, base: string): Html | '' {
  const exported = exportOperations.find(({ dataSet }) => dataSet === kind);
  if (exported === undefined) return '';
  const links = EXPORT_FORMATS.map((format, index) => {
    const href = `${base}/${exported.route}?${exportFormat.name}=${format}&${stateAndKey(published, kind)}`;
    return html`${index === 0 ? '' : ', '}<a href="${href}">${EXPORT_WORDS[format]}</a>`;
  });
  return html`<p>All of it as a file: ${links}</p>`;
}

/** The state that the form begins with, and the key's example, for landing.js to replace. */
function stateAndKey(published: PublishedData, kind: DataSetKind): string {
  const [[code] = []] = statesOf(published, kind);
  return `${code === undefined ? '' : `${state.name}=${code}&`}${accessKey.name}=${accessKey.example}`;
}

/** Where the records are, and what there is at each place (D42, D43). */
function placesLink(published: PublishedData, kind: DataSetKind, base: string): Html | '' {
  const { placeKind } = dataSetLayouts[kind];
  const places = placesOperations.find(({ dataSet }) => dataSetLayouts[dataSet].placeKind === placeKind);
  if (places === undefined) return '';
  const href = `${base}/${places.route}?${recordCount.name}=${SHOWN_RECORDS}&${stateAndKey(published, kind)}`;
  const words = placeKind === 'Sites' ? 'sites' : 'reporting units';
  return html`<p>Where: <a href="${href}" target="_blank" rel="noopener">${words} with their series</a></p>`;
}

/** The first format comes without a value, since a blank one counts as not given (D1): addresses stay short. */
const formatOptions = ANSWER_FORMATS.map(
  (format, index) => html`<option value="${index === 0 ? '' : format}">${format}</option>`,
);

/** The first state is selected, so that the answer is small and not empty. */
function stateOptions(published: PublishedData, kind: DataSetKind): readonly Html[] {
  const options = statesOf(published, kind).map(
    ([code, name], index) => html`<option value="${code}" ${index === 0 ? html` selected` : ''}>${name}</option>`,
  );
  return [html`<option value="">all</option>`, ...options];
}

function statesOf({ releases }: PublishedData, kind: DataSetKind): readonly [code: string, name: string][] {
  const states = releases.flatMap(({ dataSet, organization: { OrganizationState, State } }) =>
    dataSet === kind ? [[OrganizationState, State] as const] : [],
  );
  return [...new Map(states)].sort(([, a], [, b]) => (a < b ? -1 : 1));
}
