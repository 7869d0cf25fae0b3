// What describes the features, as pages for people: the same documents as the JSON beside them, in words and tables.

import { html, type Html } from '../pages/page-frame';
import { headline } from '../things/thing-frame';
import { factList, type Fact } from '../things/thing-sections';
import type { ApiDocument } from './api-document';
import type { MemberSchema, QueryablesDocument, SchemaDocument } from './member-documents';
import { collectionOf } from './addresses';
import { buttons, scrolledTable, type PageText } from './doors-frame';
import type * as metadata from './metadata';

/** Where the pages of the standard doors lie, without a slash at the end. */
type Root = string;

export function doorsLandingPage(
  document: metadata.LandingDocument,
  collections: readonly Named[],
  root: Root,
): PageText {
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

export function collectionsPage({ collections, links }: metadata.CollectionsDocument, root: Root): PageText {
  return {
    title: 'Collections',
    content: html`${headline('OGC API - Features', 'Collections', '')} ${buttons(links)}
    ${collections.map((one) => html`<section>${collectionLine(one, root)} ${factList(collectionFacts(one))}</section>`)}`,
  };
}

export function collectionPage(document: metadata.CollectionDocument): PageText {
  const { title, description, links } = document;
  return {
    title,
    content: html`${headline('Collection', title, description)} ${buttons(links)} ${factList(collectionFacts(document))}`,
  };
}

export function queryablesPage({ title, description, properties }: QueryablesDocument, address: string): PageText {
  return membersPage({ of: title, name: 'What filters can name', description, members: properties }, address);
}

export function schemaPage({ title, properties }: SchemaDocument, address: string): PageText {
  const members = properties.properties.properties;
  return membersPage({ of: title, name: 'What a feature says', description: '', members }, address);
}

interface Members {
  /** The collection. */
  readonly of: string;
  readonly name: string;
  readonly description: string;
  readonly members: Readonly<Record<string, MemberSchema>>;
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
    ${scrolledTable(['Name', 'Type', 'Meaning'], rows)}`,
  };
}

export function conformancePage({ conformsTo, links }: metadata.ConformanceDocument): PageText {
  const title = 'Classes of the standards';
  return {
    title,
    content: html`${headline('OGC API - Features', title, 'What the service keeps of each standard.')} ${buttons(links)}
      <ul>
        ${conformsTo.map((uri) => html`<li><a href="${uri}" rel="noopener">${uri}</a></li> `)}
      </ul>`,
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

type Named = Pick<metadata.CollectionDocument, 'id' | 'title' | 'description'>;

function collectionLine({ id, title, description }: Named, root: Root): Html {
  return html`<h3><a href="${root}/collections/${id}">${title}</a></h3>
    <p>${description}</p>`;
}

function collectionFacts({ id, extent, crs, storageCrs }: metadata.CollectionDocument): readonly Fact[] {
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
