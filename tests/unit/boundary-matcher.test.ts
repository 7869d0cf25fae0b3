// Compares the boundary matcher with an oracle that uses exact integer arithmetic.

import fc from 'fast-check';
import type { Position } from 'geojson';
import { BoundaryMatcher } from '../../shared/search/index/boundary-matcher';
import { readGeometry } from '../../shared/values/boundary';
import { boundingBox, type Geometry } from '../../shared/values/geometry';
import { findExactTurn, listPathEdges, oracleContains, oracleIntersects } from '../fixtures/boundary-oracle';
import { countCases } from '../fixtures/soak';
import { LARGE_LATTICE, largeBoundary, latticeBox, latticeGeometry, listPoints, moveBy } from './random-geometries';

const RING_WITH_HOLE = 'POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (3 3, 6 3, 6 6, 3 6, 3 3))';
const SQUARE = 'POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))';

describe('BoundaryMatcher', () => {
  test('does not round: a position outside a slanted edge is outside, however near it is', () => {
    const ordinate = fc.double({ min: -128, max: 128, noNaN: true });
    const position = fc.tuple(ordinate, ordinate);
    const fraction = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(position, position, position, fraction, (a, b, c, along) => {
        fc.pre(findExactTurn(a, b, c) !== 0);
        const nearEdge: Position = [a[0] + along * (b[0] - a[0]), a[1] + along * (b[1] - a[1])];
        const sides = listPathEdges([a, b, c, a]).map(([from, to]) => findExactTurn(from, to, nearEdge));
        const expected = sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
        const triangle: Geometry = { type: 'Polygon', coordinates: [[a, b, c, a]] };
        expect(matches(triangle, { type: 'Point', coordinates: nearEdge })).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('does not round where products of ordinates are smaller than the smallest double', () => {
    const diagonal = readWkt('LINESTRING (-0.5 -0.5, 0.5 0.5)');
    expect(matches(diagonal, readWkt('POINT (5e-324 5e-324)'))).toBe(true);
    expect(matches(diagonal, readWkt('POINT (5e-324 0)'))).toBe(false);
    expect(matches(diagonal, readWkt('POINT (0 -5e-324)'))).toBe(false);
    // The slope of its last edge is larger than the largest double.
    const low = readWkt('POLYGON ((0 0, -1e-186 5e-324, 2e-15 5e-324, 0 0))');
    expect(matches(low, readWkt('POINT (-5e-324 0)'))).toBe(false);
  });

  test('never matches a position that is not a number, and still matches the other positions', () => {
    const matcher = new BoundaryMatcher(readWkt(SQUARE));
    expect(matcher.matchesPoint(NaN, 1)).toBe(false);
    expect(matcher.matchesPoint(1, NaN)).toBe(false);
    const positions = Array.from({ length: 20 }, (_, index) => [index % 2 === 0 ? 1 : 5, 2, NaN, NaN]);
    const expected = positions.flatMap(([x]) => [x === 1 ? 1 : 0, 0]);
    expect([...matcher.matchesPoints(Float64Array.from(positions.flat()))]).toEqual(expected);
  });

  test('classifies boxes inside, outside and across a hole', () => {
    const matcher = new BoundaryMatcher(readWkt(RING_WITH_HOLE));
    expect(matcher.classifyBox([1, 1, 2, 8])).toBe('inside');
    expect(matcher.classifyBox([4, 4, 5, 5])).toBe('outside');
    expect(matcher.classifyBox([10, 0, 12, 2])).toBe('outside');
    expect(matcher.classifyBox([-1, 2, 1, 2])).toBe('crossed');
    expect(matcher.classifyBox([1, 1, 8, 8])).toBe('crossed');
  });

  test('agrees with an exact oracle on any two geometries on a lattice', () => {
    fc.assert(
      fc.property(latticeGeometry(), latticeGeometry(), (boundary, place) => {
        const expected = oracleIntersects(boundary, place);
        expect(matches(boundary, place)).toBe(expected);
        expect(matches(place, boundary)).toBe(expected);
      }),
      { numRuns: countCases(2_000, 0.4) },
    );
  });

  test('agrees with an exact oracle on every point, tested alone and with other points', () => {
    fc.assert(
      fc.property(largeBoundary(), (boundary) => {
        const matcher = new BoundaryMatcher(boundary);
        const points = listPoints([-1, -1, LARGE_LATTICE + 1, LARGE_LATTICE + 1]);
        const together = matcher.matchesPoints(Float64Array.from(points.flat()));
        const mismatches = points.filter((point, index) => {
          const expected = oracleContains(boundary, point);
          return (
            (together[index] === 1) !== expected || matcher.matchesPoint(point[0] ?? NaN, point[1] ?? NaN) !== expected
          );
        });
        expect(mismatches).toEqual([]);
      }),
      { numRuns: countCases(60, 0.4) },
    );
  });

  test('agrees with an exact oracle on small geometries in a large boundary', () => {
    const place = fc.tuple(latticeGeometry(), fc.nat(LARGE_LATTICE), fc.nat(LARGE_LATTICE));
    fc.assert(
      fc.property(largeBoundary(), fc.array(place, { minLength: 5, maxLength: 20 }), (boundary, places) => {
        const matcher = new BoundaryMatcher(boundary);
        for (const [geometry, x, y] of places) {
          const moved = moveBy(geometry, x, y);
          expect(matcher.matchesGeometry(moved, boundingBox(moved))).toBe(oracleIntersects(boundary, moved));
        }
      }),
      { numRuns: countCases(150, 0.4) },
    );
  });

  test('agrees with an exact oracle where hundreds of edges cross each other, in one area and in many', () => {
    const position = fc.tuple(fc.nat(100), fc.nat(30));
    const ring = fc
      .array(position, { minLength: 300, maxLength: 400 })
      .map((positions): Position[] => [...positions, ...positions.slice(0, 1)]);
    const triangles = fc
      .array(fc.tuple(position, position, position), { minLength: 100, maxLength: 120 })
      .map((corners): Position[][][] => corners.map(([a, b, c]) => [[a, b, c, a]]));
    const boundary = fc.oneof(
      ring.map((coordinates): Geometry => ({ type: 'Polygon', coordinates: [coordinates] })),
      triangles.map((coordinates): Geometry => ({ type: 'MultiPolygon', coordinates })),
      ring.map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
    );
    fc.assert(
      fc.property(boundary, (crossed) => {
        const matcher = new BoundaryMatcher(crossed);
        const points: Position[] = [];
        for (let x = 0.5; x <= 100; x += 4.5) {
          for (let y = 0; y <= 30; y += 2.5) points.push([x, y]);
        }
        const together = [...matcher.matchesPoints(Float64Array.from(points.flat()))];
        expect(together).toEqual(points.map((point) => Number(oracleContains(crossed, point))));
        expect(points.map(([x = NaN, y = NaN]) => Number(matcher.matchesPoint(x, y)))).toEqual(together);
      }),
      { numRuns: 6 },
    );
  });

  test('never classifies a box as inside or outside if a point in it contradicts this', () => {
    const count = { inside: 0, outside: 0 };
    fc.assert(
      fc.property(largeBoundary(), fc.array(latticeBox(), { minLength: 10, maxLength: 30 }), (boundary, boxes) => {
        const matcher = new BoundaryMatcher(boundary);
        for (const box of boxes) {
          const classification = matcher.classifyBox(box);
          if (classification === 'crossed') continue;
          count[classification]++;
          expect(
            listPoints(box).every((point) => oracleContains(boundary, point) === (classification === 'inside')),
          ).toBe(true);
        }
      }),
      { numRuns: countCases(400, 0.4) },
    );
    expect(Math.min(count.inside, count.outside)).toBeGreaterThan(20);
  });
});

function readWkt(wkt: string): Geometry {
  const geometry = readGeometry(wkt);
  if (!geometry.ok) throw new Error(geometry.problem);
  return geometry.value;
}

function matches(boundary: Geometry, place: Geometry): boolean {
  const matcher = new BoundaryMatcher(boundary);
  const answer = matcher.matchesGeometry(place, boundingBox(place));
  if (place.type === 'Point')
    expect(matcher.matchesPoint(place.coordinates[0] ?? NaN, place.coordinates[1] ?? NaN)).toBe(answer);
  return answer;
}
