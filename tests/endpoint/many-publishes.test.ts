// The cost of requests after many publishes: states of the catalog never change, so each is read once, and a request
// for an unknown feature does not search all releases that ever existed.

import { createMemory } from '../../shared/http/make-service';
import type { Service } from '../../shared/http/pipeline/service';
import { createSearchCaches } from '../../shared/search/index/search-caches';
import { buildCatalogState, type CatalogEntry } from '../../shared/store/catalog-types';
import type { Store } from '../../shared/store/port';
import { allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { postMessage } from '../fixtures/mcp-client';
import { createTestService } from '../fixtures/test-service';

const PUBLISHES = 200;

/**
 * The number of releases that a request may open: the current releases of an organization, and 20 previous releases.
 */
const MAX_OPENED = 30;

const service = createTestService();
let entries: readonly CatalogEntry[] = [];

async function publish(next: readonly CatalogEntry[], minute: number): Promise<void> {
  const { version } = await service.store.currentState();
  const since = new Date(Date.UTC(2025, 0, 1, 0, minute)).toISOString();
  expect(await service.store.publish(version, buildCatalogState(next, since, 'load'))).toBe('published');
}

beforeAll(async () => {
  await service.load({
    ...buildLookups(),
    'sites.csv': [{ SiteUUID: 'S1', Longitude: '-111', Latitude: '40' }],
    'sitespecificamounts.csv': [siteAmount({ SiteUUID: 'S1' })],
    'waterallocations.csv': [allocation({ AllocationNativeID: 'A', SiteUUID: 'S1' })],
  });
  ({ entries } = await service.store.currentState());
  for (let index = 0; index < PUBLISHES; index++) {
    // The releases of these states no longer exist.
    await publish(
      entries.map((entry) => ({ ...entry, releaseId: `${entry.releaseId.slice(0, -6)}${100_000 + index}` })),
      index,
    );
  }
  await publish(entries, PUBLISHES);
});

/** The service over a store that counts which releases are opened. */
function countOpened(): { readonly counting: Service; readonly opened: string[] } {
  const opened: string[] = [];
  const store = new Proxy<Store>(service.store, {
    get: (target, name) => {
      if (name === 'openRelease') {
        return (releaseId: string) => {
          opened.push(releaseId);
          return target.openRelease(releaseId);
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  return { counting: { ...service.service, store }, opened };
}

test.each([
  '/ogc/collections/sites/items/ORG_1~none',
  '/ogc/collections/sites/items/ORG_1~none?f=json',
  '/ogc/collections/allocations/items/ORG_1~none',
  `/ogc/collections/site-amounts/items/ORG_1~${'a'.repeat(22)}`,
  '/ogc/collections/reporting-units/items/ORG_1~none',
])('%s opens a bounded number of releases before its 404', async (path) => {
  const { counting, opened } = countOpened();
  expect((await service.getFrom(counting, path, { 'x-api-key': service.key })).status).toBe(404);
  expect(opened.length).toBeLessThanOrEqual(MAX_OPENED);
});

test('a feature of no organization opens no previous release', async () => {
  const { counting, opened } = countOpened();
  const path = '/ogc/collections/sites/items/NOBODY~S1';
  expect((await service.getFrom(counting, path, { 'x-api-key': service.key })).status).toBe(404);
  const current = entries.map(({ releaseId }) => releaseId);
  expect(opened.filter((releaseId) => !current.includes(releaseId))).toEqual([]);
});

test.each([
  ['/releases.atom', 200],
  ['/', 200],
  ['/downloads', 200],
  ['/data.json', 200],
  ['/v1/Inventory', 200],
  ['/ogc/collections/sites/items/ORG_1~S1?f=html', 200],
  ['/ogc/collections/sites/items/ORG_1~none', 404],
])('%s does not parse any catalog state a second time', async (path, status) => {
  const headers = { 'x-api-key': service.key };
  expect((await service.get(path, headers)).status).toBe(status);
  const parse = jest.spyOn(JSON, 'parse');
  try {
    expect((await service.get(path, headers)).status).toBe(status);
    const states = parse.mock.calls.filter(([text]) => text.startsWith('[{"organizationUuid"'));
    expect(states).toEqual([]);
  } finally {
    parse.mockRestore();
  }
});

test.each(['', '?f=json', '?f=html', '?f=jsonld', '?f=json&crs=EPSG%3A3857'])(
  'the cached answer of a feature (%s) is sent without opening a release',
  async (query) => {
    const path = `/ogc/collections/sites/items/ORG_1~S1${query}`;
    for (const coding of ['identity', 'br']) {
      const headers = { 'x-api-key': service.key, 'accept-encoding': coding };
      const first = await service.get(path, headers);
      const { counting, opened } = countOpened();
      const again = await service.getFrom(counting, path, headers);
      expect([again.status, again.headers['ETag'], opened]).toEqual([200, first.headers['ETag'], []]);
      expect(Buffer.compare(again.bytes, first.bytes)).toBe(0);
      const { 'X-Request-Id': id = '', RateLimit: limit = '' } = again.headers;
      expect(again.headers).toEqual({ ...first.headers, 'X-Request-Id': id, RateLimit: limit });
      const tag = first.headers['ETag'] ?? '';
      const unchanged = await service.getFrom(counting, path, { ...headers, 'if-none-match': tag });
      expect([unchanged.status, unchanged.headers['Content-Encoding'], opened]).toEqual([304, undefined, []]);
    }
  },
);

test('a new publish is visible at once, and requests for data that it withdrew get a 410', async () => {
  const path = '/ogc/collections/allocations/items/ORG_1~A';
  const headers = { 'x-api-key': service.key };
  const feed = await service.get('/releases.atom');
  expect((await service.get(path, headers)).status).toBe(200);
  await publish(
    entries.filter(({ dataSet }) => dataSet !== 'WaterAllocations'),
    PUBLISHES + 1,
  );
  expect((await service.get(path, headers)).status).toBe(410);
  await publish(entries, PUBLISHES + 2);
  const republished = await service.get('/releases.atom');
  expect(republished.text).not.toBe(feed.text);
  expect((await service.get(path, headers)).status).toBe(200);
});

test('the list of tools for assistants is cached until something is published', async () => {
  const { counting, opened } = countOpened();
  const testedService = { ...counting, ...createMemory(0, Infinity), caches: createSearchCaches(8e6) };
  const list = async (): Promise<string> => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    return (await postMessage(testedService, message, { 'x-api-key': service.key })).text;
  };
  const first = await list();
  expect(first).toContain('ORG_1');
  const openedFirst = opened.length;
  expect(openedFirst).toBeGreaterThan(0);
  expect(await list()).toBe(first);
  expect(opened).toHaveLength(openedFirst);
});
