// The routes below .../tiles of a collection (D50): the list of its tilesets, the tileset, and its tiles.

import { EVERYTHING } from '../../query/condition';
import { format } from '../../query/cql2/item-parameters';
import { readTileRequest, type TileRequest } from '../../query/cql2/read-items';
import { createChoice } from '../../query/parameter';
import type { QueryItem } from '../../query/query-string';
import { QueryValues } from '../../query/query-values';
import type { TileCollection } from '../../query/tile-collections';
import { openListedReleases } from '../../search/places/open-place-releases';
import { makeTile } from '../../tiles/make-tile';
import { MATRIX_SET, MAX_ZOOM, type TileAddress } from '../../tiles/tile-grid';
import { TILE_TYPE } from '../../values/media-types';
import { readInteger } from '../../values/numbers';
import { readReleasesBox } from '../pages/published-releases';
import { documentRoute } from '../pipeline/document-route';
import { badParameters, type Refusal, refuse } from '../pipeline/outcome';
import { readPathSegments } from '../pipeline/pipeline';
import type { Route } from '../pipeline/route';
import { type OpenedSearch, searchRoute } from '../pipeline/search-route';
import type { HttpRequest, Service } from '../pipeline/service';
import { formatQuery, getBaseUrl, JSON_TYPE } from './addresses';
import * as tilesets from './tilesets';

export function findTilesRoute(collection: TileCollection, { url }: HttpRequest): Route | undefined {
  const depth = tilesets.getTilesPath(collection).split('/').length;
  const [matrixSet, ...address] = readPathSegments(depth, url);
  if (matrixSet === undefined) return createTilesetRoute('list', collection);
  if (matrixSet !== MATRIX_SET) return undefined;
  if (address.length === 0) return createTilesetRoute('tileset', collection);
  const tile = readAddress(address);
  return tile && createTileRoute(collection, tile);
}

/** Undefined if there is no such tile. */
function readAddress(segments: readonly string[]): TileAddress | undefined {
  const [zoom, row, column, ...extraSegments] = segments.map(readInteger);
  if (zoom === undefined || row === undefined || column === undefined || extraSegments.length > 0) return undefined;
  return zoom <= MAX_ZOOM && Math.max(row, column) < 2 ** zoom ? { zoom, row, column } : undefined;
}

/** Links to tiles repeat the parameters of this request, so these parameters are validated like those of a tile. */
function createTilesetRoute(kind: 'list' | 'tileset', collection: TileCollection): Route {
  return documentRoute({
    access: 'open',
    vary: 'Accept-Encoding',
    read: (request, items, service) => {
      const read = readTileQuery(collection, items, kind === 'list' ? ['json'] : ['json', 'tilejson'], service);
      if (read.kind === 'problem') return read;
      const { format, request: tileRequest } = read.query;
      const { dataVersion, linkParameters: parameters } = tileRequest;
      const query = parameters.length === 0 ? '' : `?${formatQuery(parameters)}`;
      return { kind: 'read', query: { format, dataVersion, query, base: getBaseUrl(request, service) } };
    },
    write: async ({ format, query, base }, state, service) => {
      const releases = await openListedReleases(collection.operation, state, EVERYTHING, service);
      const facts = { collection, base, query, bounds: await readReleasesBox(releases) };
      const describe = format === 'tilejson' ? tilesets.describeTileJson : tilesets.describeTileset;
      const body = JSON.stringify((kind === 'list' ? tilesets.describeTilesetList : describe)(facts));
      return { body, contentType: JSON_TYPE, count: state.entries.length, entries: state.entries };
    },
  });
}

function createTileRoute(collection: TileCollection, address: TileAddress): Route {
  const { zoom, row, column } = address;
  const makeOpenedTile = ({ query, releases }: OpenedSearch<TileQuery>): ReturnType<typeof makeTile> => {
    const { request, cluster, spacing, mix } = query;
    const { condition } = request;
    return makeTile({ collection: collection.id, address, condition, cluster, spacing, mix }, releases);
  };
  return searchRoute<TileQuery>({
    name: collection.name,
    access: 'key or allowance',
    acceptsPost: true,
    delivery: 'complete',
    tag: 'strong',
    vary: 'Accept-Encoding',
    read: (_, items, service) => readTileQuery(collection, items, ['mvt'], service),
    representationKey: ({ cluster, spacing, mix }, coding) => [
      `${zoom}/${row}/${column}`,
      coding,
      ...(cluster === 1 ? [] : [`cluster ${cluster}`]),
      ...(spacing === 1 ? [] : [`spacing ${spacing}`]),
      ...(mix === undefined ? [] : [`mix ${mix}`]),
    ],
    openReleases: ({ request }, state, service) =>
      openListedReleases(collection.operation, state, request.condition, service),
    count: async (opened) => (await makeOpenedTile(opened))?.counted ?? 0,
    render: async (opened) => {
      const tile = await makeOpenedTile(opened);
      const { buffer, byteOffset, length } = tile?.body ?? new Uint8Array();
      const body = Buffer.from(buffer, byteOffset, length);
      const total = tile?.counted ?? 0;
      return { kind: 'complete', body, contentType: TILE_TYPE, headers: {}, total, records: 0, cachePolicy: 'at once' };
    },
  });
}

interface TileQuery extends TileRequest {
  /** The format from the query; undefined if the query does not contain a format. */
  readonly format: string | undefined;
}

/** `formats` lists the allowed formats. */
function readTileQuery(
  collection: TileCollection,
  items: readonly QueryItem[],
  formats: readonly string[],
  { readingSettings: reading }: Service,
): { readonly kind: 'read'; readonly query: TileQuery } | Refusal {
  const isFormat = ({ name }: QueryItem): boolean => name.trim().toLowerCase() === format.name;
  const formatParameter = { ...format, ...createChoice(formats.map((name) => [name, name] as const)) };
  const formatValues = new QueryValues([formatParameter], items.filter(isFormat), reading);
  const chosenFormat = formatValues.readOne(formatParameter);
  const otherItems = items.filter((item) => !isFormat(item));
  const read = readTileRequest(collection, otherItems, reading);
  if (read.ok && formatValues.errors.length === 0)
    return { kind: 'read', query: { ...read.query, format: chosenFormat } };
  return refuse(badParameters([...(read.ok ? [] : read.errors), ...formatValues.errors]));
}
