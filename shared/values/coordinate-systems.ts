// The coordinate reference systems of the OGC API (D47, OGC API - Features Part 2), each with its axis order. Web
// Mercator (EPSG:3857) is also the plane of map tiles.

import type { Geometry } from './geometry';
import { failure, type Result, success } from './result';

type Pair = readonly [number, number];

export interface CoordinateSystem {
  readonly uri: string;
  /** The short name that some clients send, with or without brackets. */
  readonly name: string;
  /** Conversions between longitude and latitude in degrees and the two axes of the system. */
  readonly fromDegrees: (position: Pair) => Pair;
  readonly toDegrees: (position: Pair) => Pair;
}

/** Half the circumference of Web Mercator's sphere. */
export const HALF_CIRCUMFERENCE_METERS = 20_037_508.342789244;

/** The latitude at which the map plane ends, so that it is a square. Points beyond it are moved to its edge. */
const MAX_LATITUDE = 85.051128779806589;

/** Converts longitude and latitude in degrees to meters. */
export function toWebMercator([longitude, latitude]: Pair): Pair {
  const clampedLatitude = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  const angle = ((90 + clampedLatitude) * Math.PI) / 360;
  return [
    (longitude * HALF_CIRCUMFERENCE_METERS) / 180,
    (Math.log(Math.tan(angle)) / Math.PI) * HALF_CIRCUMFERENCE_METERS,
  ];
}

/** The inverse of `toWebMercator`. */
function fromWebMercator([x, y]: Pair): Pair {
  const latitude = (Math.atan(Math.sinh((y / HALF_CIRCUMFERENCE_METERS) * Math.PI)) * 180) / Math.PI;
  return [(x * 180) / HALF_CIRCUMFERENCE_METERS, latitude];
}

const swapAxes = ([first, second]: Pair): Pair => [second, first];

/** Longitude before latitude. All stored data use this system, and so do answers by default. */
export const CRS84: CoordinateSystem = {
  uri: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
  name: 'OGC:CRS84',
  fromDegrees: (position) => position,
  toDegrees: (position) => position,
};

/** The default comes first. EPSG:4326 has latitude before longitude. */
export const COORDINATE_SYSTEMS: readonly CoordinateSystem[] = [
  CRS84,
  {
    uri: 'http://www.opengis.net/def/crs/EPSG/0/4326',
    name: 'EPSG:4326',
    fromDegrees: swapAxes,
    toDegrees: swapAxes,
  },
  {
    uri: 'http://www.opengis.net/def/crs/EPSG/0/3857',
    name: 'EPSG:3857',
    fromDegrees: toWebMercator,
    toDegrees: fromWebMercator,
  },
];

export function readCoordinateSystem(text: string): Result<CoordinateSystem> {
  const uriOrName = text.replace(/^https:/, 'http:').replace(/^\[(.*)\]$/, '$1');
  const system = COORDINATE_SYSTEMS.find(({ uri, name }) => uriOrName === uri || uriOrName.toUpperCase() === name);
  if (system !== undefined) return success(system);
  return failure(`must be one of ${COORDINATE_SYSTEMS.map(({ uri }) => uri).join(', ')}`);
}

/** Projects a geometry in degrees to the system. */
export function projectGeometry(geometry: Geometry, { fromDegrees, uri }: CoordinateSystem): Geometry {
  if (uri === CRS84.uri) return geometry;
  const project = (coordinates: unknown): unknown => {
    const list = coordinates as readonly unknown[]; // Positions, or lists of them.
    return typeof list[0] === 'number' ? [...fromDegrees(list as Pair)] : list.map(project);
  };
  // The shape of the coordinates stays the same.
  return { ...geometry, coordinates: project(geometry.coordinates) } as Geometry;
}
