// What describes the features (D47, D53), each as a document and as a page for people: the landing page, the classes of
// the standard, the requests, the collections, the names of their filters and the schemas of their features. None of
// them needs a key.

import { EVERYTHING } from '../../query/condition';
import { type FeatureCollection, featureCollections } from '../../query/cql2/feature-collections';
import type { ItemFormat } from '../../query/cql2/item-parameters';
import type { Queryable } from '../../query/parameter';
import { tileCollections } from '../../query/tile-collections';
import { listPropertyColumns } from '../../render/table-columns';
import { openListedReleases } from '../../search/places/open-place-releases';
import type { CatalogState } from '../../store/catalog-types';
import { COORDINATE_SYSTEMS, CRS84 } from '../../values/coordinate-systems';
import type { Box } from '../../values/geometry';
import type { PageBody } from '../pages/feature-frame';
import { type Html, html, SERVICE_TITLE } from '../pages/page';
import { type Fact, factList, row, scrolledTable } from '../pages/page-parts';
import { readReleasesBox } from '../pages/published-releases';
import { describeKeySource } from '../pipeline/authorize';
import type { Service } from '../pipeline/service';
import {
  API_TYPE,
  buildFormatLinks,
  GEOJSON_TYPE,
  getCollectionAddress,
  HTML_TYPE,
  JSON_TYPE,
  OGC_RELATIONS,
  type OgcLink,
  SCHEMA_TYPE,
} from './addresses';
import { buildApiDocument } from './api-document';
import { renderOgcPage } from './ogc-pages';

export interface DescriptionContext {
  /** The address of the landing page. */
  readonly root: string;
  /** In front of `/ogc`. */
  readonly base: string;
  readonly format: ItemFormat;
  readonly state: CatalogState;
  readonly service: Service;
}

interface Description {
  /** The media type of the document; JSON where it is left out. */
  readonly type?: string;
  readonly document: object;
  /** The same for people. */
  readonly page: () => PageBody;
}

export type Describe = (context: DescriptionContext) => Description | Promise<Description>;

const STANDARD = 'OGC API - Features';

/** What describes the service, by the path below /ogc. */
export const serviceDescriptions: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ['', describeLanding],
  ['conformance', describeConformance],
  ['api', describeRequests],
  ['collections', describeCollections],
]);

type DescribeCollection = (collection: FeatureCollection, ...context: Parameters<Describe>) => ReturnType<Describe>;

/** What describes a collection, by the path below its own. */
export const collectionDescriptions: ReadonlyMap<string, DescribeCollection> = new Map<string, DescribeCollection>([
  ['', describeCollection],
  ['queryables', describeQueryables],
  ['schema', describeSchema],
]);

const DESCRIPTION =
  'Water data that many states contribute: sites, reporting units, water rights and amounts as features. Features need ' +
  'an access key from the operator of the service; what describes them does not.';

function describeLanding({ root, base, format }: DescriptionContext): Description {
  const links = [
    ...buildFormatLinks(root, format, JSON_TYPE),
    { rel: 'service-desc', type: API_TYPE, href: `${root}/api`, title: 'The description of this service' },
    { rel: 'service-doc', type: HTML_TYPE, href: `${base}/docs`, title: 'Documentation' },
    { rel: 'conformance', type: JSON_TYPE, href: `${root}/conformance`, title: 'Classes of the standard' },
    { rel: 'data', type: JSON_TYPE, href: `${root}/collections`, title: 'Collections' },
    {
      rel: `${OGC_RELATIONS}/tiling-schemes`,
      type: JSON_TYPE,
      href: `${root}/tileMatrixSets`,
      title: 'Grids of tiles',
    },
  ];
  const document = { title: SERVICE_TITLE, description: DESCRIPTION, links };
  const page = (): PageBody => {
    const content = html`<p>
        In QGIS, ArcGIS Pro, GDAL, R or Python, connect to <code>${root}</code> with the access key as user name and any
        password.
      </p>
      <section>
        <h2>Collections</h2>
        ${featureCollections.map((collection) => renderCollectionLine(collection, root))}
      </section>`;
    return renderOgcPage({ kind: STANDARD, ...document, content });
  };
  return { document, page };
}

const CLASSES = [
  'ogcapi-common-1/1.0/conf/core',
  'ogcapi-features-1/1.0/conf/core',
  'ogcapi-features-1/1.0/conf/oas30',
  'ogcapi-features-1/1.0/conf/geojson',
  'ogcapi-features-1/1.0/conf/html',
  'ogcapi-features-2/1.0/conf/crs',
  'ogcapi-features-3/1.0/conf/queryables',
  'ogcapi-features-3/1.0/conf/queryables-query-parameters',
  'ogcapi-features-3/1.0/conf/filter',
  'ogcapi-features-3/1.0/conf/features-filter',
  'ogcapi-tiles-1/1.0/conf/core',
  'ogcapi-tiles-1/1.0/conf/tileset',
  'ogcapi-tiles-1/1.0/conf/tilesets-list',
  'ogcapi-tiles-1/1.0/conf/geodata-tilesets',
  'ogcapi-tiles-1/1.0/conf/mvt',
  'cql2/1.0/conf/cql2-text',
  'cql2/1.0/conf/cql2-json',
  'cql2/1.0/conf/basic-cql2',
  'cql2/1.0/conf/advanced-comparison-operators',
  'cql2/1.0/conf/case-insensitive-comparison',
  'cql2/1.0/conf/basic-spatial-functions',
];

function describeConformance({ root, format, service }: DescriptionContext): Description {
  const links = buildFormatLinks(`${root}/conformance`, format, JSON_TYPE);
  const conformsTo = CLASSES.map((name) => `http://www.opengis.net/spec/${name}`);
  const page = (): PageBody => {
    const content = html`<ul>
        ${conformsTo.map((uri) => html`<li><a href="${uri}" rel="noopener">${uri}</a></li> `)}
      </ul>
      <p>Features need an access key. ${describeKeySource(service)}</p>`;
    const description = 'What the service keeps of each standard.';
    return renderOgcPage({ kind: STANDARD, title: 'Classes of the standards', description, links, content });
  };
  return { document: { links, conformsTo }, page };
}

function describeRequests({ root, base }: DescriptionContext): Description {
  const document = buildApiDocument(base);
  const { info, paths } = document;
  const page = (): PageBody => {
    const content = Object.entries(paths).map(([path, { get }]) => {
      const rows = get.parameters.map(({ name, description }) => renderMemberRow(name, [description]));
      return html`<section>
        <h2><code>${path}</code></h2>
        <p>${get.summary}</p>
        ${scrolledTable(['Parameter', 'Meaning'], rows, { label: `Parameters of ${path}` })}
      </section> `;
    });
    const links = [
      { rel: 'collection', href: root, title: STANDARD },
      { rel: 'alternate', href: `${root}/api?f=json`, title: 'This as OpenAPI 3.0' },
    ];
    return renderOgcPage({ kind: info.title, title: 'Requests', description: info.description, links, content });
  };
  return { type: API_TYPE, document, page };
}

async function describeCollections(context: DescriptionContext): Promise<Description> {
  const { root, format } = context;
  const links = buildFormatLinks(`${root}/collections`, format, JSON_TYPE);
  const collections = await Promise.all(
    featureCollections.map((collection) => buildCollectionDocument(collection, context)),
  );
  const page = (): PageBody => {
    const content = collections.map(
      (collection) =>
        html`<section>${renderCollectionLine(collection, root)} ${factList(listCollectionFacts(collection))}</section>`,
    );
    return renderOgcPage({ kind: STANDARD, title: 'Collections', description: '', links, content });
  };
  return { document: { links, collections, crs: COORDINATE_SYSTEMS.map(({ uri }) => uri) }, page };
}

async function describeCollection(collection: FeatureCollection, context: DescriptionContext): Promise<Description> {
  const document = await buildCollectionDocument(collection, context);
  const page = (): PageBody =>
    renderOgcPage({ kind: 'Collection', ...document, content: factList(listCollectionFacts(document)) });
  return { document, page };
}

type CollectionDocument = Awaited<ReturnType<typeof buildCollectionDocument>>;

async function buildCollectionDocument(
  collection: FeatureCollection,
  { base, format, state, service }: DescriptionContext,
) {
  const { id, title, description } = collection;
  const address = `${base}/ogc/collections/${id}`;
  const queryables = { type: SCHEMA_TYPE, href: `${address}/queryables`, title: 'What filters can name' };
  const schema = { type: SCHEMA_TYPE, href: `${address}/schema`, title: 'The schema of a feature' };
  const tiles = { type: JSON_TYPE, href: `${address}/tiles`, title: 'Vector tiles' };
  const links: readonly OgcLink[] = [
    ...buildFormatLinks(address, format, JSON_TYPE),
    { rel: 'items', type: GEOJSON_TYPE, href: `${address}/items`, title: 'The features' },
    { rel: 'items', type: HTML_TYPE, href: `${address}/items?f=html`, title: 'The features as a page' },
    { rel: `${OGC_RELATIONS}/queryables`, ...queryables },
    // GDAL up to 3.6 knows the relation by its former spelling alone.
    ...['describedby', 'describedBy'].map((rel) => ({ rel, ...schema })),
    ...(tileCollections.some((collection) => collection.id === id)
      ? [{ rel: `${OGC_RELATIONS}/tilesets-vector`, ...tiles }]
      : []),
  ];
  return {
    id,
    title,
    description,
    extent: await readExtent(collection, state, service),
    itemType: 'feature',
    crs: COORDINATE_SYSTEMS.map(({ uri }) => uri),
    storageCrs: CRS84.uri,
    links,
  };
}

/** Where and when the data are, as far as it is known. Days are whole: the last one ends with its last second. */
async function readExtent({ operation }: FeatureCollection, state: CatalogState, service: Service) {
  const releases = await openListedReleases(operation, state, EVERYTHING, service);
  const box = await readReleasesBox(releases);
  // Priority dates of rights are no dates of their sites.
  const datedReleases = releases.filter(({ entry }) => entry.dataSet === operation.dataSet);
  const [firstDay] = datedReleases.flatMap(({ reader: { facts } }) => facts.firstDay ?? []).sort();
  const lastDay = datedReleases
    .flatMap(({ reader: { facts } }) => facts.lastDay ?? [])
    .sort()
    .at(-1);
  const toTimestamp = (day: string | undefined, time: string): string | null =>
    day === undefined ? null : `${day}T${time}Z`;
  const interval = [toTimestamp(firstDay, '00:00:00'), toTimestamp(lastDay, '23:59:59')];
  const trs = 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian';
  return {
    spatial: box && { bbox: [roundOutward(box)], crs: CRS84.uri },
    temporal: firstDay === undefined && lastDay === undefined ? undefined : { interval: [interval], trs },
  };
}

/** A centimetre; who asks with the box of an extent may write fewer digits than a coordinate has (ADR 0077). */
const EXTENT_STEPS_PER_DEGREE = 1e7;

function roundOutward(box: Box): readonly number[] {
  return box.map((edge, side) => {
    const nearest = Math.round(edge * EXTENT_STEPS_PER_DEGREE);
    const rounded = nearest / EXTENT_STEPS_PER_DEGREE;
    if (side < 2) return rounded <= edge ? rounded : (nearest - 1) / EXTENT_STEPS_PER_DEGREE;
    return rounded >= edge ? rounded : (nearest + 1) / EXTENT_STEPS_PER_DEGREE;
  });
}

function renderCollectionLine(
  { id, title, description }: Pick<CollectionDocument, 'id' | 'title' | 'description'>,
  root: string,
): Html {
  return html`<h3><a href="${root}/collections/${id}">${title}</a></h3>
    <p>${description}</p>`;
}

function listCollectionFacts({ id, extent, crs, storageCrs }: CollectionDocument): readonly Fact[] {
  const [box] = extent.spatial?.bbox ?? [];
  const [times] = extent.temporal?.interval ?? [];
  const [west, south, east, north] = box ?? [];
  const [from, to] = times?.map((time) => time ?? 'open') ?? [];
  return [
    ['Identifier', id],
    ['Longitude', box && `${west} to ${east}`],
    ['Latitude', box && `${south} to ${north}`],
    ['Time', times && `${from} to ${to}`],
    ['Coordinate systems', html`${crs.map((uri) => html`${uri}<br />`)}`],
    ['Stored in', storageCrs],
  ];
}

interface MemberSchema {
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly items?: { readonly type: string };
  readonly [member: string]: unknown;
}

type MemberSchemas = Readonly<Record<string, MemberSchema>>;

const SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

function describeQueryables(collection: FeatureCollection, { root }: DescriptionContext): Description {
  const { id, title, queryables } = collection;
  const description = 'What CQL2 filters can name; the names of texts are parameters of items as well.';
  const properties = Object.fromEntries(
    queryables.map((queryable) => [queryable.name, buildQueryableSchema(queryable)]),
  );
  const document = {
    $schema: SCHEMA,
    $id: `${root}/collections/${id}/queryables`,
    type: 'object',
    title,
    description,
    properties,
    additionalProperties: false,
  };
  const page = (): PageBody => renderMembersPage('What filters can name', document, properties);
  return { type: SCHEMA_TYPE, document, page };
}

function buildQueryableSchema({ name, type, meaning }: Queryable): MemberSchema {
  const base = { title: name, description: meaning };
  return type === 'geometry'
    ? { ...base, format: 'geometry-any', 'x-ogc-role': 'primary-geometry' }
    : { ...base, ...SCHEMAS[type] };
}

/** A whole feature (D53), each property with one type: clients take the types of their columns from it. */
function describeSchema({ id, title, featureKind }: FeatureCollection, { root }: DescriptionContext): Description {
  const geometry = featureKind === 'WaterAllocations' ? 'MultiPoint' : 'Geometry';
  const properties: MemberSchemas = Object.fromEntries(
    listPropertyColumns(featureKind).map(({ name, type, isList, description }) => {
      const schema: MemberSchema = isList ? { type: 'array', items: { type: 'string' } } : SCHEMAS[type];
      return [name, { ...(description === undefined ? {} : { description }), ...schema }];
    }),
  );
  const document = {
    $schema: SCHEMA,
    $id: `${root}/collections/${id}/schema`,
    title,
    type: 'object',
    required: ['type', 'id', 'geometry', 'properties'],
    properties: {
      type: { type: 'string', enum: ['Feature'] },
      id: { type: 'string' },
      geometry: { $ref: `https://geojson.org/schema/${geometry}.json` },
      properties: { type: 'object', properties },
    },
  };
  return { type: SCHEMA_TYPE, document, page: () => renderMembersPage('What a feature says', document, properties) };
}

const SCHEMAS = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  timestamp: { type: 'string', format: 'date-time' },
} as const;

/** The members that a schema has, in a table. */
function renderMembersPage(
  name: string,
  {
    title: collectionTitle,
    $id: address,
    description = '',
  }: { readonly title: string; readonly $id: string; readonly description?: string },
  members: MemberSchemas,
): PageBody {
  const links = [
    { rel: 'collection', href: getCollectionAddress(address), title: collectionTitle },
    { rel: 'alternate', href: `${address}?f=json`, title: 'This as JSON' },
  ];
  const rows = Object.entries(members).map(([member, schema]) =>
    renderMemberRow(member, [formatType(schema), schema.description ?? '']),
  );
  const content = scrolledTable(['Name', 'Type', 'Meaning'], rows, { label: name });
  return {
    ...renderOgcPage({ kind: collectionTitle, title: name, description, links, content }),
    title: `${collectionTitle}: ${name.toLowerCase()}`,
  };
}

function renderMemberRow(name: string, cells: readonly string[]): Html {
  return row(
    html`<code>${name}</code>`,
    cells.map((cell) => html`<td class="text">${cell}</td>`),
  );
}

function formatType({ type, format, items }: MemberSchema): string {
  if (format !== undefined) return format.replace('geometry-any', 'geometry');
  return items === undefined ? (type ?? '') : `list of ${items.type}`;
}
