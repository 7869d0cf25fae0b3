// All paths below .../tiles of a collection (D50): the list of its tilesets, the tileset, and its tiles. And the grid
// of tiles, which is the same for all.

import { EVERYTHING } from '../../query/condition';
import { format } from '../../query/cql2/item-parameters';
import { readTileRequest, type TileRequest } from '../../query/cql2/read-items';
import { createChoice } from '../../query/parameter';
import { type QueryItem, QueryValues, splitQuery } from '../../query/query-values';
import type { TileCollection } from '../../query/tile-collections';
import { openListedReleases } from '../../search/places/plan-places';
import { makeTile } from '../../tiles/make-tile';
import { MATRIX_SET, MAX_ZOOM, type TileAddress } from '../../tiles/tile-grid';
import { TILE_TYPE } from '../../values/media-types';
import { readInteger } from '../../values/numbers';
import { boxOfReleases } from '../pages/published-releases';
import { badParameters, type Refusal, refuse } from '../pipeline/outcome';
import { type Route, readPathSegments } from '../pipeline/pipeline';
import { documentRoute, type OpenedSearch, searchRoute } from '../pipeline/routes';
import type { HttpRequest, Service } from '../pipeline/service';
import { baseOf, JSON_TYPE, queryText } from './addresses';
import * as tilesets from './tilesets';

export function findTilesRoute(collection: TileCollection, { url }: HttpRequest): Route | undefined {
  const depth = tilesets.tilesPath(collection).split('/').length;
  const [set, ...address] = readPathSegments(depth, url);
  if (set === undefined) return tilesetRoute('list', collection);
  if (set !== MATRIX_SET) return undefined;
  if (address.length === 0) return tilesetRoute('tileset', collection);
  const tile = readAddress(address);
  return tile && tileRoute(collection, tile);
}

/** Undefined for a tile that is not there. */
function readAddress(segments: readonly string[]): TileAddress | undefined {
  const [zoom, row, column, ...others] = segments.map(readInteger);
  if (zoom === undefined || row === undefined || column === undefined || others.length > 0) return undefined;
  return zoom <= MAX_ZOOM && Math.max(row, column) < 2 ** zoom ? { zoom, row, column } : undefined;
}

export function findMatrixSetRoute({ url }: HttpRequest): Route | undefined {
  const [name, ...others] = readPathSegments(tilesets.MATRIX_SETS_PATH.split('/').length, url);
  if (others.length > 0 || (name ?? MATRIX_SET) !== MATRIX_SET) return undefined;
  return gridRoute(name === undefined ? tilesets.matrixSetList : tilesets.matrixSetDescription);
}

/** Takes any parameters: it follows from none. */
function gridRoute(describe: (base: string) => object): Route {
  return documentRoute({
    access: 'open',
    vary: 'Accept-Encoding',
    read: (asked, _, service) => ({ kind: 'read', query: { base: baseOf(asked, service), dataVersion: undefined } }),
    write: ({ base }) => {
      return Promise.resolve({ body: JSON.stringify(describe(base)), contentType: JSON_TYPE, count: 0, entries: [] });
    },
  });
}

/** Its tiles have the parameters with which it is asked for, so these are read as those of a tile are. */
function tilesetRoute(kind: 'list' | 'tileset', collection: TileCollection): Route {
  return documentRoute({
    access: 'open',
    vary: 'Accept-Encoding',
    read: (asked, text, service) => {
      const read = readTileQuery(collection, text, kind === 'list' ? ['json'] : ['json', 'tilejson'], service);
      if (read.kind === 'problem') return read;
      const { form, request } = read.query;
      const { dataVersion, linkParameters: given } = request;
      const query = given.length === 0 ? '' : `?${queryText(given)}`;
      return { kind: 'read', query: { form, dataVersion, query, base: baseOf(asked, service) } };
    },
    write: async ({ form, query, base }, state, service) => {
      const releases = await openListedReleases(collection.operation, state, EVERYTHING, service);
      const facts = { collection, base, query, bounds: await boxOfReleases(releases) };
      const describe = form === 'tilejson' ? tilesets.tileJson : tilesets.tileset;
      const body = JSON.stringify((kind === 'list' ? tilesets.tilesetList : describe)(facts));
      return { body, contentType: JSON_TYPE, count: state.entries.length, entries: state.entries };
    },
  });
}

function tileRoute(collection: TileCollection, address: TileAddress): Route {
  const { zoom, row, column } = address;
  const tileOf = ({ query, releases }: OpenedSearch<TileQuery>): ReturnType<typeof makeTile> => {
    const { request, cluster, mix } = query;
    return makeTile({ collection: collection.id, address, condition: request.condition, cluster, mix }, releases);
  };
  return searchRoute<TileQuery>({
    name: collection.name,
    access: 'key or allowance',
    delivery: 'complete',
    tag: 'strong',
    vary: 'Accept-Encoding',
    read: (_, text, service) => readTileQuery(collection, text, ['mvt'], service),
    representationKey: ({ cluster, mix }, coding) => [
      `${zoom}/${row}/${column}`,
      coding,
      ...(cluster === 1 ? [] : [`cluster ${cluster}`]),
      ...(mix === undefined ? [] : [`mix ${mix}`]),
    ],
    openReleases: ({ request }, state, service) =>
      openListedReleases(collection.operation, state, request.condition, service),
    count: async (opened) => (await tileOf(opened))?.counted ?? 0,
    render: async (opened) => {
      const tile = await tileOf(opened);
      const { buffer, byteOffset, length } = tile?.body ?? new Uint8Array();
      const body = Buffer.from(buffer, byteOffset, length);
      const total = tile?.counted ?? 0;
      return { kind: 'complete', body, contentType: TILE_TYPE, headers: {}, total, records: 0, cachePolicy: 'at once' };
    },
  });
}

interface TileQuery extends TileRequest {
  /** The form of the answer; undefined when none was named. */
  readonly form: string | undefined;
}

/** `forms` are those that there are. */
function readTileQuery(
  collection: TileCollection,
  text: string,
  forms: readonly string[],
  { readingSettings: reading }: Service,
): { readonly kind: 'read'; readonly query: TileQuery } | Refusal {
  const all = splitQuery(text);
  const isForm = ({ name }: QueryItem): boolean => name.trim().toLowerCase() === format.name;
  const formOfTiles = { ...format, ...createChoice(forms.map((name) => [name, name] as const)) };
  const own = new QueryValues([formOfTiles], all.filter(isForm), reading);
  const named = own.readOne(formOfTiles);
  const others = all.filter((item) => !isForm(item));
  const read = readTileRequest(collection, others, reading);
  if (read.ok && own.errors.length === 0) return { kind: 'read', query: { ...read.query, form: named } };
  return refuse(badParameters([...(read.ok ? [] : read.errors), ...own.errors]));
}
