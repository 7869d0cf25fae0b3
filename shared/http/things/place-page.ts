// The page of a site or a reporting unit (D49).

import { featureId } from '../../answer/features/feature-ids';
import { aggregatedAmounts, siteVariableAmounts } from '../../query/operations';
import { reportingUnits, sites } from '../../query/operations';
import type { Item } from '../../records/record-references';
import type { PlaceThing } from '../../things/place-thing';
import type { LinkedSite } from '../../things/related-sites';
import { html, type Html } from '../pages/page-frame';
import { wholeNumber } from './axis';
import { seriesSection } from './series-section';
import { actions, headline, factsAndMap, thingAddress, type ShownThing, type ThingPage } from './thing-frame';
import {
  factList,
  methodSection,
  organizationSection,
  propertiesSection,
  releaseSection,
  section,
  textIn,
  waterSourceSection,
  type Fact,
} from './thing-sections';

const KINDS = {
  Sites: {
    ...{ kind: 'Site', name: 'SiteName', native: 'NativeSiteID', type: 'SiteTypeCV', id: 'SiteUUID' },
    ...{ explored: 'series', operation: sites, amounts: siteVariableAmounts },
  },
  ReportingUnits: {
    ...{ kind: 'Reporting unit', name: 'ReportingUnitName', native: 'ReportingUnitNativeID' },
    ...{ type: 'ReportingUnitTypeCV', id: 'ReportingUnitUUID' },
    ...{ explored: 'aggregates', operation: reportingUnits, amounts: aggregatedAmounts },
  },
} as const;

export function pageOfPlace(place: PlaceThing, shown: ShownThing): ThingPage {
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
  const content = html`${headline(textIn(item, kind.type) ?? kind.kind, name, whereOf(place))}
  ${actions(shown.address, [
    ['Explorer', explored],
    ['JSON', `${base}/${kind.operation.route}?${query}`],
    ['CSV', isOfRights ? `${base}/${kind.operation.route}?${query}&format=csv` : `${amounts}&format=csv`],
  ])}
  ${factsAndMap(factList(factsOf(place)), `Map of ${name}`, shown)}
  ${seriesSection(place.series, (variable) => `${amounts}&${new URLSearchParams({ VariableSpecificCV: variable }).toString()}`)}
  ${rightsSection(place, base)} ${relatedSections(place, base)} ${usesSection(place)}
  ${waterSourceSection(place.waterSources)} ${methodSection(place.methods)} ${organizationSection(organization)}
  ${releaseSection({ ...shown, change: place.change })} ${propertiesSection(feature)}`;
  return { title: `${kind.kind} ${name}`, content };
}

function whereOf({ item, organization }: PlaceThing): string {
  const county = textIn(item, 'County');
  const named = county === null || /county$/i.test(county) ? county : `${county} County`;
  const place = [named, textIn(item, 'StateCV') ?? organization.State];
  return `${place.filter((part) => part !== null).join(', ')} · ${organization.OrganizationName}`;
}

function factsOf({ placeKind, item, rights }: PlaceThing): readonly Fact[] {
  const text = (member: string): string | null => textIn(item, member);
  if (placeKind === 'ReportingUnits') {
    return [
      ['Type', text('ReportingUnitTypeCV')],
      ['Native identifier', text('ReportingUnitNativeID')],
      ['Identifier', text('ReportingUnitUUID')],
      ['State', text('StateCV')],
      ['Product version', text('ReportingUnitProductVersion')],
      ['Day of the product', text('ReportingUnitUpdateDate')],
    ];
  }
  const point = [text('Latitude'), text('Longitude')];
  return [
    ['Type', text('SiteTypeCV')],
    ['Diversion or use', USES_OF_SITES.get(text('PODorPOUSite') ?? '') ?? text('PODorPOUSite')],
    ['Native identifier', text('NativeSiteID')],
    ['Identifier', text('SiteUUID')],
    ['USGS identifier', text('USGSSiteID')],
    ['Latitude, longitude', point.includes(null) ? null : point.join(', ')],
    ['Coordinates by', text('CoordinateMethodCV')],
    ['Accuracy', text('CoordinateAccuracy')],
    ['County', text('County')],
    ['Watershed (HUC8)', text('HUC8')],
    ['Subwatershed (HUC12)', text('HUC12')],
    ['NHD reach', text('NHDReachCode')],
    ['Water rights', rights === undefined ? null : wholeNumber(rights.total)],
  ];
}

const USES_OF_SITES: ReadonlyMap<string, string> = new Map([
  ['POD', 'Point of diversion'],
  ['POU', 'Place of use'],
]);

function usesSection({ uses }: PlaceThing): Html | '' {
  if (uses.length === 0) return '';
  const names = uses.map((use) => textIn(use, 'Name') ?? '');
  return section('uses', 'Beneficial uses', html`<p>${names.join(', ')}</p>`);
}

function rightsSection({ rights }: PlaceThing, base: string): Html | '' {
  if (rights === undefined || rights.listed.length === 0) return '';
  const { total, listed } = rights;
  const items = listed.map(({ id, record }) => {
    const native = textIn(record, 'AllocationNativeID') ?? id;
    return html`<li><a href="${thingAddress(base, 'allocations', id)}">${native}</a>${rightText(record)}</li>`;
  });
  const more = total - listed.length;
  return section('rights', 'Water rights here', [
    html`<ul class="listed">
      ${items}
    </ul>`,
    more > 0 ? html`<p>${wholeNumber(more)} more: the links to the explorer and JSON above have all.</p>` : html``,
  ]);
}

function rightText(record: Item): string {
  const priority = textIn(record, 'AllocationPriorityDate');
  const flow = textIn(record, 'AllocationFlow_CFS');
  const volume = textIn(record, 'AllocationVolume_AF');
  const parts = [
    textIn(record, 'AllocationOwner'),
    priority === null ? null : `priority ${priority}`,
    flow === null ? null : `${flow} CFS`,
    volume === null ? null : `${volume} AF`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

function relatedSections({ related, organization }: PlaceThing, base: string): Html {
  const { OrganizationUUID: uuid } = organization;
  return html`${relatedSection('pods', 'Where its water is taken', related.diversions, { uuid, base })}
  ${relatedSection('pous', 'Where its water is used', related.uses, { uuid, base })}`;
}

/** So many related sites are listed in each direction. */
const MOST_RELATED = 100;

function relatedSection(
  id: string,
  title: string,
  sitesRelated: readonly LinkedSite[],
  { uuid, base }: { readonly uuid: string; readonly base: string },
): Html | '' {
  if (sitesRelated.length === 0) return '';
  const items = sitesRelated.slice(0, MOST_RELATED).map(({ siteUuid, name, hasPage, periods }) => {
    const shown = name ?? siteUuid;
    const address = thingAddress(base, 'sites', featureId(uuid, siteUuid));
    const when = periods.flatMap(({ start, end }) =>
      start === null && end === null ? [] : [`${start ?? ''} to ${end ?? ''}`.trim()],
    );
    const since = when.length === 0 ? '' : ` (${when.join('; ')})`;
    return html`<li>${hasPage ? html`<a href="${address}">${shown}</a>` : shown}${since}</li>`;
  });
  const more = sitesRelated.length - MOST_RELATED;
  return section(id, title, [
    html`<ul class="listed">
      ${items}
    </ul>`,
    more > 0 ? html`<p>${wholeNumber(more)} more are in the JSON answer.</p>` : html``,
  ]);
}
