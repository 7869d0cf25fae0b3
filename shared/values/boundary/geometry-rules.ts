// The rules of D15 that a geometry's coordinates keep, whatever text they came from. Coordinates are unknown before and
// exact after: a geometry that passed holds finite positions of two numbers, lines of two and closed rings of four or
// more.

import type { Position } from 'geojson';
import { failure, success, type Result } from '../result';
import type { Geometry } from '../geometry';

type PathKind = 'points' | 'line' | 'ring';

const LONGITUDE_LIMIT = 180;
const LATITUDE_LIMIT = 90;
const MINIMUM_LINE_POSITIONS = 2;
/** A triangle, and its first position again. */
const MINIMUM_RING_POSITIONS = 4;

/** Makes longitude and latitude, in degrees, of the two ordinates of another reference system. */
export type ToDegrees = (ordinates: readonly [number, number]) => readonly [longitude: number, latitude: number];

/**
 * Refuses with the first broken rule and where it is broken; ordinates after longitude and latitude are dropped. The
 * coordinates are in degrees of WGS 84, longitude first, unless `toDegrees` makes them so.
 */
export function checkGeometry(type: Geometry['type'], coordinates: unknown, toDegrees?: ToDegrees): Result<Geometry> {
  const read = readers[type](toDegrees === undefined ? coordinates : inDegrees(coordinates, toDegrees));
  return read.ok ? success({ type, coordinates: read.value } as Geometry) : read; // Each reader reads its type.
}

const readers: Readonly<Record<Geometry['type'], (coordinates: unknown) => Result<Geometry['coordinates']>>> = {
  Point: readPoint,
  MultiPoint: (points) => readPath('points', points, 'the list of points'),
  LineString: (line) => readPath('line', line, 'the line'),
  MultiLineString: (lines) =>
    readList(lines, 'the list of lines', 'line', (line, name) => readPath('line', line, name)),
  Polygon: (rings) => readRings(rings, 'the polygon', ''),
  MultiPolygon: (polygons) =>
    readList(polygons, 'the list of polygons', 'polygon', (rings, name) => readRings(rings, name, ` of ${name}`)),
};

/** Anything but a position stays as it is, for the rules to refuse. */
function inDegrees(coordinates: unknown, toDegrees: ToDegrees): unknown {
  if (!Array.isArray(coordinates)) return coordinates;
  const [x, y] = coordinates as readonly unknown[];
  if (typeof x === 'number' && typeof y === 'number') return toDegrees([x, y]);
  return coordinates.map((inner) => inDegrees(inner, toDegrees));
}

function readPoint(value: unknown): Result<Position> {
  if (Array.isArray(value) && value.length === 0) return failure('the geometry is empty');
  const problem = positionProblem(value);
  return problem === undefined ? success(longitudeAndLatitude(value)) : failure(`the position ${problem}`);
}

function readRings(value: unknown, name: string, whose: string): Result<Position[][]> {
  return readList(value, name, 'ring', (ring, ringName) => readPath('ring', ring, `${ringName}${whose}`));
}

function readList<Item>(
  value: unknown,
  name: string,
  itemName: string,
  readItem: (value: unknown, name: string) => Result<Item>,
): Result<Item[]> {
  if (!Array.isArray(value)) return failure(`${name} is not a list of ${itemName}s`);
  if (value.length === 0) return failure(`the geometry is empty: ${name} has no ${itemName}s`);
  const items: Item[] = [];
  for (const [index, entry] of value.entries()) {
    const item = readItem(entry, `${itemName} ${index + 1}`);
    if (!item.ok) return item;
    items.push(item.value);
  }
  return success(items);
}

function readPath(kind: PathKind, value: unknown, name: string): Result<Position[]> {
  if (!Array.isArray(value)) return failure(`${name} is not a list of positions`);
  if (value.length === 0) return failure(`the geometry is empty: ${name} has no positions`);
  const path: Position[] = [];
  for (const [index, entry] of value.entries()) {
    const problem = positionProblem(entry);
    if (problem !== undefined) return failure(`position ${index + 1} of ${name} ${problem}`);
    path.push(longitudeAndLatitude(entry));
  }
  const problem = pathProblem(kind, path);
  return problem === undefined ? success(path) : failure(`${name} ${problem}`);
}

function positionProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'is not a list of numbers';
  if (value.length < 2) return 'has fewer than two numbers';
  const longitude: unknown = value[0];
  const latitude: unknown = value[1];
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return 'holds something that is not a number';
  if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) return 'is not finite';
  if (Math.abs(longitude) > LONGITUDE_LIMIT) {
    return `is ${longitude} ${latitude}: a longitude lies between -${LONGITUDE_LIMIT} and ${LONGITUDE_LIMIT}`;
  }
  if (Math.abs(latitude) > LATITUDE_LIMIT) {
    return `is ${longitude} ${latitude}: a latitude, the second number, lies between -${LATITUDE_LIMIT} and ${LATITUDE_LIMIT}`;
  }
  return undefined;
}

function longitudeAndLatitude(value: unknown): Position {
  // `as`: only called on what positionProblem found to be a list that begins with two numbers.
  const position = value as Position;
  return position.length === 2 ? position : position.slice(0, 2);
}

function pathProblem(kind: PathKind, path: readonly Position[]): string | undefined {
  switch (kind) {
    case 'points':
      return undefined;
    case 'line':
      return path.length < MINIMUM_LINE_POSITIONS ? 'has one position; a line needs two or more' : undefined;
    case 'ring': {
      const first = path[0];
      const last = path.at(-1);
      if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
        return `is not closed: its first position is ${first?.join(' ')}, its last ${last?.join(' ')}`;
      }
      return path.length < MINIMUM_RING_POSITIONS
        ? `has ${path.length} positions; a ring needs four or more, its first one twice`
        : undefined;
    }
  }
}
