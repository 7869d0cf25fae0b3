// The drawings on a page have a limited size, whatever the coordinates and amounts are (D49).

import fc from 'fast-check';
import { computeTicks } from '../../explorer/views/chart/chart';
import { listMultiples } from '../../shared/http/pages/features/drawing';
import { drawPlaceMap, drawStateMap } from '../../shared/http/pages/features/feature-maps';
import { drawSeriesChart } from '../../shared/http/pages/features/series-chart';
import type { SeriesFigures, TimeFigures } from '../../shared/http/pages/features/series-figures';
import type { DaySpan } from '../../shared/values/dates';
import type { Geometry } from '../../shared/values/geometry';

const point = (longitude: number, latitude: number): Geometry => ({
  type: 'Point',
  coordinates: [longitude, latitude],
});

/** A map with a label for each line has at most this many lines in each direction. */
const MAX_LINES = 6;

function countLines(drawing: string): number {
  return drawing.split('<text').length - 1;
}

test.each([
  ['at the North Pole', 0, 90],
  ['at the South Pole', 0, -90],
  ['near the North Pole', 12, 89.99999999],
  ['near the South Pole', -111, -89.9999999999],
  ['where a double is closest to 90', -111, 89.99999999999999],
  ['at the corner of the world', 180, 90],
  ['next to zero', 5e-324, -5e-324],
  ['in Utah', -111.8, 40.7],
])('a point %s is drawn with a few lines', (_place, longitude, latitude) => {
  const drawing = drawPlaceMap(point(longitude, latitude), 'A site').text;
  expect(drawing).not.toMatch(/NaN|Infinity/);
  expect(countLines(drawing)).toBeGreaterThan(0);
  expect(countLines(drawing)).toBeLessThanOrEqual(2 * MAX_LINES);
});

const extremes = fc.constantFrom(90, -90, 180, -180, 0, 89.99999999, -89.99999999, 5e-324, -5e-324, 1e-300);
const longitudes = fc.oneof(extremes, fc.double({ min: -180, max: 180, noNaN: true }));
const latitudes = fc.oneof(
  extremes.map((degrees) => Math.max(-90, Math.min(90, degrees))),
  fc.double({ min: -90, max: 90, noNaN: true }),
);
const positions = fc.array(fc.tuple(longitudes, latitudes), { minLength: 1, maxLength: 6 });

test('a drawing of any geometry has bounds and finite coordinates', () => {
  fc.assert(
    fc.property(positions, fc.constantFrom('MultiPoint', 'LineString'), (coordinates, type) => {
      const drawing = drawPlaceMap({ type, coordinates }, 'A place').text;
      expect(drawing).not.toMatch(/NaN|Infinity/);
      expect(countLines(drawing)).toBeLessThanOrEqual(2 * MAX_LINES);
    }),
  );
});

/** A spiral that crosses the whole map repeatedly: each corner is far from the previous corner. */
const spiral = Array.from({ length: 100_000 }, (_, index): [number, number] => [
  (index % 2 === 0 ? -100 : -110) + index / 100_000,
  30 + (index % 1000) / 100,
]);

const dots = Array.from({ length: 20_000 }, (_, index): [number, number] => [
  -110 + (index % 200) / 20,
  30 + index / 2000,
]);

test.each<[string, Geometry]>([
  ['points', { type: 'MultiPoint', coordinates: spiral }],
  ['a line', { type: 'LineString', coordinates: spiral }],
  [
    'many lines',
    {
      type: 'MultiLineString',
      coordinates: dots.map(([x, y]) => [
        [x, y],
        [x + 1, y + 1],
      ]),
    },
  ],
  ['an area', { type: 'Polygon', coordinates: [spiral] }],
  [
    'many areas',
    {
      type: 'MultiPolygon',
      coordinates: dots.map(([x, y]) => [
        [
          [x, y],
          [x + 1, y],
          [x, y + 1],
          [x, y],
        ],
      ]),
    },
  ],
])('%s with a hundred thousand corners are drawn in at most 500 KB', (_shape, geometry) => {
  expect(drawPlaceMap(geometry, 'A place').text.length).toBeLessThan(500_000);
  const area: Geometry = {
    type: 'Polygon',
    coordinates: [
      [
        [-180, 0],
        [0, 0],
        [0, 80],
        [-180, 80],
        [-180, 0],
      ],
    ],
  };
  const drawn = drawStateMap(geometry, [{ name: 'Everywhere', area }]);
  expect(drawn === '' ? 0 : drawn.text.length).toBeLessThan(500_000);
});

function createSeries(timeframes: readonly (readonly [span: DaySpan, amount: number])[]): SeriesFigures {
  return {
    variable: {},
    counted: { variable: 0, records: timeframes.length, years: 1, days: undefined },
    years: [],
    timeframes: timeframes.map(([time, amount]): TimeFigures<DaySpan> => ({
      time,
      records: 1,
      count: 1,
      sum: amount,
      mean: amount,
      lowest: amount,
      highest: amount,
    })),
  };
}

const amounts = fc.oneof(
  fc.constantFrom(0, 5e-324, -5e-324, 1e-323, 1e20, 1e308, -1e308, Number.MAX_VALUE, -Number.MAX_VALUE),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

test('a chart of any two amounts has bounds and finite coordinates', () => {
  fc.assert(
    fc.property(amounts, amounts, fc.boolean(), (first, second, isYearly) => {
      const days = isYearly ? 364 : 0;
      const chart = drawSeriesChart(
        createSeries([
          [{ first: 0, last: days }, first],
          [{ first: 400, last: 400 + days }, second],
        ]),
        'Amounts',
      );
      const text = chart === '' ? '' : chart.text;
      expect(text.replaceAll(/<title>[^]*?<\/title>|<text[^]*?<\/text>/g, '')).not.toMatch(/NaN|Infinity/);
      expect(countLines(text)).toBeLessThanOrEqual(16);
    }),
  );
});

test('a chart of 50,000 overlapping timeframes is drawn in at most 100 KB', () => {
  const series = createSeries(Array.from({ length: 50_000 }, (_, day) => [{ first: day, last: day + 365 }, day % 977]));
  const chart = drawSeriesChart(series, 'Amounts');
  expect(chart === '' ? 0 : chart.text.length).toBeLessThan(100_000);
});

test.each([
  ['if the step is zero', -1e-323, 1e-323, 0],
  ['if the step is far too small', 0, 1, 1e-12],
  ['between infinite bounds', -Infinity, Infinity, 1],
  ['between bounds that are not numbers', NaN, NaN, 1],
])('there are no lines %s', (_case, min, max, step) => {
  expect(listMultiples(min, max, step)).toEqual([]);
});

test('the explorer has few ticks between any two amounts', () => {
  fc.assert(
    fc.property(amounts, amounts, (a, b) => {
      expect(computeTicks(Math.min(a, b), Math.max(a, b), 5).length).toBeLessThanOrEqual(50);
    }),
  );
});
