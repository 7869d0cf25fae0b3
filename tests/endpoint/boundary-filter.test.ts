// The boundary filter (D15, D14) over sites with a point, a geometry, both and neither. Amounts name the records.

import { aggregatedAmount, allocation, found, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

const AREA = 'POLYGON ((-111 39, -110 39, -110 40, -111 40, -111 39))';

beforeAll(async () => {
  await service.load({
    ...lookupsOf(),
    'sites.csv': [
      { SiteUUID: 'S1', Longitude: '-111.5', Latitude: '40.5' },
      { SiteUUID: 'S2', Geometry: AREA },
      { SiteUUID: 'S3', Longitude: '-100', Latitude: '30', Geometry: 'LINESTRING (-105 35, -104 36)' },
      { SiteUUID: 'S4', Longitude: '0', Latitude: '0' },
      { SiteUUID: 'S5', Longitude: '-90', Latitude: '30', Geometry: 'POLYGON ((-120 45, -119 45, -119 46))' },
    ],
    'sitespecificamounts.csv': [1, 2, 3, 4, 5].map((site) => siteAmount({ SiteUUID: `S${site}`, Amount: site })),
    'reportingunits.csv': [
      { ReportingUnitUUID: 'RU1', Geometry: AREA },
      {
        ReportingUnitUUID: 'RU2',
        Geometry: 'POLYGON ((400000 4500000, 400001 4500000, 400001 4500001, 400000 4500000))',
      },
      { ReportingUnitUUID: 'RU3' },
    ],
    'aggregatedamounts.csv': [1, 2, 3].map((unit) =>
      aggregatedAmount({ ReportingUnitUUID: `RU${unit}`, Amount: unit }),
    ),
    'waterallocations.csv': [
      allocation({ AllocationNativeID: 'one', SiteUUID: 'S1' }),
      allocation({ AllocationNativeID: 'two', SiteUUID: 'S4,S2' }),
      allocation({ AllocationNativeID: 'without', SiteUUID: '' }),
    ],
  });
});

afterAll(() => service.close());

test.each<[string, string, readonly number[]]>([
  ['around a point', 'POLYGON ((-112 40, -111 40, -111 41, -112 41, -112 40))', [1, 2]],
  ['away from everything', 'POLYGON ((10 10, 11 10, 11 11, 10 11, 10 10))', []],
  ['a point on a point', 'POINT (-111.5 40.5)', [1]],
  ['a point beside a point', 'POINT (-111.5 40.5000001)', []],
  ['a point inside an area', 'POINT (-110.5 39.5)', [2]],
  ['a point on the corner of an area', 'POINT (-110 40)', [2]],
  ['touching the edge of an area', 'POLYGON ((-110 39.2, -109 39.2, -109 39.4, -110 39.4, -110 39.2))', [2]],
  ['just off the edge of an area', 'POLYGON ((-109.999 39.2, -109 39.2, -109 39.4, -109.999 39.2))', []],
  ['a line through an area', 'LINESTRING (-112 39.5, -109 39.5)', [2]],
  ['crossing a line', 'LINESTRING (-105 36, -104 35)', [3]],
  ['the point of a site that has a geometry too', 'POINT (-100 30)', [3]],
  ['the point of a site whose geometry is broken', 'POINT (-90 30)', [5]],
  ['where the broken geometry would be', 'POLYGON ((-121 44, -118 44, -118 47, -121 47, -121 44))', []],
  ['0/0, which is no point', 'POINT (0 0)', []],
  [
    'an area within a hole',
    'POLYGON ((-120 30, -106 30, -106 45, -120 45, -120 30), (-113 38, -109 38, -109 42, -113 42, -113 38))',
    [],
  ],
  ['two parts', 'MULTIPOINT ((-111.5 40.5), (-100 30))', [1, 3]],
  ['with its reference system', 'SRID=4326;POINT (-111.5 40.5)', [1]],
  ['GeoJSON', '{"type":"Polygon","coordinates":[[[-112,40],[-111,40],[-111,41],[-112,41],[-112,40]]]}', [1, 2]],
  ['a feature', '{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[-111.5,40.5]}}', [1]],
  ['the whole world', 'POLYGON ((-180 -90, 180 -90, 180 90, -180 90, -180 -90))', [1, 2, 3, 5]],
])('SearchBoundary %s', async (_, boundary, amounts) => {
  expect(await found(service, `${paths.site}?SearchBoundary=${encodeURIComponent(boundary)}`)).toEqual(amounts);
});

test('a reporting unit is matched by its geometry; one in metres and one without never match', async () => {
  const world = encodeURIComponent('POLYGON ((-180 -90, 180 -90, 180 90, -180 90, -180 -90))');
  expect(await found(service, `${paths.aggregated}?SearchBoundary=${world}`)).toEqual([1]);
  expect(await found(service, `${paths.aggregated}?SearchGeometry=POINT(-109.9+39.5)`)).toEqual([]);
});

test('an allocation is found when any of its sites lies in the boundary', async () => {
  expect(await found(service, `${paths.allocations}?SearchGeometry=POINT(-110.5+39.5)`)).toEqual(['two']);
  expect(await found(service, `${paths.allocations}?SearchBoundary=POINT(-111.5+40.5)&SiteUUID=S1`)).toEqual(['one']);
});
