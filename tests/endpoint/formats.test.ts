// The form of an answer: chosen by the parameter format or the header Accept (ADR 0033).

import type { HttpMethod } from '@azure/functions';
import { DATA_SET_KINDS } from '../../shared/records/data-sets';
import { aggregatedAmount, allocation, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { readCsv, type Feature } from '../fixtures/read-formats';
import { expectSameInAllFormats } from '../fixtures/same-in-all-formats';
import type { Row, Submission } from '../fixtures/submission';
import { comparableHeaders, createTestService, type Answer } from '../fixtures/test-service';

const service = createTestService();
const big = createTestService();

const POLYGON = 'POLYGON((-112 40,-112 41,-111 41,-111 40,-112 40),(-111.5 40.5,-111.4 40.5,-111.4 40.6,-111.5 40.5))';

const submission: Submission = {
  ...lookupsOf({ OrganizationName: '=cmd|calc, "Office"' }),
  'beneficialuses.csv': [
    { BeneficialUseCategory: 'Irrigation|Lawn', USGSCategoryNameCV: 'Irrigation' },
    { BeneficialUseCategory: '+Mining', USGSCategoryNameCV: '' },
  ],
  'sites.csv': [
    { SiteUUID: 'S1', SiteName: '@Site\nOne', Longitude: '-111.5', Latitude: '40.25', County: 'Cache' },
    { SiteUUID: 'S2', SiteName: "'Two", Longitude: '-112', Latitude: '41', Geometry: POLYGON },
    { SiteUUID: 'S3', Longitude: '-112.5', Latitude: '41', Geometry: 'POLYGON((0 0,1 1' },
    { SiteUUID: 'S4', Geometry: 'nothing' },
    { SiteUUID: 'S5', HUC8: '01010203' },
  ],
  'reportingunits.csv': [
    { ReportingUnitUUID: 'RU1', ReportingUnitName: 'Ünit', Geometry: POLYGON },
    { ReportingUnitUUID: 'RU2', Geometry: 'POLYGON((400000 4500000,400001 4500000,400001 4500001,400000 4500000))' },
  ],
  'sitespecificamounts.csv': ['S1', 'S2', 'S3', 'S4', 'S5'].map((SiteUUID, index) =>
    siteAmount({ SiteUUID, Amount: -5 - index, ReportYearCV: 2000, BeneficialUseCategory: 'Irrigation|Lawn,+Mining' }),
  ),
  'aggregatedamounts.csv': ['RU1', 'RU2'].map((ReportingUnitUUID) =>
    aggregatedAmount({ ReportingUnitUUID, ReportYearCV: 2000, CustomerTypeCV: '-x' }),
  ),
  'waterallocations.csv': [
    { AllocationNativeID: '-7', SiteUUID: 'S1,S2,S5', AllocationOwner: '=1+1', BeneficialUseCategory: '+Mining' },
    { AllocationNativeID: '2', SiteUUID: '', ExemptOfVolumeFlowPriority: 'true' },
    { AllocationNativeID: '3', SiteUUID: 'S4' },
  ].map((row: Row) => allocation(row)),
};

beforeAll(() => service.load(submission));

afterAll(() => Promise.all([service.close(), big.close()]));

const key = { 'x-api-key': service.key };

function ask(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method: HttpMethod = 'GET',
): Promise<Answer> {
  return service.get(path, { ...key, ...headers }, method);
}

function featuresOf({ json }: Answer): readonly Feature[] {
  return json.features;
}

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8; header=present',
  geojson: 'application/geo+json',
};

test.each([
  ['', '*/*', 'json'],
  ['', 'text/csv', 'csv'],
  ['', 'application/geo+json;q=0.9, text/csv;q=0.8', 'geojson'],
  ['?format=csv', 'application/json', 'csv'],
  ['?format=GeoJSON', 'image/png', 'geojson'],
  ['?FORMAT=json', 'text/csv', 'json'],
  ['?format=', 'text/csv', 'csv'],
])('%s with Accept: %s is %s', async (query, accept, format) => {
  const { status, headers } = await ask(`${paths.site}${query}`, { accept });
  expect([status, headers['Content-Type']]).toEqual([200, TYPES[format]]);
  expect(headers['Vary']).toContain('Accept');
});

test('an unknown format is a 400 that lists the formats', async () => {
  const { status, json } = await ask(`${paths.site}?format=xml`);
  expect(status).toBe(400);
  expect(json.errors).toEqual([{ parameter: 'format', message: 'must be json, csv or geojson', value: 'xml' }]);
});

test('an Accept header that takes no format is a 406 that lists the formats', async () => {
  const { status, json, headers } = await ask(paths.site, { accept: 'text/html' });
  expect([status, headers['Content-Type']]).toEqual([406, 'application/problem+json']);
  expect(json.detail).toMatch(/application\/json, text\/csv, application\/geo\+json.*format=json, csv or geojson/);
});

test('bad parameters and a missing key come before a 406, which comes before a 410', async () => {
  const accept = { accept: 'text/html' };
  expect(await service.get(paths.site, accept)).toMatchObject({ status: 401 });
  expect(await ask(`${paths.site}?State=x`, accept)).toMatchObject({ status: 400 });
  expect(await ask(`${paths.site}?DataVersion=${'0'.repeat(32)}`, accept)).toMatchObject({ status: 406 });
});

test.each(DATA_SET_KINDS)('%s says the same in all formats, on every page', async (kind) => {
  const path = {
    SiteVariableAmounts: paths.site,
    AggregatedAmounts: paths.aggregated,
    WaterAllocations: paths.allocations,
  }[kind];
  expect(await expectSameInAllFormats(service.get, kind, `${path}?RecordCount=10000`)).toBeGreaterThan(1);
  expect(await expectSameInAllFormats(service.get, kind, `${path}?RecordCount=1&StartIndex=1`)).toBe(1);
  expect(await expectSameInAllFormats(service.get, kind, `${path}?State=NM`)).toBe(0);
});

test('each format has a tag of its own, a 304 for it, and links that stay with it', async () => {
  const tags = await Promise.all(
    ['json', 'csv', 'geojson'].map(async (format) => {
      const path = `${paths.site}?RecordCount=2&format=${format}`;
      const whole = await ask(path);
      const { headers } = whole;
      expect(headers['Link']).toContain(`format=${format}`);
      expect(await ask(path, { 'if-none-match': headers['ETag'] ?? '' })).toMatchObject({ status: 304, text: '' });
      expect(comparableHeaders(await ask(path, {}, 'HEAD'))).toEqual(comparableHeaders(whole));
      return headers['ETag'];
    }),
  );
  expect(new Set(tags).size).toBe(3);
  const accepted = await ask(`${paths.site}?RecordCount=2`, { accept: 'text/csv' });
  expect(accepted.headers['ETag']).toBe(tags[1]);
});

describe('CSV', () => {
  test('has a header line and CRLF line ends, and is saved under a name of its page', async () => {
    const { text, headers } = await ask(`${paths.site}?format=csv&RecordCount=2`);
    expect(text.split('\r\n')).toHaveLength(4);
    expect(text.split('\r\n')[0]).toMatch(/^OrganizationUUID,OrganizationName,OrganizationState,SiteUUID,SiteTypeCV,/);
    expect(headers['Content-Disposition']).toBe('attachment; filename="SiteVariableAmounts.csv"');
    const next = await ask(`${paths.site}?format=csv&RecordCount=2&StartIndex=2`);
    expect(next.headers['Content-Disposition']).toBe('attachment; filename="SiteVariableAmounts-2.csv"');
    expect(next.text.split('\r\n')[0]).toBe(text.split('\r\n')[0]);
  });

  test('without records is the header line alone', async () => {
    const { text } = await ask(`${paths.allocations}?format=csv&State=NM`);
    expect(text.split('\r\n')).toEqual([expect.stringContaining('AllocationOwner'), '']);
  });

  test('holds no cell that a spreadsheet runs, and numbers as numbers', async () => {
    const { text } = await ask(`${paths.site}?format=csv&SiteUUID=S1`);
    expect(text).toContain(`,"'=cmd|calc, ""Office""",`);
    expect(text).toContain(`,"'@Site\nOne",`);
    expect(text).toContain(',-5,');
    expect(text).toContain(',-111.5,40.25,');
    const [row] = readCsv(text);
    expect(row).toMatchObject({
      SiteName: '@Site\nOne',
      Amount: '-5',
      BeneficialUseCategoryCV: 'Irrigation\\|Lawn|+Mining',
    });
    expect(row).toMatchObject({ USGSCategoryNameCV: 'Irrigation|', County: 'Cache', VariableCV: 'Withdrawal' });
  });

  test('gives an allocation one row, with its sites in lists of one order', async () => {
    const [row, ...others] = readCsv((await ask(`${paths.allocations}?format=csv&SiteUUID=S2`)).text);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      SiteUUID: 'S1|S2|S5',
      Longitude: '-111.5|-112|',
      HUC8: '||01010203',
      AllocationOwner: '=1+1',
    });
  });

  test.each(Object.values(paths))('%s has each column once', async (path) => {
    const names = (await ask(`${path}?format=csv`)).text.split('\r\n', 1)[0]?.split(',') ?? [];
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => /Geometry|Related/.test(name))).toEqual([]);
  });
});

describe('GeoJSON', () => {
  test('counts records, and has no crs', async () => {
    const { json } = await ask(`${paths.allocations}?format=geojson&RecordCount=2`);
    expect(Object.keys(json)).toEqual(['type', 'numberMatched', 'numberReturned', 'features']);
    expect(json).toMatchObject({ type: 'FeatureCollection', numberMatched: 3, numberReturned: 2 });
  });

  test('puts a site at its geometry, else at its point, else nowhere, and keeps what cannot be read', async () => {
    const features = featuresOf(await ask(`${paths.site}?format=geojson`));
    expect(features.map(({ geometry }) => geometry?.type)).toEqual(['Point', 'Polygon', 'Point', undefined, undefined]);
    expect(features[0]?.geometry?.coordinates).toEqual([-111.5, 40.25]);
    expect(features.map(({ properties }) => properties['UnreadableGeometry'])).toEqual([
      ...[null, null, 'POLYGON((0 0,1 1', 'nothing', null],
    ]);
  });

  test('gives the polygon of a reporting unit with its rings turned by the right-hand rule', async () => {
    const [feature, broken] = featuresOf(await ask(`${paths.aggregated}?format=geojson`));
    expect(feature?.geometry?.coordinates).toEqual([
      [
        [-112, 40],
        [-111, 40],
        [-111, 41],
        [-112, 41],
        [-112, 40],
      ],
      [
        [-111.5, 40.5],
        [-111.4, 40.6],
        [-111.4, 40.5],
        [-111.5, 40.5],
      ],
    ]);
    expect(feature?.properties).toMatchObject({ Amount: 1, ReportingUnitName: 'Ünit', OrganizationUUID: 'ORG_1' });
    expect(broken).toMatchObject({
      geometry: null,
      properties: { UnreadableGeometry: expect.stringContaining('400000') },
    });
  });

  test('gives an allocation a feature for each site, and one without a place where it has none', async () => {
    const features = featuresOf(await ask(`${paths.allocations}?format=geojson`));
    expect(features.map(({ properties }) => [properties['AllocationNativeID'], properties['SiteUUID']])).toEqual(
      expect.arrayContaining([
        ...[
          ['-7', 'S1'],
          ['-7', 'S2'],
          ['-7', 'S5'],
          ['2', null],
          ['3', 'S4'],
        ],
      ]),
    );
    expect(features).toHaveLength(5);
    const names = features.map(({ properties }) => Object.keys(properties).join());
    expect(new Set(names).size).toBe(1);
  });

  test('keeps the id of a record through publishes that change other members', async () => {
    const idsOf = async (): Promise<readonly string[]> =>
      featuresOf(await ask(`${paths.site}?format=geojson`)).map(({ id }) => id);
    const before = await idsOf();
    expect(new Set(before).size).toBe(5);
    await service.load({
      ...submission,
      'sitespecificamounts.csv': (submission['sitespecificamounts.csv'] ?? []).map((row) => ({ ...row, Amount: 1 })),
    });
    expect(await idsOf()).toEqual(before);
    await service.load(submission);
  });
});

test('GeoJSON of too many bytes is a 400 that says how many records can be asked for', async () => {
  const positions = Array.from(
    { length: 100_000 },
    (_, index) => `${-110 - index / 100_000} ${40 + index / 1_000_000}`,
  );
  await big.load({
    ...lookupsOf(),
    'reportingunits.csv': [
      { ReportingUnitUUID: 'RU1', Geometry: `POLYGON((-110 40,${positions.join(',')},-110 50,-110 40))` },
    ],
    'aggregatedamounts.csv': Array.from({ length: 40 }, (_, index) => aggregatedAmount({ ReportYearCV: 1980 + index })),
  });
  const { status, json } = await big.get(`${paths.aggregated}?format=geojson`);
  expect(status).toBe(400);
  const [, most = ''] = /^(\d+) records fit: more .* over 64 MB in geojson/.exec(json.errors[0].message) ?? [];
  expect(json.errors[0]).toMatchObject({ parameter: 'RecordCount', value: '1000' });
  const fitting = `${paths.aggregated}?format=geojson&RecordCount=${most}`;
  expect(await big.get(fitting, { 'x-api-key': big.key }, 'HEAD')).toMatchObject({ status: 200 });
  expect(await big.get(`${paths.aggregated}?format=csv`)).toMatchObject({ status: 200 });
});
