// The descriptions of a collection (D47, D53): the collection itself, its queryables and its schema. None of them needs
// a key.

import type { FeatureCollection } from '../../query/cql2/feature-collections';
import { tileCollections } from '../../query/tile-collections';
import { COORDINATE_SYSTEMS, CRS84 } from '../../values/coordinate-systems';
import type { PageBody } from '../pages/framed-page';
import { type Html, html } from '../pages/html';
import { type Fact, factList } from '../pages/page-parts';
import {
  buildFormatLinks,
  GEOJSON_TYPE,
  HTML_TYPE,
  JSON_TYPE,
  OGC_RELATIONS,
  type OgcLink,
  SCHEMA_TYPE,
} from './addresses';
import { type CollectionExtent, readExtent } from './collection-extent';
import { describeQueryables, describeSchema } from './collection-schemas';
import type { Describe, Description, DescriptionContext } from './description';
import { renderOgcPage } from './ogc-pages';

type DescribeCollection = (collection: FeatureCollection, ...context: Parameters<Describe>) => ReturnType<Describe>;

/** Keyed by path, relative to the path of the collection. */
export const collectionDescriptions: ReadonlyMap<string, DescribeCollection> = new Map<string, DescribeCollection>([
  ['', describeCollection],
  ['queryables', describeQueryables],
  ['schema', describeSchema],
]);

async function describeCollection(collection: FeatureCollection, context: DescriptionContext): Promise<Description> {
  const document = await buildCollectionDocument(collection, context);
  const page = (): PageBody =>
    renderOgcPage({ kind: 'Collection', ...document, content: factList(listCollectionFacts(document)) });
  return { document, page };
}

interface CollectionDocument {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly extent: CollectionExtent;
  readonly itemType: string;
  /** Addresses of coordinate systems. */
  readonly crs: readonly string[];
  readonly storageCrs: string;
  readonly links: readonly OgcLink[];
}

export async function buildCollectionDocument(
  collection: FeatureCollection,
  { base, format, state, service }: DescriptionContext,
): Promise<CollectionDocument> {
  const { id, title, description } = collection;
  const address = `${base}/ogc/collections/${id}`;
  const queryables = { type: SCHEMA_TYPE, href: `${address}/queryables`, title: 'Queryable fields' };
  const schema = { type: SCHEMA_TYPE, href: `${address}/schema`, title: 'Feature schema' };
  const tiles = { type: JSON_TYPE, href: `${address}/tiles`, title: 'Vector tiles' };
  const links: readonly OgcLink[] = [
    ...buildFormatLinks(address, format, JSON_TYPE),
    { rel: 'items', type: GEOJSON_TYPE, href: `${address}/items`, title: 'Features' },
    { rel: 'items', type: HTML_TYPE, href: `${address}/items?f=html`, title: 'Features as HTML' },
    { rel: `${OGC_RELATIONS}/queryables`, ...queryables },
    // GDAL up to 3.6 recognizes the relation only in its old spelling.
    ...['describedby', 'describedBy'].map((rel) => ({ rel, ...schema })),
    ...(tileCollections.some((tiled) => tiled.id === id)
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

export function renderCollectionLine(
  { id, title, description }: Pick<CollectionDocument, 'id' | 'title' | 'description'>,
  root: string,
): Html {
  return html`<h3><a href="${root}/collections/${id}">${title}</a></h3>
    <p>${description}</p>`;
}

export function listCollectionFacts({ id, extent, crs, storageCrs }: CollectionDocument): readonly Fact[] {
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
