// What describes the tiles of a collection: the list of its tilesets, the tileset itself, and TileJSON 3.0 (D50). None
// needs a key (D53).

import { EVERYTHING } from '../../query/condition';
import type { TileCollection } from '../../query/tile-collections';
import { placesOf } from '../../search/index/release-index';
import { openReleases } from '../../search/plan-page';
import type { CatalogState } from '../../store/catalog-types';
import { MATRIX_SET, MAX_ZOOM } from '../../tiles/tile-grid';
import { numberAt } from '../../values/numbers';
import type { Box } from '../../values/geometry';
import { TILE_TYPE } from '../../values/media-types';
import type { Service } from '../service';
import { matrixSetLink, MATRIX_SET_NAMES, WEB_MERCATOR_URI } from './tile-matrix-set';
import { tilesRoute } from './tile-endpoint';

/** A tileset as it is described: of which collection, where its addresses begin, and where its data lie. */
export interface TilesetFacts {
  readonly collection: TileCollection;
  /** In front of routes, without a slash at the end. */
  readonly base: string;
  /** With its question mark; empty without parameters. The tiles are asked for with the same parameters. */
  readonly query: string;
  /** Degrees; undefined where nothing lies anywhere. */
  readonly bounds: Box | undefined;
}

/** The box of all places of the collection. */
export async function tilesetBounds(
  { dataSets }: TileCollection,
  state: CatalogState,
  service: Service,
): Promise<Box | undefined> {
  const releases = await Promise.all(dataSets.map((kind) => openReleases(service, state, kind, EVERYTHING)));
  const boxes = await Promise.all(releases.flat().map(({ reader }) => placesOf(reader, service.caches)));
  const edges = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ofChunks of boxes) {
    ofChunks.forEach((edge, at) => {
      edges[at % 4] = (at % 4 < 2 ? Math.min : Math.max)(numberAt(edges, at % 4), edge);
    });
  }
  const [west = NaN, south = NaN, east = NaN, north = NaN] = edges;
  return west <= east && south <= north ? [west, south, east, north] : undefined;
}

export function tilesetList(facts: TilesetFacts): object {
  return { links: [selfLink(addressOf(facts))], tilesets: [tilesetItem(facts)] };
}

export function tileset(facts: TilesetFacts): object {
  const { collection, bounds } = facts;
  const properties = Object.entries(collection.members).map(([name, description]) => {
    return [name, { description, type: NUMBERS.has(name) ? 'integer' : 'string' }];
  });
  const layer = {
    id: collection.id,
    dataType: 'vector',
    geometryDimension: collection.dimension,
    propertiesSchema: { type: 'object', properties: Object.fromEntries(properties) as object },
  };
  const box = bounds && { lowerLeft: bounds.slice(0, 2), upperRight: bounds.slice(2), crs: CRS84 };
  return { ...tilesetItem(facts), layers: [layer], ...(box === undefined ? {} : { boundingBox: box }) };
}

/** https://github.com/mapbox/tilejson-spec, version 3.0.0. */
export function tileJson(facts: TilesetFacts): object {
  const { collection, bounds } = facts;
  const fields = Object.fromEntries(
    Object.keys(collection.members).map((name) => [name, NUMBERS.has(name) ? 'Number' : 'String']),
  );
  return {
    tilejson: '3.0.0',
    name: collection.title,
    scheme: 'xyz',
    tiles: [templateOf(facts, { zoom: 'z', row: 'y', column: 'x' })],
    minzoom: 0,
    maxzoom: MAX_ZOOM,
    ...(bounds === undefined ? {} : { bounds }),
    vector_layers: [{ id: collection.id, description: collection.title, fields, minzoom: 0, maxzoom: MAX_ZOOM }],
  };
}

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** The members that are numbers; the others are texts. */
const NUMBERS = new Set(['count', 'outside', 'decade', 'flow', 'volume']);

function tilesetItem(facts: TilesetFacts): object {
  const { collection, base } = facts;
  const address = `${addressOf(facts)}/${MATRIX_SET}`;
  const template = templateOf(facts, { zoom: 'tileMatrix', row: 'tileRow', column: 'tileCol' });
  return {
    title: collection.title,
    dataType: 'vector',
    crs: WEB_MERCATOR_URI,
    ...MATRIX_SET_NAMES,
    links: [
      selfLink(`${address}${facts.query}`),
      { rel: 'alternate', type: 'application/json', title: 'TileJSON', href: withParameter(address, facts.query) },
      { rel: 'item', type: TILE_TYPE, href: template, templated: true },
      matrixSetLink(base),
    ],
  };
}

function selfLink(href: string): object {
  return { rel: 'self', type: 'application/json', href };
}

function addressOf({ collection, base }: TilesetFacts): string {
  return `${base}/${tilesRoute(collection)}`;
}

function templateOf(
  facts: TilesetFacts,
  names: { readonly zoom: string; readonly row: string; readonly column: string },
): string {
  return `${addressOf(facts)}/${MATRIX_SET}/{${names.zoom}}/{${names.row}}/{${names.column}}${facts.query}`;
}

function withParameter(address: string, query: string): string {
  return `${address}${query === '' ? '?' : `${query}&`}f=tilejson`;
}
