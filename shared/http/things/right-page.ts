// The page of a water right (D49).

import { featureId } from '../../render/feature-ids';
import { siteAllocationAmounts } from '../../query/operations';
import type { Item } from '../../records/record-references';
import type { RightThing } from '../../things/right-thing';
import { html, linkedText, type Html } from '../pages/page-frame';
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

export function pageOfRight(right: RightThing, shown: ShownThing): ThingPage {
  const { organization, record, sites, waterSources, methods } = right;
  const { feature, base } = shown;
  const identifier = textIn(record, 'AllocationNativeID') ?? feature.id;
  const title = `Water right ${identifier}`;
  const asked = new URLSearchParams({ OrganizationUUID: organization.OrganizationUUID });
  const name = textIn(record, 'AllocationUUID') === null ? 'AllocationNativeID' : 'AllocationUUID';
  asked.set(name, textIn(record, name) ?? '');
  const query = asked.toString();
  const json = `${base}/${siteAllocationAmounts.route}?${query}`;
  const content = html`${headline('Water right', identifier, `${organization.OrganizationName}, ${organization.State}`)}
  ${actions(shown.address, [
    ['Explorer', `${base}/explore?kind=rights&${query}`],
    ['JSON', json],
    ['CSV', `${json}&format=csv`],
  ])}
  ${factsAndMap(factList(factsOf(record)), `The points of ${title}`, shown)}
  ${section('sites', 'Sites', siteTable(sites, organization.OrganizationUUID, base))}
  ${waterSourceSection(waterSources)} ${methodSection(methods)} ${organizationSection(organization)}
  ${releaseSection({ ...shown, change: right.change })} ${propertiesSection(feature)}`;
  return { title, content };
}

function factsOf(record: Item): readonly Fact[] {
  const text = (member: string): string | null => textIn(record, member);
  const measure = (member: string, unit: string): string | null => {
    const value = text(member);
    return value === null ? null : `${value} ${unit}`;
  };
  const season = [text('TimeframeStart'), text('TimeframeEnd')].filter((end) => end !== null).join(' to ');
  return [
    ['Owner', text('AllocationOwner')],
    ['Class of owner', text('OwnerClassificationCV')],
    ['Priority date', text('AllocationPriorityDate')],
    ['Flow', measure('AllocationFlow_CFS', 'cubic feet per second')],
    ['Volume', measure('AllocationVolume_AF', 'acre-feet')],
    ['Beneficial uses', (record['BeneficialUses'] as readonly string[]).join(', ')],
    ['Legal status', text('AllocationLegalStatusCodeCV')],
    ['Type', text('AllocationTypeCV')],
    ['Basis', text('AllocationBasisCV')],
    ['Applied for', text('AllocationApplicationDate')],
    ['Expires', text('AllocationExpirationDate')],
    ['Season', season],
    ['Irrigated area', measure('AllocationAcreage', 'acres')],
    ['Crop', text('CropTypeCV')],
    ['Irrigation method', text('IrrigationMethodCV')],
    ['Population served', text('PopulationServed')],
    ['Water supply system', text('AllocationCommunityWaterSupplySystem')],
    ['Identifier', text('AllocationUUID')],
    ['Former identifiers', text('LegacyAllocationIDs')],
    ['Page of the organization', linkedText(text('WaterAllocationNativeURL'))],
  ];
}

/** A right can have some thousand sites; so many are listed. */
const MOST_SITES = 200;

/** Each site with a link to its page. */
function siteTable(sites: readonly Item[], organization: string, base: string): Html {
  if (sites.length === 0) return html`<p>The organization names no site.</p>`;
  const more = sites.length - MOST_SITES;
  return html`<div class="scrolled" tabindex="0" role="region" aria-label="Table of sites">
      <table>
        <thead>
          <tr>
            ${['Site', 'Type', 'Diversion or use', 'County', 'Watershed (HUC8)', 'Longitude', 'Latitude'].map(
              (name) => html`<th scope="col">${name}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${sites.slice(0, MOST_SITES).map((site) => {
            const id = featureId(organization, textIn(site, 'SiteUUID') ?? '');
            const shown = ['SiteTypeCV', 'PODorPOUSite', 'County', 'HUC8', 'Longitude', 'Latitude'];
            return html`<tr>
              <th scope="row"><a href="${thingAddress(base, 'sites', id)}">${siteName(site)}</a></th>
              ${shown.map((member) => html`<td>${textIn(site, member) ?? ''}</td>`)}
            </tr> `;
          })}
        </tbody>
      </table>
    </div>
    ${more > 0 ? html`<p>${more} more sites are in the JSON answer.</p>` : ''}`;
}

function siteName(site: Item): string {
  return textIn(site, 'SiteName') ?? textIn(site, 'NativeSiteID') ?? textIn(site, 'SiteUUID') ?? '';
}
