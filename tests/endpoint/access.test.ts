// The access key (D30).

import { makeKey } from '../../shared/access/access-keys';
import { lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { createTestService, TEST_NOW } from '../fixtures/test-service';

const service = createTestService();

const ISSUED = '2025-01-01T00:00:00.000Z';
const valid = makeKey('valid', ISSUED, '2026-01-02T03:04:05.001Z');
const expired = makeKey('expired', ISSUED, TEST_NOW.toISOString());
const revoked = makeKey('revoked', ISSUED, null);
const unknown = makeKey('unknown', ISSUED, null);

beforeAll(async () => {
  await service.load({
    ...lookupsOf(),
    'sites.csv': [{ SiteUUID: 'S1' }],
    'sitespecificamounts.csv': [siteAmount({})],
  });
  for (const { record } of [valid, expired, revoked]) await service.store.keys.add(record);
  await service.store.keys.revoke(revoked.record.id, ISSUED);
});

afterAll(() => service.close());

describe.each(Object.values(paths))('%s', (path) => {
  test.each([
    ['in the header', '', { 'x-api-key': valid.key }],
    ['in the header, with spaces around', '', { 'X-API-Key': ` ${valid.key} ` }],
    ['as the parameter key', `?key=${valid.key}`, {}],
    ['as the parameter KEY', `?State=UT&KEY=+${valid.key}+`, {}],
    ['in the header, with another in the query', `?key=${unknown.key}`, { 'x-api-key': valid.key }],
    ['in the query, with a blank header', `?key=${valid.key}`, { 'x-api-key': ' ' }],
    ['in the query, after a blank one', `?key=&key=${valid.key}`, {}],
  ])('takes a key %s', async (_, query, headers) => {
    const { status, text } = await service.get(path + query, headers);
    expect(status).toBe(200);
    expect(text).not.toContain('wdk_');
  });

  test('answers a missing, unknown, expired, revoked or malformed key with one and the same 401', async () => {
    const altered = valid.key.slice(0, -1) + (valid.key.endsWith('A') ? 'B' : 'A');
    const requests: readonly [string, Record<string, string>][] = [
      ['', {}],
      ['?key=', {}],
      ...[unknown.key, expired.key, revoked.key, altered, `${valid.key}x`, 'x', '%00', '%'].map(
        (key): [string, Record<string, string>] => [`?key=${key}`, {}],
      ),
      ...[unknown.key, expired.key, revoked.key, altered].map((key): [string, Record<string, string>] => [
        '',
        { 'x-api-key': key },
      ]),
      [`?key=${valid.key}`, { 'x-api-key': unknown.key }],
    ];
    const bodies = new Set<string>();
    for (const [query, headers] of requests) {
      const { status, json, headers: sent } = await service.get(path + query, headers);
      expect(status).toBe(401);
      expect(json.instance).toBe(`urn:uuid:${sent['X-Request-Id'] ?? ''}`);
      bodies.add(JSON.stringify({ ...json, instance: '' }));
    }
    expect(bodies.size).toBe(1);
  });
});

test('a key is good until the moment it expires', async () => {
  expect(valid.record.expiresAt).toBe(new Date(TEST_NOW.getTime() + 1).toISOString());
  expect((await service.get(paths.site, { 'x-api-key': valid.key })).status).toBe(200);
  expect(expired.record.expiresAt).toBe(TEST_NOW.toISOString());
  expect((await service.get(paths.site, { 'x-api-key': expired.key })).status).toBe(401);
});

test('a revocation works at the next request', async () => {
  const issued = makeKey('to be revoked', ISSUED, null);
  await service.store.keys.add(issued.record);
  expect((await service.get(`${paths.site}?key=${issued.key}`, {})).status).toBe(200);
  await service.store.keys.revoke(issued.record.id, TEST_NOW.toISOString());
  expect((await service.get(`${paths.site}?key=${issued.key}`, {})).status).toBe(401);
});

test('only a hash of a key is stored', async () => {
  const stored = JSON.stringify(await service.store.keys.list());
  for (const { key } of [valid, expired, revoked]) expect(stored).not.toContain(key.slice(-43));
});

test.each([
  ['twice', `key=${valid.key}&key=${valid.key}`],
  ['under a name that nobody knows', `apikey=${valid.key}`],
  ['as a name', `${valid.key}=1`],
  ['as another value', `HUC8=${valid.key}`],
  ['in a date', `StartDate=2010-01-01${valid.key}`],
  ['beside a broken escape', `State=${valid.key}%zz`],
  ['with escapes of its own beside a broken one', `State=${valid.key.replaceAll('_', '%5F')}%zz`],
  ['without its last character', `State=${valid.key.slice(0, -1)}`],
  ['at the end of what is shown of a long value', `HUC8=${'1'.repeat(180)}${valid.key}`],
])('an error never repeats a key that stands %s', async (_, query) => {
  const { status, text } = await service.get(`${paths.site}?${query}`, { 'x-api-key': valid.key });
  expect(status).toBe(400);
  expect(text).not.toContain('wdk_');
  expect(text).not.toContain(valid.key.slice(-20, -1));
});

test('keys are random and of one shape', () => {
  const keys = Array.from({ length: 50 }, () => makeKey('owner', ISSUED, null));
  expect(new Set(keys.map(({ key }) => key)).size).toBe(50);
  for (const { key, record } of keys) expect(key).toMatch(new RegExp(`^wdk_${record.id}_[A-Za-z0-9_-]{43}$`));
});

test.each(['x-forwarded-for', 'forwarded'])(
  'the development key is not accepted behind a proxy (%s)',
  async (header) => {
    const behind = await service.get(paths.site, { 'x-api-key': service.key, [header]: 'for=192.0.2.1' });
    expect(behind.status).toBe(401);
    expect((await service.get(paths.site)).status).toBe(200);
  },
);
