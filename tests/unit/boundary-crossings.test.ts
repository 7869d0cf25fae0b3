// Boundaries whose edges cross one another everywhere, or all in one place (ADR 0006), are answered as by the exact
// oracle.

import fc from 'fast-check';
import type { Position } from 'geojson';
import { BoundaryMatcher } from '../../shared/search/index/boundary-matcher';
import type { Geometry } from '../../shared/values/geometry';
import { oracleContains } from './boundary-oracle';

test('answers as an exact oracle does where hundreds of edges cross one another, in one area and in many', () => {
  const ring = fc
    .array(fc.tuple(fc.nat(100), fc.nat(30)), { minLength: 300, maxLength: 400 })
    .map((positions): Position[] => [...positions, ...positions.slice(0, 1)]);
  const triangles = fc
    .array(fc.tuple(fc.nat(100), fc.nat(30), fc.nat(100), fc.nat(30), fc.nat(100), fc.nat(30)), {
      minLength: 100,
      maxLength: 120,
    })
    .map((corners): Position[][][] =>
      corners.map(([a, b, c, d, e, f]) => [
        [
          [a, b],
          [c, d],
          [e, f],
          [a, b],
        ],
      ]),
    );
  const boundary = fc.oneof(
    ring.map((coordinates): Geometry => ({ type: 'Polygon', coordinates: [coordinates] })),
    triangles.map((coordinates): Geometry => ({ type: 'MultiPolygon', coordinates })),
    ring.map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
  );
  fc.assert(
    fc.property(boundary, (crossed) => {
      const matcher = new BoundaryMatcher(crossed);
      const points: Position[] = [];
      for (let x = 0.5; x <= 100; x += 4.5) for (let y = 0; y <= 30; y += 2.5) points.push([x, y]);
      const together = [...matcher.matchesPoints(Float64Array.from(points.flat()))];
      expect(together).toEqual(points.map((point) => Number(oracleContains(crossed, point))));
      expect(points.map(([x = NaN, y = NaN]) => Number(matcher.matchesPoint(x, y)))).toEqual(together);
    }),
    { numRuns: 6 },
  );
});

test('answers as an exact oracle does where positions crowd in a knot of edges', () => {
  // From one side of a square to the opposite one, near its middle.
  const end = fc.tuple(fc.nat(1000), fc.boolean(), fc.integer({ min: -9, max: 9 }));
  const acrossMiddle = fc.array(end, { minLength: 150, maxLength: 170 }).map((ends) =>
    ends.map(([at, isUpright, aside]): [Position, Position] => {
      const [from, to]: [Position, Position] = [
        [at, 0],
        [1000 - at + aside, 1000],
      ];
      return isUpright ? [from, to] : [from.toReversed(), to.toReversed()];
    }),
  );
  const boundary = fc.oneof(
    acrossMiddle.map((strokes): Geometry => ({ type: 'Polygon', coordinates: [closed(strokes.flat())] })),
    acrossMiddle.map((strokes): Geometry => ({
      type: 'MultiPolygon',
      coordinates: strokes.map(([from, to]) => [closed([from, to, [to[0] ?? NaN, 1001]])]),
    })),
    acrossMiddle.map((strokes): Geometry => ({ type: 'MultiLineString', coordinates: strokes })),
  );
  const near = fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: -40, max: 40 }));
  const positions = fc.array(near, { minLength: 300, maxLength: 400 });
  fc.assert(
    fc.property(boundary, positions, (knot, asked) => {
      const matcher = new BoundaryMatcher(knot);
      const points = asked.map(([x, y]): Position => [500 + x / 8, 500 + y / 8]);
      const together = [...matcher.matchesPoints(Float64Array.from(points.flat()))];
      expect(together).toEqual(points.map((point) => Number(oracleContains(knot, point))));
      expect(points.map(([x = NaN, y = NaN]) => Number(matcher.matchesPoint(x, y)))).toEqual(together);
    }),
    { numRuns: 8 },
  );
});

function closed(path: readonly Position[]): Position[] {
  return [...path, ...path.slice(0, 1)];
}
