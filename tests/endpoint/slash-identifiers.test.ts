// Identifiers with slashes: their pages open with `%2F` and with `/`, because front ends and mail programs decode
// `%2F`.

import { restoreAddress } from '../../functions/platform-request';
import { aggregatedAmount, allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const IDENTIFIERS = ['36/2551', '36//2551', '36/', 'a/b/c', '50%/2', 'x%2Fy', 'é/ü ', 'plain'];

const service = createTestService();

beforeAll(async () => {
  await service.load({
    ...buildLookups(),
    'sites.csv': IDENTIFIERS.map((id) => ({
      SiteUUID: id.trim(),
      SiteName: `Site ${id}`,
      Longitude: -111,
      Latitude: 40,
    })),
    'reportingunits.csv': IDENTIFIERS.map((id) => ({ ReportingUnitUUID: id.trim(), ReportingUnitName: `Unit ${id}` })),
    'sitespecificamounts.csv': IDENTIFIERS.map((id) => siteAmount({ SiteUUID: id.trim() })),
    'aggregatedamounts.csv': IDENTIFIERS.map((id) => aggregatedAmount({ ReportingUnitUUID: id.trim() })),
    'waterallocations.csv': IDENTIFIERS.map((id) => allocation({ AllocationNativeID: id.trim(), SiteUUID: id.trim() })),
  });
});

const COLLECTIONS = ['sites', 'reporting-units', 'allocations'];
const cases = COLLECTIONS.flatMap((collection) => IDENTIFIERS.map((id) => [collection, id.trim()] as const));

/** The spellings in which an identifier arrives: as in links, and as decoded by a front end. */
function listSpellings(id: string): readonly string[] {
  const encoded = encodeURIComponent(id);
  const withSlashes = encoded.replaceAll('%2F', '/');
  return [encoded, encoded.replaceAll('%2F', '%2f'), withSlashes];
}

test.each(cases)(
  '/ogc/collections/%s/items opens "%s" in each spelling, as JSON, page and JSON-LD',
  async (collection, id) => {
    for (const spelling of listSpellings(id)) {
      for (const query of ['', '?f=json', '?f=html', '?f=jsonld', '?f=json&crs=EPSG%3A3857']) {
        const path = `/ogc/collections/${collection}/items/ORG_1~${spelling}${query}`;
        const { status, text, json } = await service.get(path);
        expect({ path, status }).toEqual({ path, status: 200 });
        if (query === '?f=json') expect(json.id).toBe(`ORG_1~${id}`);
        expect(text).toContain(encodeURIComponent(id));
        expect((await service.get(path, undefined, 'HEAD')).status).toBe(200);
      }
    }
  },
);

test('an identifier with a percent sign is found even if a front end has decoded all escapes of the path', async () => {
  const { status, json } = await service.get('/ogc/collections/sites/items/ORG_1~50%/2?f=json');
  expect([status, json.id]).toEqual([200, 'ORG_1~50%/2']);
});

test.each([
  ['36%2F2551', 'ORG_1~36/2551'],
  ['36/2551', 'ORG_1~36/2551'],
  ['36/2551/', 'ORG_1~36/2551'],
  ['36//2551', 'ORG_1~36//2551'],
  ['36%2F', 'ORG_1~36/'],
  ['36/', 'ORG_1~36/'],
  ['plain/', 'ORG_1~plain'],
  ['x%252Fy', 'ORG_1~x%2Fy'],
  ['x%2Fy', 'ORG_1~x%2Fy'],
])('%s resolves to the feature %s; an exact identifier takes precedence', async (spelling, id) => {
  const { status, json } = await service.get(`/ogc/collections/allocations/items/ORG_1~${spelling}?f=json`);
  expect([status, json.id]).toEqual([200, id]);
});

test.each(['ORG_1~36/none', 'ORG_1~36%2Fnone', 'ORG_1/36', 'none/ORG_1~plain', 'ORG_1~plain/queryables'])(
  '%s is a 404',
  async (id) => {
    expect((await service.get(`/ogc/collections/sites/items/${id}`)).status).toBe(404);
  },
);

const RAW = 'X-WAWS-Unencoded-Url';

/** `delivered` is the address that the platform passes on, `raw` the header. */
test.each([
  ['/a/36/2551?x=%2F', '/a/36%2F2551?x=%2F', '/a/36%2F2551?x=%2F'],
  ['/a/36/2551?x=1', 'https://water.example.org/a/36%2f2551?x=1', '/a/36%2f2551?x=1'],
  ['/a/x%2Fy', '/a/x%252Fy', '/a/x%252Fy'],
  ['/a/50%25/2', '/a/50%25%2F2', '/a/50%25%2F2'],
  ['/a/b', '', '/a/b'],
  ['/a/b', '/health', '/a/b'],
  ['/a/b?key=1', '/a/b?key=2', '/a/b?key=1'],
  ['/a/b', '/a/%2e%2e/b', '/a/b'],
  ['/a/b', 'nonsense', '/a/b'],
])('%s with the raw address "%s" is read as %s', (delivered, raw, expected) => {
  const headers = new Headers(raw === '' ? {} : { [RAW]: raw });
  expect(restoreAddress({ url: `https://localhost${delivered}`, headers })).toBe(`https://localhost${expected}`);
});

test('a client of the local host cannot change its path with the header for the raw address', async () => {
  const headers = { 'x-api-key': service.key, [RAW]: '/health' };
  const { json } = await service.get('/ogc/collections/sites/items/ORG_1~plain?f=json', headers);
  expect(json.id).toBe('ORG_1~plain');
});
