// The page of a water right (D49): HTML with a map and JSON-LD, JSON-LD alone, and what was withdrawn.

import { allocation, lookupsOf } from '../fixtures/handmade';
import { createTestService, type Answer } from '../fixtures/test-service';

const service = createTestService();
const organization = { OrganizationName: '</script><b>Office', State: 'UT' };
const sites = [
  { SiteUUID: 'S1', Longitude: '-111.9', Latitude: '40.7' },
  { SiteUUID: 'S2', Longitude: '-112.4', Latitude: '41.2' },
];
const right = { AllocationNativeID: 'A/1~x', SiteUUID: 'S1,S2', AllocationPriorityDate: '1887-05-01' };
const ADDRESS = `/ogc/collections/allocations/items/${encodeURIComponent('ORG_1~A/1~x')}`;

function load(...rights: readonly Readonly<Record<string, string>>[]): Promise<unknown> {
  return service.load({
    ...lookupsOf(organization),
    'sites.csv': sites,
    'waterallocations.csv': [...rights, { AllocationNativeID: 'B', SiteUUID: 'S1' }].map(allocation),
  });
}

function ask(query = '', accept = ''): Promise<Answer> {
  return service.get(`${ADDRESS}${query}`, { 'x-api-key': service.key, ...(accept === '' ? {} : { accept }) });
}

beforeAll(() => load(right));
afterAll(() => service.close());

test('JSON-LD says what the right is, whose, where and since when', async () => {
  const { headers, text, status } = await ask('?f=jsonld');
  expect([status, headers['Content-Type']]).toEqual([200, 'application/ld+json']);
  expect(JSON.parse(text)).toMatchObject({
    '@context': { '@vocab': 'https://schema.org/' },
    '@type': 'Dataset',
    '@id': `http://localhost${ADDRESS}`,
    identifier: 'ORG_1~A/1~x',
    provider: { name: '</script><b>Office' },
    temporalCoverage: '1887-05-01/..',
    spatialCoverage: {
      geo: [
        { longitude: -111.9, latitude: 40.7 },
        { longitude: -112.4, latitude: 41.2 },
      ],
    },
    distribution: [{ encodingFormat: 'application/geo+json', contentUrl: `http://localhost${ADDRESS}?f=json` }],
  });
  expect((await ask('', 'application/ld+json')).text).toBe(text);
});

test('the page has a map, the release and the JSON-LD, and nothing in it ends the script', async () => {
  const { headers, text } = await ask('', 'text/html,application/xhtml+xml');
  expect(headers['Content-Type']).toBe('text/html; charset=utf-8');
  expect(headers['Content-Security-Policy']).toContain("script-src 'self'");
  const [, script = ''] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(text) ?? [];
  expect(script).toContain('\\u003c/script>');
  expect(JSON.parse(script)).toEqual(JSON.parse((await ask('?f=jsonld')).text));
  // Where the explorer is built, the points stand in the picture of their state as well.
  const [map = ''] = /<svg class="map"[^]*?<\/svg>/.exec(text) ?? [];
  expect(map.match(/<circle /g)).toHaveLength(2);
  const [release] = (await service.store.currentState()).entries;
  expect(text).toContain(release?.releaseId);
  expect(text).not.toContain('<b>Office');
});

test('pages and JSON-LD show degrees, whatever coordinate system is asked for', async () => {
  const system = encodeURIComponent('http://www.opengis.net/def/crs/EPSG/0/3857');
  expect((await ask(`?f=jsonld&crs=${system}`)).text).toBe((await ask('?f=jsonld')).text);
});

test('a right that was withdrawn is 410 with its last release; one that never was is 404', async () => {
  const [former] = (await service.store.currentState()).entries;
  await load();
  const { status, json } = await ask();
  expect([status, json.detail]).toEqual([410, expect.stringContaining(former?.releaseId ?? 'none')]);
  const never = await service.get('/ogc/collections/allocations/items/ORG_1~none');
  expect(never.status).toBe(404);
});
