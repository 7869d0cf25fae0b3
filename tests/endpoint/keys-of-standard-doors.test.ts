// Keys on the standard doors (D51): header, parameter, Basic user name; requests without one, so many an hour.

import { AccessControl, UsageCounter } from '../../shared/access/access-control';
import { RateLimits } from '../../shared/access/rate-limits';
import type { Service } from '../../shared/http/pipeline/service';
import { createTestService, TEST_NOW } from '../fixtures/test-service';

const service = createTestService();

afterAll(() => service.close());

const ITEMS = '/ogc/collections/allocations/items';

const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;

test.each([ITEMS, '/v1/SiteVariableAmounts', '/ogc/collections/allocations/tiles/WebMercatorQuad/0/0/0'])(
  '%s takes a key in the header, as the parameter and as the user name of Basic',
  async (path) => {
    const ways: readonly [string, Readonly<Record<string, string>>][] = [
      [path, { 'x-api-key': service.key }],
      [`${path}?key=${service.key}`, {}],
      [path, { authorization: basic(`${service.key}:`) }],
      [path, { authorization: basic(`${service.key}:whatever`) }],
      [`${path}?key=${service.key}`, { authorization: basic('someone:else') }],
    ];
    for (const [asked, headers] of ways) expect((await service.get(asked, headers)).status).toBeLessThan(300);
    for (const authorization of [basic('someone:else'), basic(`:${service.key}`), 'Basic ?', `Bearer ${service.key}`]) {
      expect((await service.get(path, { authorization })).status).toBe(401);
    }
  },
);

test('a 401 asks for Basic on the standard doors alone', async () => {
  expect((await service.get(ITEMS, {})).headers['WWW-Authenticate']).toMatch(/^Basic realm="[^"]+", charset="UTF-8"$/);
  expect((await service.get(`${ITEMS}/UTwr~1`, {})).headers['WWW-Authenticate']).toMatch(/^Basic /);
  expect((await service.get('/v1/SiteVariableAmounts', {})).headers['WWW-Authenticate']).toMatch(/^ApiKey /);
});

/** A service that answers so many requests an hour without a key; the time is a number of minutes. */
function keylessService(perHour: number): { readonly asked: Service; readonly setMinutes: (minutes: number) => void } {
  let now = TEST_NOW;
  const limits = new RateLimits({ requestsPerMinute: 1000, recordsPerMinute: 1000 });
  const usage = new UsageCounter(
    () => Promise.resolve(),
    service.service.logError,
    () => undefined,
  );
  const access = new AccessControl(service.store.keys, limits, usage, perHour);
  return {
    asked: { ...service.service, access, trustedProxies: { kind: 'hops', hops: 1 }, now: () => now },
    setMinutes: (minutes) => {
      now = new Date(TEST_NOW.getTime() + 60_000 * minutes);
    },
  };
}

const from = (address: string): Readonly<Record<string, string>> => ({ 'x-forwarded-for': `10.0.0.1, ${address}` });

test('so many requests an hour from one address go without a key, below /ogc alone', async () => {
  const { asked, setMinutes } = keylessService(2);
  const statusOf = async (headers: Readonly<Record<string, string>>, path = ITEMS): Promise<number> =>
    (await service.ask(asked, path, headers)).status;
  const first = await service.ask(asked, ITEMS, from('192.0.2.1'));
  expect([first.status, first.headers['RateLimit-Policy']]).toEqual([
    200,
    expect.stringContaining('"requests";q=2;w=3600'),
  ]);
  expect([await statusOf(from('192.0.2.1')), await statusOf(from('192.0.2.1'))]).toEqual([200, 401]);
  expect(await statusOf(from('192.0.2.2'))).toBe(200);
  expect(await statusOf(from('192.0.2.1'), '/v1/SiteVariableAmounts')).toBe(401);
  setMinutes(30);
  expect([await statusOf(from('192.0.2.1')), await statusOf(from('192.0.2.1'))]).toEqual([200, 401]);
  expect(await statusOf({ ...from('192.0.2.9'), 'x-api-key': 'wdk_wrong' })).toBe(401);
});

test('without a trusted proxy a header makes nobody another client', async () => {
  const { asked } = keylessService(1);
  const alone = { ...asked, trustedProxies: { kind: 'hops', hops: 0 } } as const;
  expect((await service.ask(alone, ITEMS, from('192.0.2.1'))).status).toBe(200);
  expect((await service.ask(alone, ITEMS, from('192.0.2.2'))).status).toBe(401);
});
