// The page of a water right (D49).

import { siteAllocationAmounts } from '../../../query/operations';
import { buildFeatureId } from '../../../records/feature-ids';
import type { Item } from '../../../records/record-references';
import { buildThingAddress } from '../../../render/json-ld';
import { formatNumber } from '../format-number';
import type { PageBody } from '../framed-page';
import { type Html, html, readText } from '../html';
import { cell, createLinkReader, type FactRule, listFacts, row, scrolledTable, section } from '../page-parts';
import { createMeasureReader, formatDiversionOrUse } from './fact-readers';
import { renderFeaturePage } from './feature-page';
import type { FeaturePageContext } from './feature-page-context';
import type { RightDetails } from './right-details';

export function renderRightPage(right: RightDetails, context: FeaturePageContext): PageBody {
  const { organization, record, sites } = right;
  const { feature, base } = context;
  const identifier = readText(record, 'AllocationNativeID') ?? feature.id;
  const title = `Water right ${identifier}`;
  const rightQuery = new URLSearchParams({ OrganizationUUID: organization.OrganizationUUID });
  const name = readText(record, 'AllocationUUID') === null ? 'AllocationNativeID' : 'AllocationUUID';
  rightQuery.set(name, readText(record, name) ?? '');
  const query = rightQuery.toString();
  const json = `${base}/${siteAllocationAmounts.route}?${query}`;
  return renderFeaturePage(
    {
      title,
      kind: 'Water right',
      name: identifier,
      where: `${organization.OrganizationName}, ${organization.State}`,
      summary: summarizeRight(right, title),
      links: [
        ['Explorer', `${base}/explore?kind=rights&${query}`],
        ['Seniority on its source', `${base}/explore?seniority=${encodeURIComponent(feature.id)}`],
        ['JSON', json],
        ['CSV', `${json}&format=csv`],
      ],
      facts: listFacts(record, RIGHT_FACTS),
      map: `The points of ${title}`,
      sections: [section('sites', 'Sites', siteTable(sites, organization.OrganizationUUID, base))],
      sources: right,
    },
    context,
  );
}

function summarizeRight({ organization, record, sites }: RightDetails, title: string): readonly string[] {
  const priority = readText(record, 'AllocationPriorityDate');
  const uses = formatUses(record);
  return [
    `${title} is published by ${organization.OrganizationName}.`,
    priority === null ? '' : `Its priority date is ${priority}.`,
    uses === '' ? '' : `Use: ${uses}.`,
    sites.length === 1 ? 'It has 1 site.' : `It has ${formatNumber(sites.length)} sites.`,
  ];
}

function formatUses(right: Item): string {
  // The declared type of this member.
  return (right['BeneficialUses'] as readonly string[]).join(', ');
}

const RIGHT_FACTS: readonly FactRule[] = [
  ['Owner', 'AllocationOwner'],
  ['Owner type', 'OwnerClassificationCV'],
  ['Priority date', 'AllocationPriorityDate'],
  ['Flow', createMeasureReader('AllocationFlow_CFS', 'cubic feet per second')],
  ['Volume', createMeasureReader('AllocationVolume_AF', 'acre-feet')],
  ['Beneficial uses', formatUses],
  ['Legal status', 'AllocationLegalStatusCodeCV'],
  ['Type', 'AllocationTypeCV'],
  ['Basis', 'AllocationBasisCV'],
  ['Applied for', 'AllocationApplicationDate'],
  ['Expires', 'AllocationExpirationDate'],
  ['Season', formatSeason],
  ['Irrigated area', createMeasureReader('AllocationAcreage', 'acres')],
  ['Crop', 'CropTypeCV'],
  ['Irrigation method', 'IrrigationMethodCV'],
  ['Population served', 'PopulationServed'],
  ['Water supply system', 'AllocationCommunityWaterSupplySystem'],
  ['Identifier', 'AllocationUUID'],
  ['Former identifiers', 'LegacyAllocationIDs'],
  ["Organization's page", createLinkReader('WaterAllocationNativeURL')],
];

function formatSeason(right: Item): string {
  const ends = [readText(right, 'TimeframeStart'), readText(right, 'TimeframeEnd')];
  return ends.filter((end) => end !== null).join(' to ');
}

/** The maximum number of sites to list: a right can have thousands. */
const MAX_SITES = 200;

/** Columns without any value are left out. */
const SITE_COLUMNS: readonly FactRule[] = [
  ['Type', 'SiteTypeCV'],
  ['Site role', formatDiversionOrUse],
  ['County', 'County'],
  ['Watershed (HUC8)', 'HUC8'],
  ['Latitude', 'Latitude'],
  ['Longitude', 'Longitude'],
];

/** Renders a table of sites, each with a link to its page. */
function siteTable(sites: readonly Item[], organization: string, base: string): Html {
  if (sites.length === 0) return html`<p>The organization lists no sites for this right.</p>`;
  const more = sites.length - MAX_SITES;
  const shownSites = sites.slice(0, MAX_SITES).map((site) => ({ site, facts: listFacts(site, SITE_COLUMNS) }));
  const columns = SITE_COLUMNS.flatMap(([label], index) =>
    shownSites.some(({ facts }) => facts[index]?.[1] != null) ? [{ label, index }] : [],
  );
  const heads = ['Site', ...columns.map(({ label }) => label)];
  const rows = shownSites.map(({ site, facts }) => {
    const identifier = readText(site, 'SiteUUID') ?? '';
    const address = buildThingAddress(buildFeatureId(organization, identifier), { base, collection: 'sites' });
    return row(
      html`<a href="${address}">${readText(site, 'SiteName') ?? readText(site, 'NativeSiteID') ?? identifier}</a>`,
      columns.map(({ index }) => cell(facts[index]?.[1] ?? '')),
    );
  });
  return html`${scrolledTable(heads, rows, { kind: 'long', label: 'Table of sites' })}
  ${more > 0 ? html`<p>${more} more sites are in the JSON answer.</p>` : ''}`;
}
