// The small map of a right's points: which points it shows, that all of them lie inside it, and that its scale is
// uniform.

import fc from 'fast-check';
import {
  chooseScaleBar,
  type DrawnPoint,
  drawRings,
  fitFrame,
  HEIGHT,
  placeNames,
  placePoints,
  readSitePoints,
  type SitePoint,
  WIDTH,
} from '../../explorer/views/panels/points-drawing';

const read =
  (members: Readonly<Record<string, string>>) =>
  (name: string): string =>
    members[name] ?? '';

test('reads the position and the role of each site, and leaves out sites without a position', () => {
  const members = { Longitude: '-98.5||-99', Latitude: '35.25||36', PODorPOUSite: 'POD|POU|pou ' };
  expect(readSitePoints(read(members))).toEqual([
    { longitude: -98.5, latitude: 35.25, role: 'POD' },
    { longitude: -99, latitude: 36, role: 'POU' },
  ]);
});

test.each([
  [{}],
  [{ Longitude: '', Latitude: '', PODorPOUSite: 'POD' }],
  [{ Longitude: '-98.5', Latitude: '' }],
  [{ Longitude: '-198.5', Latitude: '12' }],
])('finds no point in %j', (members) => {
  expect(readSitePoints(read(members))).toEqual([]);
});

const point: fc.Arbitrary<SitePoint> = fc.record({
  longitude: fc.double({ min: -170, max: -65, noNaN: true }),
  latitude: fc.double({ min: 18, max: 71, noNaN: true }),
  role: fc.constantFrom('POD', 'POU', ''),
});

const points = fc.oneof(
  fc.array(point, { minLength: 1, maxLength: 20 }),
  // Points near each other, as in most rights.
  fc
    .tuple(point, fc.array(fc.double({ min: -0.3, max: 0.3, noNaN: true }), { minLength: 1, maxLength: 10 }))
    .map(([first, steps]) => steps.map((step) => ({ ...first, longitude: first.longitude + step }))),
);

test('all points of a right lie inside its map', () => {
  fc.assert(
    fc.property(points, (sites) => {
      const drawn = placePoints(sites, fitFrame(sites));
      expect(drawn.length).toBeGreaterThan(0);
      expect(drawn.filter(({ x, y }) => !(x >= 10 && x <= WIDTH - 10 && y >= 10 && y <= HEIGHT - 10))).toEqual([]);
      expect(new Set(drawn.map(({ role }) => role))).toEqual(new Set(sites.map(({ role }) => role)));
    }),
  );
});

test('a mile has the same length in every direction, and the scale bar has the length that it states', () => {
  fc.assert(
    fc.property(points, (sites) => {
      const frame = fitFrame(sites);
      const latitudes = sites.map(({ latitude }) => latitude);
      const middle = (Math.min(...latitudes) + Math.max(...latitudes)) / 2;
      const [x, y] = frame.project(-100, middle);
      const milesNorth = Math.abs(frame.project(-100, middle + 1)[1] - y) * frame.milesPerPixel;
      const milesEast = (frame.project(-99, middle)[0] - x) * frame.milesPerPixel;
      expect(milesNorth).toBeCloseTo(69.05, 3);
      expect(milesEast).toBeCloseTo(69.05 * Math.cos((middle * Math.PI) / 180), 3);
      const { miles, pixels } = chooseScaleBar(frame);
      expect(pixels * frame.milesPerPixel).toBeCloseTo(miles, 6);
    }),
  );
});

test('draws the outlines that are in the map, and no others', () => {
  const site: SitePoint = { longitude: -98, latitude: 35, role: '' };
  const square = (west: number, south: number): number[][] => [
    [west, south],
    [west + 1, south],
    [west + 1, south + 1],
    [west, south],
  ];
  const frame = fitFrame([site]);
  expect(drawRings([square(-98.5, 34.5)], frame)).toMatch(/^M[-\d. L]+Z$/);
  expect(drawRings([square(-98.5, 34.5), square(-88, 34.5)], frame)).toBe(drawRings([square(-98.5, 34.5)], frame));
  expect(drawRings([square(-98.5, 44)], frame)).toBe('');
});

test('names of counties cover neither each other nor points', () => {
  const cell = (west: number, size: number): number[][] => [
    [west, 34.9],
    [west + size, 34.9],
    [west + size, 34.9 + size],
    [west, 34.9 + size],
    [west, 34.9],
  ];
  const frame = fitFrame([{ longitude: -98, latitude: 35, role: '' }]);
  const areas = [
    { name: 'Caddo', ring: cell(-98.2, 0.2) },
    { name: 'Grady', ring: cell(-98.19, 0.2) },
    { name: 'Coal', ring: cell(-97.95, 0.2) },
    { name: 'A county with a long name', ring: cell(-97.95, 0.05) },
    { name: 'Far', ring: cell(-90, 0.2) },
  ];
  const namesBeside = (points: readonly DrawnPoint[]): readonly string[] =>
    placeNames(areas, points, frame).map(({ name }) => name);
  const free = placeNames(areas, [], frame);
  expect(free.map(({ name }) => name)).toEqual(['Caddo', 'Grady', 'Coal']);
  const [caddo, grady] = free;
  expect(Math.abs((caddo?.y ?? 0) - (grady?.y ?? 0))).toBeGreaterThanOrEqual(11);
  const atCaddo: DrawnPoint = { x: caddo?.x ?? 0, y: caddo?.y ?? 0, role: 'POD' };
  const [moved] = placeNames(areas, [atCaddo], frame);
  expect(moved?.name).toBe('Caddo');
  expect(moved?.y).not.toBe(caddo?.y);
  const crowd = Array.from({ length: 40 }, (_, index): DrawnPoint => ({ x: atCaddo.x, y: index * 6, role: 'POU' }));
  expect(namesBeside(crowd)).not.toContain('Caddo');
});
