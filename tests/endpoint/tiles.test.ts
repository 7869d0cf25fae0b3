// Vector tiles (D50): the content of a tile, and the descriptions of tiles.

import { buildTileTemplate } from '../../explorer/requests/tiles';
import { boxPolygon } from '../fixtures/boundary-oracle';
import { aggregatedAmount, allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { readTileFeatures, readTilesOfZoom, sumTileCounts, writeTilePath } from '../fixtures/read-tiles';
import type { Row } from '../fixtures/submission';
import { type Answer, createLoadedService } from '../fixtures/test-service';

const WORLD = { zoom: 0, row: 0, column: 0 };

/**
 * Two sites some 30 meters apart in Utah, a site just east of an edge between tiles, and a site without coordinates.
 */
const sites = [
  { SiteUUID: 'S1', SiteName: 'North', SiteTypeCV: 'Well', Longitude: '-111.9', Latitude: '40.7', PODorPOUSite: 'POD' },
  { SiteUUID: 'S2', SiteName: 'South', SiteTypeCV: 'Well', Longitude: '-111.9', Latitude: '40.6997' },
  { SiteUUID: 'S3', SiteName: 'East', SiteTypeCV: 'Ditch', Longitude: '-101.24999', Latitude: '39.5' },
  { SiteUUID: 'S4', SiteName: 'Lost' },
  { SiteUUID: 'S5', SiteName: 'Unused', Longitude: '-100', Latitude: '39' },
];

const rights = [
  { AllocationNativeID: 'A1', SiteUUID: 'S1,S2', AllocationOwner: 'Ann', AllocationPriorityDate: '1887-05-01' },
  { AllocationNativeID: 'A2', SiteUUID: 'S1', AllocationLegalStatusCV: 'Active', BeneficialUseCategory: 'Irrigation' },
  {
    AllocationNativeID: 'A3',
    SiteUUID: 'S3,S4',
    AllocationLegalStatusCV: 'Active',
    AllocationTypeCV: 'Decree',
    AllocationFlow_CFS: 2.5,
  },
  { AllocationNativeID: 'A4', SiteUUID: 'S4' },
];

const UNDATED = { TimeframeStart: '', TimeframeEnd: '', ReportYearCV: '' };

const service = createLoadedService(
  { ...buildLookups(), 'sites.csv': sites, 'waterallocations.csv': rights.map(allocation) },
  {
    ...buildLookups(),
    'variables.csv': [
      ...(buildLookups()['variables.csv'] ?? []),
      { VariableSpecificUUID: 'V2', VariableSpecificCV: 'Delivered', VariableCV: 'Delivered' },
    ],
    'sites.csv': sites,
    'sitespecificamounts.csv': [
      siteAmount({ SiteUUID: 'S1' }),
      siteAmount({ SiteUUID: 'S1', VariableSpecificUUID: 'V2' }),
      siteAmount({ SiteUUID: 'S2', ...UNDATED }),
    ],
  },
);

function fetchTile(collection: string, address = WORLD, query = ''): Promise<Answer> {
  return service.get(writeTilePath(collection, address, query));
}

test('draws a right once at each of its points, and points closer than a pixel as one feature', async () => {
  const answer = await fetchTile('allocations');
  expect(answer.headers).toMatchObject({
    'Content-Type': 'application/vnd.mapbox-vector-tile',
    'X-Total-Count': '4',
    'Cache-Control': 'private, no-cache',
  });
  const features = readTileFeatures(answer, 'allocations');
  expect(features.map(({ properties }) => properties['count'])).toEqual([3, 1]);
});

test('a single point has its identifier, its name and the values by which maps color it', async () => {
  const features = readTileFeatures(await fetchTile('allocations'), 'allocations');
  expect(features[1]?.properties).toEqual({
    id: 'ORG_1~A3',
    name: 'A3',
    count: 1,
    organization: 'ORG_1',
    type: 'Decree',
    status: 'Active',
    flow: 2.5,
  });
});

test('shows points separately at zoom 14 and above', async () => {
  const [utah] = await readTilesOfZoom(service, 'allocations', 14, '?SiteUUID=S1');
  expect(utah?.features.map(({ properties }) => [properties['id'], properties['name'], properties['decade']])).toEqual([
    ['ORG_1~A1', 'Ann', 1880],
    ['ORG_1~A2', 'A2', undefined],
    ['ORG_1~A1', 'Ann', 1880],
  ]);
});

test('draws a site of two data sets once, and a site without records not at all', async () => {
  const tiles = await readTilesOfZoom(service, 'sites', 16);
  const ids = tiles.flatMap(({ features }) => features.filter(({ properties }) => properties['count'] === 1));
  expect(ids.map(({ properties }) => properties['id']).sort()).toEqual(['ORG_1~S1', 'ORG_1~S2', 'ORG_1~S3']);
  expect(ids.find(({ properties }) => properties['id'] === 'ORG_1~S1')?.properties).toEqual({
    id: 'ORG_1~S1',
    name: 'North',
    count: 1,
    organization: 'ORG_1',
    type: 'Well',
    podOrPou: 'POD',
    variable: 'Delivered; Withdrawal',
  });
});

test('draws but does not count points in the buffer of a tile', async () => {
  const tiles = (await Promise.all([15, 16].map((zoom) => readTilesOfZoom(service, 'sites', zoom)))).flat();
  const outside = tiles.flatMap(({ features }) => features.filter(({ properties }) => 'outside' in properties));
  expect(outside.map(({ properties }) => [properties['id'], properties['outside']])).toEqual([
    ['ORG_1~S3', 1],
    ['ORG_1~S3', 1],
  ]);
  for (const { properties, geometry } of outside) {
    expect(properties['count']).toBe(0);
    const { x = NaN, y = NaN } = geometry[0]?.[0] ?? {};
    expect(x < 0 || y < 0 || x >= 4096 || y >= 4096).toBe(true);
  }
  expect(sumTileCounts(tiles)).toBe(2 * 3);
});

test('clusters the points of a square on request, with the same total count', async () => {
  const query = '?cluster=64';
  // The sites in Utah and the site in Kansas, ten degrees apart, share a square of 90 degrees but not one of 11
  // degrees.
  const clusters = async (zoom: number): Promise<unknown> =>
    (await readTilesOfZoom(service, 'allocations', zoom, query)).flatMap(({ features }) =>
      features.flatMap(({ properties: { count, id } }) => (count === 0 ? [] : [[count, id]])),
    );
  expect(await clusters(0)).toEqual([[4, undefined]]);
  expect(await clusters(3)).toEqual([
    [3, undefined],
    [1, 'ORG_1~A3'],
  ]);
  expect(await clusters(14)).toHaveLength(4);
  expect((await fetchTile('allocations', WORLD, query)).headers['X-Total-Count']).toBe('4');
  expect((await fetchTile('allocations', WORLD, query)).headers['ETag']).not.toBe(
    (await fetchTile('allocations')).headers['ETag'],
  );
});

test('accepts the filters of the operation, and a data version', async () => {
  const answer = await fetchTile('allocations', WORLD, '?AllocationLegalStatusCV=active');
  expect(answer.headers['X-Total-Count']).toBe('2');
  const version = answer.headers['Data-Version'] ?? '';
  expect((await fetchTile('allocations', WORLD, `?DataVersion=${version}`)).headers['X-Total-Count']).toBe('4');
});

test('shows the sites and units that the operation lists with the same filters', async () => {
  for (const query of [
    '?SiteTypeCV=Well',
    '?VariableCV=Withdrawal',
    '?SearchBoundary=bbox:-112,40,-111,41',
    '?MinimumYears=2',
  ]) {
    const listed = await service.get(`/v1/Sites${query}`);
    const placed = listed.json.Organizations.flatMap(({ Sites }: { Sites: { Longitude: string | null }[] }) => Sites);
    const count = placed.filter(({ Longitude }: { Longitude: string | null }) => Longitude !== null).length;
    expect([query, (await fetchTile('sites', WORLD, query)).headers['X-Total-Count']]).toEqual([query, String(count)]);
  }
});

test('tiles of the explorer show all sites with amounts, including amounts without a date', async () => {
  const address = buildTileTemplate('', { kind: 'series', filters: {} }).replace('{z}/{y}/{x}', '0/0/0');
  expect((await service.get(address)).headers['X-Total-Count']).toBe('2');
});

test('q matches the same features in tiles and in items (D50, D60)', async () => {
  const { json } = await service.get('/ogc/collections/sites/items?q=s1');
  expect(json.numberMatched).toBe(1);
  expect((await fetchTile('sites', WORLD, '?q=s1')).headers['X-Total-Count']).toBe('1');
});

test('decodes each part of the path of a tile exactly once', async () => {
  const at = '/ogc/collections/sites/tiles/WebMercatorQuad';
  expect((await service.get(`${at}/%30/0/0`)).headers['ETag']).toBe((await fetchTile('sites')).headers['ETag']);
  expect((await service.get(`${at}/%2530/0/0`)).status).toBe(404);
});

test('an empty tile is a 204', async () => {
  const { status, bytes, headers } = await fetchTile('allocations', { zoom: 5, row: 0, column: 0 });
  expect([status, bytes.length, headers['X-Total-Count']]).toEqual([204, 0, '0']);
  expect((await fetchTile('allocations', WORLD, '?SiteUUID=none')).status).toBe(204);
});

describe('with spacing', () => {
  /** A grid of sites in steps of 0.4 degrees. */
  const grid = Array.from({ length: 400 }, (_, index) => ({
    SiteUUID: `G${index}`,
    Longitude: String(-112 + 0.4 * (index % 20)),
    Latitude: String(36 + 0.4 * Math.floor(index / 20)),
  }));
  const spaced = createLoadedService({
    ...buildLookups(),
    'sites.csv': grid,
    'sitespecificamounts.csv': grid.map(({ SiteUUID }) => siteAmount({ SiteUUID })),
  });

  test.each([3, 5, 6])('features of a tile keep their distance at zoom %d, with the same total count', async (zoom) => {
    const tiles = await readTilesOfZoom(spaced, 'sites', zoom, '?cluster=8&spacing=16');
    expect(sumTileCounts(tiles)).toBe(grid.length);
    for (const { features } of tiles) {
      expect(features.filter(({ properties }) => 'outside' in properties)).toEqual([]);
      const positions = features.map(({ geometry }) => geometry[0]?.[0] ?? { x: NaN, y: NaN });
      const distances = positions.flatMap((a, index) =>
        positions.slice(index + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y)),
      );
      // 16 pixels are 256 coordinates of the tile; a position is rounded, and moved from the edge by up to 4 pixels.
      expect(Math.min(Infinity, ...distances)).toBeGreaterThan(256 - 66);
    }
  });
});

test('counts the values of one member in clusters on request, and refuses unknown members', async () => {
  const tile = await fetchTile('allocations', WORLD, '?cluster=64&mix=use');
  const [layer] = await readTilesOfZoom(service, 'allocations', 0, '?cluster=64&mix=use');
  const feature = layer?.features.find(({ properties: { count } }) => Number(count) > 1);
  const mix = JSON.parse(String(feature?.properties['mix'])) as readonly (readonly [string | null, number])[];
  expect(mix.reduce((sum, [, points]) => sum + points, 0)).toBe(4);
  expect(mix[0]?.[0] ?? undefined).toBe(feature?.properties['use']);
  expect(tile.headers['ETag']).not.toBe((await fetchTile('allocations', WORLD, '?cluster=64')).headers['ETag']);
});

test.each([
  ['?Stat=UT', 400],
  ['?f=png', 400],
  ['?crs=EPSG:4326', 400],
  ['?filter=Amount%20=%201', 400],
  ['?f=mvt&f=mvt', 400],
  ['?f=', 200],
  ['?f=mvt', 200],
  ['?cluster=3', 400],
  ['?cluster=1', 200],
  ['?spacing=16', 200],
  ['?spacing=5', 400],
  ['?mix=flavour', 400],
  ['?key=wrong', 401],
])('a tile with %s is %d', async (query, status) => {
  const headers = query.includes('key') ? {} : { 'x-api-key': service.key };
  expect((await service.get(writeTilePath('sites', WORLD, query), headers)).status).toBe(status);
});

test.each([
  '0/0/1',
  '1/2/0',
  '19/0/0',
  '-1/0/0',
  '0/0',
  '0/0/0/0',
  'a/b/c',
  '1e0/0/0',
  '%zz/0/0',
  '01234567890123456789/0/0',
])('there is no tile %s', async (address) => {
  const { status } = await service.get(`/ogc/collections/sites/tiles/WebMercatorQuad/${address}`);
  expect(status).toBe(404);
});

describe('without a key', () => {
  const open = (path: string): Promise<Answer> => service.get(path.replace('http://localhost', ''), {});

  test('TileJSON repeats the parameters of its request in the address of the tiles', async () => {
    const { status, json } = await open(
      '/ogc/collections/allocations/tiles/WebMercatorQuad?f=tilejson&cluster=8&state=UT&State=NV',
    );
    expect(status).toBe(200);
    expect(json).toMatchObject({
      tilejson: '3.0.0',
      tiles: [
        'http://localhost/ogc/collections/allocations/tiles/WebMercatorQuad/{z}/{y}/{x}?State=UT&State=NV&cluster=8',
      ],
      minzoom: 0,
      maxzoom: 18,
    });
    expect(json.vector_layers[0].fields).toMatchObject({ id: 'String', count: 'Number', decade: 'Number' });
  });

  test.each([
    ['/ogc/collections/sites/tiles/WebMercatorQuad?f=png', 400],
    ['/ogc/collections/sites/tiles?f=tilejson', 400],
    ['/ogc/collections/reporting-units/tiles/WebMercatorQuad?cluster=8', 400],
    ['/ogc/collections/sites/tiles/WebMercatorQuad?SiteType=Well', 400],
    ['/ogc/collections/sites/tiles/WorldCRS84Quad', 404],
    ['/ogc/collections/none/tiles', 404],
    ['/ogc/tileMatrixSets/None', 404],
    ['/ogc/collections/sites/tiles/WebMercatorQuad/0/0/0', 401],
  ])('%s is %d', async (path, status) => {
    expect((await open(path)).status).toBe(status);
  });
});

describe('tiles of reporting units', () => {
  const square = (west: number, south: number, size: number): string =>
    boxPolygon([west, south, west + size, south + size]);
  // The tiles of zoom 2 meet at -90, 0: the middle of the first square is west of that.
  const unit = (id: string, name: string, Geometry = '', type = ''): Row => ({
    ReportingUnitUUID: id,
    ReportingUnitName: name,
    ReportingUnitTypeCV: type,
    Geometry,
  });
  const units = [
    unit('R1', 'Wide', square(-100, 30, 15), 'Basin'),
    unit('R2', 'Small', square(-80, 30, 0.01), 'County'),
    unit('R3', 'Other', square(-80.005, 30, 0.01)),
    unit('R4', 'Unused', square(-70, 30, 5)),
    unit('R5', 'Nowhere'),
  ];

  const service = createLoadedService({
    ...buildLookups(),
    'reportingunits.csv': units,
    'aggregatedamounts.csv': ['R1', 'R2', 'R3', 'R5'].map((ReportingUnitUUID) =>
      aggregatedAmount({ ReportingUnitUUID }),
    ),
  });

  test('draws an area in each tile that it touches, and counts it in the tile that contains its middle', async () => {
    const tiles = await readTilesOfZoom(service, 'reporting-units', 2);
    const wide = tiles.flatMap(({ column, features }) =>
      features.filter(({ type }) => type === 3).map((feature) => ({ column, ...feature })),
    );
    expect(wide.map(({ column, properties }) => [column, properties])).toEqual(
      [1, 0].map((count, column) => [
        column,
        { id: 'ORG_1~R1', name: 'Wide', count, organization: 'ORG_1', type: 'Basin' },
      ]),
    );
    // West and east of the square in the tile of column 0, which is 90 degrees wide; the buffer ends at 64.
    const [ring = []] = wide[0]?.geometry ?? [];
    expect([Math.min(...ring.map(({ x }) => x)), Math.max(...ring.map(({ x }) => x))]).toEqual([
      Math.round((80 / 90) * 4096),
      4096 + 64,
    ]);
    expect(ring[0]).toEqual(ring.at(-1));
  });

  test('draws areas smaller than a pixel as one point with their count, and larger ones as areas', async () => {
    const [world] = await readTilesOfZoom(service, 'reporting-units', 0);
    const small = world?.features.filter(({ type }) => type === 1) ?? [];
    expect(small.map(({ properties }) => properties['count'])).toEqual([2]);
    const near = await service.get(writeTilePath('reporting-units', { zoom: 9, row: 211, column: 142 }));
    const areas = readTileFeatures(near, 'reporting-units').filter(({ type }) => type === 3);
    expect(areas.map(({ properties }) => [properties['name'], properties['count']])).toEqual([
      ['Small', 1],
      ['Other', 1],
    ]);
  });
});
