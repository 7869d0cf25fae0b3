// WebMercatorQuad as OGC API - Tiles describes it (OGC TMS 2.0): the grid of our tiles.

import { MATRIX_SET, MAX_ZOOM, TILE_PIXELS } from '../../tiles/tile-grid';
import { HALF_WORLD } from '../../values/coordinate-systems';

const MATRIX_SET_URI = 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad';

export const WEB_MERCATOR_URI = 'http://www.opengis.net/def/crs/EPSG/0/3857';

/** The size of a pixel on the screen in meters, by which scales are told. */
const PIXEL_METERS = 0.000_28;

/** Where the set is described, without a slash at the front. */
export const MATRIX_SETS_ROUTE = 'ogc/tileMatrixSets';

export function matrixSetDescription(): object {
  const tileMatrices = Array.from({ length: MAX_ZOOM + 1 }, (_, zoom) => {
    const cellSize = (2 * HALF_WORLD) / TILE_PIXELS / 2 ** zoom;
    return {
      id: String(zoom),
      scaleDenominator: cellSize / PIXEL_METERS,
      cellSize,
      cornerOfOrigin: 'topLeft',
      pointOfOrigin: [-HALF_WORLD, HALF_WORLD],
      tileWidth: TILE_PIXELS,
      tileHeight: TILE_PIXELS,
      matrixWidth: 2 ** zoom,
      matrixHeight: 2 ** zoom,
    };
  });
  return {
    id: MATRIX_SET,
    title: 'Google Maps Compatible for the World',
    uri: MATRIX_SET_URI,
    crs: WEB_MERCATOR_URI,
    orderedAxes: ['X', 'Y'],
    wellKnownScaleSet: 'http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible',
    tileMatrices,
  };
}

/** `base` stands in front of the route. */
export function matrixSetList(base: string): object {
  const href = `${base}/${MATRIX_SETS_ROUTE}/${MATRIX_SET}`;
  const links = [{ rel: 'self', type: 'application/json', href }];
  return { tileMatrixSets: [{ id: MATRIX_SET, uri: MATRIX_SET_URI, crs: WEB_MERCATOR_URI, links }] };
}

/** A link to the definition, as tilesets have it. */
export function matrixSetLink(base: string): object {
  const rel = 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme';
  return { rel, type: 'application/json', href: `${base}/${MATRIX_SETS_ROUTE}/${MATRIX_SET}` };
}

export const MATRIX_SET_NAMES = { tileMatrixSetId: MATRIX_SET, tileMatrixSetURI: MATRIX_SET_URI };
