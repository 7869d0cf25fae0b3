// Vector tiles and what describes them (D50) as OpenAPI describes them.

import { tileParametersOf, type ItemParameter } from '../../shared/query/cql2/item-parameters';
import { UNKNOWN_PATH } from '../../shared/http/outcome/outcome';
import { tileCollections, type TileCollection } from '../../shared/query/tile-collections';
import { MATRIX_SET, MAX_ZOOM } from '../../shared/tiles/tile-grid';
import { TILE_TYPE } from '../../shared/values/media-types';
import { answerHeaders, problemHeaders, problemResponses, responsesOf, without } from './openapi-answers';
import { parameterObject } from './openapi-parameters';

export const TILES_TAG = { name: 'Map tiles', description: 'The same data as vector tiles, with the same filters.' };

export function tileItems(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    tileCollections.flatMap((collection) => {
      const path = `/ogc/collections/${collection.id}/tiles/${MATRIX_SET}`;
      return [
        [path, { get: tilesetOperation(collection) }],
        [`${path}/{zoom}/{row}/{column}`, { get: tileOperation(collection) }],
      ];
    }),
  );
}

/** Tiles have one form, so none is not acceptable. */
const NO_PROBLEMS_OF_TILES = ['406'];

/** Needs no key, so there is nothing to refuse or to use up. */
const NO_PROBLEMS_OF_TILESETS = ['401', '406', '429'];

function tileOperation(collection: TileCollection): object {
  const headers = without(answerHeaders, ['X-Record-Count', 'Query-Hint']);
  const responses = {
    200: {
      description: 'The tile; the counts of its features add up to `X-Total-Count`.',
      headers,
      content: { [TILE_TYPE]: { schema: { type: 'string', description: 'Vector tile of version 2, in one layer.' } } },
    },
    204: { description: 'Nothing lies in the tile.', headers },
    304: { description: 'The client holds the tile already.', headers },
    ...without(problemResponses({ ...collection, formats: [] }), NO_PROBLEMS_OF_TILES),
    ...responsesOf([[UNKNOWN_PATH, 'There is no such tile: a zoom, row or column that is none.']]),
  };
  const indexes = [
    indexOf('zoom', MAX_ZOOM, 'How often the world is halved in both directions.'),
    indexOf('row', 2 ** MAX_ZOOM - 1, 'From north to south.'),
    indexOf('column', 2 ** MAX_ZOOM - 1, 'From west to east.'),
  ];
  const parameters = [...indexes, formParameter(['mvt']), ...filtersOf(collection)];
  const summary = `${collection.title}: a vector tile.`;
  return { operationId: collection.name, tags: [TILES_TAG.name], summary, parameters, responses };
}

function tilesetOperation(collection: TileCollection): object {
  const headers = {
    ...without(answerHeaders, ['X-Total-Count', 'X-Record-Count', 'Query-Hint', 'Last-Modified']),
    ...problemHeaders,
  };
  const keyless = without(headers, ['RateLimit', 'RateLimit-Policy']);
  const content = { 'application/json': { schema: { type: 'object', description: 'OGC Tiles, or TileJSON 3.0.' } } };
  const responses = {
    200: { description: 'Where the tiles are, and what they hold.', headers: keyless, content },
    304: { description: 'The client holds the answer already.', headers: keyless },
    ...keylessProblems(collection),
  };
  return {
    operationId: `${collection.name}Set`,
    tags: [TILES_TAG.name],
    summary: `${collection.title}: the tileset, or its TileJSON.`,
    description: 'The tiles that it names are asked for with the parameters that stand here.',
    security: [],
    parameters: [formParameter(['json', 'tilejson']), ...filtersOf(collection)],
    responses,
  };
}

function keylessProblems(collection: TileCollection): object {
  const problems = Object.entries(without(problemResponses({ ...collection, formats: [] }), NO_PROBLEMS_OF_TILESETS));
  return Object.fromEntries(problems.map(([status, problem]) => [status, { ...problem, headers: problemHeaders }]));
}

function filtersOf(collection: TileCollection): readonly object[] {
  return [...tileParametersOf(collection).map(standardParameter), ...collection.parameters.map(parameterObject)];
}

function standardParameter({ name, meaning, schema, example }: ItemParameter<unknown>): object {
  const isList = schema['type'] === 'array';
  const isNumber = schema['type'] === 'integer';
  const examples = [isList ? example.split(',').map(Number) : isNumber ? Number(example) : example];
  const style = isList ? { style: 'form', explode: false } : {};
  return { name, in: 'query', required: false, description: meaning, ...style, schema: { ...schema, examples } };
}

function indexOf(name: string, maximum: number, description: string): object {
  return { name, in: 'path', required: true, description, schema: { type: 'integer', minimum: 0, maximum } };
}

function formParameter(forms: readonly string[]): object {
  const schema = { type: 'string', enum: forms, default: forms[0] };
  return { name: 'f', in: 'query', required: false, description: 'The form of the answer.', schema };
}
