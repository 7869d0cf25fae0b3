// The direction of rings in GeoJSON (RFC 7946, section 3.1.6).

import type { Position } from 'geojson';
import { withRightHandRule } from '../../shared/values/geometry';

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
