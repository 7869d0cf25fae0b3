// Encodes geometries in the format in which they are stored.

import type { Position } from 'geojson';
import { countPositions, type Geometry, toParts, toPaths } from './geometry';

// Stored bytes hold the position of a type in this list, counted from 1, which is also its number in well-known binary.
// The order must never change.
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

/**
 * Layout: the type (1 byte) and the number of parts; for each part the number of paths; for each path the number of
 * positions and the positions. Counts are unsigned 32-bit and ordinates 64-bit floats, little-endian and unaligned.
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

/** Reads what `encodeGeometry` wrote. Throws on anything else: stored bytes come from this program. */
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

function readRepeatedly<Value>(times: number, read: () => Value): Value[] {
  const values: Value[] = [];
  for (let remaining = times; remaining > 0; remaining -= 1) values.push(read());
  return values;
}

/** The inverse of `toParts`. */
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
