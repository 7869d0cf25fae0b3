// What describes the tiles of a collection: the list of its tilesets, the tileset itself, and TileJSON 3.0 (D50); and
// WebMercatorQuad, the grid of all tiles, as OGC API - Tiles describes it (OGC TMS 2.0). None needs a key (D53).

import type { TileCollection } from '../../query/tile-collections';
import { MATRIX_SET, MAX_ZOOM, TILE_PIXELS } from '../../tiles/tile-grid';
import { CRS84, HALF_CIRCUMFERENCE_METERS } from '../../values/coordinate-systems';
import type { Box } from '../../values/geometry';
import { TILE_TYPE } from '../../values/media-types';
import { JSON_TYPE, OGC_RELATIONS } from './addresses';

/** Where the tiles of a collection are, without a slash at either end. */
export function getTilesPath({ id }: TileCollection): string {
  return `ogc/collections/${id}/tiles`;
}

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

export function describeTilesetList(facts: TilesetFacts): object {
  return { links: [buildSelfLink(getTilesAddress(facts))], tilesets: [describeTilesetItem(facts)] };
}

export function describeTileset(facts: TilesetFacts): object {
  const { collection, bounds } = facts;
  const properties = Object.entries(collection.members).map(([name, description]) => {
    return [name, { description, type: NUMBER_MEMBERS.has(name) ? 'integer' : 'string' }];
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

/** https://github.com/mapbox/tilejson-spec, version 3.0.0. */
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

/** The members that are numbers; the others are texts. */
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

function buildSelfLink(href: string): object {
  return { rel: 'self', type: JSON_TYPE, href };
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

const MATRIX_SET_URI = 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad';

const WEB_MERCATOR_URI = 'http://www.opengis.net/def/crs/EPSG/0/3857';

/** The size of a pixel on the screen in meters, by which scales are told. */
const PIXEL_METERS = 0.000_28;

/** Where the set is described, without a slash at the front. */
export const MATRIX_SETS_PATH = 'ogc/tileMatrixSets';

export function describeMatrixSet(): object {
  const tileMatrices = Array.from({ length: MAX_ZOOM + 1 }, (_, zoom) => {
    const cellSize = (2 * HALF_CIRCUMFERENCE_METERS) / TILE_PIXELS / 2 ** zoom;
    return {
      id: String(zoom),
      scaleDenominator: cellSize / PIXEL_METERS,
      cellSize,
      cornerOfOrigin: 'topLeft',
      pointOfOrigin: [-HALF_CIRCUMFERENCE_METERS, HALF_CIRCUMFERENCE_METERS],
      tileWidth: TILE_PIXELS,
      tileHeight: TILE_PIXELS,
      matrixWidth: 2 ** zoom,
      matrixHeight: 2 ** zoom,
    };
  });
  return {
    id: MATRIX_SET,
    title: 'Google Maps Compatible for the World',
    uri: MATRIX_SET_URI,
    crs: WEB_MERCATOR_URI,
    orderedAxes: ['X', 'Y'],
    wellKnownScaleSet: 'http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible',
    tileMatrices,
  };
}

/** `base` stands in front of the route. */
export function describeMatrixSetList(base: string): object {
  const links = [buildSelfLink(getMatrixSetAddress(base))];
  return { tileMatrixSets: [{ id: MATRIX_SET, uri: MATRIX_SET_URI, crs: WEB_MERCATOR_URI, links }] };
}

function getMatrixSetAddress(base: string): string {
  return `${base}/${MATRIX_SETS_PATH}/${MATRIX_SET}`;
}
