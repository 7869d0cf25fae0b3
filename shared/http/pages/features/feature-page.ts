// The page of a site, a reporting unit or a water right, with the sections that all of these have (D49).

import type { Item } from '../../../records/record-references';
import type { GeoJsonFeature } from '../../../render/json-ld';
import { FEED } from '../../../values/media-types';
import { formatProperty, headline, type PageBody } from '../framed-page';
import { type Html, html, readText } from '../html';
import { createLinkReader, type Fact, factList, type FactRule, listFacts, section } from '../page-parts';
import { citeSection } from './citation-section';
import { drawPlaceMap, drawStateMap } from './feature-maps';
import type { FeatureSources } from './feature-match';
import type { FeaturePageContext } from './feature-page-context';
import { releaseSection } from './release-section';

/** The parts of the page that differ by kind of feature, in order. */
interface FeatureSections {
  readonly title: string;
  readonly kind: string;
  readonly name: string;
  readonly where: string;
  /** Sentences; empty ones are left out. */
  readonly summary: readonly string[];
  /** Links to other views and answers. */
  readonly links: readonly (readonly [label: string, address: string])[];
  readonly facts: readonly Fact[];
  /** The title of the feature's map. */
  readonly map: string;
  readonly sections: readonly (Html | '')[];
  /** The sources of the data. */
  readonly sources: FeatureSources;
}

export function renderFeaturePage(text: FeatureSections, context: FeaturePageContext): PageBody {
  const { title, kind, name, where, links, facts, map, sections, sources } = text;
  const { feature, address, base } = context;
  const summary = text.summary.filter((sentence) => sentence !== '').join(' ');
  const formatLinks = [
    ['GeoJSON', `${address}?f=json`],
    ['JSON-LD', `${address}?f=jsonld`],
    ['Release feed', `${base}/${FEED.path}`],
  ] as const;
  const content = html`${headline(kind, name, where)}
    <p class="summary">${summary}</p>
    <p class="actions">
      ${[...links, ...formatLinks].map(([label, target]) => html`<a class="button plain" href="${target}">${label}</a> `)}
    </p>
    <p class="small">JSON and CSV need an <a href="${base}/keys">access key</a>.</p>
    <div class="overview">${factList(facts)} ${renderMaps(map, context)}</div>
    ${sections} ${describedSection('source', 'Water source', WATER_SOURCE_FACTS, sources.waterSources)}
    ${describedSection('method', 'Method', METHOD_FACTS, sources.methods)}
    ${section('organization', 'Organization', factList(listFacts(sources.organization, ORGANIZATION_FACTS)))}
    ${releaseSection(sources.change, context)} ${citeSection(context)} ${propertiesSection(feature)}`;
  return { title, content, summary };
}

/** Renders the maps of the feature. */
function renderMaps(title: string, { feature: { geometry }, states }: FeaturePageContext): Html {
  if (geometry === null) return html`<p class="small">Its location is unknown.</p>`;
  return html`<div>${drawPlaceMap(geometry, title)} ${drawStateMap(geometry, states)}</div>`;
}

/** The maximum number of methods, or of water sources, to describe. Places rarely have more than one. */
const MAX_DESCRIBED = 20;

const METHOD_FACTS: readonly FactRule[] = [
  ['Name', (method) => readText(method, 'MethodName') ?? readText(method, 'MethodUUID')],
  ['Type', 'MethodTypeCV'],
  ['Applies to', 'ApplicableResourceType'],
  ['How', 'MethodDescription'],
  ['More', createLinkReader('MethodNEMILink')],
  ['Coverage', 'DataCoverageValue'],
  ['Quality', 'DataQualityValue'],
  ['Confidence', 'DataConfidenceValue'],
];

const WATER_SOURCE_FACTS: readonly FactRule[] = [
  ['Name', 'WaterSourceName'],
  ['Type', 'WaterSourceTypeCV'],
  ['Native identifier', 'WaterSourceNativeID'],
  ['Fresh or saline', 'FreshSalineIndicatorCV'],
  ['Identifier', 'WaterSourceUUID'],
];

const ORGANIZATION_FACTS: readonly FactRule[] = [
  ['Name', 'OrganizationName'],
  ['State', 'State'],
  ['About the agency', 'OrganizationPurview'],
  ['Web site', createLinkReader('OrganizationWebsite')],
  ['Contact', 'OrganizationContactName'],
  ['E-mail', 'OrganizationContactEmail'],
  ['Telephone', 'OrganizationPhoneNumber'],
];

function describedSection(id: string, title: string, columns: readonly FactRule[], items: readonly Item[]): Html | '' {
  if (items.length === 0) return '';
  const lists = items.slice(0, MAX_DESCRIBED).map((item) => factList(listFacts(item, columns)));
  const more = items.length - MAX_DESCRIBED;
  const rest = more > 0 ? html`<p>${more} more are in the JSON answers.</p>` : '';
  return section(id, items.length === 1 ? title : `${title}s`, [...lists, rest]);
}

/** Longer values are cut, because a right may list thousands of sites. */
const MAX_PROPERTY_LENGTH = 2_000;

/** Renders all properties, under the names that programs use. */
function propertiesSection({ properties }: GeoJsonFeature): Html {
  const facts = Object.entries(properties).map(([name, value]): Fact => {
    const text = formatProperty(Array.isArray(value) ? value.filter((item) => item !== '') : value);
    const isLong = text.length > MAX_PROPERTY_LENGTH;
    return [name, isLong ? `${text.slice(0, MAX_PROPERTY_LENGTH)}… (shortened; GeoJSON has all of it)` : text];
  });
  return html`<details>
    <summary>All properties</summary>
    ${factList(facts)}
  </details>`;
}
