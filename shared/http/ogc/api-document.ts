// GET /ogc/api: the OpenAPI 3.0 document (D47), generated from the same declarations that read the parameters, like the
// 3.1 document of the operations. The paths of each collection are written out, because clients look them up literally.

import { readProgramVersion } from '../../project-files';
import { accessKey } from '../../query/access-key-parameter';
import { type FeatureCollection, featureCollections } from '../../query/cql2/feature-collections';
import {
  crs,
  format,
  type ItemParameter,
  listItemParameters,
  listTileParameters,
} from '../../query/cql2/item-parameters';
import type { Parameter } from '../../query/parameter';
import { type TileCollection, tileCollections } from '../../query/tile-collections';
import { JSON_LD_TYPE } from '../../render/json-ld';
import { MATRIX_SET, MAX_ZOOM } from '../../tiles/tile-grid';
import { TILE_TYPE } from '../../values/media-types';
import { SERVICE_TITLE } from '../pages/page';
import { FORM_TYPE } from '../pipeline/outcome';
import { GEOJSON_TYPE, getFormatParameter, hasOwnPage, HTML_TYPE, JSON_TYPE, SCHEMA_TYPE } from './addresses';

/** The members that the HTML page of the document shows. OpenAPI defines the others. */
export interface ApiParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
  readonly [member: string]: unknown;
}

export interface ApiPath {
  readonly get: {
    readonly summary: string;
    readonly parameters: readonly ApiParameter[];
    readonly [member: string]: unknown;
  };
  /** The same operation as a POST with form parameters (D68). */
  readonly post?: object;
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, ApiPath>>;
  readonly [member: string]: unknown;
}

export function buildApiDocument(base: string): ApiDocument {
  return {
    openapi: '3.0.3',
    info: {
      title: SERVICE_TITLE,
      version: readProgramVersion(),
      description: 'Water data as features (OGC API - Features).',
    },
    servers: [{ url: `${base}/ogc` }],
    tags: [{ name: 'Description' }, { name: 'Data' }, { name: 'Tiles' }],
    paths: {
      '/': buildDescriptionPath('getLandingPage', 'Links to all resources.', JSON_TYPE),
      '/conformance': buildDescriptionPath(
        'getConformance',
        'The conformance classes of the standard that this service implements.',
        JSON_TYPE,
      ),
      '/collections': buildDescriptionPath('getCollections', 'The feature collections.', JSON_TYPE),
      ...Object.fromEntries(featureCollections.flatMap(buildCollectionPaths)),
      ...Object.fromEntries(buildTilePaths()),
    },
    components: {
      securitySchemes: {
        KeyInHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        KeyInQuery: { type: 'apiKey', in: 'query', name: accessKey.name },
        KeyAsUser: { type: 'http', scheme: 'basic', description: 'The key is the user name; no password.' },
      },
      schemas: {
        Problem: {
          type: 'object',
          properties: { title: TEXT_SCHEMA, status: { type: 'integer' }, detail: TEXT_SCHEMA },
        },
      },
    },
  };
}

const TEXT_SCHEMA = { type: 'string' };

const KEY_SCHEMES = [{ KeyInHeader: [] }, { KeyInQuery: [] }, { KeyAsUser: [] }];

function buildCollectionPaths(collection: FeatureCollection): readonly (readonly [string, ApiPath])[] {
  const { id, title } = collection;
  const path = `/collections/${id}`;
  const featureId = {
    name: 'featureId',
    in: 'path',
    required: true,
    description: 'Id of the feature.',
    schema: TEXT_SCHEMA,
  };
  return [
    [path, buildDescriptionPath(`get.${id}`, title, JSON_TYPE)],
    [
      `${path}/queryables`,
      buildDescriptionPath(`getQueryables.${id}`, 'The properties that filters can use.', SCHEMA_TYPE),
    ],
    [`${path}/schema`, buildDescriptionPath(`getSchema.${id}`, 'The schema of a feature.', SCHEMA_TYPE)],
    [`${path}/items`, buildItemsPath(collection)],
    [
      `${path}/items/{featureId}`,
      buildDataPath(
        `getItem.${id}`,
        hasOwnPage(collection) ? [...FEATURE_TYPES, JSON_LD_TYPE] : FEATURE_TYPES,
        'One feature.',
        [featureId, ...[crs, getFormatParameter(collection)].map(toStandardParameter)],
      ),
    ],
  ];
}

function buildDescriptionPath(operationId: string, summary: string, mediaType: string): ApiPath {
  const parameters = [toStandardParameter(format)];
  const responses = {
    200: buildResponse(summary, [mediaType, HTML_TYPE]),
    ...buildProblemResponses(['400', '406', '412']),
  };
  return { get: { operationId, tags: ['Description'], summary, security: [], parameters, responses } };
}

const FEATURE_TYPES: readonly string[] = [GEOJSON_TYPE, HTML_TYPE];

function buildDataPath(
  operationId: string,
  mediaTypes: readonly string[],
  summary: string,
  parameters: readonly ApiParameter[],
): ApiPath {
  const refusals = buildProblemResponses(['400', '401', '404', '410', '412', '429']);
  const responses = { 200: buildResponse('Features.', mediaTypes), ...refusals };
  return { get: { operationId, tags: ['Data'], summary, security: KEY_SCHEMES, parameters, responses } };
}

/** Describes the items of a collection. A long query is sent in the body of a POST (D68). */
function buildItemsPath({ id, description, featureKind, parameters: declared }: FeatureCollection): ApiPath {
  const parameters = [
    ...listItemParameters(featureKind).map(toStandardParameter),
    ...declared.map(toOperationParameter),
  ];
  const { get } = buildDataPath(`getItems.${id}`, FEATURE_TYPES, description, parameters);
  const post = {
    operationId: `postItems.${id}`,
    tags: ['Data'],
    summary: description,
    description: 'The same as GET, for queries that are too long for an address. The answer has no links.',
    security: KEY_SCHEMES,
    requestBody: buildForm(parameters),
    responses: {
      200: buildResponse('Features.', FEATURE_TYPES),
      ...buildProblemResponses(['400', '401', '410', '413', '415', '429']),
    },
  };
  return { get, post };
}

/** Describes a body with the parameters of the query. */
function buildForm(parameters: readonly ApiParameter[]): object {
  const properties = parameters.map(({ name, schema, description: meaning }) => [
    name,
    { ...schema, description: meaning },
  ]);
  const schema = { type: 'object', properties: Object.fromEntries(properties) as object };
  const encoding = parameters.map(({ name, style, explode }) => [name, { style, explode }]);
  return { content: { [FORM_TYPE]: { schema, encoding: Object.fromEntries(encoding) as object } } };
}

function buildResponse(description: string, mediaTypes: readonly string[]): object {
  const content = mediaTypes.map((type) => [type, { schema: { type: type === HTML_TYPE ? 'string' : 'object' } }]);
  return { description, content: Object.fromEntries(content) as object };
}

function buildProblemResponses(statuses: readonly string[]): Readonly<Record<string, object>> {
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return Object.fromEntries(statuses.map((status) => [status, { description: 'What is wrong.', content }]));
}

/** Lists are comma-separated; everything else is a single value. */
function toStandardParameter({ name, meaning, schema }: ItemParameter<unknown>): ApiParameter {
  return { name, in: 'query', required: false, description: meaning, schema, style: 'form', explode: false };
}

function toOperationParameter({ name, meaning, type, limits, isRepeatable = false }: Parameter<unknown>): ApiParameter {
  const value = { type, ...limits };
  const schema = isRepeatable ? { type: 'array', items: value } : value;
  return { name, in: 'query', required: false, description: meaning, schema, style: 'form', explode: true };
}

/** Builds the paths of the grid and, for each collection, the paths of its tilesets and tiles. */
function buildTilePaths(): readonly (readonly [string, ApiPath])[] {
  const grid = '/tileMatrixSets';
  return [
    [grid, buildGridPath('getTileMatrixSets', 'The tile grids.')],
    [`${grid}/${MATRIX_SET}`, buildGridPath('getTileMatrixSet', 'The grid that all tiles use.')],
    ...tileCollections.flatMap((collection) => buildCollectionTilePaths(collection)),
  ];
}

function buildCollectionTilePaths(collection: TileCollection): readonly (readonly [string, ApiPath])[] {
  const { id, title } = collection;
  const list = `/collections/${id}/tiles`;
  const filters = [
    ...listTileParameters(collection).map(toStandardParameter),
    ...collection.parameters.map(toOperationParameter),
  ];
  return [
    [list, buildTilesetPath(`.collection.vector.getTileSetsList.${id}`, `Tilesets: ${title}`, filters)],
    [
      `${list}/${MATRIX_SET}`,
      buildTilesetPath(`.collection.vector.getTileSet.${id}`, title, [
        buildFormatParameter(['json', 'tilejson']),
        ...filters,
      ]),
    ],
    [`${list}/${MATRIX_SET}/{tileMatrix}/{tileRow}/{tileCol}`, buildTilePath(collection, filters)],
  ];
}

/** Describes a path of the grids. They do not depend on the data. */
function buildGridPath(operationId: string, summary: string): ApiPath {
  return buildTileDocumentPath(operationId, summary, [], ['400', '412']);
}

function buildTilesetPath(operationId: string, summary: string, parameters: readonly ApiParameter[]): ApiPath {
  return buildTileDocumentPath(operationId, summary, parameters, ['400', '410', '412']);
}

function buildTileDocumentPath(
  operationId: string,
  summary: string,
  parameters: readonly ApiParameter[],
  statuses: readonly string[],
): ApiPath {
  const response = { description: summary, content: { [JSON_TYPE]: { schema: { type: 'object' } } } };
  const responses = { 200: response, ...buildProblemResponses(statuses) };
  return { get: { operationId, tags: ['Tiles'], summary, security: [], parameters, responses } };
}

function buildTilePath({ id, title }: TileCollection, filters: readonly ApiParameter[]): ApiPath {
  const indexes = [
    { name: 'tileMatrix', maximum: MAX_ZOOM, description: 'The zoom.' },
    { name: 'tileRow', maximum: 2 ** MAX_ZOOM - 1, description: 'The row, from north to south.' },
    { name: 'tileCol', maximum: 2 ** MAX_ZOOM - 1, description: 'The column, from west to east.' },
  ].map(({ name, maximum, description }) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'integer', minimum: 0, maximum },
  }));
  const tile = { schema: { type: 'string', format: 'binary' } };
  const queryParameters = [buildFormatParameter(['mvt']), ...filters];
  const answers = {
    200: { description: 'A vector tile.', content: { [TILE_TYPE]: tile } },
    204: { description: 'An empty tile.' },
  };
  const operation = { tags: ['Tiles'], summary: title, security: KEY_SCHEMES };
  return {
    get: {
      ...operation,
      operationId: `.collection.vector.getTile.${id}`,
      parameters: [...indexes, ...queryParameters],
      responses: { ...answers, ...buildProblemResponses(['400', '401', '404', '410', '412', '429']) },
    },
    post: {
      ...operation,
      operationId: `.collection.vector.postTile.${id}`,
      description: 'The same as GET, for filters that are too long for an address.',
      parameters: indexes,
      requestBody: buildForm(queryParameters),
      responses: { ...answers, ...buildProblemResponses(['400', '401', '404', '410', '413', '415', '429']) },
    },
  };
}

/** Describes the parameter `f` of tiles and tilesets. */
export function buildFormatParameter(names: readonly string[]): ApiParameter {
  const schema = { type: 'string', enum: names, default: names[0] };
  return { name: 'f', in: 'query', required: false, description: 'The format of the answer.', schema };
}
