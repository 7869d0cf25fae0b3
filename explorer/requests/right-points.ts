// The points of rights on a small map: from the vector tiles that cover it (D50), with their use category.

import { VectorTile, type VectorTileLayer } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { getKind, type Kind } from '../state/kinds';
import type { Selection } from '../state/state';
import type { Query, ServiceClient } from './client';
import { computeExtent, type MapExtent } from './extents';
import type { PointValue } from './point-counts';
import { combineReplies, mapReply, type Reply } from './reply';
import { buildTileQuery, buildTilesetRoute } from './tiles';

/** One point of a right, or several points of rights that are near each other. */
export interface RightPoint {
  readonly position: readonly [longitude: number, latitude: number];
  readonly count: number;
  /** The most frequent use category of the points; null if none of them states one. */
  readonly category: PointValue;
}

/** The member of tiles with the category in which a right is counted (D78). */
const CATEGORY = 'mainCategory';

/** The size of clusters in pixels (a tile has 256). If there are many rights, the points in a cluster are combined. */
const CLUSTER_PIXELS = '2';

/** Up to this many rights, every point is drawn. */
const FEW_RIGHTS = 2000;

const MAX_ZOOM = 12;

/**
 * How many tiles may be requested, best first, each with the lowest zoom at which tiles are detailed enough for a map
 * of a county. The service merges points within a pixel (a tile has 256 by 256); clusters are wider.
 */
const TILE_CHOICES = {
  clusters: [{ max: 2, minZoom: 6 }],
  points: [
    { max: 1, minZoom: 7 },
    { max: 2, minZoom: 6 },
  ],
} as const;

const MAX_TILES = 4;

interface TileAddress {
  readonly zoom: number;
  readonly row: number;
  readonly column: number;
}

const WORLD_TILE: TileAddress = { zoom: 0, row: 0, column: 0 };

/** The points within an extent. The rights may have other points far away. */
export function fetchRightPoints(
  client: ServiceClient,
  selection: Selection,
  { extent, rights }: { readonly extent: MapExtent; readonly rights: number },
): Promise<Reply<readonly RightPoint[]>> {
  const cluster = rights > FEW_RIGHTS ? CLUSTER_PIXELS : undefined;
  const query = { ...buildTileQuery(selection), cluster, mix: cluster && CATEGORY };
  return fetchTiles(client, {
    kind: selection.kind,
    query,
    tiles: listTiles(extent, cluster === undefined ? 'points' : 'clusters'),
  });
}

/** The maximum error in degrees of a point's position in the tile of the whole world. */
const WORLD_TILE_ERROR = 0.05;

/** Computes the extent of an area's sites, including the sites of rights, from the tile of the whole world. */
export async function fetchSitesExtent(
  client: ServiceClient,
  { boundary, version }: { readonly boundary: string; readonly version: string },
): Promise<Reply<MapExtent | undefined>> {
  const query = { SearchBoundary: boundary, DataVersion: version, cluster: CLUSTER_PIXELS };
  const reply = await fetchTiles(client, { kind: 'series', query, tiles: [WORLD_TILE] });
  return mapReply(reply, (points) => {
    const extent = computeExtent(points.map(({ position }) => position));
    if (extent === undefined) return undefined;
    const [west, south, east, north] = extent;
    return [
      west - WORLD_TILE_ERROR,
      south - WORLD_TILE_ERROR,
      east + WORLD_TILE_ERROR,
      north + WORLD_TILE_ERROR,
    ] as const;
  });
}

interface TilesQuery {
  readonly kind: Kind;
  readonly query: Query;
  readonly tiles: readonly TileAddress[];
}

async function fetchTiles(
  client: ServiceClient,
  { kind, query, tiles: addresses }: TilesQuery,
): Promise<Reply<readonly RightPoint[]>> {
  const replies = addresses.map((address) => {
    const route = `${buildTilesetRoute(kind)}/${address.zoom}/${address.row}/${address.column}`;
    return client.request(route, query, async (response) =>
      readPoints(new Uint8Array(await response.arrayBuffer()), address, getKind(kind).places.collection),
    );
  });
  return mapReply(combineReplies(await Promise.all(replies)), (tiles) => tiles.flat());
}

/** Returns the tiles of the first choice that is detailed enough, else of the finest zoom with at most four tiles. */
export function listTiles(extent: MapExtent, content: keyof typeof TILE_CHOICES): readonly TileAddress[] {
  const choices = TILE_CHOICES[content].map(({ max, minZoom }) => ({ tiles: findFinest(extent, max), minZoom }));
  const choice = choices.find(({ tiles, minZoom }) => (tiles[0]?.zoom ?? 0) >= minZoom);
  return choice?.tiles ?? findFinest(extent, MAX_TILES);
}

function findFinest(extent: MapExtent, maxTiles: number): readonly TileAddress[] {
  for (let zoom = MAX_ZOOM; zoom > 0; zoom--) {
    const tiles = listTilesAt(extent, zoom);
    if (tiles.length <= maxTiles) return tiles;
  }
  return [WORLD_TILE];
}

function listTilesAt([west, south, east, north]: MapExtent, zoom: number): readonly TileAddress[] {
  const first = findTile(west, north, zoom);
  const last = findTile(east, south, zoom);
  const tiles: TileAddress[] = [];
  for (let row = first.row; row <= last.row; row++)
    for (let column = first.column; column <= last.column; column++) tiles.push({ zoom, row, column });
  return tiles;
}

function findTile(longitude: number, latitude: number, zoom: number): TileAddress {
  const sine = Math.sin((latitude * Math.PI) / 180);
  const x = (longitude + 180) / 360;
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  const toIndex = (share: number): number => Math.min(Math.max(Math.floor(share * 2 ** zoom), 0), 2 ** zoom - 1);
  return { zoom, row: toIndex(y), column: toIndex(x) };
}

/** A tile without features has no layer. */
function readPoints(tile: Uint8Array, address: TileAddress, layerName: string): readonly RightPoint[] {
  const layer = new VectorTile(new PbfReader(tile)).layers[layerName];
  return layer === undefined
    ? []
    : Array.from({ length: layer.length }, (_, index) => readPoint(layer, index, address)).flat();
}

function readPoint(layer: VectorTileLayer, index: number, address: TileAddress): readonly RightPoint[] {
  const { properties, ...feature } = readFeature(layer, index);
  const [point] = feature.ring;
  // A point in the margin belongs to the next tile.
  if (point === undefined || Math.min(point.x, point.y) < 0 || Math.max(point.x, point.y) >= layer.extent) return [];
  const position = toPosition(point, layer.extent, address);
  return [{ position, count: Number(properties['count'] ?? 1), category: readCategory(properties) }];
}

function readFeature(layer: VectorTileLayer, index: number) {
  const feature = layer.feature(index);
  const [ring = []] = feature.loadGeometry();
  return { properties: feature.properties, ring };
}

function toPosition(
  { x, y }: { readonly x: number; readonly y: number },
  extent: number,
  { zoom, row, column }: TileAddress,
): RightPoint['position'] {
  const size = extent * 2 ** zoom;
  const longitude = ((column * extent + x) / size) * 360 - 180;
  const mercator = Math.PI * (1 - (2 * (row * extent + y)) / size);
  return [longitude, (Math.atan(Math.sinh(mercator)) * 180) / Math.PI];
}

/** The most frequent category if there are several points. */
function readCategory(properties: VectorTileProperties): PointValue {
  const { mix, [CATEGORY]: own } = properties;
  if (typeof mix !== 'string') return typeof own === 'string' ? own : null;
  const counts = JSON.parse(mix) as readonly (readonly [PointValue, number])[]; // The service wrote this JSON.
  return counts.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

type VectorTileProperties = Readonly<Record<string, string | number | boolean>>;
