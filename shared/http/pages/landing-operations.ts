// The landing page's card of each operation: a form that opens an answer, and the address of that answer to copy.

import type { Operation } from '../../query/operation';
import { operations } from '../../query/operations';
import { ANSWER_FORMATS, answerFormat } from '../../query/answer-format';
import { accessKey, RECORD_COUNT, recordCount } from '../../query/paging-and-access';
import { state } from '../../query/text-filters';
import type { DataSetKind } from '../../records/data-sets';
import { html, type Html } from './html';
import { formatCount } from './landing-there';
import { countRecords, type WhatIsThere } from './what-is-there';

/** As many as one can look through. */
const SHOWN_RECORDS = 5;

export function operationCards(there: WhatIsThere, base: string): Html {
  return html`<div class="cards">${operations.map((operation) => card(operation, there, base))}</div>`;
}

/** A query that finds something, if anything is there. */
export function exampleQuery(there: WhatIsThere, kind: DataSetKind, records: number): string {
  const [first] = statesOf(there, kind);
  return `${first === undefined ? '' : `${state.name}=${first.code}&`}${recordCount.name}=${records}`;
}

function card({ name, route, summary, dataSet }: Operation, there: WhatIsThere, base: string): Html {
  const path = `${base}/${route}`;
  const href = `${path}?${exampleQuery(there, dataSet, SHOWN_RECORDS)}&${accessKey.name}=${accessKey.example}`;
  return html`<article class="card">
    <h3>${name}</h3>
    <p>${summary} <span class="count">${formatCount(countRecords(there, dataSet))} records.</span></p>
    <form action="${path}" method="get" target="_blank" autocomplete="off">
      <label
        >State
        <select name="${state.name}">
          ${stateOptions(there, dataSet)}
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
  </article> `;
}

/** The first is what comes without a word, and a blank value is none (D1): addresses stay short. */
const formatOptions = ANSWER_FORMATS.map(
  (format, index) => html`<option value="${index === 0 ? '' : format}">${format}</option>`,
);

/** The first one is chosen, so that the answer is small and has something in it. */
function stateOptions(there: WhatIsThere, kind: DataSetKind): readonly Html[] {
  const options = statesOf(there, kind).map(
    ({ code, name }, index) => html`<option value="${code}" ${index === 0 ? html` selected` : ''}>${name}</option>`,
  );
  return [html`<option value="">all</option>`, ...options];
}

function statesOf(there: WhatIsThere, kind: DataSetKind): readonly { readonly code: string; readonly name: string }[] {
  const having = there.organizations.filter(({ dataSets }) => dataSets.some((dataSet) => dataSet.kind === kind));
  const states = new Map(having.map(({ stateCode, state: name }) => [stateCode, name]));
  return [...states].map(([code, name]) => ({ code, name })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
