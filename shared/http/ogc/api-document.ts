// GET /ogc/api: OpenAPI 3.0 (D47), made from the declarations that read the parameters, as the 3.1 document of the
// operations is. Clients look each collection's items up as a path of its own, so none is a template.

import { readProgramVersion } from '../../project-files';
import { type FeatureCollection, featureCollections } from '../../query/cql2/feature-collections';
import {
  crs,
  format,
  type ItemParameter,
  listItemParameters,
  listTileParameters,
} from '../../query/cql2/item-parameters';
import { accessKey, type Parameter } from '../../query/parameter';
import { type TileCollection, tileCollections } from '../../query/tile-collections';
import { JSON_LD_TYPE } from '../../render/json-ld';
import { MATRIX_SET, MAX_ZOOM } from '../../tiles/tile-grid';
import { TILE_TYPE } from '../../values/media-types';
import { SERVICE_TITLE } from '../pages/page';
import { formParameter, GEOJSON_TYPE, hasOwnPage, HTML_TYPE, JSON_TYPE, SCHEMA_TYPE } from './addresses';

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

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, ApiPath>>;
  readonly [member: string]: unknown;
}

export function apiDocument(base: string): ApiDocument {
  return {
    openapi: '3.0.3',
    info: {
      title: SERVICE_TITLE,
      version: readProgramVersion(),
      description: 'Features of water data, by OGC API - Features.',
    },
    servers: [{ url: `${base}/ogc` }],
    tags: [{ name: 'Description' }, { name: 'Data' }, { name: 'Tiles' }],
    paths: {
      '/': described('getLandingPage', 'Where everything is.', JSON_TYPE),
      '/conformance': described('getConformance', 'The classes of the standard that are kept.', JSON_TYPE),
      '/collections': described('getCollections', 'The collections of features.', JSON_TYPE),
      ...Object.fromEntries(featureCollections.flatMap(pathsOf)),
      ...Object.fromEntries(tilePaths()),
    },
    components: {
      securitySchemes: {
        KeyInHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        KeyInQuery: { type: 'apiKey', in: 'query', name: accessKey.name },
        KeyAsUser: { type: 'http', scheme: 'basic', description: 'The key is the user name; no password.' },
      },
      schemas: { Problem: { type: 'object', properties: { title: TEXT, status: { type: 'integer' }, detail: TEXT } } },
    },
  };
}

const TEXT = { type: 'string' };

const KEYS = [{ KeyInHeader: [] }, { KeyInQuery: [] }, { KeyAsUser: [] }];

function pathsOf(collection: FeatureCollection): readonly (readonly [string, ApiPath])[] {
  const { id, title } = collection;
  const path = `/collections/${id}`;
  const featureId = {
    name: 'featureId',
    in: 'path',
    required: true,
    description: 'Id of the feature.',
    schema: TEXT,
  };
  return [
    [path, described(`get.${id}`, title, JSON_TYPE)],
    [`${path}/queryables`, described(`getQueryables.${id}`, 'What filters can name.', SCHEMA_TYPE)],
    [`${path}/schema`, described(`getSchema.${id}`, 'The schema of a feature.', SCHEMA_TYPE)],
    [
      `${path}/items`,
      data(`getItems.${id}`, FEATURE_TYPES, collection.description, [
        ...listItemParameters(collection.featureKind).map(standardParameter),
        ...collection.parameters.map(operationParameter),
      ]),
    ],
    [
      `${path}/items/{featureId}`,
      data(`getItem.${id}`, hasOwnPage(collection) ? [...FEATURE_TYPES, JSON_LD_TYPE] : FEATURE_TYPES, 'One feature.', [
        featureId,
        ...[crs, formParameter(collection)].map(standardParameter),
      ]),
    ],
  ];
}

function described(operationId: string, summary: string, mediaType: string): ApiPath {
  const parameters = [standardParameter(format)];
  const responses = { 200: answer(summary, [mediaType, HTML_TYPE]), ...problems(['400', '406', '412']) };
  return { get: { operationId, tags: ['Description'], summary, security: [], parameters, responses } };
}

const FEATURE_TYPES: readonly string[] = [GEOJSON_TYPE, HTML_TYPE];

function data(
  operationId: string,
  mediaTypes: readonly string[],
  summary: string,
  parameters: readonly ApiParameter[],
): ApiPath {
  const refusals = problems(['400', '401', '404', '410', '412', '429']);
  const responses = { 200: answer('Features.', mediaTypes), ...refusals };
  return { get: { operationId, tags: ['Data'], summary, security: KEYS, parameters, responses } };
}

function answer(description: string, mediaTypes: readonly string[]): object {
  const content = mediaTypes.map((type) => [type, { schema: { type: type === HTML_TYPE ? 'string' : 'object' } }]);
  return { description, content: Object.fromEntries(content) as object };
}

function problems(statuses: readonly string[]): Readonly<Record<string, object>> {
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return Object.fromEntries(statuses.map((status) => [status, { description: 'What is wrong.', content }]));
}

/** A list has commas between its items; everything else is one value. */
function standardParameter({ name, meaning, schema }: ItemParameter<unknown>): ApiParameter {
  return { name, in: 'query', required: false, description: meaning, schema, style: 'form', explode: false };
}

function operationParameter({ name, meaning, type, limits, isRepeatable = false }: Parameter<unknown>): ApiParameter {
  const value = { type, ...limits };
  const schema = isRepeatable ? { type: 'array', items: value } : value;
  return { name, in: 'query', required: false, description: meaning, schema, style: 'form', explode: true };
}

/** The grid of tiles; and of each collection the list of its tilesets, the tileset with its TileJSON, and the tiles. */
function tilePaths(): readonly (readonly [string, ApiPath])[] {
  const grid = '/tileMatrixSets';
  return [
    [grid, describedPath('getTileMatrixSets', 'The grids of tiles.', [])],
    [`${grid}/${MATRIX_SET}`, describedPath('getTileMatrixSet', 'The grid of all tiles.', [])],
    ...tileCollections.flatMap((collection) => tilePathsOf(collection)),
  ];
}

function tilePathsOf(collection: TileCollection): readonly (readonly [string, ApiPath])[] {
  const { id, title } = collection;
  const list = `/collections/${id}/tiles`;
  const filters = [
    ...listTileParameters(collection).map(standardParameter),
    ...collection.parameters.map(operationParameter),
  ];
  return [
    [list, describedPath(`.collection.vector.getTileSetsList.${id}`, `Tilesets: ${title}`, filters)],
    [
      `${list}/${MATRIX_SET}`,
      describedPath(`.collection.vector.getTileSet.${id}`, title, [formOf(['json', 'tilejson']), ...filters]),
    ],
    [`${list}/${MATRIX_SET}/{tileMatrix}/{tileRow}/{tileCol}`, tilePath(collection, filters)],
  ];
}

function describedPath(operationId: string, summary: string, parameters: readonly ApiParameter[]): ApiPath {
  const found = { description: summary, content: { [JSON_TYPE]: { schema: { type: 'object' } } } };
  const responses = { 200: found, ...problems(['400']) };
  return { get: { operationId, tags: ['Tiles'], summary, security: [], parameters, responses } };
}

function tilePath({ id, title }: TileCollection, filters: readonly ApiParameter[]): ApiPath {
  const indexes = [
    { name: 'tileMatrix', most: MAX_ZOOM, description: 'The zoom.' },
    { name: 'tileRow', most: 2 ** MAX_ZOOM - 1, description: 'The row, from north to south.' },
    { name: 'tileCol', most: 2 ** MAX_ZOOM - 1, description: 'The column, from west to east.' },
  ].map(({ name, most, description }) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'integer', minimum: 0, maximum: most },
  }));
  const tile = { schema: { type: 'string', format: 'binary' } };
  return {
    get: {
      operationId: `.collection.vector.getTile.${id}`,
      tags: ['Tiles'],
      summary: title,
      security: KEYS,
      parameters: [...indexes, formOf(['mvt']), ...filters],
      responses: {
        200: { description: 'A vector tile.', content: { [TILE_TYPE]: tile } },
        204: { description: 'A tile in which nothing lies.' },
        ...problems(['400', '401', '404', '412', '429']),
      },
    },
  };
}

/** The parameter `f` of tiles and of their tilesets. */
export function formOf(names: readonly string[]): ApiParameter {
  const schema = { type: 'string', enum: names, default: names[0] };
  return { name: 'f', in: 'query', required: false, description: 'The form of the answer.', schema };
}
