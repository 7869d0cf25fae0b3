// The parts of which pages of features consist: the frame, the headline and lists of facts, which the pages of the OGC
// API share, and the sections that all pages of sites, units and rights have (D49).

import { JSON_LD_TYPE, type ReleaseStatement, scriptText, type ShownFeature, thingName } from '../../render/json-ld';
import type { Organization } from '../../records/records';
import type { Item } from '../../records/data-sets';
import { FEED } from '../../values/media-types';
import type { HeaderFields } from '../pipeline/outcome';
import type { Service } from '../pipeline/service';
import type { LastChange } from './feature-details';
import { placeMap, stateMap, type StateOutline } from './charts-and-maps';
import { Html, html, linkedText, pageFrame, pagePolicy, SERVICE_TITLE, textIn } from './page';
import { pageAddresses } from './page-files';

/** A document in one of the forms of the OGC API. */
export interface WrittenForm {
  readonly body: string;
  readonly contentType: string;
  readonly headers: HeaderFields;
}

export interface PageText {
  readonly title: string;
  readonly content: Html;
  /** In a sentence or two. */
  readonly summary?: string;
}

type MoreOfPage = Pick<Parameters<typeof pageFrame>[0], 'links' | 'head'>;

export function framed({ title, content, summary }: PageText, service: Service, more: MoreOfPage = {}): WrittenForm {
  const page = pageFrame({
    ...{ title, description: summary, content, ...more },
    addresses: pageAddresses(service),
    styles: ['pages.css', 'features.css'],
  });
  return {
    body: page.text,
    contentType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': pagePolicy() },
  };
}

/** The page of a site, a unit or a right, with its JSON-LD in its head, where harvesters look first (D58). */
export function framedFeature(page: PageText, address: string, jsonLd: object, service: Service): WrittenForm {
  const head = html`<script type="${JSON_LD_TYPE}">
    ${new Html(scriptText(jsonLd))}
  </script>`;
  const links = [
    { rel: 'canonical', href: address, type: 'text/html' },
    { rel: 'alternate', href: `${address}?f=json`, type: 'application/geo+json' },
    { rel: 'alternate', href: `${address}?f=jsonld`, type: JSON_LD_TYPE },
  ];
  return framed(page, service, { links, head });
}

export function headline(kind: string, name: string, where: string): Html {
  return html`<p class="kind">${kind}</p>
    <h1>${name}</h1>
    <p class="where">${where}</p>`;
}

/** The sentences that a page begins with. */
export function summaryText(summary: string): Html {
  return html`<p class="summary">${summary}</p>`;
}

/** What it is called, and what it is; without a value it is left out. */
export type Fact = readonly [name: string, value: Html | string | number | null | undefined];

export function factList(facts: readonly Fact[]): Html {
  const shown = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return html`<dl>
    ${shown.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value ?? ''}</dd>`,
    )}
  </dl>`;
}

/** A fact of each record of a kind: its label, and the member that says it, or what the record says. */
export type FactColumn = readonly [label: string, value: string | ((item: Item) => Fact[1])];

export function factsIn(item: Item, columns: readonly FactColumn[]): readonly Fact[] {
  return columns.map(([label, value]) => [label, typeof value === 'string' ? textIn(item, value) : value(item)]);
}

export function linkIn(member: string): (item: Item) => Fact[1] {
  return (item) => linkedText(textIn(item, member));
}

export function section(id: string, title: string, content: Html | readonly Html[]): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}

interface TableLook {
  /** What the table is of, for whoever does not see it. */
  readonly label: string;
  /** A long table is scrolled down as well; figures are long, and stand to the right. */
  readonly kind?: 'long' | 'figures';
}

/** Scrolls within itself, with the keyboard too. Empty without rows. */
export function scrolledTable(heads: readonly string[], rows: readonly Html[], { label, kind }: TableLook): Html | '' {
  if (rows.length === 0) return '';
  return html`<div class="scrolled ${kind ?? 'whole'}" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** `more` says how many are not listed. */
export function listSection(id: string, title: string, items: readonly Html[], more: string): Html {
  return section(id, title, [
    html`<ul class="listed">
      ${items}
    </ul>`,
    more === '' ? html`` : html`<p>${more}</p>`,
  ]);
}

/** A feature as its page shows it. */
export interface ShownPage {
  readonly feature: ShownFeature;
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

/** The other forms of the page, then what else can be asked: a label and an address each. */
export function actions(
  { address, base }: Pick<ShownPage, 'address' | 'base'>,
  others: readonly (readonly [label: string, address: string])[],
): Html {
  const forms = [
    ['GeoJSON', `${address}?f=json`],
    ['JSON-LD', `${address}?f=jsonld`],
    ['Feed of releases', `${base}/${FEED.path}`],
  ] as const;
  return html`<p class="actions">
      ${[...others, ...forms].map(([label, target]) => html`<a class="button plain" href="${target}">${label}</a> `)}
    </p>
    <p class="small">JSON and CSV need an <a href="${base}/keys">access key</a>.</p>`;
}

/** The facts of a feature beside the maps of where it lies. */
export function factsAndMap(facts: Html, title: string, { feature: { geometry }, states }: ShownPage): Html {
  const maps = geometry === null ? '' : html`<div>${placeMap(geometry, title)} ${stateMap(geometry, states)}</div>`;
  return html`<div class="overview">
    ${facts} ${geometry === null ? html`<p class="small">Its place is not known.</p>` : maps}
  </div>`;
}

/** So many methods and water sources are described; places rarely have more than one. */
const MOST_DESCRIBED = 20;

const METHOD_FACTS: readonly FactColumn[] = [
  ['Name', (method) => textIn(method, 'MethodName') ?? textIn(method, 'MethodUUID')],
  ['Type', 'MethodTypeCV'],
  ['Applies to', 'ApplicableResourceType'],
  ['How', 'MethodDescription'],
  ['More', linkIn('MethodNEMILink')],
  ['Coverage', 'DataCoverageValue'],
  ['Quality', 'DataQualityValue'],
  ['Confidence', 'DataConfidenceValue'],
];

const WATER_SOURCE_FACTS: readonly FactColumn[] = [
  ['Name', 'WaterSourceName'],
  ['Type', 'WaterSourceTypeCV'],
  ['Native identifier', 'WaterSourceNativeID'],
  ['Fresh or saline', 'FreshSalineIndicatorCV'],
  ['Identifier', 'WaterSourceUUID'],
];

const ORGANIZATION_FACTS: readonly FactColumn[] = [
  ['Name', 'OrganizationName'],
  ['State', 'State'],
  ['In charge of', 'OrganizationPurview'],
  ['Web site', linkIn('OrganizationWebsite')],
  ['Contact', 'OrganizationContactName'],
  ['E-mail', 'OrganizationContactEmail'],
  ['Telephone', 'OrganizationPhoneNumber'],
];

/** The id of the section of each kind, and what it says of an item. */
const DESCRIBED = {
  'Water source': { id: 'source', columns: WATER_SOURCE_FACTS },
  Method: { id: 'method', columns: METHOD_FACTS },
} as const;

/** What the pages of all features end with: where the data are from, under which terms, and all properties. */
export interface FeatureSources {
  readonly organization: Organization;
  readonly waterSources: readonly Item[];
  readonly methods: readonly Item[];
  readonly change: LastChange;
}

export function sourceAndReleaseSections(sources: FeatureSources, shown: ShownPage): Html {
  const waterSourceSection = describedSection('Water source', sources.waterSources);
  const methodSection = describedSection('Method', sources.methods);
  const organizationFacts = factList(factsIn(sources.organization, ORGANIZATION_FACTS));
  const organizationSection = section('organization', 'Organization', organizationFacts);
  return html`${waterSourceSection} ${methodSection} ${organizationSection}
  ${releaseSection({ ...shown, change: sources.change })} ${citeSection(shown)} ${propertiesSection(shown.feature)}`;
}

function describedSection(title: keyof typeof DESCRIBED, items: readonly Item[]): Html | '' {
  if (items.length === 0) return '';
  const { id, columns } = DESCRIBED[title];
  const lists = items.slice(0, MOST_DESCRIBED).map((item) => factList(factsIn(item, columns)));
  const more = items.length - MOST_DESCRIBED;
  const rest = more > 0 ? html`<p>${more} more are in the JSON answers.</p>` : html``;
  return section(id, items.length === 1 ? title : `${title}s`, [...lists, rest]);
}

/** The day in a time of ISO 8601. */
const DAY = 'YYYY-MM-DD'.length;

function releaseSection({ statement, change, version, base }: ShownPage & Pick<FeatureSources, 'change'>): Html {
  const { release, publishedAt, license, termsOfUse, contact } = statement;
  return section(
    'release',
    'Licence and release',
    factList([
      ['Licence', linkedText(license, 'license') ?? 'not stated'],
      ['Terms of use', linkedText(termsOfUse)],
      ['Contact for the data', contact],
      ['Published', publishedAt.slice(0, DAY)],
      ['When it changed', changeText(change)],
      ['Release', html`<a href="${base}/downloads#d-${release}">${release}</a>`],
      ['Data version', version],
    ]),
  );
}

function changeText(change: LastChange): string {
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
function citeSection({ feature, id, statement }: ShownPage): Html {
  const { organization, release, publishedAt, citation } = statement;
  const author = organization.OrganizationName;
  const [title, date] = [thingName(feature), publishedAt.slice(0, DAY)];
  const entry = [
    ['author', `{${bibText(author)}}`],
    ['title', bibText(title)],
    ['howpublished', SERVICE_TITLE],
    ['year', date.slice(0, 'YYYY'.length)],
    ['version', release],
    ['note', `Release ${release}, published ${date}`],
    ['url', id],
  ].map(([name = '', value = '']) => `  ${name} = {${value}}`);
  const key = feature.id.replaceAll(/[^A-Za-z0-9]+/g, '-');
  return section('cite', 'How to cite', [
    html`<p>${author} (${date}). ${title}. ${SERVICE_TITLE}, release ${release}. <a href="${id}">${id}</a></p>`,
    citation === null ? html`` : html`<p>The organization asks to be cited as: ${linkedText(citation) ?? ''}</p>`,
    html`<details>
      <summary>BibTeX</summary>
      <pre class="cite"><code>${`@misc{${key},\n${entry.join(',\n')}\n}`}</code></pre>
    </details>`,
  ]);
}

const BIBTEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
};

/** What BibTeX and LaTeX would read as their own signs is written as text. */
function bibText(text: string): string {
  return text.replaceAll(/[\\{}$&#^_~%]/g, (character) => BIBTEX[character] ?? `\\${character}`);
}

/** The page of what is not published any more: what it was, and where its last state is found while it is held. */
export function withdrawnPage(
  feature: ShownFeature,
  former: Pick<ReleaseStatement, 'organization' | 'release' | 'publishedAt'> & { readonly address: string },
  base: string,
): PageText {
  const { organization, release, publishedAt, address } = former;
  const name = thingName(feature);
  const summary = `${name} was withdrawn: nothing that is published now has it.`;
  const content = html`${headline('Withdrawn', name, organization.OrganizationName)} ${summaryText(summary)}
    <p>
      The last release that had it is <code>${release}</code>, published on ${publishedAt.slice(0, DAY)}.
      <a href="${address}">See it as it was</a> while that release is held.
      <a href="${base}/${FEED.path}">The feed</a> says what was published since.
    </p>`;
  return { title: `Withdrawn: ${name}`, content, summary };
}

/** Every property of the feature under the name that programs know it by. */
function propertiesSection({ properties }: ShownFeature): Html {
  const facts = Object.entries(properties).map(([name, value]): Fact => {
    const values = Array.isArray(value) ? value.filter((one) => one !== '') : [value ?? ''];
    return [name, values.map(String).join(', ')];
  });
  return html`<details>
    <summary>All properties</summary>
    ${factList(facts)}
  </details>`;
}
