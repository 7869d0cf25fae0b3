// The rules for the coordinates of a geometry, whatever format it was parsed from (D15).

import type { Position } from 'geojson';
import type { Geometry } from './geometry';
import { TextProblem } from './result';

type PathKind = 'points' | 'line' | 'ring';

const LONGITUDE_LIMIT = 180;
const LATITUDE_LIMIT = 90;
const MIN_LINE_POSITIONS = 2;
/** A triangle with its first position repeated. */
const MIN_RING_POSITIONS = 4;

/** Converts the two ordinates of another coordinate system to longitude and latitude in degrees. */
export type ToDegrees = (ordinates: readonly [number, number]) => readonly [longitude: number, latitude: number];

/**
 * Checks coordinates from any source and drops additional ordinates. Coordinates are in degrees of WGS 84, longitude
 * first, unless `toDegrees` converts them. Throws a TextProblem that states the first broken rule and its position.
 */
export function checkGeometry(type: Geometry['type'], coordinates: unknown, toDegrees?: ToDegrees): Geometry {
  const read = coordinateReaders[type](
    toDegrees === undefined ? coordinates : convertToDegrees(coordinates, toDegrees),
  );
  return { type, coordinates: read } as Geometry; // Each reader returns the coordinates of its type.
}

const coordinateReaders: Readonly<Record<Geometry['type'], (coordinates: unknown) => Geometry['coordinates']>> = {
  Point: readPoint,
  MultiPoint: (points) => readPath('points', points, 'the list of points'),
  LineString: (line) => readPath('line', line, 'the line'),
  MultiLineString: (lines) =>
    readList(lines, 'the list of lines', 'line', (line, name) => readPath('line', line, name)),
  Polygon: (rings) => readRings(rings, 'the polygon', ''),
  MultiPolygon: (polygons) =>
    readList(polygons, 'the list of polygons', 'polygon', (rings, name) => readRings(rings, name, ` of ${name}`)),
};

// The object has one member for each type.
export const GEOMETRY_TYPES = Object.keys(coordinateReaders) as readonly Geometry['type'][];

/** Returns anything but positions unchanged; the rules refuse it later. */
function convertToDegrees(coordinates: unknown, toDegrees: ToDegrees): unknown {
  if (!Array.isArray(coordinates)) return coordinates;
  const [x, y] = coordinates as readonly unknown[];
  if (typeof x === 'number' && typeof y === 'number') return toDegrees([x, y]);
  return coordinates.map((inner) => convertToDegrees(inner, toDegrees));
}

function readPoint(value: unknown): Position {
  if (Array.isArray(value) && value.length === 0) throw new TextProblem('the geometry is empty');
  const problem = findPositionProblem(value);
  if (problem !== undefined) throw new TextProblem(`the position ${problem}`);
  return dropExtraOrdinates(value);
}

function readRings(value: unknown, name: string, suffix: string): Position[][] {
  return readList(value, name, 'ring', (ring, ringName) => readPath('ring', ring, `${ringName}${suffix}`));
}

function readList<Item>(
  value: unknown,
  name: string,
  itemName: string,
  readItem: (value: unknown, name: string) => Item,
): Item[] {
  if (!Array.isArray(value)) throw new TextProblem(`${name} is not a list of ${itemName}s`);
  if (value.length === 0) throw new TextProblem(`the geometry is empty: ${name} has no ${itemName}s`);
  return value.map((entry: unknown, index) => readItem(entry, `${itemName} ${index + 1}`));
}

function readPath(kind: PathKind, value: unknown, name: string): Position[] {
  if (!Array.isArray(value)) throw new TextProblem(`${name} is not a list of positions`);
  if (value.length === 0) throw new TextProblem(`the geometry is empty: ${name} has no positions`);
  const path = value.map((entry: unknown, index) => {
    const problem = findPositionProblem(entry);
    if (problem !== undefined) throw new TextProblem(`position ${index + 1} of ${name} ${problem}`);
    return dropExtraOrdinates(entry);
  });
  const problem = findPathProblem(kind, path);
  if (problem !== undefined) throw new TextProblem(`${name} ${problem}`);
  return path;
}

function findPositionProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'is not a list of numbers';
  if (value.length < 2) return 'has fewer than two numbers';
  const longitude: unknown = value[0];
  const latitude: unknown = value[1];
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return 'contains something that is not a number';
  if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) return 'is not finite';
  if (Math.abs(longitude) > LONGITUDE_LIMIT) {
    return `is ${longitude} ${latitude}: a longitude must be between -${LONGITUDE_LIMIT} and ${LONGITUDE_LIMIT}`;
  }
  if (Math.abs(latitude) > LATITUDE_LIMIT) {
    return `is ${longitude} ${latitude}: a latitude, the second number, must be between -${LATITUDE_LIMIT} and ${LATITUDE_LIMIT}`;
  }
  return undefined;
}

function dropExtraOrdinates(value: unknown): Position {
  // `as`: findPositionProblem has checked that it is a list that begins with two numbers.
  const position = value as Position;
  return position.length === 2 ? position : position.slice(0, 2);
}

function findPathProblem(kind: PathKind, path: readonly Position[]): string | undefined {
  switch (kind) {
    case 'points':
      return undefined;
    case 'line':
      return path.length < MIN_LINE_POSITIONS ? 'has one position; a line needs two or more' : undefined;
    case 'ring': {
      const first = path[0];
      const last = path.at(-1);
      if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
        return `is not closed: its first position is ${first?.join(' ')}, its last ${last?.join(' ')}`;
      }
      return path.length < MIN_RING_POSITIONS
        ? `has ${path.length} positions; a ring needs four or more, with the first repeated at the end`
        : undefined;
    }
  }
}
