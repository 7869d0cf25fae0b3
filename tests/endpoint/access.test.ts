// Access keys (D30): how a request sends one, what a 401 says, and requests without one below /ogc (D51).

import { makeKey, revokeKey } from '../../shared/access/access-keys';
import type { Service } from '../../shared/http/pipeline/service';
import { oneAmount, paths } from '../fixtures/handmade';
import { createAccess, createLoadedService, TEST_NOW } from '../fixtures/test-service';

const service = createLoadedService(oneAmount);
const ISSUED = '2025-01-01T00:00:00.000Z';
const valid = makeKey('valid', ISSUED, '2026-01-02T03:04:05.001Z');
const expired = makeKey('expired', ISSUED, TEST_NOW.toISOString());
const revoked = makeKey('revoked', ISSUED, null);
const unknown = makeKey('unknown', ISSUED, null);

beforeAll(async () => {
  for (const { record } of [valid, expired, revoked]) await service.store.keys.add(record);
  await revokeKey(service.store.keys, revoked.record.id, ISSUED);
});

const ITEMS = '/ogc/collections/allocations/items';
const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;

describe.each([paths.site, ITEMS, '/ogc/collections/allocations/tiles/WebMercatorQuad/0/0/0'])('%s', (path) => {
  test.each<[string, string, Record<string, string>]>([
    ['in the header', '', { 'x-api-key': valid.key }],
    ['in the header, surrounded by spaces', '', { 'X-API-Key': ` ${valid.key} ` }],
    ['as the parameter key', `?key=${valid.key}`, {}],
    ['as the parameter KEY', `?State=UT&KEY=+${valid.key}+`, {}],
    ['in the header, with a different key in the query', `?key=${unknown.key}`, { 'x-api-key': valid.key }],
    ['in the query, with a blank header', `?key=${valid.key}`, { 'x-api-key': ' ' }],
    ['in the query, after a blank value', `?key=&key=${valid.key}`, {}],
    ['as the user name of Basic', '', { authorization: basic(`${valid.key}:`) }],
    ['as the user name of Basic, with any password', '', { authorization: basic(`${valid.key}:whatever`) }],
    ['as a Bearer token', '', { authorization: `Bearer ${valid.key}` }],
    ['as a bearer token, with spaces', '', { authorization: ` bearer  ${valid.key} ` }],
    ['in the header, with a different Bearer token', '', { 'x-api-key': valid.key, authorization: 'Bearer other' }],
    ['as a Bearer token, with a blank header', '', { 'x-api-key': ' ', authorization: `Bearer ${valid.key}` }],
    ['in the query, with a different user name', `?key=${valid.key}`, { authorization: basic('someone:else') }],
  ])('takes a key %s', async (_, query, headers) => {
    const { status, text } = await service.get(path + query, headers);
    // An empty tile is a 204.
    expect([200, 204]).toContain(status);
    expect(text).not.toContain('wdk_');
  });

  test('a 401 says that a key was revoked or has expired only if the whole key is correct', async () => {
    const alter = (key: string): string => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
    const { key: other } = unknown;
    const faults: readonly [string, string, Record<string, string>][] = [
      ['missing', '', {}],
      ['missing', '?key=', { 'x-api-key': ' ' }],
      ...[basic(`:${valid.key}`), 'Basic ?', 'Bearer ', `Digest ${valid.key}`].map(
        (authorization): [string, string, Record<string, string>] => ['missing', '', { authorization }],
      ),
      ['unknown', '', { authorization: basic('someone:else') }],
      ['unknown', '', { authorization: `Bearer ${other}` }],
      ...[other, alter(valid.key), alter(revoked.key), alter(expired.key), `${valid.key}x`, 'x', '%00', '%'].map(
        (key): [string, string, Record<string, string>] => ['unknown', `?key=${key}`, {}],
      ),
      ['unknown', `?key=${valid.key}`, { 'x-api-key': other }],
      ['revoked', `?key=${revoked.key}`, {}],
      ['revoked', '', { 'x-api-key': revoked.key }],
      ['expired', `?key=${expired.key}`, {}],
      ['expired', '', { 'x-api-key': expired.key }],
    ];
    const bodies = new Set<string>();
    for (const [fault, query, headers] of faults) {
      const { status, json, headers: sent } = await service.get(path + query, headers);
      expect([status, json.type]).toEqual([401, `urn:water-data-query-service:problem:key-${fault}`]);
      expect(json.instance).toBe(`urn:uuid:${sent['X-Request-Id'] ?? ''}`);
      bodies.add(JSON.stringify({ ...json, instance: '' }));
    }
    expect(bodies.size).toBe(4);
  });
});

test('a 401 lists only the ways to send a key that the path accepts, and the contact', async () => {
  const testedService = { ...service.service, contact: 'https://water.example.org/help' };
  const fetchDetail = async (path: string, headers = {}): Promise<string> =>
    (await service.getFrom(testedService, path, headers)).json.detail;
  expect(await fetchDetail(paths.site)).toContain('in the header X-API-Key, in the parameter key, or as the user name');
  const ofMetrics = await fetchDetail(`/metrics?key=${valid.key}`);
  expect(ofMetrics).toContain('in the header X-API-Key, or as the user name');
  expect(ofMetrics).not.toContain('parameter');
  const good = await fetchDetail('/metrics', { 'x-api-key': valid.key });
  expect(good).toMatch(/may not read metrics.*questions: https:\/\/water\.example\.org\/help/);
});

test('a revoked key is refused at the next request', async () => {
  const issued = makeKey('to be revoked', ISSUED, null);
  await service.store.keys.add(issued.record);
  expect((await service.get(`${paths.site}?key=${issued.key}`, {})).status).toBe(200);
  await revokeKey(service.store.keys, issued.record.id, TEST_NOW.toISOString());
  expect((await service.get(`${paths.site}?key=${issued.key}`, {})).status).toBe(401);
});

test('only a hash of a key is stored', async () => {
  const stored = JSON.stringify(await service.store.keys.list());
  for (const { key } of [valid, expired, revoked]) expect(stored).not.toContain(key.slice(-43));
});

test.each([
  ['twice', `key=${valid.key}&key=${valid.key}`],
  ['under an unknown name', `apikey=${valid.key}`],
  ['as a parameter name', `${valid.key}=1`],
  ['as the value of another parameter', `HUC8=${valid.key}`],
  ['in a date', `StartDate=2010-01-01${valid.key}`],
  ['next to a broken escape', `State=${valid.key}%zz`],
  ['with its own escapes next to a broken one', `State=${valid.key.replaceAll('_', '%5F')}%zz`],
  ['without its last character', `State=${valid.key.slice(0, -1)}`],
  ['at the end of a long value that is cut off', `HUC8=${'1'.repeat(180)}${valid.key}`],
  ['at the end of an unknown name that is cut off', `Foo=${'x'.repeat(170)}${valid.key}`],
  ['twice in a value', `StartIndex=${valid.key}&StartIndex=${valid.key}`],
  ['in the right parameter with a broken escape', `key=${valid.key}%`],
])('an error never repeats a key that was sent %s', async (_, query) => {
  const { status, text } = await service.get(`${paths.site}?${query}`, { 'x-api-key': valid.key });
  expect(status).toBe(400);
  expect(text).not.toContain('wdk_');
  expect(text).not.toContain(valid.key.slice(-20, -1));
});

test('the development key is required even if a request claims to come from this machine or the explorer', async () => {
  const ways: readonly Record<string, string>[] = [
    {},
    { host: '127.0.0.1:7071' },
    { 'x-asked-by': 'explorer' },
    { 'x-requested-with': 'explorer' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', host: 'localhost' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-forwarded-for': '127.0.0.1' },
  ];
  for (const headers of ways) {
    expect((await service.get(paths.site, headers)).status).toBe(401);
    expect((await service.get(paths.site, { ...headers, 'x-api-key': service.key })).status).toBe(200);
    expect((await service.get(`${paths.site}?key=${service.key}`, headers)).status).toBe(200);
  }
});

test.each([paths.site, '/ogc/collections/sites/items', '/sitemap.xml', '/metrics', '/v1/Inventory'])(
  'a 401 of %s has WWW-Authenticate, except for our pages, where a browser would show its login dialog',
  async (path) => {
    const answer = await service.get(path, {});
    expect([answer.status, answer.headers['WWW-Authenticate']]).toEqual([
      401,
      expect.stringMatching(/^(ApiKey|Basic) /),
    ]);
    for (const key of ['', unknown.key, revoked.key, expired.key]) {
      const { status, headers } = await service.get(path, { 'x-requested-with': 'explorer', 'x-api-key': key });
      expect([status, Object.keys(headers)]).toEqual([401, expect.not.arrayContaining(['WWW-Authenticate'])]);
    }
  },
);

describe('below /ogc', () => {
  /** A service that answers this many requests per hour without a key. Its time is a number of minutes. */
  function keylessService(perHour: number) {
    let now = TEST_NOW;
    const access = createAccess(service, { perHour });
    const testedService: Service = {
      ...service.service,
      access,
      trustedProxies: { kind: 'hops', hops: 1 },
      now: () => now,
    };
    return {
      testedService,
      setMinutes: (minutes: number) => {
        now = new Date(TEST_NOW.getTime() + 60_000 * minutes);
      },
    };
  }

  const from = (address: string): Readonly<Record<string, string>> => ({ 'x-forwarded-for': `10.0.0.1, ${address}` });

  test('an address may send a number of requests per hour without a key, but only below /ogc', async () => {
    const { testedService, setMinutes } = keylessService(2);
    const fetchStatus = async (headers: Readonly<Record<string, string>>, path = ITEMS): Promise<number> =>
      (await service.getFrom(testedService, path, headers)).status;
    const first = await service.getFrom(testedService, ITEMS, from('192.0.2.1'));
    expect([first.status, first.headers['RateLimit-Policy']]).toEqual([
      200,
      expect.stringContaining('"requests";q=2;w=3600'),
    ]);
    expect([await fetchStatus(from('192.0.2.1')), await fetchStatus(from('192.0.2.1'))]).toEqual([200, 401]);
    expect(await fetchStatus(from('192.0.2.2'))).toBe(200);
    expect(await fetchStatus(from('192.0.2.1'), '/v1/SiteVariableAmounts')).toBe(401);
    setMinutes(30);
    expect([await fetchStatus(from('192.0.2.1')), await fetchStatus(from('192.0.2.1'))]).toEqual([200, 401]);
    expect(await fetchStatus({ ...from('192.0.2.9'), 'x-api-key': 'wdk_wrong' })).toBe(401);
  });

  test('without a trusted proxy, a different X-Forwarded-For does not count as a different client', async () => {
    const { testedService } = keylessService(1);
    const alone = { ...testedService, trustedProxies: { kind: 'hops', hops: 0 } } as const;
    expect((await service.getFrom(alone, ITEMS, from('192.0.2.1'))).status).toBe(200);
    expect((await service.getFrom(alone, ITEMS, from('192.0.2.2'))).status).toBe(401);
  });
});
