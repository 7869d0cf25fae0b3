// The landing page's table of what is published now, from the catalog, the facts of its releases and their years.

import { DATA_SET_KINDS, type DataSetKind } from '../../records/data-sets';
import type { Organization } from '../../records/organization';
import type { CatalogState } from '../../store/catalog-types';
import type { SearchContext, YearCounts } from '../../search/index/search-caches';
import type { ReleaseFacts } from '../../store/port';
import { findReleaseFault } from '../../store/readable-releases';
import { html, type Html } from './page-frame';
import { formatCount, yearChart, yearCountsOf } from './year-chart';

export interface PublishedData {
  readonly state: CatalogState;
  /** In the order of its entries; a release that cannot be read is left out. */
  readonly releases: readonly PublishedRelease[];
}

type PublishedRelease = ReleaseFacts & { readonly years: YearCounts };

export async function readPublishedData({ store, caches }: SearchContext, state: CatalogState): Promise<PublishedData> {
  const read = state.entries.map(async ({ releaseId }): Promise<readonly PublishedRelease[]> => {
    const fault = await findReleaseFault(store, releaseId, 'glance');
    const reader = fault === undefined ? await store.openRelease(releaseId) : undefined;
    return reader === undefined ? [] : [{ ...reader.facts, years: await yearCountsOf(reader, caches) }];
  });
  return { state, releases: (await Promise.all(read)).flat() };
}

export function countRecords({ releases }: PublishedData, kind: DataSetKind): number {
  return releases.reduce((sum, { dataSet, records }) => sum + (dataSet === kind ? records : 0), 0);
}

/** What people call the records of a kind. */
export const KIND_NAMES: Readonly<Record<DataSetKind, string>> = {
  SiteVariableAmounts: 'Amounts at sites',
  AggregatedAmounts: 'Aggregated amounts',
  WaterAllocations: 'Water rights',
};

export function publishedSection(published: PublishedData, base: string): Html {
  const { state, releases } = published;
  if (releases.length === 0) {
    return html`<section aria-labelledby="there">
      <h2 id="there">What is there now</h2>
      <p class="notice">
        Nothing is published yet. The operator loads submissions with <code>npm run load -- FOLDER</code>.
      </p>
    </section>`;
  }
  const organizations = new Map(releases.map(({ organization }) => [organization.OrganizationUUID, organization]));
  const totals = DATA_SET_KINDS.map(
    (kind) => html`<td data-kind="${KIND_NAMES[kind]}">${formatCount(countRecords(published, kind))}</td>`,
  );
  return html`<section aria-labelledby="there">
    <h2 id="there">What is there now</h2>
    ${state.entries.some(({ isSample }) => isSample) ? SAMPLES : ''}
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

export const SAMPLES = html`<p class="notice">
  <strong>Sample data.</strong> Everything here is invented, so that there is something to ask for; it goes when the
  first real submission is published.
</p>`;

function organizationRow(
  { OrganizationUUID, OrganizationName, State }: Organization,
  releases: readonly PublishedRelease[],
): Html {
  const published = releases.filter(({ organization }) => organization.OrganizationUUID === OrganizationUUID);
  const cells = DATA_SET_KINDS.map((kind) => dataSetCell(published.find(({ dataSet }) => dataSet === kind)));
  return html`<tr>
    <th scope="row">${OrganizationName}</th>
    <td class="text">${State}</td>
    ${cells}
  </tr> `;
}

function dataSetCell(release: PublishedRelease | undefined): Html {
  if (release === undefined) return html`<td class="none">–</td>`;
  const { dataSet, firstDay, lastDay, records, years } = release;
  const span = firstDay === null || lastDay === null ? '' : `${firstDay.slice(0, 4)}–${lastDay.slice(0, 4)}`;
  const [name, count, chart] = [KIND_NAMES[dataSet], formatCount(records), yearChart(years)];
  return html`<td data-kind="${name}">${count} ${chart} <span class="years">${span}</span></td>`;
}
