// The cards on the landing page. The card of each operation has a form that opens an answer, and the URL of that
// answer.

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
  totalsOperations,
} from '../../query/operations';
import { RECORD_COUNT, recordCount } from '../../query/page-parameters';
import { type DataSetKind, dataSetLayouts } from '../../records/data-sets';
import { buildExampleQuery, buildStateQuery, countRecords, KEY, listStates, type StateName } from './example-queries';
import { formatNumber } from './format-number';
import { type Html, html } from './html';
import type { PublishedRelease } from './published-releases';

/** Few enough to read through. */
const EXAMPLE_RECORDS = 5;

export function operationCards(releases: readonly PublishedRelease[], base: string): Html {
  return html`<div class="cards">${operations.map((operation) => card(operation, releases, base))}</div>`;
}

function card({ name, route, summary, dataSet }: Operation, releases: readonly PublishedRelease[], base: string): Html {
  const path = `${base}/${route}`;
  const states = listStates(releases, dataSet);
  const href = `${path}?${buildExampleQuery(states, EXAMPLE_RECORDS)}&${accessKey.name}=${KEY}`;
  // landing.mjs replaces the state and the key with those that the user chooses.
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
        >Key <input name="${accessKey.name}" type="password" required spellcheck="false" autocapitalize="off"
      /></label>
      <button class="button">Run query</button>
    </form>
    <p class="address"><a href="${href}" target="_blank" rel="noopener">${href}</a></p>
    <div class="beside">${moreLinks(dataSet, stateAndKey, base)}</div>
  </article> `;
}

/** The most useful totals for each kind of record. */
const TOTALS_EXAMPLES: Readonly<Record<DataSetKind, { readonly groupBy: string; readonly words: string }>> = {
  SiteVariableAmounts: { groupBy: 'Year', words: 'by year' },
  AggregatedAmounts: { groupBy: 'Year', words: 'by year' },
  WaterAllocations: { groupBy: 'PriorityDecade', words: 'by priority decade' },
};

const EXPORT_WORDS: Readonly<Record<ExportFormat, string>> = { parquet: 'Parquet', 'csv.gz': 'CSV (gzip)' };

/** Lists links to other answers with the same filter: totals, places (D42, D43), and a complete file (D46). */
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
    html`<p>Totals <a href="${byTime}" target="_blank" rel="noopener">${words}</a></p>`,
    html`<p><a href="${byPlace}" target="_blank" rel="noopener">List of ${placeWords}</a></p>`,
    html`<p>Download everything: ${files}</p>`,
  ];
}

/** The first format has an empty value, which counts as not sent (D1), so that URLs stay short. */
const formatOptions = ANSWER_FORMATS.map(
  (format, index) => html`<option value="${index === 0 ? '' : format}">${format}</option>`,
);

/** Selects the first state, so that the answer is small but not empty. */
function stateOptions(states: readonly StateName[]): readonly Html[] {
  const options = states.map(
    ([code, name], index) => html`<option value="${code}" ${index === 0 ? html` selected` : ''}>${name}</option>`,
  );
  return [html`<option value="">all</option>`, ...options];
}
