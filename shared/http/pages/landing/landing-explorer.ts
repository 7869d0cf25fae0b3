// How the landing page leads to the explorer: for each kind of records that is published, what it shows of them.

import type { DataSetKind } from '../../../records/data-sets';
import { html, type Html } from '../page-frame';
import { countRecords, KIND_NAMES, type PublishedData } from '../published-data';
import { formatCount } from '../year-chart';

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

export function explorerCards(published: PublishedData, base: string): Html {
  const shown = EXPLORED.filter(({ kind }) => countRecords(published, kind) > 0);
  if (shown.length === 0) return html``;
  return html`<div class="cards explored">
    ${shown.map(
      ({ kind, question, views }) =>
        html`<section class="explored-kind">
          <h2>${question}</h2>
          <p class="small">${KIND_NAMES[kind]}: ${formatCount(countRecords(published, kind))}</p>
          <ul>
            ${views.map(({ query, text }) => html`<li><a href="${base}/explore${query}">${text}</a></li>`)}
          </ul>
        </section>`,
    )}
  </div>`;
}
