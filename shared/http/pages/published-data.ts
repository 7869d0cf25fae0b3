// The landing page's table of what is published now, from the catalog and the facts of its releases, without a search.

import { DATA_SET_KINDS, type DataSetKind } from '../../records/data-sets';
import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import type { Store } from '../../store/port';
import { findReleaseFault } from '../../store/readable-releases';
import { html, type Html } from './page-frame';

interface PublishedDataSet {
  readonly kind: DataSetKind;
  readonly records: number;
  /** YYYY-MM-DD; null when no record has a date. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

interface PublishedOrganization {
  readonly name: string;
  /** Two letters. */
  readonly stateCode: string;
  readonly state: string;
  readonly dataSets: readonly PublishedDataSet[];
}

export interface PublishedData {
  readonly dataVersion: string;
  /** ISO 8601; null for a new store. */
  readonly since: string | null;
  readonly isSample: boolean;
  readonly organizations: readonly PublishedOrganization[];
}

/** A release that cannot be read is left out. */
export async function readPublishedData(store: Store, state: CatalogState): Promise<PublishedData> {
  const read = await Promise.all(state.entries.map((entry) => readDataSet(store, entry)));
  const organizations = new Map<string, PublishedOrganization>();
  for (const { uuid, organization } of read.flat()) {
    const known = organizations.get(uuid);
    const dataSets = [...(known?.dataSets ?? []), ...organization.dataSets];
    organizations.set(uuid, { ...organization, dataSets });
  }
  return {
    dataVersion: state.version,
    since: state.since,
    isSample: state.entries.some(({ isSample }) => isSample),
    organizations: [...organizations.values()],
  };
}

export function countRecords(published: PublishedData, kind: DataSetKind): number {
  const dataSets = published.organizations.flatMap((organization) => organization.dataSets);
  return dataSets.reduce((sum, dataSet) => sum + (dataSet.kind === kind ? dataSet.records : 0), 0);
}

export function countDataSets({ organizations }: PublishedData): number {
  return organizations.reduce((sum, { dataSets }) => sum + dataSets.length, 0);
}

async function readDataSet(
  store: Store,
  { organizationUuid, dataSet: kind, releaseId, records }: CatalogEntry,
): Promise<readonly { readonly uuid: string; readonly organization: PublishedOrganization }[]> {
  const fault = await findReleaseFault(store, releaseId);
  const reader = fault === undefined ? await store.openRelease(releaseId) : undefined;
  if (reader === undefined) return [];
  const { organization, firstDay, lastDay } = reader.facts;
  const { OrganizationName: name, OrganizationState: stateCode, State: state } = organization;
  const dataSets = [{ kind, records, firstDay, lastDay }];
  return [{ uuid: organizationUuid, organization: { name, stateCode, state, dataSets } }];
}

/** What people call the records of a kind. */
const kindNames: Readonly<Record<DataSetKind, string>> = {
  SiteVariableAmounts: 'Amounts at sites',
  AggregatedAmounts: 'Aggregated amounts',
  WaterAllocations: 'Water rights',
};

export function publishedSection(published: PublishedData): Html {
  if (published.organizations.length === 0) {
    return html`<section aria-labelledby="there">
      <h2 id="there">What is there now</h2>
      <p class="notice">
        Nothing is published yet. The operator loads submissions with <code>npm run load -- FOLDER</code>.
      </p>
    </section>`;
  }
  const totals = DATA_SET_KINDS.map(
    (kind) => html`<td data-kind="${kindNames[kind]}">${formatCount(countRecords(published, kind))}</td>`,
  );
  return html`<section aria-labelledby="there">
    <h2 id="there">What is there now</h2>
    ${published.isSample ? SAMPLES : ''}
    <table>
      <thead>
        <tr>
          <th scope="col">Organization</th>
          <th scope="col">State</th>
          ${DATA_SET_KINDS.map((kind) => html`<th scope="col" class="number">${kindNames[kind]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${published.organizations.map(organizationRow)}
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
      <code>${published.dataVersion}</code>${published.since === null ? '' : `, since ${published.since.slice(0, 10)}`}.
    </p>
  </section>`;
}

const SAMPLES = html`<p class="notice">
  <strong>Sample data.</strong> Everything here is invented, so that there is something to ask for; it goes when the
  first real submission is published.
</p>`;

function organizationRow({ name, state, dataSets }: PublishedOrganization): Html {
  const cells = DATA_SET_KINDS.map((kind) => dataSetCell(dataSets.find((dataSet) => dataSet.kind === kind)));
  return html`<tr>
    <th scope="row">${name}</th>
    <td class="text">${state}</td>
    ${cells}
  </tr> `;
}

function dataSetCell(dataSet: PublishedDataSet | undefined): Html {
  if (dataSet === undefined) return html`<td class="none">–</td>`;
  const { kind, firstDay, lastDay, records } = dataSet;
  const years = firstDay === null || lastDay === null ? '' : `${firstDay.slice(0, 4)}–${lastDay.slice(0, 4)}`;
  return html`<td data-kind="${kindNames[kind]}">${formatCount(records)} <span class="years">${years}</span></td>`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
