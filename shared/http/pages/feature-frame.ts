// The parts of which pages of features consist: the frame, the headline and lists of facts, which the pages of the OGC
// API share, and the sections that all pages of sites, units and rights have (D49).

import type { Item } from '../../records/record-references';
import { type GeoJsonFeature, getThingName, JSON_LD_TYPE, type ReleaseStatement } from '../../render/json-ld';
import { FEED } from '../../values/media-types';
import type { HeaderFields } from '../pipeline/outcome';
import type { Service } from '../pipeline/service';
import { drawPlaceMap, drawStateMap, type StateOutline } from './charts-and-maps';
import type { FeatureSources, LastChange } from './feature-details';
import { formatPagePolicy, Html, html, linkAddress, readText, renderPage, SERVICE_TITLE } from './page';
import { createLinkReader, type Fact, factList, type FactRule, listFacts, section } from './page-parts';

/** A document in one of the forms of the OGC API. */
export interface WrittenDocument {
  readonly body: string;
  readonly contentType: string;
  readonly headers: HeaderFields;
}

export interface PageBody {
  readonly title: string;
  readonly content: Html;
  /** In a sentence or two. */
  readonly summary?: string;
}

type PageHead = Pick<Parameters<typeof renderPage>[0], 'links' | 'head'>;

export function framePage(
  { title, content, summary }: PageBody,
  service: Service,
  head: PageHead = {},
): WrittenDocument {
  const styles = ['pages.css', 'features.css'];
  const page = renderPage({ title, description: summary, content, styles, ...head }, service);
  return {
    body: page.text,
    contentType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': formatPagePolicy() },
  };
}

/** The page of a site, a unit or a right, with its JSON-LD in its head, where harvesters look first (D58). */
export function framePageWithJsonLd(
  page: PageBody,
  address: string,
  jsonLd: object,
  service: Service,
): WrittenDocument {
  // No tag can begin in it (D53).
  const script = JSON.stringify(jsonLd).replaceAll('<', '\\u003c');
  const head = html`<script type="${JSON_LD_TYPE}">
    ${new Html(script)}
  </script>`;
  const links = [
    { rel: 'canonical', href: address, type: 'text/html' },
    { rel: 'alternate', href: `${address}?f=json`, type: 'application/geo+json' },
    { rel: 'alternate', href: `${address}?f=jsonld`, type: JSON_LD_TYPE },
  ];
  return framePage(page, service, { links, head });
}

export function headline(kind: string, name: string, where: string): Html {
  return html`<p class="kind">${kind}</p>
    <h1>${name}</h1>
    <p class="where">${where}</p>`;
}

/** A feature as its page shows it. */
export interface FeaturePageContext {
  readonly feature: GeoJsonFeature;
  /** The address of the feature, without a form. */
  readonly address: string;
  /** What it is cited by: its id in linked data. */
  readonly id: string;
  readonly statement: ReleaseStatement;
  /** The data version. */
  readonly version: string;
  /** In front of the paths of the service. */
  readonly base: string;
  /** Those that its map can show. */
  readonly states: readonly StateOutline[];
}

/** What the page of a kind of feature says, in the order of the page. */
interface FeatureSections {
  readonly title: string;
  readonly kind: string;
  readonly name: string;
  readonly where: string;
  /** In sentences; those without a text are left out. */
  readonly summary: readonly string[];
  /** What else can be asked: a label and an address each. */
  readonly links: readonly (readonly [label: string, address: string])[];
  readonly facts: readonly Fact[];
  /** The title of its map. */
  readonly map: string;
  readonly sections: readonly (Html | '')[];
  /** Where the data are from. */
  readonly sources: FeatureSources;
}

export function renderFeaturePage(text: FeatureSections, context: FeaturePageContext): PageBody {
  const { title, kind, name, where, links, facts, map, sections, sources } = text;
  const { feature, address, base } = context;
  const summary = text.summary.filter((sentence) => sentence !== '').join(' ');
  const formatLinks = [
    ['GeoJSON', `${address}?f=json`],
    ['JSON-LD', `${address}?f=jsonld`],
    ['Feed of releases', `${base}/${FEED.path}`],
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

/** Where the feature lies. */
function renderMaps(title: string, { feature: { geometry }, states }: FeaturePageContext): Html {
  if (geometry === null) return html`<p class="small">Its place is not known.</p>`;
  return html`<div>${drawPlaceMap(geometry, title)} ${drawStateMap(geometry, states)}</div>`;
}

/** So many methods and water sources are described; places rarely have more than one. */
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
  ['In charge of', 'OrganizationPurview'],
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

/** The day in a time of ISO 8601. */
const DAY = 'YYYY-MM-DD'.length;

function releaseSection(change: LastChange, { statement, version, base }: FeaturePageContext): Html {
  const { release, publishedAt, license, termsOfUse, contact } = statement;
  return section(
    'release',
    'Licence and release',
    factList([
      ['Licence', linkAddress(license, 'license') ?? 'not stated'],
      ['Terms of use', linkAddress(termsOfUse)],
      ['Contact for the data', contact],
      ['Published', publishedAt.slice(0, DAY)],
      ['When it changed', describeChange(change)],
      ['Release', html`<a href="${base}/downloads#d-${release}">${release}</a>`],
      ['Data version', version],
    ]),
  );
}

function describeChange(change: LastChange): string {
  switch (change.kind) {
    case 'changed':
      return `With what was published on ${change.publishedAt.slice(0, DAY)}`;
    case 'unchanged':
      return `Not since ${change.publishedAt.slice(0, DAY)}, when the oldest release that it was compared with was published`;
    case 'nothing older':
      return 'Not known: no older release is held';
  }
}

/** How to cite the page: by name, version and date, and a text for those who manage their sources with BibTeX. */
function citeSection({ feature, id, statement }: FeaturePageContext): Html {
  const { organization, release, publishedAt, citation } = statement;
  const author = organization.OrganizationName;
  const title = getThingName(feature);
  const date = publishedAt.slice(0, DAY);
  const entry = [
    ['author', `{${escapeBibTex(author)}}`],
    ['title', escapeBibTex(title)],
    ['howpublished', SERVICE_TITLE],
    ['year', date.slice(0, 'YYYY'.length)],
    ['version', release],
    ['note', `Release ${release}, published ${date}`],
    ['url', id],
  ].map(([name = '', value = '']) => `  ${name} = {${value}}`);
  const key = feature.id.replaceAll(/[^A-Za-z0-9]+/g, '-');
  return section('cite', 'How to cite', [
    html`<p>${author} (${date}). ${title}. ${SERVICE_TITLE}, release ${release}. <a href="${id}">${id}</a></p>`,
    citation === null ? '' : html`<p>The organization asks to be cited as: ${linkAddress(citation) ?? ''}</p>`,
    html`<details>
      <summary>BibTeX</summary>
      <pre class="cite"><code>${`@misc{${key},\n${entry.join(',\n')}\n}`}</code></pre>
    </details>`,
  ]);
}

const BIBTEX_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
};

/** What BibTeX and LaTeX would read as their own signs is written as text. */
function escapeBibTex(text: string): string {
  return text.replaceAll(/[\\{}$&#^_~%]/g, (character) => BIBTEX_ESCAPES[character] ?? `\\${character}`);
}

/** The page of what is not published any more: what it was, and where its last state is found while it is held. */
export function renderWithdrawnPage(
  feature: GeoJsonFeature,
  lastRelease: Pick<ReleaseStatement, 'organization' | 'release' | 'publishedAt'> & { readonly address: string },
  base: string,
): PageBody {
  const { organization, release, publishedAt, address } = lastRelease;
  const name = getThingName(feature);
  const summary = `${name} was withdrawn: nothing that is published now has it.`;
  const content = html`${headline('Withdrawn', name, organization.OrganizationName)}
    <p class="summary">${summary}</p>
    <p>
      The last release that had it is <code>${release}</code>, published on ${publishedAt.slice(0, DAY)}.
      <a href="${address}">See it was</a> while that release is held. <a href="${base}/${FEED.path}">The feed</a> says
      what was published since.
    </p>`;
  return { title: `Withdrawn: ${name}`, content, summary };
}

/** Every property of the feature under the name that programs know it by. */
function propertiesSection({ properties }: GeoJsonFeature): Html {
  const facts = Object.entries(properties).map(([name, value]): Fact => {
    return [name, formatProperty(Array.isArray(value) ? value.filter((item) => item !== '') : value)];
  });
  return html`<details>
    <summary>All properties</summary>
    ${factList(facts)}
  </details>`;
}

/** The items of a list with commas between. */
export function formatProperty(value: unknown): string {
  return [value ?? ''].flat().map(String).join(', ');
}
