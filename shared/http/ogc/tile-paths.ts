// The tiles in the OpenAPI 3.0 document of the OGC API (D50): of each collection that has tiles the list of its
// tilesets, the tileset with its TileJSON, and the tiles; and the grid that all of them share.

import { tileParametersOf, type ItemParameter } from '../../query/cql2/item-parameters';
import type { Parameter } from '../../query/parameter';
import { tileCollections, type TileCollection } from '../../query/tile-collections';
import { MATRIX_SET, MAX_ZOOM } from '../../tiles/tile-grid';
import { TILE_TYPE } from '../../values/media-types';
import { JSON_TYPE } from './addresses';

/** What the page of the document shows of it; members beside these are OpenAPI's own. */
export interface ApiParameter {
  readonly name: string;
  readonly description: string;
  readonly [member: string]: unknown;
}

export interface ApiPath {
  readonly get: {
    readonly summary: string;
    readonly parameters: readonly ApiParameter[];
    readonly [member: string]: unknown;
  };
}

/** How the document describes what is not of tiles alone. */
export interface DescribedParts {
  readonly keys: readonly object[];
  readonly problems: (statuses: readonly string[]) => Readonly<Record<string, object>>;
  readonly standardParameter: (parameter: ItemParameter<unknown>) => ApiParameter;
  readonly operationParameter: (parameter: Parameter<unknown>) => ApiParameter;
}

export function tilePaths(parts: DescribedParts): readonly (readonly [string, ApiPath])[] {
  const grid = '/tileMatrixSets';
  return [
    [grid, describedPath('getTileMatrixSets', 'The grids of tiles.', [], parts)],
    [`${grid}/${MATRIX_SET}`, describedPath('getTileMatrixSet', 'The grid of all tiles.', [], parts)],
    ...tileCollections.flatMap((collection) => pathsOfCollection(collection, parts)),
  ];
}

function pathsOfCollection(collection: TileCollection, parts: DescribedParts): readonly (readonly [string, ApiPath])[] {
  const { id, title } = collection;
  const list = `/collections/${id}/tiles`;
  const filters = [
    ...tileParametersOf(collection).map(parts.standardParameter),
    ...collection.parameters.map(parts.operationParameter),
  ];
  return [
    [list, describedPath(`.collection.vector.getTileSetsList.${id}`, `Tilesets: ${title}`, filters, parts)],
    [
      `${list}/${MATRIX_SET}`,
      describedPath(`.collection.vector.getTileSet.${id}`, title, [formOf(['json', 'tilejson']), ...filters], parts),
    ],
    [`${list}/${MATRIX_SET}/{tileMatrix}/{tileRow}/{tileCol}`, tilePath(collection, filters, parts)],
  ];
}

function describedPath(
  operationId: string,
  summary: string,
  parameters: readonly ApiParameter[],
  { problems }: DescribedParts,
): ApiPath {
  const found = { description: summary, content: { [JSON_TYPE]: { schema: { type: 'object' } } } };
  const responses = { 200: found, ...problems(['400']) };
  return { get: { operationId, tags: ['Tiles'], summary, security: [], parameters, responses } };
}

function tilePath(
  { id, title }: TileCollection,
  filters: readonly ApiParameter[],
  { keys, problems }: DescribedParts,
): ApiPath {
  const indexes = [
    { name: 'tileMatrix', most: MAX_ZOOM, description: 'The zoom.' },
    { name: 'tileRow', most: 2 ** MAX_ZOOM - 1, description: 'The row, from north to south.' },
    { name: 'tileCol', most: 2 ** MAX_ZOOM - 1, description: 'The column, from west to east.' },
  ].map(({ name, most, description }) => ({
    ...{ name, in: 'path', required: true, description },
    schema: { type: 'integer', minimum: 0, maximum: most },
  }));
  const tile = { schema: { type: 'string', format: 'binary' } };
  return {
    get: {
      operationId: `.collection.vector.getTile.${id}`,
      tags: ['Tiles'],
      summary: title,
      security: keys,
      parameters: [...indexes, formOf(['mvt']), ...filters],
      responses: {
        200: { description: 'A vector tile.', content: { [TILE_TYPE]: tile } },
        204: { description: 'A tile in which nothing lies.' },
        ...problems(['400', '401', '404', '429']),
      },
    },
  };
}

function formOf(names: readonly string[]): ApiParameter {
  const schema = { type: 'string', enum: names, default: names[0] };
  return { name: 'f', in: 'query', required: false, description: 'The form of the answer.', schema };
}
