// The pages of sites, reporting units and water rights (D49).

import {
  aggregatedAmounts,
  reportingUnits,
  siteAllocationAmounts,
  sites as sitesOperation,
  siteVariableAmounts,
} from '../../query/operations';
import type { Item } from '../../records/data-sets';
import { buildFeatureId } from '../../records/feature-ids';
import { buildThingAddress } from '../../render/json-ld';
import { formatIsoDate } from '../../values/dates';
import { findStateCode, getStateName } from '../../values/states';
import { type DrawnAs, drawnAs, formatNumber, seriesChart } from './charts-and-maps';
import type { LinkedSite, PlaceDetails, RightDetails } from './feature-details';
import { featurePage, type PageText, type ShownPage } from './feature-frame';
import { type Html, html, textIn } from './page';
import {
  cell,
  type Fact,
  type FactColumn,
  factsIn,
  linkIn,
  listSection,
  row,
  scrolledTable,
  section,
} from './page-parts';
import type { SeriesFigures } from './series-figures';

const UNIT_FACTS: readonly FactColumn[] = [
  ['Type', 'ReportingUnitTypeCV'],
  ['Native identifier', 'ReportingUnitNativeID'],
  ['Identifier', 'ReportingUnitUUID'],
  ['State', 'StateCV'],
  ['Product version', 'ReportingUnitProductVersion'],
  ['Day of the product', 'ReportingUnitUpdateDate'],
];

const SITE_FACTS: readonly FactColumn[] = [
  ['Type', 'SiteTypeCV'],
  ['Diversion or use', diversionOrUse],
  ['Native identifier', 'NativeSiteID'],
  ['Identifier', 'SiteUUID'],
  ['USGS identifier', 'USGSSiteID'],
  ['Latitude, longitude', coordinatesOf],
  ['Coordinates by', 'CoordinateMethodCV'],
  ['Accuracy', 'CoordinateAccuracy'],
  ['County', 'County'],
  ['Watershed (HUC8)', 'HUC8'],
  ['Subwatershed (HUC12)', 'HUC12'],
  ['NHD reach', 'NHDReachCode'],
];

const KINDS = {
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

export function pageOfPlace(place: PlaceDetails, shown: ShownPage): PageText {
  const { organization, item } = place;
  const kind = KINDS[place.placeKind];
  const { feature, base } = shown;
  const name = textIn(item, kind.name) ?? textIn(item, kind.native) ?? feature.id;
  const asked = new URLSearchParams({
    OrganizationUUID: organization.OrganizationUUID,
    [kind.id]: textIn(item, kind.id) ?? '',
  });
  const query = asked.toString();
  const amounts = `${base}/${kind.amounts.route}?${query}`;
  const isOfRights = place.series.length === 0 && place.rights !== undefined;
  const explored = `${base}/explore?kind=${isOfRights ? 'rights' : kind.explored}&${query}`;
  const facts: readonly Fact[] = [
    ...factsIn(item, kind.facts),
    ['Water rights', place.rights === undefined || place.rights.total === 0 ? null : formatNumber(place.rights.total)],
  ];
  const amountsOf = (variable: string): string =>
    `${amounts}&${new URLSearchParams({ VariableSpecificCV: variable }).toString()}`;
  return featurePage(
    {
      title: `${kind.kind} ${name}`,
      kind: textIn(item, kind.type) ?? kind.kind,
      name,
      where: `${countyAndState(place)} · ${organization.OrganizationName}`,
      summary: summaryOfPlace(place, name),
      links: [
        ['Explorer', explored],
        ['JSON', `${base}/${kind.operation.route}?${query}`],
        ['CSV', isOfRights ? `${base}/${kind.operation.route}?${query}&format=csv` : `${amounts}&format=csv`],
      ],
      facts,
      map: `Map of ${name}`,
      sections: [
        seriesSection(place.series, amountsOf),
        rightsSection(place, base),
        relatedSection('pods', 'Where its water is taken', place.related.diversions, { organization, base }),
        relatedSection('pous', 'Where its water is used', place.related.uses, { organization, base }),
        usesSection(place),
      ],
      sources: place,
    },
    shown,
  );
}

/** What it is, where, and what is known of it. */
function summaryOfPlace(place: PlaceDetails, name: string): readonly string[] {
  const { item, organization, series, rights } = place;
  const kind = KINDS[place.placeKind];
  const type = textIn(item, kind.type);
  const days = series.flatMap(({ counted }) => counted.days ?? []);
  const first = Math.min(...days.map((one) => one.first));
  const last = Math.max(...days.map((one) => one.last));
  const span = days.length === 0 ? '' : `, from ${formatIsoDate(first)} to ${formatIsoDate(last)}`;
  const published = series.length === 1 ? '1 series of amounts is' : `${series.length} series of amounts are`;
  const named =
    rights?.total === 1 ? '1 water right names it.' : `${formatNumber(rights?.total ?? 0)} water rights name it.`;
  return [
    `${name} is a ${kind.kind.toLowerCase()}${type === null ? '' : ` (${type})`} in ${countyAndState(place)}.`,
    series.length === 0 ? '' : `${published} published for it by ${organization.OrganizationName}${span}.`,
    rights === undefined || rights.total === 0 ? '' : named,
  ];
}

function countyAndState({ item, organization }: PlaceDetails): string {
  const county = textIn(item, 'County');
  const named = county === null || /county$/i.test(county) ? county : `${county} County`;
  const state = textIn(item, 'StateCV') ?? organization.State;
  const code = findStateCode(state);
  return [named ?? [], code === undefined ? state : getStateName(code)].flat().join(', ');
}

function diversionOrUse(site: Item): string | null {
  const code = textIn(site, 'PODorPOUSite');
  if (code === 'POD') return 'Point of diversion';
  return code === 'POU' ? 'Place of use' : code;
}

function coordinatesOf(site: Item): string | null {
  const point = [textIn(site, 'Latitude'), textIn(site, 'Longitude')];
  return point.includes(null) ? null : point.join(', ');
}

function usesSection({ uses }: PlaceDetails): Html | '' {
  if (uses.length === 0) return '';
  const names = uses.map((use) => textIn(use, 'Name') ?? '');
  return section('uses', 'Beneficial uses', html`<p>${names.join(', ')}</p>`);
}

function rightsSection({ rights }: PlaceDetails, base: string): Html | '' {
  if (rights === undefined || rights.listed.length === 0) return '';
  const { total, listed } = rights;
  const items = listed.map(({ id, record }) => {
    const native = textIn(record, 'AllocationNativeID') ?? id;
    const address = buildThingAddress(id, { base, collection: 'allocations' });
    return html`<li><a href="${address}">${native}</a>${rightText(record)}</li>`;
  });
  const more = total - listed.length;
  const rest = more > 0 ? `${formatNumber(more)} more: the links to the explorer and JSON above have all.` : '';
  return listSection('rights', 'Water rights here', items, rest);
}

function rightText(record: Item): string {
  const priority = textIn(record, 'AllocationPriorityDate');
  const parts = [
    textIn(record, 'AllocationOwner'),
    priority === null ? null : `priority ${priority}`,
    measureIn('AllocationFlow_CFS', 'CFS')(record),
    measureIn('AllocationVolume_AF', 'AF')(record),
  ].filter((part) => part !== null);
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

/** So many related sites are listed in each direction. */
const MOST_RELATED = 100;

function relatedSection(
  id: string,
  title: string,
  sitesRelated: readonly LinkedSite[],
  { organization, base }: Pick<PlaceDetails, 'organization'> & Pick<ShownPage, 'base'>,
): Html | '' {
  if (sitesRelated.length === 0) return '';
  const items = sitesRelated.slice(0, MOST_RELATED).map(({ siteUuid, name, hasPage, periods }) => {
    const shown = name ?? siteUuid;
    const address = buildThingAddress(buildFeatureId(organization.OrganizationUUID, siteUuid), {
      base,
      collection: 'sites',
    });
    const when = periods.flatMap(({ start, end }) =>
      start === null && end === null ? [] : [`${start ?? ''} to ${end ?? ''}`.trim()],
    );
    const since = when.length === 0 ? '' : ` (${when.join('; ')})`;
    return html`<li>${hasPage ? html`<a href="${address}">${shown}</a>` : shown}${since}</li>`;
  });
  const more = sitesRelated.length - MOST_RELATED;
  return listSection(id, title, items, more > 0 ? `${formatNumber(more)} more are in the JSON answer.` : '');
}

/** So many are drawn; the others are one request away. */
const MOST_SERIES = 24;

/** So many years are listed, the last ones. */
const MOST_YEARS = 150;

/** `addressOf` is of the amounts of a series, in JSON. */
function seriesSection(series: readonly SeriesFigures[], addressOf: (variable: string) => string): Html | '' {
  if (series.length === 0) return '';
  const more = series.length - MOST_SERIES;
  return section('series', 'Series', [
    html`<div class="charts">${series.slice(0, MOST_SERIES).map((one) => seriesFigure(one, addressOf))}</div>`,
    more > 0 ? html`<p>${more} more series: ask for them by the links above.</p>` : html``,
  ]);
}

const DRAWN: Readonly<Record<DrawnAs, string>> = {
  amount: '',
  sum: 'Several amounts have the same timeframe, such as one for each use: drawn is their sum.',
  mean: 'Several amounts have the same timeframe: drawn is their mean.',
};

function seriesFigure(series: SeriesFigures, addressOf: (variable: string) => string): Html {
  const { variable, counted } = series;
  const specific = textIn(variable, 'VariableSpecificTypeCV');
  const name = (specific ?? textIn(variable, 'VariableCV') ?? 'Amount').replaceAll('_', ', ');
  const { records, days } = counted;
  const span = days === undefined ? 'no dates' : `${formatIsoDate(days.first)} to ${formatIsoDate(days.last)}`;
  const address = addressOf(specific ?? '');
  const chart = seriesChart(series, name);
  return html`<figure>
    <figcaption>
      <h3>${name}</h3>
      <p class="small">
        ${unitOf(series)}: ${records === 1 ? '1 amount' : `${formatNumber(records)} amounts`}, ${span}.
        ${chart === '' ? '' : DRAWN[drawnAs(series)]}
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
function unitOf({ variable }: SeriesFigures): string {
  const text = (member: string): string => textIn(variable, member) ?? '';
  const interval = [text('AggregationInterval'), text('AggregationIntervalUnitCV')].filter((part) => part !== '');
  const over = interval.length === 0 ? '' : `over ${interval.join(' ')}`;
  const statistic = [text('AggregationStatisticCV'), over].filter((part) => part !== '').join(' ');
  return [text('AmountUnitCV') || 'No unit stated', statistic].filter((part) => part !== '').join(', ');
}

function yearTable({ years }: SeriesFigures, name: string): Html {
  const isPlain = years.every(({ records }) => records === 1);
  const columns = isPlain ? ['Amount'] : ['Amounts', 'Sum', 'Mean', 'Least', 'Most'];
  const shown = years.slice(-MOST_YEARS);
  const earlier = years.length - shown.length;
  const rows = shown.map(({ time, records, sum, mean, lowest, highest }) => {
    const values = isPlain ? [sum] : [records, sum, mean, lowest, highest];
    return row(
      time ?? 'none',
      values.map((value) => cell(value === null ? '' : formatNumber(value))),
    );
  });
  return html`${earlier > 0 ? html`<p class="small">The ${earlier} years before are left out.</p>` : ''}
  ${scrolledTable(['Year', ...columns], rows, { kind: 'figures', label: `Figures by year: ${name}` })}`;
}

export function pageOfRight(right: RightDetails, shown: ShownPage): PageText {
  const { organization, record, sites } = right;
  const { feature, base } = shown;
  const identifier = textIn(record, 'AllocationNativeID') ?? feature.id;
  const title = `Water right ${identifier}`;
  const asked = new URLSearchParams({ OrganizationUUID: organization.OrganizationUUID });
  const name = textIn(record, 'AllocationUUID') === null ? 'AllocationNativeID' : 'AllocationUUID';
  asked.set(name, textIn(record, name) ?? '');
  const query = asked.toString();
  const json = `${base}/${siteAllocationAmounts.route}?${query}`;
  return featurePage(
    {
      title,
      kind: 'Water right',
      name: identifier,
      where: `${organization.OrganizationName}, ${organization.State}`,
      summary: summaryOfRight(right, title),
      links: [
        ['Explorer', `${base}/explore?kind=rights&${query}`],
        ['JSON', json],
        ['CSV', `${json}&format=csv`],
      ],
      facts: factsIn(record, RIGHT_FACTS),
      map: `The points of ${title}`,
      sections: [section('sites', 'Sites', siteTable(sites, organization.OrganizationUUID, base))],
      sources: right,
    },
    shown,
  );
}

function summaryOfRight({ organization, record, sites }: RightDetails, title: string): readonly string[] {
  const priority = textIn(record, 'AllocationPriorityDate');
  const uses = usesOf(record);
  return [
    `${title} is published by ${organization.OrganizationName}.`,
    priority === null ? '' : `Its priority date is ${priority}.`,
    uses === '' ? '' : `Its water is for ${uses}.`,
    sites.length === 1 ? 'It names 1 site.' : `It names ${formatNumber(sites.length)} sites.`,
  ];
}

function usesOf(right: Item): string {
  return (right['BeneficialUses'] as readonly string[]).join(', '); // As the member is declared.
}

const RIGHT_FACTS: readonly FactColumn[] = [
  ['Owner', 'AllocationOwner'],
  ['Class of owner', 'OwnerClassificationCV'],
  ['Priority date', 'AllocationPriorityDate'],
  ['Flow', measureIn('AllocationFlow_CFS', 'cubic feet per second')],
  ['Volume', measureIn('AllocationVolume_AF', 'acre-feet')],
  ['Beneficial uses', usesOf],
  ['Legal status', 'AllocationLegalStatusCodeCV'],
  ['Type', 'AllocationTypeCV'],
  ['Basis', 'AllocationBasisCV'],
  ['Applied for', 'AllocationApplicationDate'],
  ['Expires', 'AllocationExpirationDate'],
  ['Season', seasonOf],
  ['Irrigated area', measureIn('AllocationAcreage', 'acres')],
  ['Crop', 'CropTypeCV'],
  ['Irrigation method', 'IrrigationMethodCV'],
  ['Population served', 'PopulationServed'],
  ['Water supply system', 'AllocationCommunityWaterSupplySystem'],
  ['Identifier', 'AllocationUUID'],
  ['Former identifiers', 'LegacyAllocationIDs'],
  ['Page of the organization', linkIn('WaterAllocationNativeURL')],
];

function measureIn(member: string, unit: string): (item: Item) => string | null {
  return (item) => {
    const value = textIn(item, member);
    return value === null ? null : `${value} ${unit}`;
  };
}

function seasonOf(right: Item): string {
  const ends = [textIn(right, 'TimeframeStart'), textIn(right, 'TimeframeEnd')];
  return ends.filter((end) => end !== null).join(' to ');
}

/** A right can have some thousand sites; so many are listed. */
const MOST_SITES = 200;

/** A column in which no site has a value is left out. */
const SITE_COLUMNS: readonly FactColumn[] = [
  ['Type', 'SiteTypeCV'],
  ['Diversion or use', diversionOrUse],
  ['County', 'County'],
  ['Watershed (HUC8)', 'HUC8'],
  ['Latitude', 'Latitude'],
  ['Longitude', 'Longitude'],
];

/** Each site with a link to its page. */
function siteTable(sites: readonly Item[], organization: string, base: string): Html {
  if (sites.length === 0) return html`<p>The organization names no site.</p>`;
  const more = sites.length - MOST_SITES;
  const shown = sites.slice(0, MOST_SITES).map((site) => ({ site, facts: factsIn(site, SITE_COLUMNS) }));
  const columns = SITE_COLUMNS.flatMap(([label], index) =>
    shown.some(({ facts }) => facts[index]?.[1] != null) ? [{ label, index }] : [],
  );
  const heads = ['Site', ...columns.map(({ label }) => label)];
  const rows = shown.map(({ site, facts }) => {
    const identifier = textIn(site, 'SiteUUID') ?? '';
    const address = buildThingAddress(buildFeatureId(organization, identifier), { base, collection: 'sites' });
    return row(
      html`<a href="${address}">${textIn(site, 'SiteName') ?? textIn(site, 'NativeSiteID') ?? identifier}</a>`,
      columns.map(({ index }) => cell(facts[index]?.[1] ?? '')),
    );
  });
  return html`${scrolledTable(heads, rows, { kind: 'long', label: 'Table of sites' })}
  ${more > 0 ? html`<p>${more} more sites are in the JSON answer.</p>` : ''}`;
}
