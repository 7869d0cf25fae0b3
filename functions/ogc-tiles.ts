// Vector tiles of the collections under /ogc (D50), and the grid that they share.

import { MATRIX_SETS_PATH, tilesPath } from '../shared/http/ogc/tilesets';
import { httpFunction } from '../shared/http/pipeline/pipeline';
import { tileCollections } from '../shared/query/tile-collections';

export const ogcTilesFunctions = [
  ...tileCollections.map((collection) =>
    httpFunction(collection.name, `${tilesPath(collection)}/{*path}`, (request) => {
      return import('../shared/http/ogc/tiles.js').then(({ findTilesRoute }) => findTilesRoute(collection, request));
    }),
  ),
  httpFunction('TileMatrixSets', `${MATRIX_SETS_PATH}/{*path}`, (request) => {
    return import('../shared/http/ogc/tiles.js').then(({ findMatrixSetRoute }) => findMatrixSetRoute(request));
  }),
] as const;
