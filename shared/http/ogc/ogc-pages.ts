// The OGC API as pages for people: its documents in words and tables, lists of items, and amounts among these.

import type { FeatureCollection } from '../../query/cql2/feature-collections';
import type { ShownFeature } from '../../render/json-ld';
import { formatNumber, placeMap } from '../pages/charts-and-maps';
import {
  type Fact,
  factList,
  framed,
  headline,
  type PageText,
  scrolledTable,
  type WrittenForm,
} from '../pages/feature-frame';
import { html, type Html } from '../pages/page';
import { pageAddresses } from '../pages/page-files';
import type { Service } from '../pipeline/service';
import { collectionOf, type OgcLink } from './addresses';
import type { ApiDocument } from './api-document';
import {
  type CollectionDocument,
  type CollectionsDocument,
  type ConformanceDocument,
  type LandingDocument,
  type MemberSchema,
  type MemberSchemas,
  propertySchemas,
  QUERYABLES_DESCRIPTION,
  queryableSchemas,
} from './descriptions';

/** Where the pages of the OGC API lie, without a slash at the end. */
type Root = string;

export function ogcLandingPage(document: LandingDocument, collections: readonly Named[], root: Root): PageText {
  const { title, description, links } = document;
  return {
    title,
    content: html`${headline('OGC API - Features', title, description)} ${buttons(links)}
      <p>
        In QGIS, ArcGIS Pro, GDAL, R or Python, connect to <code>${root}</code> with the access key as user name and any
        password.
      </p>
      <section>
        <h2>Collections</h2>
        ${collections.map((one) => collectionLine(one, root))}
      </section>`,
  };
}

export function collectionsPage({ collections, links }: CollectionsDocument, root: Root): PageText {
  return {
    title: 'Collections',
    content: html`${headline('OGC API - Features', 'Collections', '')} ${buttons(links)}
    ${collections.map((one) => html`<section>${collectionLine(one, root)} ${factList(collectionFacts(one))}</section>`)}`,
  };
}

export function collectionPage(document: CollectionDocument): PageText {
  const { title, description, links } = document;
  return {
    title,
    content: html`${headline('Collection', title, description)} ${buttons(links)} ${factList(collectionFacts(document))}`,
  };
}

export function queryablesPage(collection: FeatureCollection, address: string): PageText {
  const members = queryableSchemas(collection);
  const description = QUERYABLES_DESCRIPTION;
  return membersPage({ of: collection.title, name: 'What filters can name', description, members }, address);
}

export function schemaPage(collection: FeatureCollection, address: string): PageText {
  const members = propertySchemas(collection);
  return membersPage({ of: collection.title, name: 'What a feature says', description: '', members }, address);
}

interface Members {
  /** The collection. */
  readonly of: string;
  readonly name: string;
  readonly description: string;
  readonly members: MemberSchemas;
}

/** `address` is the page's own, two steps below the collections. */
function membersPage({ of, name, description, members }: Members, address: string): PageText {
  const links = [
    { rel: 'collection', href: collectionOf(address), title: of },
    { rel: 'alternate', href: `${address}?f=json`, title: 'This as JSON' },
  ];
  const rows = Object.entries(members).map(([member, schema]) =>
    row(member, [typeOf(schema), schema.description ?? '']),
  );
  return {
    title: `${of}: ${name.toLowerCase()}`,
    content: html`${headline(of, name, description)} ${buttons(links)}
    ${scrolledTable(['Name', 'Type', 'Meaning'], rows, { label: name })}`,
  };
}

/** `keys` is a sentence on where they come from (D56). */
export function conformancePage({ conformsTo, links }: ConformanceDocument, keys: string): PageText {
  const title = 'Classes of the standards';
  return {
    title,
    content: html`${headline('OGC API - Features', title, 'What the service keeps of each standard.')} ${buttons(links)}
      <ul>
        ${conformsTo.map((uri) => html`<li><a href="${uri}" rel="noopener">${uri}</a></li> `)}
      </ul>
      <p>Features need an access key. ${keys}</p>`,
  };
}

export function apiPage({ info, paths }: ApiDocument, root: Root): PageText {
  const sections = Object.entries(paths).map(
    ([path, { get }]) =>
      html`<section>
        <h2><code>${path}</code></h2>
        <p>${get.summary}</p>
        ${scrolledTable(
          ['Parameter', 'Meaning'],
          get.parameters.map(({ name, description }) => row(name, [description])),
          { label: `Parameters of ${path}` },
        )}
      </section> `,
  );
  const links = [
    { rel: 'collection', href: root, title: 'OGC API - Features' },
    { rel: 'alternate', href: `${root}/api?f=json`, title: 'This as OpenAPI 3.0' },
  ];
  return {
    title: 'Requests',
    content: html`${headline(info.title, 'Requests', info.description)} ${buttons(links)} ${sections}`,
  };
}

type Named = Pick<CollectionDocument, 'id' | 'title' | 'description'>;

function collectionLine({ id, title, description }: Named, root: Root): Html {
  return html`<h3><a href="${root}/collections/${id}">${title}</a></h3>
    <p>${description}</p>`;
}

function collectionFacts({ id, extent, crs, storageCrs }: CollectionDocument): readonly Fact[] {
  const [box = []] = extent?.spatial?.bbox ?? [];
  const [times = []] = extent?.temporal?.interval ?? [];
  const [west, south, east, north] = box;
  const [from, to] = times.map((time) => time ?? 'open');
  return [
    ['Identifier', id],
    ['Longitude', box.length === 0 ? null : `${west} to ${east}`],
    ['Latitude', box.length === 0 ? null : `${south} to ${north}`],
    ['Time', times.length === 0 ? null : `${from} to ${to}`],
    ['Coordinate systems', html`${crs.map((uri) => html`${uri}<br />`)}`],
    ['Stored in', storageCrs],
  ];
}

function row(name: string, cells: readonly string[]): Html {
  return html`<tr>
    <th scope="row"><code>${name}</code></th>
    ${cells.map((cell) => html`<td class="text">${cell}</td>`)}
  </tr> `;
}

function typeOf({ type, format, items }: MemberSchema): string {
  if (format !== undefined) return format.replace('geometry-any', 'geometry');
  return items === undefined ? (type ?? '') : `list of ${items.type}`;
}

interface ShownItem {
  readonly id: string;
  readonly properties: Readonly<Record<string, Json>>;
}

/** A page of features as it goes into either form. */
export interface FeaturePage {
  /** As JSON, with commas between them. */
  readonly features: Buffer;
  readonly returned: number;
  readonly total: number;
  readonly links: readonly OgcLink[];
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export function itemsPage(collection: FeatureCollection, page: FeaturePage, service: Service): WrittenForm {
  const shown = JSON.parse(`[${page.features.toString()}]`) as readonly ShownItem[]; // Written a moment ago.
  const names = Object.keys(shown[0]?.properties ?? {});
  // A column without a value on the whole page is left out.
  const filled = names.filter((name) => shown.some(({ properties }) => cellOf(properties[name] ?? null) !== ''));
  const address = `${pageAddresses(service).base}/ogc/collections/${collection.id}`;
  const rows = shown.map(
    ({ id, properties }) =>
      html`<tr>
        <th scope="row"><a href="${address}/items/${encodeURIComponent(id)}?f=html">${id}</a></th>
        ${filled.map((name) => html`<td>${cellOf(properties[name] ?? null)}</td>`)}
      </tr> `,
  );
  const content = html`${headline('Features', collection.title, collection.description)}
    <p>${formatNumber(page.total)} features match; ${formatNumber(shown.length)} are on this page.</p>
    ${buttons(page.links.flatMap(namedLink))} ${scrolledTable(['id', ...filled], rows, { label: collection.title })}`;
  return framed({ title: collection.title, content }, service);
}

/** What the buttons of a page of items lead to; undefined for links that are no buttons. */
const LABELS: Readonly<Record<string, string>> = {
  prev: 'Previous page',
  next: 'Next page',
  alternate: 'GeoJSON',
  collection: 'The collection',
};

function namedLink(link: OgcLink): readonly OgcLink[] {
  const title = LABELS[link.rel];
  return title === undefined ? [] : [{ ...link, title }];
}

/** An amount: it has no page of its own beyond its members and where it lies. */
export function amountPage(
  { title }: FeatureCollection,
  { id, geometry, properties }: ShownFeature,
  address: string,
  service: Service,
): WrittenForm {
  const facts = factList(Object.entries(properties).map(([name, value]) => [name, cellOf(value as Json)]));
  const map = geometry === null ? '' : html`<div>${placeMap(geometry, `Where ${id} lies`)}</div>`;
  const links = [
    { rel: 'collection', href: collectionOf(address), title },
    { rel: 'alternate', href: `${address}?f=json`, title: 'GeoJSON' },
  ];
  const content = html`${headline(title, id, '')} ${buttons(links)}
    <div class="overview">${facts} ${map}</div>`;
  return framed({ title: id, content }, service);
}

function cellOf(value: Json): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A link each to what else is there, and none to the page itself. */
function buttons(links: readonly OgcLink[]): Html {
  const others = new Map(links.filter(({ rel }) => rel !== 'self').map((link) => [link.href, link]));
  return html`<p class="actions">
    ${[...others.values()].map(
      ({ href, rel, title }) => html`<a class="button plain" rel="${rel}" href="${href}">${title ?? rel}</a> `,
    )}
  </p>`;
}
