// The page of a site or a reporting unit (D49).

import {
  aggregatedAmounts,
  reportingUnits,
  sites as sitesOperation,
  siteVariableAmounts,
} from '../../../query/operations';
import { buildFeatureId } from '../../../records/feature-ids';
import type { Item } from '../../../records/record-references';
import { buildThingAddress } from '../../../render/json-ld';
import { formatIsoDate } from '../../../values/dates';
import { findStateCode, getStateName } from '../../../values/states';
import { formatNumber } from '../format-number';
import type { PageBody } from '../framed-page';
import { type Html, html, readText } from '../html';
import { type Fact, type FactRule, listFacts, listSection, section } from '../page-parts';
import { createMeasureReader, formatDiversionOrUse } from './fact-readers';
import { renderFeaturePage } from './feature-page';
import type { FeaturePageContext } from './feature-page-context';
import type { PlaceDetails } from './place-details';
import { type LinkedSite, MAX_RELATED } from './related-sites';
import { seriesSection } from './series-section';

const UNIT_FACTS: readonly FactRule[] = [
  ['Type', 'ReportingUnitTypeCV'],
  ['Native identifier', 'ReportingUnitNativeID'],
  ['Identifier', 'ReportingUnitUUID'],
  ['State', 'StateCV'],
  ['Product version', 'ReportingUnitProductVersion'],
  ['Product date', 'ReportingUnitUpdateDate'],
];

const SITE_FACTS: readonly FactRule[] = [
  ['Type', 'SiteTypeCV'],
  ['Site role', formatDiversionOrUse],
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
        relatedSection('pods', 'Points of diversion', place.related.diversions, { organization, base }),
        relatedSection('pous', 'Places of use', place.related.uses, { organization, base }),
        usesSection(place),
      ],
      sources: place,
    },
    context,
  );
}

/** Returns sentences on what the place is, where it is, and what is published for it. */
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
    rights?.total === 1 ? '1 water right uses it.' : `${formatNumber(rights?.total ?? 0)} water rights use it.`;
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

function formatCoordinates(site: Item): string | null {
  const point = [readText(site, 'Latitude'), readText(site, 'Longitude')];
  return point.includes(null) ? null : point.join(', ');
}

function usesSection({ uses }: PlaceDetails): Html | '' {
  if (uses.length === 0) return '';
  const names = uses.slice(0, MAX_USES).map((use) => readText(use, 'Name') ?? '');
  if (uses.length > MAX_USES) names.push(`${formatNumber(uses.length - MAX_USES)} more`);
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
  const rest = more > 0 ? `${formatNumber(more)} more: use the explorer or JSON links above.` : '';
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

/** The maximum number of periods to list for a related site, and of uses. */
const MAX_PERIODS = 10;
const MAX_USES = 100;

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
    const periodTexts = periods
      .slice(0, MAX_PERIODS)
      .flatMap(({ start, end }) => (start === null && end === null ? [] : [`${start ?? ''} to ${end ?? ''}`.trim()]));
    if (periods.length > MAX_PERIODS) periodTexts.push(`${formatNumber(periods.length - MAX_PERIODS)} more`);
    const periodText = periodTexts.length === 0 ? '' : ` (${periodTexts.join('; ')})`;
    return html`<li>${hasPage ? html`<a href="${address}">${siteName}</a>` : siteName}${periodText}</li>`;
  });
  const more = relatedSites.length - MAX_RELATED;
  return listSection(id, title, items, more > 0 ? `${formatNumber(more)} more are in the JSON answer.` : '');
}
