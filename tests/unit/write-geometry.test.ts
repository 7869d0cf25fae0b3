// Large geometries are written in steps, with the same text as JSON.stringify writes.

import { writeGeometryInSteps } from '../../shared/render/write-geometry';
import type { Geometry } from '../../shared/values/geometry';

const POSITIONS = 25_000;

const ring = Array.from({ length: POSITIONS }, (_, index) => [-111 + index / 1e6, 40 + ((index * 7) % 1000) / 3e3]);
const triangle = [
  [0, 0],
  [1e-7, 0],
  [1, 1e21],
  [0, 0],
];

const geometries: Readonly<Record<string, Geometry | null>> = {
  'no geometry': null,
  'a point': { type: 'Point', coordinates: [-111.5, 40] },
  points: { type: 'MultiPoint', coordinates: ring.slice(0, 3) },
  'a line': { type: 'LineString', coordinates: ring },
  'a triangle': { type: 'Polygon', coordinates: [triangle] },
  'a large area with a hole': { type: 'Polygon', coordinates: [ring, triangle] },
  'an area with a large hole': { type: 'Polygon', coordinates: [triangle, ring] },
  'several areas': { type: 'MultiPolygon', coordinates: [[triangle], [ring, triangle], [ring]] },
};

function write(geometry: Geometry | null): { readonly text: string; readonly steps: number } {
  const writing = writeGeometryInSteps(geometry);
  for (let steps = 0; ; steps++) {
    const { done, value } = writing.next();
    if (done === true) return { text: value, steps };
  }
}

test.each(Object.keys(geometries))('%s is written as JSON.stringify writes it', (name) => {
  expect(write(geometries[name] ?? null).text === JSON.stringify(geometries[name])).toBe(true);
});

test('a large area takes several steps, and a small area takes none', () => {
  expect(write(geometries['a large area with a hole'] ?? null).steps).toBeGreaterThan(1);
  expect(write(geometries['several areas'] ?? null).steps).toBeGreaterThan(2);
  expect(write(geometries['a triangle'] ?? null).steps).toBe(0);
});
