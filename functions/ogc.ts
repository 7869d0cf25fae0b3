// The OGC API for GIS programs (D47 to D50): collections and their items, vector tiles and the tile grid. Descriptions
// are open to anyone. For items and tiles, callers need a key, or use up the allowance for requests without a key.

import { findMatrixSetRoute } from '../shared/http/ogc/matrix-set-routes';
import { MATRIX_SETS_PATH } from '../shared/http/ogc/matrix-sets';
import { findOgcRoute } from '../shared/http/ogc/ogc-routes';
import { findTilesRoute } from '../shared/http/ogc/tiles';
import { getTilesPath } from '../shared/http/ogc/tilesets';
import { addProblemPage } from '../shared/http/pages/problem-page';
import { httpFunction } from '../shared/http/pipeline/pipeline';
import type { RouteEntry } from '../shared/http/pipeline/route';
import { tileCollections } from '../shared/query/tile-collections';

const tileEntries = tileCollections.map((collection): RouteEntry => ({
  name: collection.name,
  path: `${getTilesPath(collection)}/{*path}`,
  route: (request) => findTilesRoute(collection, request),
}));

export const ogcFunction = httpFunction({
  name: 'Ogc',
  route: 'ogc/{*path}',
  addPage: addProblemPage,
  routes: [
    ...tileEntries,
    { name: 'TileMatrixSets', path: `${MATRIX_SETS_PATH}/{*path}`, route: findMatrixSetRoute },
    { name: 'Ogc', path: 'ogc/{*path}', route: findOgcRoute },
  ],
});
