// The pages of sites, reporting units and water rights (D49).

import {
  aggregatedAmounts,
  reportingUnits,
  siteAllocationAmounts,
  sites as sitesOperation,
  siteVariableAmounts,
} from '../../query/operations';
import { buildFeatureId } from '../../records/feature-ids';
import type { Item } from '../../records/record-references';
import { buildThingAddress } from '../../render/json-ld';
import { formatIsoDate } from '../../values/dates';
import { findStateCode, getStateName } from '../../values/states';
import { chooseDrawnFigure, type DrawnFigure, drawSeriesChart, formatNumber } from './charts-and-maps';
import type { LinkedSite, PlaceDetails, RightDetails } from './feature-details';
import { type FeaturePageContext, type PageBody, renderFeaturePage } from './feature-frame';
import { type Html, html, readText } from './page';
import {
  cell,
  createLinkReader,
  type Fact,
  type FactRule,
  listFacts,
  listSection,
  row,
  scrolledTable,
  section,
} from './page-parts';
import type { SeriesFigures } from './series-figures';

const UNIT_FACTS: readonly FactRule[] = [
  ['Type', 'ReportingUnitTypeCV'],
  ['Native identifier', 'ReportingUnitNativeID'],
  ['Identifier', 'ReportingUnitUUID'],
  ['State', 'StateCV'],
  ['Product version', 'ReportingUnitProductVersion'],
  ['Day of the product', 'ReportingUnitUpdateDate'],
];

const SITE_FACTS: readonly FactRule[] = [
  ['Type', 'SiteTypeCV'],
  ['Diversion or use', formatDiversionOrUse],
  ['Native identifier', 'NativeSiteID'],
  ['Identifier', 'SiteUUID'],
  ['USGS identifier', 'USGSSiteID'],
  ['Latitude, longitude', formatCoordinates],
  ['Coordinates by', 'CoordinateMethodCV'],
  ['Accuracy', 'CoordinateAccuracy'],
  ['County', 'County'],
  ['Watershed (HUC8)', 'HUC8'],
  ['Subwatershed (HUC12)', 'HUC12'],
  ['NHD reach', 'NHDReachCode'],
];

const PLACE_KINDS = {
  Sites: {
    kind: 'Site',
    name: 'SiteName',
    native: 'NativeSiteID',
    type: 'SiteTypeCV',
    id: 'SiteUUID',
    explored: 'series',
    operation: sitesOperation,
    amounts: siteVariableAmounts,
    facts: SITE_FACTS,
  },
  ReportingUnits: {
    kind: 'Reporting unit',
    name: 'ReportingUnitName',
    native: 'ReportingUnitNativeID',
    type: 'ReportingUnitTypeCV',
    id: 'ReportingUnitUUID',
    explored: 'aggregates',
    operation: reportingUnits,
    amounts: aggregatedAmounts,
    facts: UNIT_FACTS,
  },
} as const;

export function renderPlacePage(place: PlaceDetails, context: FeaturePageContext): PageBody {
  const { organization, item } = place;
  const kind = PLACE_KINDS[place.placeKind];
  const { feature, base } = context;
  const name = readText(item, kind.name) ?? readText(item, kind.native) ?? feature.id;
  const placeQuery = new URLSearchParams({
    OrganizationUUID: organization.OrganizationUUID,
    [kind.id]: readText(item, kind.id) ?? '',
  });
  const query = placeQuery.toString();
  const amounts = `${base}/${kind.amounts.route}?${query}`;
  const hasOnlyRights = place.series.length === 0 && place.rights !== undefined;
  const explorerAddress = `${base}/explore?kind=${hasOnlyRights ? 'rights' : kind.explored}&${query}`;
  const facts: readonly Fact[] = [
    ...listFacts(item, kind.facts),
    ['Water rights', place.rights === undefined || place.rights.total === 0 ? null : formatNumber(place.rights.total)],
  ];
  const buildAmountsAddress = (variable: string): string =>
    `${amounts}&${new URLSearchParams({ VariableSpecificCV: variable }).toString()}`;
  return renderFeaturePage(
    {
      title: `${kind.kind} ${name}`,
      kind: readText(item, kind.type) ?? kind.kind,
      name,
      where: `${formatCountyAndState(place)} · ${organization.OrganizationName}`,
      summary: summarizePlace(place, name),
      links: [
        ['Explorer', explorerAddress],
        ['JSON', `${base}/${kind.operation.route}?${query}`],
        ['CSV', hasOnlyRights ? `${base}/${kind.operation.route}?${query}&format=csv` : `${amounts}&format=csv`],
      ],
      facts,
      map: `Map of ${name}`,
      sections: [
        seriesSection(place.series, buildAmountsAddress),
        rightsSection(place, base),
        relatedSection('pods', 'Where its water is taken', place.related.diversions, { organization, base }),
        relatedSection('pous', 'Where its water is used', place.related.uses, { organization, base }),
        usesSection(place),
      ],
      sources: place,
    },
    context,
  );
}

/** What it is, where, and what is known of it. */
function summarizePlace(place: PlaceDetails, name: string): readonly string[] {
  const { item, organization, series, rights } = place;
  const kind = PLACE_KINDS[place.placeKind];
  const type = readText(item, kind.type);
  const days = series.flatMap(({ counted }) => counted.days ?? []);
  const first = Math.min(...days.map((span) => span.first));
  const last = Math.max(...days.map((span) => span.last));
  const span = days.length === 0 ? '' : `, from ${formatIsoDate(first)} to ${formatIsoDate(last)}`;
  const seriesText = series.length === 1 ? '1 series of amounts is' : `${series.length} series of amounts are`;
  const rightsText =
    rights?.total === 1 ? '1 water right names it.' : `${formatNumber(rights?.total ?? 0)} water rights name it.`;
  return [
    `${name} is a ${kind.kind.toLowerCase()}${type === null ? '' : ` (${type})`} in ${formatCountyAndState(place)}.`,
    series.length === 0 ? '' : `${seriesText} published for it by ${organization.OrganizationName}${span}.`,
    rights === undefined || rights.total === 0 ? '' : rightsText,
  ];
}

function formatCountyAndState({ item, organization }: PlaceDetails): string {
  const county = readText(item, 'County');
  const countyName = county === null || /county$/i.test(county) ? county : `${county} County`;
  const state = readText(item, 'StateCV') ?? organization.State;
  const code = findStateCode(state);
  return [countyName ?? [], code === undefined ? state : getStateName(code)].flat().join(', ');
}

function formatDiversionOrUse(site: Item): string | null {
  const code = readText(site, 'PODorPOUSite');
  if (code === 'POD') return 'Point of diversion';
  return code === 'POU' ? 'Place of use' : code;
}

function formatCoordinates(site: Item): string | null {
  const point = [readText(site, 'Latitude'), readText(site, 'Longitude')];
  return point.includes(null) ? null : point.join(', ');
}

function usesSection({ uses }: PlaceDetails): Html | '' {
  if (uses.length === 0) return '';
  const names = uses.map((use) => readText(use, 'Name') ?? '');
  return section('uses', 'Beneficial uses', html`<p>${names.join(', ')}</p>`);
}

function rightsSection({ rights }: PlaceDetails, base: string): Html | '' {
  if (rights === undefined || rights.listed.length === 0) return '';
  const { total, listed } = rights;
  const items = listed.map(({ id, record }) => {
    const native = readText(record, 'AllocationNativeID') ?? id;
    const address = buildThingAddress(id, { base, collection: 'allocations' });
    return html`<li><a href="${address}">${native}</a>${formatRight(record)}</li>`;
  });
  const more = total - listed.length;
  const rest = more > 0 ? `${formatNumber(more)} more: the links to the explorer and JSON above have all.` : '';
  return listSection('rights', 'Water rights here', items, rest);
}

function formatRight(record: Item): string {
  const priority = readText(record, 'AllocationPriorityDate');
  const parts = [
    readText(record, 'AllocationOwner'),
    priority === null ? null : `priority ${priority}`,
    createMeasureReader('AllocationFlow_CFS', 'CFS')(record),
    createMeasureReader('AllocationVolume_AF', 'AF')(record),
  ].filter((part) => part !== null);
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

/** So many related sites are listed in each direction. */
const MAX_RELATED = 100;

function relatedSection(
  id: string,
  title: string,
  relatedSites: readonly LinkedSite[],
  { organization, base }: Pick<PlaceDetails, 'organization'> & Pick<FeaturePageContext, 'base'>,
): Html | '' {
  if (relatedSites.length === 0) return '';
  const items = relatedSites.slice(0, MAX_RELATED).map(({ siteUuid, name, hasPage, periods }) => {
    const siteName = name ?? siteUuid;
    const address = buildThingAddress(buildFeatureId(organization.OrganizationUUID, siteUuid), {
      base,
      collection: 'sites',
    });
    const periodTexts = periods.flatMap(({ start, end }) =>
      start === null && end === null ? [] : [`${start ?? ''} to ${end ?? ''}`.trim()],
    );
    const periodText = periodTexts.length === 0 ? '' : ` (${periodTexts.join('; ')})`;
    return html`<li>${hasPage ? html`<a href="${address}">${siteName}</a>` : siteName}${periodText}</li>`;
  });
  const more = relatedSites.length - MAX_RELATED;
  return listSection(id, title, items, more > 0 ? `${formatNumber(more)} more are in the JSON answer.` : '');
}

/** So many are drawn; the others are one request away. */
const MAX_SERIES = 24;

/** So many years are listed, the last ones. */
const MAX_YEARS = 150;

/** `addressOf` is of the amounts of a series, in JSON. */
function seriesSection(series: readonly SeriesFigures[], buildAddress: (variable: string) => string): Html | '' {
  if (series.length === 0) return '';
  const more = series.length - MAX_SERIES;
  return section('series', 'Series', [
    html`<div class="charts">
      ${series.slice(0, MAX_SERIES).map((figures) => seriesFigure(figures, buildAddress))}
    </div>`,
    more > 0 ? html`<p>${more} more series: ask for them by the links above.</p>` : html``,
  ]);
}

const FIGURE_NOTES: Readonly<Record<DrawnFigure, string>> = {
  amount: '',
  sum: 'Several amounts have the same timeframe, such as one for each use: drawn is their sum.',
  mean: 'Several amounts have the same timeframe: drawn is their mean.',
};

function seriesFigure(series: SeriesFigures, buildAddress: (variable: string) => string): Html {
  const { variable, counted } = series;
  const specific = readText(variable, 'VariableSpecificTypeCV');
  const name = (specific ?? readText(variable, 'VariableCV') ?? 'Amount').replaceAll('_', ', ');
  const { records, days } = counted;
  const span = days === undefined ? 'no dates' : `${formatIsoDate(days.first)} to ${formatIsoDate(days.last)}`;
  const address = buildAddress(specific ?? '');
  const chart = drawSeriesChart(series, name);
  return html`<figure>
    <figcaption>
      <h3>${name}</h3>
      <p class="small">
        ${formatUnit(series)}: ${records === 1 ? '1 amount' : `${formatNumber(records)} amounts`}, ${span}.
        ${chart === '' ? '' : FIGURE_NOTES[chooseDrawnFigure(series)]}
      </p>
    </figcaption>
    ${chart}
    <details${chart === '' ? html` open` : ''}>
      <summary>Figures by year</summary>
      ${yearTable(series, name)}
    </details>
    <p class="small">Amounts as <a href="${address}">JSON</a> and <a href="${address}&amp;format=csv">CSV</a></p>
  </figure>`;
}

/** Such as `AF, Cumulative over 1 Year`. */
function formatUnit({ variable }: SeriesFigures): string {
  const readMember = (member: string): string => readText(variable, member) ?? '';
  const interval = [readMember('AggregationInterval'), readMember('AggregationIntervalUnitCV')].filter(
    (part) => part !== '',
  );
  const over = interval.length === 0 ? '' : `over ${interval.join(' ')}`;
  const statistic = [readMember('AggregationStatisticCV'), over].filter((part) => part !== '').join(' ');
  return [readMember('AmountUnitCV') || 'No unit stated', statistic].filter((part) => part !== '').join(', ');
}

function yearTable({ years }: SeriesFigures, name: string): Html {
  const hasSingleAmounts = years.every(({ records }) => records === 1);
  const columns = hasSingleAmounts ? ['Amount'] : ['Amounts', 'Sum', 'Mean', 'Least', 'Most'];
  const shownYears = years.slice(-MAX_YEARS);
  const earlier = years.length - shownYears.length;
  const rows = shownYears.map(({ time, records, sum, mean, lowest, highest }) => {
    const values = hasSingleAmounts ? [sum] : [records, sum, mean, lowest, highest];
    return row(
      time ?? 'none',
      values.map((value) => cell(value === null ? '' : formatNumber(value))),
    );
  });
  return html`${earlier > 0 ? html`<p class="small">The ${earlier} years before are left out.</p>` : ''}
  ${scrolledTable(['Year', ...columns], rows, { kind: 'figures', label: `Figures by year: ${name}` })}`;
}

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
    uses === '' ? '' : `Its water is for ${uses}.`,
    sites.length === 1 ? 'It names 1 site.' : `It names ${formatNumber(sites.length)} sites.`,
  ];
}

function formatUses(right: Item): string {
  return (right['BeneficialUses'] as readonly string[]).join(', '); // As the member is declared.
}

const RIGHT_FACTS: readonly FactRule[] = [
  ['Owner', 'AllocationOwner'],
  ['Class of owner', 'OwnerClassificationCV'],
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
  ['Page of the organization', createLinkReader('WaterAllocationNativeURL')],
];

function createMeasureReader(member: string, unit: string): (item: Item) => string | null {
  return (item) => {
    const value = readText(item, member);
    return value === null ? null : `${value} ${unit}`;
  };
}

function formatSeason(right: Item): string {
  const ends = [readText(right, 'TimeframeStart'), readText(right, 'TimeframeEnd')];
  return ends.filter((end) => end !== null).join(' to ');
}

/** A right can have some thousand sites; so many are listed. */
const MAX_SITES = 200;

/** A column in which no site has a value is left out. */
const SITE_COLUMNS: readonly FactRule[] = [
  ['Type', 'SiteTypeCV'],
  ['Diversion or use', formatDiversionOrUse],
  ['County', 'County'],
  ['Watershed (HUC8)', 'HUC8'],
  ['Latitude', 'Latitude'],
  ['Longitude', 'Longitude'],
];

/** Each site with a link to its page. */
function siteTable(sites: readonly Item[], organization: string, base: string): Html {
  if (sites.length === 0) return html`<p>The organization names no site.</p>`;
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
