// SearchBoundary by shape (D14, D15) and by name (ADR 0036) matches exactly the right records. Records are identified
// by their amounts.

import { NAMED_BOUNDARY_POSITION_LIMIT } from '../../shared/values/boundary';
import { aggregatedAmount, allocation, buildLookups, findRecordNames, paths, siteAmount } from '../fixtures/handmade';
import { createLoadedService, createTestService } from '../fixtures/test-service';

describe('a boundary by its shape', () => {
  const AREA = 'POLYGON ((-111 39, -110 39, -110 40, -111 40, -111 39))';

  const service = createLoadedService({
    ...buildLookups(),
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

  test.each<[string, string, readonly number[]]>([
    ['around a point', 'POLYGON ((-112 40, -111 40, -111 41, -112 41, -112 40))', [1, 2]],
    ['a point equal to a site', 'POINT (-111.5 40.5)', [1]],
    ['a point next to a site', 'POINT (-111.5 40.5000001)', []],
    ['a point inside an area', 'POINT (-110.5 39.5)', [2]],
    ['a point on the corner of an area', 'POINT (-110 40)', [2]],
    ['touching the edge of an area', 'POLYGON ((-110 39.2, -109 39.2, -109 39.4, -110 39.4, -110 39.2))', [2]],
    ['crossing a line', 'LINESTRING (-105 36, -104 35)', [3]],
    ['the point of a site that also has a geometry', 'POINT (-100 30)', [3]],
    ['the point of a site whose geometry is broken', 'POINT (-90 30)', [5]],
    ['the place of the broken geometry', 'POLYGON ((-121 44, -118 44, -118 47, -121 47, -121 44))', []],
    ['0/0, which is not a position', 'POINT (0 0)', []],
    [
      'a polygon with the places in its hole',
      'POLYGON ((-120 30, -106 30, -106 45, -120 45, -120 30), (-113 38, -109 38, -109 42, -113 42, -113 38))',
      [],
    ],
    ['a geometry with two parts', 'MULTIPOINT ((-111.5 40.5), (-100 30))', [1, 3]],
    ['GeoJSON', '{"type":"Polygon","coordinates":[[[-112,40],[-111,40],[-111,41],[-112,41],[-112,40]]]}', [1, 2]],
    ['the whole world', 'POLYGON ((-180 -90, 180 -90, 180 90, -180 90, -180 -90))', [1, 2, 3, 5]],
  ])('SearchBoundary %s (%s) matches %j', async (_, boundary, amounts) => {
    expect(await findRecordNames(service, `${paths.site}?SearchBoundary=${encodeURIComponent(boundary)}`)).toEqual(
      amounts,
    );
  });

  test('matches a reporting unit by its geometry, but not one in meters or without a geometry', async () => {
    const world = encodeURIComponent('POLYGON ((-180 -90, 180 -90, 180 90, -180 90, -180 -90))');
    expect(await findRecordNames(service, `${paths.aggregated}?SearchBoundary=${world}`)).toEqual([1]);
    expect(await findRecordNames(service, `${paths.aggregated}?SearchGeometry=POINT(-109.9+39.5)`)).toEqual([]);
  });

  test('finds an allocation when any of its sites is in the boundary', async () => {
    expect(await findRecordNames(service, `${paths.allocations}?SearchGeometry=POINT(-110.5+39.5)`)).toEqual(['two']);
    expect(
      await findRecordNames(service, `${paths.allocations}?SearchBoundary=POINT(-111.5+40.5)&SiteUUID=S1`),
    ).toEqual(['one']);
  });
});

/** A ring with this number of positions; the last position equals the first. */
function createRing(positions: number): string {
  const corner = (index: number): string => {
    const angle = (2 * Math.PI * (index % (positions - 1))) / (positions - 1);
    return `${(-110 + Math.cos(angle)).toFixed(9)} ${(40 + Math.sin(angle)).toFixed(9)}`;
  };
  return `POLYGON ((${Array.from({ length: positions }, (_, index) => corner(index)).join(', ')}))`;
}

describe('a boundary by name', () => {
  const AREA = 'POLYGON ((-112 40, -111 40, -111 41, -112 41, -112 40))';
  const EAST_OF_IT = 'POLYGON ((-111 40, -110 40, -110 41, -111 41, -111 40))';
  const FAR = 'POLYGON ((-105 35, -104 35, -104 36, -105 36, -105 35))';

  const service = createLoadedService(
    {
      ...buildLookups({ OrganizationUUID: 'UT_1' }),
      'sites.csv': [
        { SiteUUID: 'In', StateCV: 'UT', County: 'Cache County', HUC8: '16010202', Longitude: -111.5, Latitude: 40.5 },
        { SiteUUID: 'Area', County: 'Cache', HUC12: '160102020305', Geometry: AREA },
        { SiteUUID: 'East', StateCV: 'Wyoming', County: 'Rich', HUC8: '14040101', Geometry: EAST_OF_IT },
        { SiteUUID: 'Pacific', StateCV: 'Guam', Longitude: 144.8, Latitude: 13.4 },
        { SiteUUID: 'Nowhere', StateCV: 'UT' },
      ],
      'sitespecificamounts.csv': ['In', 'Area', 'East', 'Pacific', 'Nowhere'].map((SiteUUID, index) =>
        siteAmount({ OrganizationUUID: 'UT_1', SiteUUID, Amount: index }),
      ),
      'waterallocations.csv': [
        allocation({ OrganizationUUID: 'UT_1', AllocationNativeID: 'both', SiteUUID: 'In,East' }),
        allocation({ OrganizationUUID: 'UT_1', AllocationNativeID: 'none' }),
      ],
    },
    {
      ...buildLookups({ OrganizationUUID: 'CO_1', State: 'CO' }),
      'reportingunits.csv': [
        {
          ReportingUnitUUID: 'RU1',
          ReportingUnitTypeCV: 'county',
          ReportingUnitName: 'Cache',
          StateCV: 'UT',
          Geometry: AREA,
        },
        { ReportingUnitUUID: 'RU2', ReportingUnitTypeCV: 'HUC8', ReportingUnitNativeID: '1010202', Geometry: FAR },
        { ReportingUnitUUID: 'RU3', ReportingUnitTypeCV: 'Custom', ReportingUnitName: 'Cache', StateCV: 'UT' },
        { ReportingUnitUUID: 'Most', Geometry: createRing(NAMED_BOUNDARY_POSITION_LIMIT) },
        { ReportingUnitUUID: 'More', Geometry: createRing(NAMED_BOUNDARY_POSITION_LIMIT + 1) },
      ],
      'aggregatedamounts.csv': ['RU1', 'RU2', 'RU3', 'Most', 'More'].map((ReportingUnitUUID, index) =>
        aggregatedAmount({ OrganizationUUID: 'CO_1', ReportingUnitUUID, Amount: index + 1 }),
      ),
    },
  );

  test.each<[string, readonly number[]]>([
    ['state:UT', [0, 1, 4]],
    ['state:wy', [2]],
    ['state:CO', []],
    ['county:UT/Cache', [0, 1]],
    ['COUNTY:ut/cache county', [0, 1]],
    ['county:WY/Rich', [2]],
    ['county:CO/Cache', []],
    ['huc8:16010202', [0, 1]],
    ['huc8:14040101', [2]],
    ['huc8:99999999', []],
    ['reportingunit:RU1', [0, 1, 2]],
    ['reportingunit:ru1', [0, 1, 2]],
    ['reportingunit:RU2', []],
    ['reportingunit:RU3', []],
    ['reportingunit:RU9', []],
    ['site:Area', [0, 1, 2]],
    ['site:in', [0, 1]],
    ['site:East', [1, 2]],
    ['site:Nowhere', []],
    ['site:RU1', []],
    ['bbox:-111.6,40.4,-111.4,40.6', [0, 1]],
    ['bbox:-110,41,-100,45', [2]],
    ['bbox:-109.9,41,-100,45', []],
    ['bbox:-111.5,40.5,-111.5,40.5', [0, 1]],
    ['bbox:140,10,-170,20', [3]],
    ['bbox:-170,10,140,20', []],
    ['bbox:-180,-90,180,90', [0, 1, 2, 3]],
  ])('SiteVariableAmounts within %s are %j', async (boundary, amounts) => {
    const query = `SearchBoundary=${encodeURIComponent(boundary)}`;
    expect([...(await findRecordNames(service, `${paths.site}?${query}`))].sort()).toEqual(amounts);
  });

  test.each<[string, readonly string[]]>([
    ['county:WY/Rich', ['both']],
    ['county:UT/Cache', ['both']],
    ['state:UT', ['both']],
    ['reportingunit:RU1', ['both']],
    ['site:Pacific', []],
  ])('SiteAllocationAmounts within %s are %j', async (boundary, identifiers) => {
    expect(await findRecordNames(service, `${paths.allocations}?SearchGeometry=${boundary}`)).toEqual(identifiers);
  });

  test('a county matches only sites that have both its state and its name', async () => {
    expect(await findRecordNames(service, `${paths.allocations}?County=Rich&SearchGeometry=state:UT`)).toEqual([
      'both',
    ]);
    expect(await findRecordNames(service, `${paths.allocations}?SearchGeometry=county:UT/Rich`)).toEqual([]);
  });

  test('looks up a named place in the requested data version', async () => {
    const other = createTestService('MDY', `${service.folder}/other`);
    const unit = (Geometry: string): Promise<unknown> =>
      other.load({
        ...buildLookups(),
        'sites.csv': [{ SiteUUID: 'S1', Longitude: -111.5, Latitude: 40.5 }],
        'sitespecificamounts.csv': [siteAmount({ Amount: 1 })],
        'reportingunits.csv': [{ ReportingUnitUUID: 'RU1', Geometry }],
        'aggregatedamounts.csv': [aggregatedAmount({})],
      });
    await unit(AREA);
    const { version } = await other.store.currentState();
    const path = `${paths.site}?SearchBoundary=reportingunit:RU1`;
    expect(await findRecordNames(other, path)).toEqual([1]);
    const { ETag: tag = '' } = (await other.get(path)).headers;
    await unit(FAR);
    expect((await other.getWith(path, { 'if-none-match': tag })).status).toBe(200);
    expect(await findRecordNames(other, path)).toEqual([]);
    expect(await findRecordNames(other, `${path}&DataVersion=${version}`)).toEqual([1]);
    await other.close();
  });

  // Indexing the edges of this boundary would delay all other requests.
  test('refuses a named place with too many positions', async () => {
    const path = `${paths.aggregated}?SearchBoundary=reportingunit`;
    expect((await service.get(`${path}:Most`)).status).toBe(200);
    const { status, text } = await service.get(`${path}:More`);
    expect(status).toBe(400);
    expect(text).toContain(`More has ${NAMED_BOUNDARY_POSITION_LIMIT + 1} positions`);
  });

  test('refuses an unknown kind of boundary and lists the kinds', async () => {
    const { status, json } = await service.get(`${paths.site}?SearchBoundary=town:Logan`);
    const message: unknown = expect.stringMatching(/huc8:.*county:.*state:.*reportingunit:.*site:.*bbox:/);
    expect([status, json.errors]).toEqual([400, [{ parameter: 'SearchBoundary', message, value: 'town:Logan' }]]);
  });
});

describe('a county matches records without a stated county by their location (D78)', () => {
  const service = createLoadedService({
    ...buildLookups({ OrganizationUUID: 'CO_1', State: 'CO' }),
    'sites.csv': [
      { SiteUUID: 'Stated', County: 'Boulder County', Longitude: -104.9, Latitude: 39.74 },
      { SiteUUID: 'Located', Longitude: -105.35, Latitude: 40.09 },
      { SiteUUID: 'Denver', Longitude: -104.98, Latitude: 39.73 },
      { SiteUUID: 'Elsewhere', County: 'Weld', Longitude: -105.35, Latitude: 40.09 },
      { SiteUUID: 'Nowhere' },
    ],
    'waterallocations.csv': ['Stated', 'Located', 'Denver', 'Elsewhere', 'Nowhere', 'Located,Elsewhere'].map(
      (SiteUUID) => allocation({ OrganizationUUID: 'CO_1', AllocationNativeID: SiteUUID, SiteUUID }),
    ),
    'reportingunits.csv': [
      { ReportingUnitUUID: 'C', ReportingUnitTypeCV: 'County', ReportingUnitName: 'Boulder', StateCV: 'CO' },
      { ReportingUnitUUID: 'H', ReportingUnitTypeCV: 'HUC8', Geometry: 'POINT(-105.35 40.09)' },
    ],
    'aggregatedamounts.csv': ['C', 'H'].map((ReportingUnitUUID, index) =>
      aggregatedAmount({ OrganizationUUID: 'CO_1', ReportingUnitUUID, Amount: index }),
    ),
  });

  test.each<[string, readonly string[]]>([
    ['county:CO/Boulder', ['Located', 'Stated']],
    ['COUNTY:co/boulder county', ['Located', 'Stated']],
    ['county:CO/Denver', ['Denver']],
    ['county:CO/Weld', ['Elsewhere', 'Located,Elsewhere']],
    ['county:WY/Boulder', []],
    ['county:CO/Nothing', []],
  ])('rights within %s are %j', async (boundary, expected) => {
    const found = await findRecordNames(service, `${paths.allocations}?SearchGeometry=${encodeURIComponent(boundary)}`);
    expect([...found].sort()).toEqual(expected);
  });

  test('sites, totals and names match the same records', async () => {
    const { json: sites } = await service.get('/v1/Sites?SearchBoundary=county:CO/Boulder');
    expect(sites.TotalSitesCount).toBe(2);
    const { json: found } = await service.get('/v1/Find?Query=boulder&Kind=County');
    expect(found.Found).toMatchObject([
      {
        State: 'CO',
        RecordsCounts: { SiteAllocationAmounts: 2, AggregatedAmounts: 2, SiteVariableAmounts: 0 },
        Filter: 'SearchBoundary=county%3ACO%2FBoulder',
      },
    ]);
    const { json: denver } = await service.get('/v1/Find?Query=denver&Kind=County');
    expect(denver.Found).toMatchObject([{ Name: 'Denver', RecordsCounts: { SiteAllocationAmounts: 1 } }]);
    const { json: totals } = await service.get(`${paths.allocations}/Totals?SearchBoundary=county:CO/Denver`);
    expect(totals.Totals[0].RecordsCount).toBe(1);
  });
});
