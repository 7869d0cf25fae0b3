// All paths below .../tiles of a collection (D50): the list of its tilesets, the tileset, and its tiles. And the grid
// of tiles, which is the same for all.

import type { TileCollection } from '../../query/tile-collections';
import { readTileRequest } from '../../query/cql2/read-items';
import { MATRIX_SET, MAX_ZOOM, type TileAddress } from '../../tiles/tile-grid';
import { readInteger } from '../../values/numbers';
import { queryOf } from '../access';
import { answerFromCatalog } from '../catalog/catalog-answer';
import { answerFromState } from '../memory/request-queue';
import { baseOf } from '../ogc/addresses';
import { badParameters, refused, type Outcome } from '../outcome/outcome';
import { refuseUnknownPath, respond } from '../respond';
import type { AskedRequest, HttpFunction, Service } from '../service';
import { splitForm } from './form-parameter';
import { tileFunction, tilesRoute } from './tile-endpoint';
import { MATRIX_SETS_ROUTE, matrixSetDescription, matrixSetList } from './tile-matrix-set';
import { tilesetBounds, tileJson, tileset, tilesetList, type TilesetFacts } from './tilesets';

/** What a path below .../tiles is about. */
type TilesPath = { readonly kind: 'list' | 'tileset' } | { readonly kind: 'tile'; readonly address: TileAddress };

export function tilesFunction(collection: TileCollection): HttpFunction {
  const route = tilesRoute(collection);
  return {
    name: collection.name,
    route: `${route}/{*path}`,
    handle: (request, service) => {
      const path = readPath(segmentsBelow(request.url, route));
      if (path === undefined) return refuseUnknownPath(request, service);
      if (path.kind === 'tile') return tileFunction(collection, path.address).handle(request, service);
      return respond(request, service, () => answerTileset(path.kind, collection, request, service));
    },
  };
}

export const tileMatrixSetsFunction: HttpFunction = {
  name: 'TileMatrixSets',
  route: `${MATRIX_SETS_ROUTE}/{*path}`,
  handle: (request, service) => {
    const [name, ...others] = segmentsBelow(request.url, MATRIX_SETS_ROUTE);
    if (others.length > 0 || (name ?? MATRIX_SET) !== MATRIX_SET) return refuseUnknownPath(request, service);
    const described = name === undefined ? matrixSetList(baseOf(request, service)) : matrixSetDescription();
    return respond(request, service, () =>
      answerFromState(undefined, service, (state) =>
        answerFromCatalog(JSON.stringify(described), state, [], request.headers),
      ),
    );
  },
};

/** As they were sent; empty ones, which slashes at the end make, are left out. */
function segmentsBelow(url: string, route: string): readonly string[] {
  const path = new URL(url).pathname;
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .slice(route.split('/').length);
}

function readPath(segments: readonly string[]): TilesPath | undefined {
  const [set, ...address] = segments;
  if (set === undefined) return { kind: 'list' };
  if (set !== MATRIX_SET) return undefined;
  if (address.length === 0) return { kind: 'tileset' };
  const [zoom, row, column, ...others] = address.map(readInteger);
  if (zoom === undefined || row === undefined || column === undefined || others.length > 0) return undefined;
  const isThere = zoom <= MAX_ZOOM && Math.max(row, column) < 2 ** zoom;
  return isThere ? { kind: 'tile', address: { zoom, row, column } } : undefined;
}

/** Its tiles have the parameters with which it is asked for, so these are read as those of a tile are. */
async function answerTileset(
  kind: 'list' | 'tileset',
  collection: TileCollection,
  request: AskedRequest,
  service: Service,
): Promise<Outcome> {
  const { form, items, errors } = splitForm(queryOf(request), kind === 'list' ? ['json'] : ['json', 'tilejson']);
  const read = readTileRequest(collection, items, service.reading);
  if (!read.ok) return refused(badParameters([...read.errors, ...errors]));
  if (errors.length > 0) return refused(badParameters(errors));
  const { dataVersion, given } = read.request;
  return answerFromState(dataVersion, service, async (state) => {
    const facts: TilesetFacts = {
      collection,
      base: baseOf(request, service),
      query:
        given.length === 0
          ? ''
          : `?${given.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&')}`,
      bounds: await tilesetBounds(collection, state, service),
    };
    const describe = kind === 'list' ? tilesetList : form === 'tilejson' ? tileJson : tileset;
    return answerFromCatalog(JSON.stringify(describe(facts)), state, state.entries, request.headers);
  });
}
