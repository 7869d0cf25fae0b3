// The descriptions of a collection's tiles: the list of its tilesets, the tileset, and TileJSON 3.0 (D50). None of them
// needs a key (D53).

import type { TileCollection } from '../../query/tile-collections';
import { MATRIX_SET, MAX_ZOOM } from '../../tiles/tile-grid';
import { CRS84 } from '../../values/coordinate-systems';
import type { Box } from '../../values/geometry';
import { TILE_TYPE } from '../../values/media-types';
import { buildSelfLink, JSON_TYPE, OGC_RELATIONS } from './addresses';
import { getMatrixSetAddress, MATRIX_SET_URI, WEB_MERCATOR_URI } from './matrix-sets';

/** The path of a collection's tiles, without a slash at either end. */
export function getTilesPath({ id }: TileCollection): string {
  return `ogc/collections/${id}/tiles`;
}

/** What the description of a tileset is built from. */
export interface TilesetFacts {
  readonly collection: TileCollection;
  /** The address before the routes, without a trailing slash. */
  readonly base: string;
  /** The query of the request, including its question mark, or an empty string. Links to tiles repeat it. */
  readonly query: string;
  /** In degrees; undefined if no place has a position. */
  readonly bounds: Box | undefined;
}

export function describeTilesetList(facts: TilesetFacts): object {
  return { links: [buildSelfLink(getTilesAddress(facts))], tilesets: [describeTilesetItem(facts)] };
}

export function describeTileset(facts: TilesetFacts): object {
  const { collection, bounds } = facts;
  const properties = Object.entries(collection.members).map(([name, description]) => {
    return [name, { description, type: getMemberType(name) }];
  });
  const layer = {
    id: collection.id,
    dataType: 'vector',
    geometryDimension: collection.dimension,
    propertiesSchema: { type: 'object', properties: Object.fromEntries(properties) as object },
  };
  const boundingBox = bounds && { lowerLeft: bounds.slice(0, 2), upperRight: bounds.slice(2), crs: CRS84.uri };
  return { ...describeTilesetItem(facts), layers: [layer], boundingBox };
}

/** Follows https://github.com/mapbox/tilejson-spec, version 3.0.0. */
export function describeTileJson(facts: TilesetFacts): object {
  const { collection, bounds } = facts;
  const fields = Object.fromEntries(
    Object.keys(collection.members).map((name) => [name, NUMBER_MEMBERS.has(name) ? 'Number' : 'String']),
  );
  return {
    tilejson: '3.0.0',
    name: collection.title,
    scheme: 'xyz',
    tiles: [buildTileTemplate(facts, { zoom: 'z', row: 'y', column: 'x' })],
    minzoom: 0,
    maxzoom: MAX_ZOOM,
    bounds,
    vector_layers: [{ id: collection.id, description: collection.title, fields, minzoom: 0, maxzoom: MAX_ZOOM }],
  };
}

/** Members that are numbers with decimals. */
const DECIMAL_MEMBERS = new Set(['flow', 'volume']);

function getMemberType(name: string): 'integer' | 'number' | 'string' {
  if (DECIMAL_MEMBERS.has(name)) return 'number';
  return NUMBER_MEMBERS.has(name) ? 'integer' : 'string';
}

/** Members that are numbers. All others are text. */
const NUMBER_MEMBERS = new Set(['count', 'outside', 'decade', 'flow', 'volume']);

function describeTilesetItem(facts: TilesetFacts): object {
  const { collection, base } = facts;
  const address = `${getTilesAddress(facts)}/${MATRIX_SET}`;
  const tileJsonAddress = `${address}${facts.query === '' ? '?' : `${facts.query}&`}f=tilejson`;
  const template = buildTileTemplate(facts, { zoom: 'tileMatrix', row: 'tileRow', column: 'tileCol' });
  return {
    title: collection.title,
    dataType: 'vector',
    crs: WEB_MERCATOR_URI,
    tileMatrixSetId: MATRIX_SET,
    tileMatrixSetURI: MATRIX_SET_URI,
    links: [
      buildSelfLink(`${address}${facts.query}`),
      { rel: 'alternate', type: JSON_TYPE, title: 'TileJSON', href: tileJsonAddress },
      { rel: 'item', type: TILE_TYPE, href: template, templated: true },
      { rel: `${OGC_RELATIONS}/tiling-scheme`, type: JSON_TYPE, href: getMatrixSetAddress(base) },
    ],
  };
}

function getTilesAddress({ collection, base }: TilesetFacts): string {
  return `${base}/${getTilesPath(collection)}`;
}

function buildTileTemplate(
  facts: TilesetFacts,
  names: { readonly zoom: string; readonly row: string; readonly column: string },
): string {
  return `${getTilesAddress(facts)}/${MATRIX_SET}/{${names.zoom}}/{${names.row}}/{${names.column}}${facts.query}`;
}
