// Random geometries for fast-check. Those on a lattice often touch, overlap or coincide, and products of their whole
// numbers are exact.

import fc from 'fast-check';
import type { Position } from 'geojson';
import type { Box, Geometry } from '../../shared/values/geometry';

const SMALL_LATTICE = 6;
export const LARGE_LATTICE = 40;

function latticePosition(size: number): fc.Arbitrary<Position> {
  return fc.tuple(fc.nat(size), fc.nat(size));
}

function latticeRing(size: number, maximum: number): fc.Arbitrary<Position[]> {
  return fc
    .array(latticePosition(size), { minLength: 3, maxLength: maximum })
    .map((positions) => [...positions, ...positions.slice(0, 1)]);
}

export function latticeGeometry(): fc.Arbitrary<Geometry> {
  return composeGeometry(latticePosition(SMALL_LATTICE), latticeRing(SMALL_LATTICE, 7));
}

/** Any geometry that D15 accepts. Negative zero does not occur, because text cannot represent it. */
export function anyGeometry(): fc.Arbitrary<Geometry> {
  const ordinate = (limit: number): fc.Arbitrary<number> =>
    fc.double({ min: -limit, max: limit, noNaN: true }).map((value) => value + 0);
  const position = fc.tuple(ordinate(180), ordinate(90)).map(([longitude, latitude]) => [longitude, latitude]);
  const ring = fc.array(position, { minLength: 3, maxLength: 6 }).map((open) => [...open, ...open.slice(0, 1)]);
  return composeGeometry(position, ring);
}

/** A geometry of any type, from positions and closed rings. */
function composeGeometry(position: fc.Arbitrary<Position>, ring: fc.Arbitrary<Position[]>): fc.Arbitrary<Geometry> {
  const line = fc.array(position, { minLength: 2, maxLength: 5 });
  const rings = fc.array(ring, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    fc.record({ type: fc.constant('Point'), coordinates: position }),
    fc.record({ type: fc.constant('MultiPoint'), coordinates: fc.array(position, { minLength: 1, maxLength: 4 }) }),
    fc.record({ type: fc.constant('LineString'), coordinates: line }),
    fc.record({ type: fc.constant('MultiLineString'), coordinates: fc.array(line, { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constant('Polygon'), coordinates: rings }),
    fc.record({ type: fc.constant('MultiPolygon'), coordinates: fc.array(rings, { minLength: 1, maxLength: 3 }) }),
  );
}

/**
 * A boundary that has enough edges for the matcher to split its cells several times. Its rings cross themselves and
 * each other.
 */
export function largeBoundary(): fc.Arbitrary<Geometry> {
  const rings = fc.array(latticeRing(LARGE_LATTICE, 30), { minLength: 1, maxLength: 4 });
  const star = fc
    .array(fc.integer({ min: 3, max: LARGE_LATTICE / 2 }), { minLength: 20, maxLength: 60 })
    .map((radii) => starRing(radii));
  const positions = (minLength: number) => fc.array(latticePosition(LARGE_LATTICE), { minLength, maxLength: 60 });
  return fc.oneof(
    fc.record({ type: fc.constant('Polygon'), coordinates: fc.tuple(star) }),
    fc.record({ type: fc.constant('Polygon'), coordinates: rings }),
    fc.record({ type: fc.constant('MultiPolygon'), coordinates: fc.array(rings, { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constant('LineString'), coordinates: positions(2) }),
    fc.record({ type: fc.constant('MultiPoint'), coordinates: positions(1) }),
  );
}

function starRing(radii: readonly number[]): Position[] {
  const center = LARGE_LATTICE / 2;
  const positions = radii.map((radius, index): Position => {
    const angle = (2 * Math.PI * index) / radii.length;
    return [Math.round(center + radius * Math.cos(angle)), Math.round(center + radius * Math.sin(angle))];
  });
  return [...positions, ...positions.slice(0, 1)];
}

export function latticeBox(): fc.Arbitrary<Box> {
  return fc
    .tuple(latticePosition(LARGE_LATTICE), fc.nat(12), fc.nat(12))
    .map(([[x = 0, y = 0], width, height]): Box => [x, y, x + width, y + height]);
}

/** The positions with whole numbers in a box, including its border. */
export function listPoints(box: Box): Position[] {
  const points: Position[] = [];
  for (let x = box[0]; x <= box[2]; x++) {
    for (let y = box[1]; y <= box[3]; y++) points.push([x, y]);
  }
  return points;
}

export function moveBy(geometry: Geometry, dx: number, dy: number): Geometry {
  const moved = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    const [x, y] = value as readonly unknown[];
    return typeof x === 'number' && typeof y === 'number' ? [x + dx, y + dy] : value.map(moved);
  };
  return { ...geometry, coordinates: moved(geometry.coordinates) } as Geometry; // The coordinates keep their shape.
}
