// The landing page's table of what is published now.

import { DATA_SET_KINDS, type DataSetKind } from '../../records/data-sets';
import { html, type Html } from './html';
import { countRecords, type PublishedDataSet, type PublishedOrganization, type WhatIsThere } from './what-is-there';

/** What people call the records of a kind. */
const kindNames: Readonly<Record<DataSetKind, string>> = {
  SiteVariableAmounts: 'Amounts at sites',
  AggregatedAmounts: 'Aggregated amounts',
  WaterAllocations: 'Water rights',
};

export function thereSection(there: WhatIsThere): Html {
  if (there.organizations.length === 0) {
    return html`<section aria-labelledby="there">
      <h2 id="there">What is there now</h2>
      <p class="notice">
        Nothing is published yet. The operator loads submissions with <code>npm run load -- FOLDER</code>.
      </p>
    </section>`;
  }
  const totals = DATA_SET_KINDS.map(
    (kind) => html`<td data-kind="${kindNames[kind]}">${formatCount(countRecords(there, kind))}</td>`,
  );
  return html`<section aria-labelledby="there">
    <h2 id="there">What is there now</h2>
    ${there.isSample ? SAMPLES : ''}
    <table>
      <thead>
        <tr>
          <th scope="col">Organization</th>
          <th scope="col">State</th>
          ${DATA_SET_KINDS.map((kind) => html`<th scope="col" class="number">${kindNames[kind]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${there.organizations.map(organizationRow)}
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
      with your key.
    </p>
    <p class="small">
      Data version
      <code>${there.dataVersion}</code>${there.since === null ? '' : `, since ${there.since.slice(0, 10)}`}.
    </p>
  </section>`;
}

const SAMPLES = html`<p class="notice">
  <strong>Sample data.</strong> Everything here is invented, so that there is something to ask for; it goes when the
  first real submission is published.
</p>`;

function organizationRow({ name, state, dataSets }: PublishedOrganization): Html {
  const cells = DATA_SET_KINDS.map((kind) =>
    dataSetCell(
      kind,
      dataSets.find((dataSet) => dataSet.kind === kind),
    ),
  );
  return html`<tr>
    <th scope="row">${name}</th>
    <td class="text">${state}</td>
    ${cells}
  </tr> `;
}

function dataSetCell(kind: DataSetKind, dataSet: PublishedDataSet | undefined): Html {
  if (dataSet === undefined) return html`<td class="none">–</td>`;
  const { firstDay, lastDay, records } = dataSet;
  const years = firstDay === null || lastDay === null ? '' : `${firstDay.slice(0, 4)}–${lastDay.slice(0, 4)}`;
  return html`<td data-kind="${kindNames[kind]}">${formatCount(records)} <span class="years">${years}</span></td>`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
