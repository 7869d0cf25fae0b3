// WebMercatorQuad, the grid of all tiles, as described by OGC API - Tiles (OGC TMS 2.0).

import { MATRIX_SET, MAX_ZOOM, TILE_PIXELS } from '../../tiles/tile-grid';
import { HALF_CIRCUMFERENCE_METERS } from '../../values/coordinate-systems';
import { buildSelfLink } from './addresses';

export const MATRIX_SET_URI = 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad';
export const WEB_MERCATOR_URI = 'http://www.opengis.net/def/crs/EPSG/0/3857';

/** The pixel size in meters, from which OGC derives scales. */
const PIXEL_METERS = 0.000_28;

/** The path of the grids, without a leading slash. */
export const MATRIX_SETS_PATH = 'ogc/tileMatrixSets';

export function describeMatrixSet(): object {
  const tileMatrices = Array.from({ length: MAX_ZOOM + 1 }, (_, zoom) => {
    const cellSize = (2 * HALF_CIRCUMFERENCE_METERS) / TILE_PIXELS / 2 ** zoom;
    return {
      id: String(zoom),
      scaleDenominator: cellSize / PIXEL_METERS,
      cellSize,
      cornerOfOrigin: 'topLeft',
      pointOfOrigin: [-HALF_CIRCUMFERENCE_METERS, HALF_CIRCUMFERENCE_METERS],
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

/** `base` is the address before the route. */
export function describeMatrixSetList(base: string): object {
  const links = [buildSelfLink(getMatrixSetAddress(base))];
  return { tileMatrixSets: [{ id: MATRIX_SET, uri: MATRIX_SET_URI, crs: WEB_MERCATOR_URI, links }] };
}

export function getMatrixSetAddress(base: string): string {
  return `${base}/${MATRIX_SETS_PATH}/${MATRIX_SET}`;
}
