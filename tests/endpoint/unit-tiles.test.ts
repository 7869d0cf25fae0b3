// Vector tiles of reporting units (D50): areas, and points where areas are too small to be drawn.

import { aggregatedAmount, lookupsOf } from '../fixtures/handmade';
import { featuresOf, tilePath, tilesOfZoom } from '../fixtures/read-tiles';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

afterAll(() => service.close());

const square = (west: number, south: number, size: number): string => {
  const [east, north] = [west + size, south + size];
  return `POLYGON ((${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}, ${west} ${south}))`;
};
// The tiles of zoom 2 meet at -90, 0: the first square has its middle west of that.
const units = [
  {
    ReportingUnitUUID: 'R1',
    ReportingUnitName: 'Wide',
    ReportingUnitTypeCV: 'Basin',
    Geometry: square(-100, 30, 15),
  },
  {
    ReportingUnitUUID: 'R2',
    ReportingUnitName: 'Small',
    ReportingUnitTypeCV: 'County',
    Geometry: square(-80, 30, 0.01),
  },
  { ReportingUnitUUID: 'R3', ReportingUnitName: 'Other', Geometry: square(-80.005, 30, 0.01) },
  { ReportingUnitUUID: 'R4', ReportingUnitName: 'Unused', Geometry: square(-70, 30, 5) },
  { ReportingUnitUUID: 'R5', ReportingUnitName: 'Nowhere' },
];

beforeAll(() =>
  service.load({
    ...lookupsOf(),
    'reportingunits.csv': units,
    'aggregatedamounts.csv': ['R1', 'R2', 'R3', 'R5'].map((ReportingUnitUUID) =>
      aggregatedAmount({ ReportingUnitUUID }),
    ),
  }),
);

test('an area is drawn in each tile that it touches, and counted in that of its middle', async () => {
  const tiles = await tilesOfZoom(service, 'reporting-units', 2);
  const wide = tiles.flatMap(({ column, features }) =>
    features.filter(({ type }) => type === 3).map((feature) => ({ column, ...feature })),
  );
  expect(wide.map(({ column, properties }) => [column, properties])).toEqual(
    [1, 0].map((count, column) => [
      column,
      { id: 'ORG_1~R1', name: 'Wide', count, organization: 'ORG_1', type: 'Basin' },
    ]),
  );
  // West and east of the square in the tile of column 0, which is 90 degrees wide; the buffer is cut off at 64.
  const [ring = []] = wide[0]?.geometry ?? [];
  expect([Math.min(...ring.map(({ x }) => x)), Math.max(...ring.map(({ x }) => x))]).toEqual([
    Math.round((80 / 90) * 4096),
    4096 + 64,
  ]);
  expect(ring[0]).toEqual(ring.at(-1));
});

test('areas under a pixel stand as one point with their count, and larger ones each by itself', async () => {
  const [world] = await tilesOfZoom(service, 'reporting-units', 0);
  const small = world?.features.filter(({ type }) => type === 1) ?? [];
  expect(small.map(({ properties }) => properties['count'])).toEqual([2]);
  const near = await service.get(tilePath('reporting-units', { zoom: 9, row: 211, column: 142 }));
  const areas = featuresOf(near, 'reporting-units').filter(({ type }) => type === 3);
  expect(areas.map(({ properties }) => [properties['name'], properties['count']])).toEqual([
    ['Small', 1],
    ['Other', 1],
  ]);
});
