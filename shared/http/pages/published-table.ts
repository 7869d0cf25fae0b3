// The table on the landing page: the organizations, and how many records each has published.

import { writeTable } from '../../documents/write-html';
import { KIND_NAMES } from '../../records/data-set-names';
import { DATA_SET_KINDS } from '../../records/data-sets';
import type { CatalogState } from '../../store/catalog-types';
import { countRecords } from './example-queries';
import { formatNumber } from './format-number';
import { type Html, html } from './html';
import { head, namedCell, row } from './page-parts';
import { type PublishedRelease, SAMPLES_NOTICE } from './published-releases';

export function publishedTable(releases: readonly PublishedRelease[], state: CatalogState, base: string): Html {
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
    ${writeTable(heads, [...organizations.values()].map(organizationRow), foot)}
    <p>
      <code>/v1/Inventory</code> lists every filter value with counts, and each data set's terms (key required). To get
      whole data sets for analysis and maps, see <a href="${base}/downloads">downloads</a>.
    </p>
    <p class="small">
      ${state.since === null ? '' : `Updated ${formatLongDay(state.since)}. `}<span
        title="Data version ${state.version}"
        >Data version <code>${state.version.slice(0, 8)}</code></span
      >
    </p>`;
}

/** Formats a date in UTC, such as November 28, 2026. */
function formatLongDay(moment: string): string {
  return new Date(moment).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}

/** `releases` are the releases of one organization. */
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
