// Geometries: their boxes, their bytes, their text, and the direction of their rings (RFC 7946, section 3.1.6).

import fc from 'fast-check';
import { parse } from 'wellknown';
import { readGeometry } from '../../shared/values/boundary';
import { type Geometry, boundingBox, decodeGeometry, encodeGeometry, encodedBox } from '../../shared/values/geometry';
import { geometryOf } from './lattice-geometries';

describe('encodeGeometry', () => {
  test('writes what decodeGeometry reads back, to the last bit, wherever in a larger buffer it stands', () => {
    fc.assert(
      fc.property(anyGeometry(), fc.nat(9), (geometry, start) => {
        const bytes = encodeGeometry(geometry);
        const larger = new Uint8Array(bytes.length + start + 5).fill(255);
        larger.set(bytes, start);
        expect(decodeGeometry(larger.subarray(start, start + bytes.length))).toEqual(geometry);
        expect(encodedBox(bytes)).toEqual(boundingBox(geometry));
      }),
    );
  });
});

describe('readGeometry', () => {
  test('reads what a geometry was written as, in WKT, as wellknown does, and in GeoJSON', () => {
    fc.assert(
      fc.property(anyGeometry(), (geometry) => {
        expect(readGeometry(writeWkt(geometry))).toEqual({ ok: true, value: geometry });
        expect({ ...parse(writeWkt(geometry)) }).toEqual({ ...geometry });
        expect(readGeometry(JSON.stringify(geometry))).toEqual({ ok: true, value: geometry });
      }),
    );
  });
});

function writeWkt({ type, coordinates }: Geometry): string {
  const lists = JSON.stringify(coordinates).replace(/\[([^[\],]+),([^[\],]+)\]/g, '$1 $2');
  const body = lists.replaceAll('[', '(').replaceAll(']', ')');
  return `${type} ${type === 'Point' ? `(${body})` : body}`;
}

/** Geometries that D15 accepts: lines of two positions or more, closed rings of four. Text has no negative zero. */
function anyGeometry(): fc.Arbitrary<Geometry> {
  const ordinate = (limit: number): fc.Arbitrary<number> =>
    fc.double({ min: -limit, max: limit, noNaN: true }).map((value) => value + 0);
  const position = fc.tuple(ordinate(180), ordinate(90)).map(([longitude, latitude]) => [longitude, latitude]);
  const ring = fc.array(position, { minLength: 3, maxLength: 6 }).map((open) => [...open, ...open.slice(0, 1)]);
  return geometryOf(position, ring);
}
