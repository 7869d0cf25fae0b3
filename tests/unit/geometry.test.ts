// Geometries: their boxes, their bytes, their text, and the direction of their rings (RFC 7946, section 3.1.6).

import fc from 'fast-check';
import type { Position } from 'geojson';
import { parse } from 'wellknown';
import { readGeometry } from '../../shared/values/boundary';
import { webMercatorOf } from '../../shared/values/coordinate-systems';
import {
  type Geometry,
  boundingBox,
  countPositions,
  decodeGeometry,
  encodeGeometry,
  encodedBox,
  withRightHandRule,
} from '../../shared/values/geometry';
import { geometryOf } from './lattice-geometries';

test.each([
  ['POINT(-110.5 40)', [-110.5, 40, -110.5, 40], 1],
  ['MULTIPOINT(1 9, 3 4)', [1, 4, 3, 9], 2],
  ['LINESTRING(1 2, 3 -4, 0 0)', [0, -4, 3, 2], 3],
  ['MULTILINESTRING((1 2, 3 4), (5 6, 7 8))', [1, 2, 7, 8], 4],
  ['POLYGON((0 0, 1 0, 1 1, 0 0))', [0, 0, 1, 1], 4],
  ['MULTIPOLYGON(((0 0, 1 0, 1 1, 0 0)), ((5 5, 9 5, 9 9, 5 5)))', [0, 0, 9, 9], 8],
])('the box and the number of positions of %s', (text, box, positions) => {
  const geometry = parse(text) as Geometry;
  expect(boundingBox(geometry)).toEqual(box);
  expect(countPositions(geometry)).toBe(positions);
});

test('WebMercator is a square around the meridian of Greenwich and the equator, with the poles on its edge', () => {
  const half = 20_037_508.342789244;
  expect(webMercatorOf([180, 0])[0]).toBeCloseTo(half, 6);
  expect(webMercatorOf([180, 0])[1]).toBeCloseTo(0, 6);
  expect(webMercatorOf([-180, 90]).map(Math.round)).toEqual([-Math.round(half), Math.round(half)]);
  // EPSG Guidance Note 7-2, section 3.2.1.2 (1.3.3 of older editions).
  const [x, y] = webMercatorOf([-100.3333333, 24.3817859]);
  expect([x.toFixed(0), y.toFixed(0)]).toEqual(['-11169056', '2800000']);
});

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

  test('keeps only longitude and latitude', () => {
    const withHeight = parse('LINESTRING(1 2 3, 4 5 6)') as Geometry;
    expect(decodeGeometry(encodeGeometry(withHeight))).toEqual(parse('LINESTRING(1 2, 4 5)'));
  });

  test('takes 16 bytes a position and 13 for a point besides', () => {
    expect(encodeGeometry({ type: 'Point', coordinates: [1, 2] })).toHaveLength(29);
  });
});

describe('decodeGeometry', () => {
  test('throws on bytes that are cut off, too many or of an unknown type', () => {
    const bytes = encodeGeometry(parse('MULTIPOINT(1 2, 3 4)') as Geometry);
    expect(() => decodeGeometry(bytes.subarray(0, bytes.length - 1))).toThrow();
    expect(() => decodeGeometry(Uint8Array.of(...bytes, 0))).toThrow('1 bytes too many');
    expect(() => decodeGeometry(Uint8Array.of(9, ...bytes.subarray(1)))).toThrow('unknown type code 9');
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

describe('the right-hand rule', () => {
  const square = (x: number, y: number, size: number): Position[] => [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
    [x, y],
  ];
  const outer = square(0, 0, 10);
  const turned = (ring: Position[]): Position[] => [...ring].reverse();

  test('a ring without area and what has no rings stay as they are', () => {
    const flat: Position[] = [
      [0, 0],
      [1, 1],
      [2, 2],
      [0, 0],
    ];
    expect(withRightHandRule({ type: 'Polygon', coordinates: [flat] }).coordinates).toEqual([flat]);
    const line = { type: 'LineString' as const, coordinates: turned(outer) };
    expect(withRightHandRule(line)).toBe(line);
  });

  test('a ring far away from the origin is read exactly', () => {
    const tiny = square(-179.999999, 89.999999, 1e-9);
    expect(withRightHandRule({ type: 'Polygon', coordinates: [turned(tiny)] }).coordinates).toEqual([tiny]);
  });
});
