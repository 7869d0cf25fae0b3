// Geometries as values: what a boundary, a site and a reporting unit can be (D15), their boxes, the direction of their
// rings, and the bytes they are stored as. Everything here is planar: longitude then latitude in degrees, and of a
// position only these two numbers count.

import type { LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon, Position } from 'geojson';

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
export function partsOf(geometry: Geometry): readonly Part[] {
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
  for (const path of pathsOf(geometry)) {
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

/** Undefined of nothing. */
export function unionOfBoxes(a: Box | undefined, b: Box | undefined): Box | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

export function countPositions(geometry: Geometry): number {
  return pathsOf(geometry).reduce((count, path) => count + path.length, 0);
}

/** The same geometry; its outer rings run counterclockwise, its holes clockwise (RFC 7946, section 3.1.6). */
export function withRightHandRule(geometry: Geometry): Geometry {
  if (geometry.type === 'Polygon') return { ...geometry, coordinates: withDirections(geometry.coordinates) };
  if (geometry.type === 'MultiPolygon') return { ...geometry, coordinates: geometry.coordinates.map(withDirections) };
  return geometry;
}

/**
 * Whether a ring runs against that rule; the first of a polygon, with the index 0, is its outer ring. Its ordinates are
 * the first `count` of some numbers, x and y in turn.
 */
function runsBackwards(ordinates: readonly number[], count: number, index: number): boolean {
  const area = signedArea(ordinates, count);
  return index === 0 ? area < 0 : area > 0;
}

/**
 * One byte of type, the number of parts, then of each part the number of paths, of each path the number of positions
 * and these: counts as unsigned 32-bit, ordinates as 64-bit floats, all little-endian and unaligned.
 */
export function encodeGeometry(geometry: Geometry): Uint8Array {
  const parts = partsOf(geometry);
  const counts = 1 + parts.length + pathsOf(geometry).length;
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
    for (let left = readCount(); left > 0; left -= 1) {
      path.push([view.getFloat64(offset, true), view.getFloat64(offset + ORDINATE_BYTES, true)]);
      offset += 2 * ORDINATE_BYTES;
    }
    return path;
  };
  const readPart = (): Position[][] => readTimes(readCount(), readPath);
  const parts = readTimes(readCount(), readPart);
  if (offset !== view.byteLength) throw new Error(`A stored geometry has ${view.byteLength - offset} bytes too many.`);
  const typeCode = view.getUint8(0);
  const type = TYPES[typeCode - 1];
  if (type === undefined) throw new Error(`A stored geometry has the unknown type code ${typeCode}.`);
  return assembleGeometry(type, parts);
}

/** The boundingBox of what `encodeGeometry` wrote, without its positions as objects. */
export function encodedBox(bytes: Uint8Array): Box {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  let offset = TYPE_BYTES;
  const readCount = (): number => {
    offset += COUNT_BYTES;
    return view.getUint32(offset - COUNT_BYTES, true);
  };
  for (let parts = readCount(); parts > 0; parts--) {
    for (let paths = readCount(); paths > 0; paths--) {
      for (let positions = readCount(); positions > 0; positions--, offset += 2 * ORDINATE_BYTES) {
        const longitude = view.getFloat64(offset, true);
        const latitude = view.getFloat64(offset + ORDINATE_BYTES, true);
        if (longitude < west) west = longitude;
        if (longitude > east) east = longitude;
        if (latitude < south) south = latitude;
        if (latitude > north) north = latitude;
      }
    }
  }
  return [west, south, east, north];
}

function pathsOf(geometry: Geometry): Part {
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : (partsOf(geometry)[0] ?? []);
}

function withDirections(rings: Position[][]): Position[][] {
  return rings.map((ring, index) => {
    const ordinates = ring.flatMap(([x = 0, y = 0]) => [x, y]);
    return runsBackwards(ordinates, ordinates.length, index) ? [...ring].reverse() : ring;
  });
}

/** Twice the area in square degrees, positive when counterclockwise, measured from the first position for precision. */
function signedArea(ordinates: readonly number[], count: number): number {
  const [x0 = 0, y0 = 0] = ordinates;
  let area = 0;
  let [ax, ay] = [x0, y0];
  for (let at = 2; at < count; at += 2) {
    const bx = ordinates[at] ?? 0;
    const by = ordinates[at + 1] ?? 0;
    area += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
    ax = bx;
    ay = by;
  }
  return area;
}

function readTimes<Value>(times: number, read: () => Value): Value[] {
  const values: Value[] = [];
  for (let left = times; left > 0; left -= 1) values.push(read());
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
