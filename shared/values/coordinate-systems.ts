// The coordinate reference systems of the OGC API (D47, OGC API - Features Part 2), each with its order of axes.

import type { Position } from 'geojson';
import type { Geometry } from './geometry';
import { failure, success, type Result } from './result';
import { degreesOfWebMercator, webMercatorOf } from './web-mercator';

type Pair = readonly [number, number];

export interface CoordinateSystem {
  readonly uri: string;
  /** The short form that some clients send, in brackets or not. */
  readonly name: string;
  /** Both between longitude and latitude in degrees, and the two axes of the system. */
  readonly fromDegrees: (position: Pair) => Pair;
  readonly toDegrees: (position: Pair) => Pair;
}

const swapped = ([first, second]: Pair): Pair => [second, first];
const unchanged = (position: Pair): Pair => position;

/** Longitude before latitude: what everything is stored and answered in. */
export const CRS84: CoordinateSystem = {
  uri: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
  name: 'OGC:CRS84',
  fromDegrees: unchanged,
  toDegrees: unchanged,
};

/** The default first. EPSG:4326 has latitude before longitude. */
export const COORDINATE_SYSTEMS: readonly CoordinateSystem[] = [
  CRS84,
  {
    ...{ uri: 'http://www.opengis.net/def/crs/EPSG/0/4326', name: 'EPSG:4326' },
    ...{ fromDegrees: swapped, toDegrees: swapped },
  },
  {
    ...{ uri: 'http://www.opengis.net/def/crs/EPSG/0/3857', name: 'EPSG:3857' },
    ...{ fromDegrees: webMercatorOf, toDegrees: degreesOfWebMercator },
  },
];

export function readCoordinateSystem(text: string): Result<CoordinateSystem> {
  const wanted = text.replace(/^https:/, 'http:').replace(/^\[(.*)\]$/, '$1');
  const found = COORDINATE_SYSTEMS.find(({ uri, name }) => wanted === uri || wanted.toUpperCase() === name);
  if (found !== undefined) return success(found);
  return failure(`must be one of ${COORDINATE_SYSTEMS.map(({ uri }) => uri).join(', ')}`);
}

/** A geometry in degrees as the system has it. */
export function projectedGeometry(geometry: Geometry, { fromDegrees, uri }: CoordinateSystem): Geometry {
  if (uri === CRS84.uri) return geometry;
  const project = (coordinates: unknown): unknown => {
    const list = coordinates as readonly unknown[]; // Positions, or lists of them.
    return typeof list[0] === 'number' ? [...fromDegrees(pairOf(list as Position))] : list.map(project);
  };
  return { ...geometry, coordinates: project(geometry.coordinates) } as Geometry; // The shape is the same.
}

function pairOf([x = NaN, y = NaN]: Position): Pair {
  return [x, y];
}
