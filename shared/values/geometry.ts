// Geometries as values: what a boundary, a site and a reporting unit can be (D15), the rules that their coordinates
// keep, whatever text they came from, their boxes, the direction of their rings, and the bytes they are stored as.
// Everything here is planar: longitude then latitude in degrees, and of a position only these two numbers count.

import type { LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon, Position } from 'geojson';
import { TextProblem } from './result';

export type Geometry = Point | MultiPoint | LineString | MultiLineString | Polygon | MultiPolygon;

/** West, south, east, north, in degrees. */
export type Box = readonly [west: number, south: number, east: number, north: number];

type Path = readonly Position[];

/** The rings of one polygon, or all the lines or points of a geometry that has no area. */
export type Part = readonly Path[];

// Stored bytes hold the place of a type in this list, from 1, its number in well-known binary: it must never change.
const TYPES: readonly Geometry['type'][] = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
];

const TYPE_BYTES = 1;
const COUNT_BYTES = 4;
const ORDINATE_BYTES = 8;

/** Every geometry as a list of parts, so that what treats positions alike need not ask for the type. */
export function toParts(geometry: Geometry): readonly Part[] {
  switch (geometry.type) {
    case 'Point':
      return [[[geometry.coordinates]]];
    case 'MultiPoint':
    case 'LineString':
      return [[geometry.coordinates]];
    case 'MultiLineString':
    case 'Polygon':
      return [geometry.coordinates];
    case 'MultiPolygon':
      return geometry.coordinates;
  }
}

export function boundingBox(geometry: Geometry): Box {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (const path of toPaths(geometry)) {
    for (const position of path) {
      const longitude = position[0] ?? NaN;
      const latitude = position[1] ?? NaN;
      if (longitude < west) west = longitude;
      if (longitude > east) east = longitude;
      if (latitude < south) south = latitude;
      if (latitude > north) north = latitude;
    }
  }
  return [west, south, east, north];
}

/** The corners of a box in the order of a polygon's ring. */
export function boxToRing([west, south, east, north]: Box): [number, number][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** Undefined of nothing. */
export function uniteBoxes(a: Box | undefined, b: Box | undefined): Box | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

export function countPositions(geometry: Geometry): number {
  return toPaths(geometry).reduce((count, path) => count + path.length, 0);
}

/** The same geometry; its outer rings run counterclockwise, its holes clockwise (RFC 7946, section 3.1.6). */
export function applyRightHandRule(geometry: Geometry): Geometry {
  if (geometry.type === 'Polygon') return { ...geometry, coordinates: orientRings(geometry.coordinates) };
  if (geometry.type === 'MultiPolygon') return { ...geometry, coordinates: geometry.coordinates.map(orientRings) };
  return geometry;
}

/**
 * One byte of type, the number of parts, then of each part the number of paths, of each path the number of positions
 * and these: counts as unsigned 32-bit, ordinates as 64-bit floats, all little-endian and unaligned.
 */
export function encodeGeometry(geometry: Geometry): Uint8Array {
  const parts = toParts(geometry);
  const counts = 1 + parts.length + toPaths(geometry).length;
  const view = new DataView(
    new ArrayBuffer(TYPE_BYTES + counts * COUNT_BYTES + countPositions(geometry) * 2 * ORDINATE_BYTES),
  );
  view.setUint8(0, TYPES.indexOf(geometry.type) + 1);
  let offset = TYPE_BYTES;
  const writeCount = (count: number): void => {
    view.setUint32(offset, count, true);
    offset += COUNT_BYTES;
  };

  writeCount(parts.length);
  for (const part of parts) {
    writeCount(part.length);
    for (const path of part) {
      writeCount(path.length);
      for (const position of path) {
        view.setFloat64(offset, position[0] ?? NaN, true);
        view.setFloat64(offset + ORDINATE_BYTES, position[1] ?? NaN, true);
        offset += 2 * ORDINATE_BYTES;
      }
    }
  }
  return new Uint8Array(view.buffer);
}

/** Reads what `encodeGeometry` wrote; throws on anything else, since stored bytes are a promise of the program. */
export function decodeGeometry(bytes: Uint8Array): Geometry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = TYPE_BYTES;
  const readCount = (): number => {
    const count = view.getUint32(offset, true);
    offset += COUNT_BYTES;
    return count;
  };
  const readPath = (): Position[] => {
    const path: Position[] = [];
    for (let remaining = readCount(); remaining > 0; remaining -= 1) {
      path.push([view.getFloat64(offset, true), view.getFloat64(offset + ORDINATE_BYTES, true)]);
      offset += 2 * ORDINATE_BYTES;
    }
    return path;
  };
  const readPart = (): Position[][] => readRepeatedly(readCount(), readPath);
  const parts = readRepeatedly(readCount(), readPart);
  if (offset !== view.byteLength) throw new Error(`A stored geometry has ${view.byteLength - offset} bytes too many.`);
  const typeCode = view.getUint8(0);
  const type = TYPES[typeCode - 1];
  if (type === undefined) throw new Error(`A stored geometry has the unknown type code ${typeCode}.`);
  return assembleGeometry(type, parts);
}

function toPaths(geometry: Geometry): Part {
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : (toParts(geometry)[0] ?? []);
}

/** The first ring of a polygon is its outer ring. */
function orientRings(rings: Position[][]): Position[][] {
  return rings.map((ring, index) => {
    const area = signedArea(ring);
    const isReversed = index === 0 ? area < 0 : area > 0;
    return isReversed ? [...ring].reverse() : ring;
  });
}

/** Twice the area in square degrees, positive when counterclockwise, measured from the first position for precision. */
function signedArea(ring: Path): number {
  const [[x0 = 0, y0 = 0] = []] = ring;
  let area = 0;
  let ax = x0;
  let ay = y0;
  for (const [bx = 0, by = 0] of ring) {
    area += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
    [ax, ay] = [bx, by];
  }
  return area;
}

function readRepeatedly<Value>(times: number, read: () => Value): Value[] {
  const values: Value[] = [];
  for (let remaining = times; remaining > 0; remaining -= 1) values.push(read());
  return values;
}

/** The inverse of `partsOf`. */
function assembleGeometry(type: Geometry['type'], parts: Position[][][]): Geometry {
  const [part = []] = parts;
  const [path = []] = part;
  const [position = []] = path;
  switch (type) {
    case 'Point':
      return { type, coordinates: position };
    case 'MultiPoint':
    case 'LineString':
      return { type, coordinates: path };
    case 'MultiLineString':
    case 'Polygon':
      return { type, coordinates: part };
    case 'MultiPolygon':
      return { type, coordinates: parts };
  }
}

type PathKind = 'points' | 'line' | 'ring';

const LONGITUDE_LIMIT = 180;
const LATITUDE_LIMIT = 90;
const MIN_LINE_POSITIONS = 2;
/** A triangle, and its first position again. */
const MIN_RING_POSITIONS = 4;

/** Makes longitude and latitude, in degrees, of the two ordinates of another reference system. */
export type ToDegrees = (ordinates: readonly [number, number]) => readonly [longitude: number, latitude: number];

/**
 * Throws a TextProblem with the first broken rule and where it is broken; ordinates after longitude and latitude are
 * dropped. The coordinates are in degrees of WGS 84, longitude first, unless `toDegrees` makes them so.
 */
export function checkGeometry(type: Geometry['type'], coordinates: unknown, toDegrees?: ToDegrees): Geometry {
  const read = coordinateReaders[type](
    toDegrees === undefined ? coordinates : convertToDegrees(coordinates, toDegrees),
  );
  return { type, coordinates: read } as Geometry; // Each reader reads its type.
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

export const GEOMETRY_TYPES = Object.keys(coordinateReaders) as readonly Geometry['type'][]; // There is one for each type.

/** Anything but a position stays as it is, for the rules to refuse. */
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

function dropExtraOrdinates(value: unknown): Position {
  // `as`: only called on what positionProblem found to be a list that begins with two numbers.
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
        ? `has ${path.length} positions; a ring needs four or more, its first one twice`
        : undefined;
    }
  }
}
