// The query parameters of tiles for the OpenAPI document, with examples that find something in the samples.

import { buildFormatParameter } from '../../shared/http/ogc/api-document';
import { listTileParameters } from '../../shared/query/cql2/item-parameters';
import type { TileCollection } from '../../shared/query/tile-collections';
import type { AnsweredExamples } from './examples';
import { buildParameter, buildStandardParameter, type DescribedParameter } from './openapi-parameters';
import { TILE_EXAMPLES } from './openapi-tile-examples';

/** The parameters that OGC standards define, then the filters of records. */
export function describeTileParameters(
  collection: TileCollection,
  { exampleVersion, emptyVersion }: Pick<AnsweredExamples, 'exampleVersion' | 'emptyVersion'>,
): readonly DescribedParameter[] {
  const examples = TILE_EXAMPLES[collection.id];
  const standard = listTileParameters(collection).map((parameter) => {
    return buildStandardParameter({ ...parameter, example: examples[parameter.name] ?? parameter.example });
  });
  const filters = collection.parameters.map((parameter) => {
    const example = examples[parameter.name] ?? parameter.example;
    // Nothing has changed since exampleVersion, so the example of ChangedSince is emptyVersion.
    return buildParameter({ ...parameter, example }, parameter.kind === 'changedSince' ? emptyVersion : exampleVersion);
  });
  return [...standard, ...filters];
}

/** The parameter `f` of a tile, or of a tileset. The first format is the default. */
export function describeFormat(formats: readonly [string, ...string[]]): DescribedParameter {
  return { ...buildFormatParameter(formats), example: formats[0] };
}
