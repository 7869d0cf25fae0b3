// The header Query-Hint of a query that finds nothing (ADR 0038).

import { aggregatedAmount, allocation, buildLookups, paths, siteAmount } from '../fixtures/handmade';
import { createLoadedService } from '../fixtures/test-service';

const hinting = createLoadedService({
  ...buildLookups({ OrganizationUUID: 'UT_Water' }),
  'variables.csv': [
    { VariableSpecificUUID: 'V1', VariableSpecificCV: 'Aggregated Withdrawal, Irrigation', VariableCV: 'Withdrawal' },
  ],
  'sites.csv': [
    { SiteUUID: 'S1', SiteTypeCV: 'Réservoir "A"', County: 'Cache County', HUC8: '16010202' },
    { SiteUUID: 'S2', SiteTypeCV: 'Stream Gage', County: 'Rich', Longitude: -111, Latitude: 40 },
    { SiteUUID: 'S3' },
  ],
  'sitespecificamounts.csv': [
    siteAmount({ OrganizationUUID: 'UT_Water', BeneficialUseCategory: 'Irrigation,Mining' }),
    siteAmount({ OrganizationUUID: 'UT_Water', SiteUUID: 'S2', BeneficialUseCategory: 'Public Supply, 100%' }),
  ],
  'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
  'aggregatedamounts.csv': [aggregatedAmount({ OrganizationUUID: 'UT_Water' })],
  'waterallocations.csv': [
    allocation({ OrganizationUUID: 'UT_Water', AllocationNativeID: '0042', AllocationLegalStatusCV: 'Active' }),
  ],
});

async function hintOf(path: string): Promise<string | undefined> {
  const { status, headers } = await hinting.get(path);
  expect(status).toBe(200);
  return headers['Query-Hint'];
}

test.each<[string, string]>([
  ['BeneficialUseCV=Irigation', 'BeneficialUseCV "Irigation" is not in the data (nearest: "Irrigation")'],
  ['BeneficialUseCV=irrigaiton', 'BeneficialUseCV "irrigaiton" is not in the data (nearest: "Irrigation")'],
  ['beneficialusecv=Minnig&State=UT', 'BeneficialUseCV "Minnig" is not in the data (nearest: "Mining")'],
  ['BeneficialUseCV=Snowmaking', 'BeneficialUseCV "Snowmaking" is not in the data'],
  ['County=Cach', 'County "Cach" is not in the data (nearest: "Cache County")'],
  [
    'County=Rich,Cache',
    'County "Rich,Cache" is not in the data; commas do not separate values: write County=Rich&County=Cache',
  ],
  [
    'SiteUUID=S1;S2',
    'SiteUUID "S1;S2" is not in the data; commas do not separate values: write SiteUUID=S1&SiteUUID=S2',
  ],
  [
    'SiteTypeCV=["Stream+Gage","Well"]',
    'SiteTypeCV "[%22Stream Gage%22,%22Well%22]" is not in the data; commas do not separate values: write SiteTypeCV=Stream%20Gage&SiteTypeCV=Well',
  ],
  ['County=Nowhere,Elsewhere', 'County "Nowhere,Elsewhere" is not in the data'],
  ['HUC8=16010203', 'HUC8 "16010203" is not in the data (nearest: "16010202")'],
  ['SiteUUID=S9', 'SiteUUID "S9" is not in the data'],
  ['State=CO', 'State "CO" is not in the data'],
  ['OrganizationUUID=UT_Watr', 'OrganizationUUID "UT_Watr" is not in the data (nearest: "UT_Water")'],
  [
    'SearchBoundary=county:UT/Cach',
    'SearchBoundary "county:UT/Cach" is not in the data (nearest: "UT/Cache County", "UT/Rich")',
  ],
  ['SearchBoundary=site:S9', 'SearchBoundary "site:S9" is not in the data, or has no geometry'],
  ['SearchGeometry=site:S1', 'SearchBoundary "site:S1" is not in the data, or has no geometry'],
  [
    'SiteTypeCV=R%C3%A9servoir+A',
    'SiteTypeCV "R%C3%A9servoir A" is not in the data (nearest: "R%C3%A9servoir %22A%22")',
  ],
  [
    'County=Reich&BeneficialUseCV=Minin&SiteUUID=S1',
    'BeneficialUseCV "Minin" is not in the data (nearest: "Mining"); County "Reich" is not in the data (nearest: "Rich")',
  ],
])('SiteVariableAmounts?%s gets the hint %s', async (query, hint) => {
  expect(await hintOf(`${paths.site}?${query}`)).toBe(hint);
});

test.each([
  [
    `${paths.aggregated}?VariableSpecificCV=AggregatedWithdrawl_Irrigation`,
    /nearest: "Aggregated Withdrawal, Irrigation"/,
  ],
  [`${paths.aggregated}?SearchBoundary=huc8:99999999`, /"huc8:99999999" is not in the data$/],
  [`${paths.allocations}?AllocationNativeID=42`, /^AllocationNativeID "42" is not in the data$/],
  [`${paths.allocations}?AllocationLegalStatusCV=Actve`, /nearest: "Active"/],
])('%s gets the hint %s', async (path, hint) => {
  expect(await hintOf(path)).toMatch(hint);
});

test.each([
  'BeneficialUseCV=Irrigation',
  'BeneficialUseCV=Irrigation&SiteTypeCV=Stream+Gage',
  'BeneficialUseCV=Irigation&BeneficialUseCV=Mining&SiteTypeCV=Stream+Gage',
  'StartDate=2100-01-01',
  'SearchBoundary=POINT(1+1)',
  'StartIndex=100&BeneficialUseCV=Mining',
])('%s gets no hint, because its values are in the data', async (query) => {
  expect(await hintOf(`${paths.site}?${query}`)).toBeUndefined();
});

test('a hint has at most 1,000 ASCII characters and never contains a key', async () => {
  const long = (name: string): string => `${name}=${'%C3%A9'.repeat(80)}`;
  const names = ['SiteUUID', 'SiteTypeCV', 'VariableCV', 'BeneficialUseCV', 'County', 'WaterSourceTypeCV'];
  const hint = (await hintOf(`${paths.site}?${names.map(long).join('&')}`)) ?? '';
  expect(hint).toMatch(/^[ -~]{100,1000}$/);
  expect(await hintOf(`${paths.site}?County=${hinting.key}`)).toBe('County "[key]" is not in the data');
});

const CRS = (name: string): object => ({ type: 'name', properties: { name } });
const AROUND_S2 = [
  [
    [-112, 39],
    [-110, 39],
    [-110, 41],
    [-112, 41],
    [-112, 39],
  ],
];
const WKT = 'POLYGON ((-112 39, -110 39, -110 41, -112 41, -112 39))';
const polygon = (crs: object | null): string => JSON.stringify({ type: 'Polygon', crs, coordinates: AROUND_S2 });
const feature = (crs: object | null): string =>
  JSON.stringify({ type: 'Feature', crs, geometry: { type: 'Polygon', coordinates: AROUND_S2 } });

function within(boundary: string, path = '/v1/Sites'): string {
  return `${path}?SearchBoundary=${encodeURIComponent(boundary)}`;
}

describe('a boundary with a coordinate system', () => {
  const REMARK = /The boundary is in NAD83 \(EPSG 4269\) and was read as WGS 84/;

  test.each([
    ['WKT with an SRID', `SRID=4269;${WKT}`],
    ['GeoJSON with an EPSG code', polygon(CRS('urn:ogc:def:crs:EPSG::4269'))],
    ['GeoJSON with a name', polygon(CRS('EPSG:4269'))],
    ['a Feature', feature(CRS('urn:ogc:def:crs:OGC:1.3:CRS83'))],
  ])('in NAD83 is accepted with a remark in the header: %s', async (_, boundary) => {
    expect(await hintOf(within(boundary))).toMatch(REMARK);
    expect((await hinting.get(within(boundary))).json).toEqual((await hinting.get(within(WKT))).json);
    for (const operation of ['SiteVariableAmounts', 'SiteVariableAmounts/Totals', 'SiteVariableAmounts/Facets']) {
      expect(await hintOf(within(boundary, `/v1/${operation}`))).toMatch(REMARK);
    }
  });

  test.each([WKT, `SRID=4326;${WKT}`, polygon(null), polygon(CRS('urn:ogc:def:crs:OGC:1.3:CRS84'))])(
    'that is not in NAD83 causes no remark: %s',
    async (boundary) => {
      // The same area in NAD83 was requested before, and its answer may be cached.
      await hinting.get(within(`SRID=4269;${WKT}`));
      await hinting.get(within(`SRID=4269;${WKT}`));
      expect(await hintOf(within(boundary))).toBeUndefined();
    },
  );

  test('in NAD83 adds its remark to other hints, as sentences', async () => {
    const hint = await hintOf(`${within(`SRID=4269;${WKT}`)}&County=Cach`);
    expect(hint).toMatch(/^County "Cach" is not in the data \(nearest: "Cache County"\)\. The boundary is in NAD83/);
  });

  test.each([
    ['SRID 26912', `SRID=26912;${WKT}`],
    ['SRID 4267', `SRID=4267;${WKT}`],
    ['EPSG::3857', polygon(CRS('urn:ogc:def:crs:EPSG::3857'))],
    ['NAD27', feature(CRS('NAD27'))],
  ])('in another coordinate system is refused, and the message names the system: %s', async (name, boundary) => {
    const { status, text } = await hinting.get(within(boundary));
    expect(status).toBe(400);
    expect(text).toContain(name);
    expect(text).toMatch(/WGS 84/);
  });
});

describe('a query for a state without matches', () => {
  const other = createLoadedService({
    ...buildLookups({ OrganizationUUID: 'UT_Water' }),
    'sites.csv': [{ SiteUUID: 'S1', StateCV: 'UT' }],
    'sitespecificamounts.csv': [siteAmount({ OrganizationUUID: 'UT_Water' })],
  });

  test.each([
    ['water rights', `${paths.allocations}?State=UT`, 'No water rights from UT. It has site amounts.'],
    ['totals', `${paths.aggregated}/Totals?State=ut`, 'No aggregated amounts from UT. It has site amounts.'],
    ['a state that no record has', `${paths.allocations}?State=CO`, 'State "CO" is not in the data'],
  ])('gets a hint for %s: %s gets "%s"', async (_, path, hint) => {
    expect((await other.get(path)).headers['Query-Hint']).toBe(hint);
  });
});
