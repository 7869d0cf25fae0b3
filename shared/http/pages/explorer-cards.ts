// The questions on the landing page that the explorer can answer, with links to its views.

import { KIND_NAMES } from '../../records/data-set-names';
import type { DataSetKind } from '../../records/data-sets';
import { countRecords } from './example-queries';
import { formatNumber } from './format-number';
import { type Html, html } from './html';
import { type PublishedRelease } from './published-releases';

/** A question about records of one kind, and the explorer views that answer it. */
interface ExplorerQuestion {
  readonly kind: DataSetKind;
  readonly question: string;
  readonly views: readonly (readonly [query: string, label: string])[];
}

const EXPLORER_QUESTIONS: readonly ExplorerQuestion[] = [
  {
    kind: 'WaterAllocations',
    question: 'Who holds rights to water, where, and since when?',
    views: [
      ['', 'Rights on a map'],
      ['?view=chart', 'By decade and use'],
      ['?view=table&order=AllocationPriorityDate', 'Oldest rights first'],
    ],
  },
  {
    kind: 'AggregatedAmounts',
    question: 'How much water does each county or watershed use?',
    views: [
      ['?kind=aggregates', 'Areas on a map'],
      ['?kind=aggregates&view=chart', 'By year and use'],
    ],
  },
  {
    kind: 'SiteVariableAmounts',
    question: 'What did gages, wells and systems measure?',
    views: [
      ['?kind=series', 'Sites on a map'],
      ['?kind=series&view=chart', 'By year'],
      ['?kind=series&view=table', 'As a table'],
    ],
  },
];

export function explorerCards(releases: readonly PublishedRelease[], base: string): Html {
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
