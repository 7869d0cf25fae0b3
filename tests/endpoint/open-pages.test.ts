// Pages of single features without a key (D57): which pages these are, how they are limited, and a crawler that reads
// all of them through the sitemap of the pages of sites and rights (D49). tests/property/places.test.ts compares a
// sitemap with a plain scan.

import { hash } from 'node:crypto';
import { AccessControl } from '../../shared/access/access-control';
import { UsageCounter } from '../../shared/access/key-usage';
import { RateLimits } from '../../shared/access/rate-limits';
import type { Service } from '../../shared/http/pipeline/service';
import { readSettings } from '../../shared/settings';
import type { KeyUse } from '../../shared/store/catalog-types';
import { allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { parseSitemap, SITE } from '../fixtures/sitemap-reading';
import { createTestService, setNoTimer, TEST_NOW } from '../fixtures/test-service';

const SITES = 400;

const service = createTestService();
const feature = '/ogc/collections/sites/items/ORG_1~S1';
let releaseId: string;
let milliseconds = 0;
let used: KeyUse[] = [];

beforeEach(() => {
  [milliseconds, used] = [0, []];
});

beforeAll(async () => {
  // Some have to be escaped in addresses and in XML.
  const identifiers = Array.from({ length: SITES }, (_, index) => (index === 1 ? "S & 'a'" : `S${index + 1}`));
  await service.load({
    ...buildLookups(),
    'sites.csv': identifiers.map((SiteUUID) => ({ SiteUUID, Longitude: '-111', Latitude: '40' })),
    'sitespecificamounts.csv': identifiers.map((SiteUUID) => siteAmount({ SiteUUID })),
    'waterallocations.csv': [
      allocation({ AllocationNativeID: 'A/1~x', SiteUUID: 'S1' }),
      allocation({ AllocationNativeID: 'native', AllocationUUID: 'U1', SiteUUID: 'S1' }),
    ],
  });
  releaseId = (await service.store.currentState()).entries[0]?.releaseId ?? '';
  await service.makeFiles();
});

/** A service with these settings, as one of several processes. */
function serviceBy(environment: Readonly<Record<string, string>>, processes = 1): Service {
  const write = (uses: readonly KeyUse[]): Promise<void> => Promise.resolve(void used.push(...uses));
  const usage = new UsageCounter(write, service.service.logError, setNoTimer);
  const settings = readSettings(environment, '/base');
  const access = new AccessControl(service.store.keys, new RateLimits(settings, processes), usage);
  const now = (): Date => new Date(TEST_NOW.getTime() + milliseconds);
  return { ...service.service, publicUrl: SITE, access, now, trustedProxies: { kind: 'hops', hops: 1 } };
}

const things = (): string => `/v1/Downloads/${releaseId}/things.jsonl.gz`;

test('single features, the sitemap and the JSON-LD file need no key, and do not count against the limits of a key', async () => {
  const open = serviceBy({});
  const forms = ['', '?f=json', '?f=html', '?f=jsonld'].map((form) => `${feature}${form}`);
  for (const path of [...forms, '/sitemap.xml', things(), '/releases.atom']) {
    for (const headers of [{}, { 'x-api-key': 'wdk_none' }, { 'x-api-key': service.key }]) {
      expect([path, (await service.getFrom(open, path, headers)).status]).toEqual([path, 200]);
    }
  }
  expect((await service.getFrom(open, feature, {})).headers['RateLimit-Policy']).toBe('"pages";q=600;w=60');
  await open.access.usage.flush();
  expect(used).toEqual([]);
  for (const path of [
    '/ogc/collections/sites/items',
    '/v1/Downloads',
    things().replace('things.jsonl', 'records.csv'),
  ]) {
    expect([path, (await service.getFrom(open, path, {})).status]).toEqual([path, 401]);
  }
  expect((await service.getFrom(open, '/ogc/collections/sites/items/ORG_1~none', {})).status).toBe(404);
});

test('documents say that single features need no key and records do', async () => {
  for (const [environment, isOpen] of [
    [{}, true],
    [{ OPEN_PAGES: 'false' }, false],
  ] as const) {
    const asked = serviceBy(environment);
    const { json } = await service.getFrom(asked, '/data.json', {});
    const files = json.dataset[0].distribution as readonly { readonly title: string; readonly accessRights: string }[];
    const getAccessRights = (name: string): string => files.find(({ title }) => title === name)?.accessRights ?? '';
    expect(getAccessRights('things.jsonl.gz').includes('no key needed')).toBe(isOpen);
    expect(getAccessRights('records.csv.gz')).toContain('Reading records needs a key');
    const { text } = await service.getFrom(asked, '/downloads', {});
    expect(text.includes(`href="/data${things()}"`)).toBe(isOpen);
  }
});

test('pages of single features need a key or the keyless allowance if OPEN_PAGES=false (D51)', async () => {
  const closed = serviceBy({ OPEN_PAGES: 'false' });
  for (const path of [feature, `${feature}?f=html`, '/sitemap.xml', things()]) {
    expect([path, (await service.getFrom(closed, path, {})).status]).toEqual([path, 401]);
    expect([path, (await service.getFrom(closed, path)).status]).toEqual([path, 200]);
  }
  expect((await service.getFrom(closed, feature, {})).headers['WWW-Authenticate']).toMatch(/^Basic/);
  const allowed = serviceBy({ OPEN_PAGES: 'false', KEYLESS_REQUESTS_PER_HOUR: '1' });
  expect((await service.getFrom(allowed, feature, {})).status).toBe(200);
  expect((await service.getFrom(allowed, feature, {})).status).toBe(401);
  expect((await service.getFrom(allowed, '/sitemap.xml', {})).status).toBe(200);
  expect((await service.getFrom(allowed, things(), {})).status).toBe(401);
});

test('each process limits the pages per minute for an address, and says when to retry', async () => {
  const open = serviceBy({ PAGES_PER_MINUTE: '3' }, 2);
  const fetchStatus = async (address: string): Promise<number> =>
    (await service.getFrom(open, feature, { 'x-forwarded-for': address, 'x-api-key': service.key })).status;
  const statuses: number[] = [];
  for (let asked = 0; asked < 4; asked++) statuses.push(await fetchStatus('2001:db8::1'));
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect([await fetchStatus('2001:db8::2'), await fetchStatus('192.0.2.1')]).toEqual([429, 200]);
  const { headers, json } = await service.getFrom(open, feature, { 'x-forwarded-for': '2001:db8::1' });
  expect([headers['Retry-After'], headers['RateLimit'], json.title]).toEqual([
    '20',
    '"pages";r=0;t=60',
    'Too many pages',
  ]);
  milliseconds = 20_000;
  expect(await fetchStatus('2001:db8::1')).toBe(200);
});

test('robots.txt allows crawlers to read open pages, but no lists', async () => {
  const closed = await service.getFrom(serviceBy({ OPEN_PAGES: 'false' }), '/robots.txt', {});
  expect(closed.text).toBe('User-agent: *\nDisallow: /data/v1/\nDisallow: /data/ogc/\n');
  const { text } = await service.getFrom(serviceBy({}), '/robots.txt', {});
  expect(text.split('\n')).toEqual([
    'User-agent: *',
    'Allow: /data/v1/Downloads/*/things.jsonl.gz',
    'Disallow: /data/v1/',
    ...['html', 'json', 'jsonld'].map((form) => `Allow: /data/ogc/collections/*/items/*?f=${form}$`),
    'Disallow: /data/ogc/*?',
    'Disallow: /data/ogc/collections/*/tiles/',
    '',
    `Sitemap: ${SITE}/sitemap.xml`,
    '',
  ]);
});

/** The interval between requests of a crawler that counts each of its requests. */
const PACE_MS = 1000 / 8;

test('never refuses a crawler that reads the sitemap with eight HEAD and GET requests per second', async () => {
  const open = serviceBy({});
  const paced = async (path: string, headers = {}, method?: 'HEAD') => {
    milliseconds += PACE_MS;
    const answer = await service.getFrom(open, path, headers, method);
    if (answer.status !== 200) throw new Error(`${method ?? 'GET'} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const parts = parseSitemap((await paced('/sitemap.xml')).text);
  let read = 0;
  for (const { address: part } of parts) {
    for (const { address, changed } of parseSitemap((await paced(part.slice(SITE.length))).text)) {
      expect(changed).toBe(TEST_NOW.toISOString());
      const headers = { accept: 'application/ld+json', 'want-content-digest': 'md5' };
      const head = await paced(address.slice(SITE.length), headers, 'HEAD');
      const { bytes } = await paced(address.slice(SITE.length), { accept: headers.accept });
      expect(head.headers['Content-Digest']).toBe(`md5=:${hash('md5', bytes, 'base64')}:`);
      read++;
    }
  }
  expect(read).toBe(SITES + 2);
});

test('at the crawl rate of the sitemap test, 20,000 pages never exhaust the limit of an address', () => {
  const { access } = serviceBy({});
  const waits = Array.from({ length: 2 * 20_000 }, (_, index) => {
    const now = TEST_NOW.getTime() + index * PACE_MS;
    return access.limits.getPageBucket('192.0.2.1', now).takeOne(now);
  });
  expect(Math.max(...waits)).toBe(0);
});

test('there is no sitemap without PUBLIC_URL, and none for a release that is not current', async () => {
  expect((await service.get('/sitemap.xml')).status).toBe(404);
  const { status, json } = await service.getFrom(serviceBy({}), '/sitemap.xml?part=sites-0-1');
  expect([status, json.detail]).toEqual([404, expect.stringContaining('/sitemap.xml lists them')]);
  const other = await service.getFrom(serviceBy({}), '/sitemap.xml?page=2');
  expect([other.status, other.json.errors[0].parameter]).toEqual([400, 'page']);
});
