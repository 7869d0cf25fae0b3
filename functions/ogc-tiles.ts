// Vector tiles of the collections under /ogc (D50).

import { tileMatrixSetsFunction, tilesFunction } from '../shared/http/tiles/tiles-function';
import { tileCollections } from '../shared/query/tile-collections';

export const ogcTilesFunctions = [...tileCollections.map(tilesFunction), tileMatrixSetsFunction] as const;
