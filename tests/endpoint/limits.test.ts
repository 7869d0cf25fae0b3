// Limits of keys and the count of their use (ADR 0043). Also the limit of a request: a search that passes its deadline,
// or whose client has disconnected, stops between two chunks of places or geometries (ADR 0006), where it also lets
// other requests run (ADR 0058).

import { HttpRequest } from '@azure/functions';
import { siteVariableAmountsFunction } from '../../functions/site-variable-amounts';
import { makeKey } from '../../shared/access/access-keys';
import { UsageCounter } from '../../shared/access/key-usage';
import { RequestQueue } from '../../shared/http/pipeline/request-queue';
import type { Service } from '../../shared/http/pipeline/service';
import type { KeyUse } from '../../shared/store/catalog-types';
import { buildLookups, paths, siteAmount } from '../fixtures/handmade';
import { type Answer, createAccess, createTestService, setNoTimer, TEST_NOW } from '../fixtures/test-service';

const RECORDS = 40;
const ISSUED = '2025-01-01T00:00:00.000Z';

const service = createTestService();
const own = makeKey('of its own', ISSUED, null, { requestsPerMinute: 3, recordsPerMinute: 100 });
const usual = makeKey('usual', ISSUED, null);

let milliseconds = 0;
let written: KeyUse[] = [];
let limited: Service;

beforeAll(async () => {
  await service.load({
    ...buildLookups(),
    'sites.csv': [{ SiteUUID: 'S1' }],
    'sitespecificamounts.csv': Array.from({ length: RECORDS }, (_, index) =>
      siteAmount({ ReportYearCV: 1900 + index }),
    ),
  });
  await service.store.keys.add(own.record);
  await service.store.keys.add(usual.record);
});

beforeEach(() => {
  milliseconds = 0;
  written = [];
  const write = (uses: readonly KeyUse[]): Promise<void> => Promise.resolve(void written.push(...uses));
  limited = {
    ...service.service,
    access: createAccess(service, { requestsPerMinute: 600, recordsPerMinute: RECORDS, write }),
    now: () => new Date(TEST_NOW.getTime() + milliseconds),
  };
});

afterEach(() => limited.access.usage.flush());

function ask(query: string, key = own.key, more: Record<string, string> = {}, method?: 'HEAD'): Promise<Answer> {
  return service.getFrom(limited, `${paths.site}?${query}`, { 'x-api-key': key, ...more }, method);
}

async function readKeyUse(keyId: string): Promise<KeyUse | undefined> {
  await limited.access.usage.flush();
  return written.find((use) => use.keyId === keyId);
}

test('a key over its request limit gets a 429 with the time to wait, and then an answer', async () => {
  for (let asked = 0; asked < 3; asked++) expect((await ask('RecordCount=1')).status).toBe(200);
  const refused = await ask('RecordCount=1');
  expect(refused.status).toBe(429);
  expect(refused.headers).toMatchObject({ 'Content-Type': 'application/problem+json', 'Retry-After': '20' });
  expect(refused.json).toMatchObject({ status: 429, title: 'Too many requests' });
  expect(refused.headers['RateLimit']).toBe('"requests";r=0;t=60, "records";r=97;t=2');
  milliseconds = 19_900;
  expect((await ask('RecordCount=1')).status).toBe(429);
  milliseconds = 20_000;
  expect((await ask('RecordCount=1')).status).toBe(200);
});

test('a page may exceed the remaining record allowance, and the next request has to wait until it is refilled', async () => {
  const first = await ask('', usual.key);
  expect(first.headers['X-Record-Count']).toBe(String(RECORDS));
  expect(first.headers['RateLimit']).toBe('"requests";r=599;t=1, "records";r=0;t=60');
  expect(await ask('RecordCount=1', usual.key)).toMatchObject({ status: 429, headers: { 'Retry-After': '2' } });
  milliseconds = 2000;
  expect((await ask('', usual.key)).status).toBe(200);
  expect(await ask('RecordCount=1', usual.key)).toMatchObject({ status: 429, headers: { 'Retry-After': '60' } });
});

test.each<[string, () => Promise<Answer>, number]>([
  ['HEAD', () => ask('', usual.key, {}, 'HEAD'), 200],
  ['a 304', () => ask('', usual.key, { 'if-none-match': '*' }), 304],
  ['a 400', () => ask('State=Nowhere', usual.key), 400],
  ['an answer without records', () => ask('State=WY', usual.key), 200],
])('%s counts as a request but not as a record', async (_, request, status) => {
  const answer = await request();
  expect(answer.status).toBe(status);
  expect(answer.headers['RateLimit']).toBe(`"requests";r=599;t=1, "records";r=${RECORDS};t=0`);
  expect(await readKeyUse(usual.record.id)).toMatchObject({ requests: 1, records: 0, refused: 0 });
});

test('401 takes precedence over 429, and 429 over 400; paths without a key have no limits', async () => {
  for (let asked = 0; asked < 4; asked++) await ask('x=1');
  expect((await ask('x=1')).status).toBe(429);
  const unknown = await ask('x=1', `${own.key.slice(0, -2)}AA`);
  expect(unknown.status).toBe(401);
  expect(unknown.headers).not.toHaveProperty('RateLimit');
  expect((await ask('RecordCount=1', usual.key)).status).toBe(200);
});

test('counts requests, records and refusals of each key per day', async () => {
  await ask('RecordCount=5');
  milliseconds = 1000;
  await ask('RecordCount=7');
  await ask('x=1');
  await ask('RecordCount=1');
  await ask('RecordCount=2', service.key);
  milliseconds = 86_400_000;
  await ask('RecordCount=3');
  await limited.access.usage.flush();
  const { id: keyId } = own.record;
  const firstDay = { day: '2026-01-02', lastUsedAt: '2026-01-02T03:04:06.000Z' };
  expect(written).toEqual([
    { ...firstDay, keyId, requests: 3, records: 12, refused: 1 },
    { ...firstDay, keyId: 'development', requests: 1, records: 2, refused: 0 },
    { day: '2026-01-03', lastUsedAt: '2026-01-03T03:04:05.000Z', keyId, requests: 1, records: 3, refused: 0 },
  ]);
});

test('if usage counts cannot be written, keeps them until the next attempt', async () => {
  const failures: string[] = [];
  let isThere = false;
  const write = (uses: readonly KeyUse[]): Promise<void> => {
    if (!isThere) return Promise.reject(new Error('away'));
    written.push(...uses);
    return Promise.resolve();
  };
  const usage = new UsageCounter(write, (message) => failures.push(message), setNoTimer);
  usage.count('k', TEST_NOW, { requests: 1, records: 2 });
  await usage.flush();
  expect(failures).toHaveLength(1);
  isThere = true;
  usage.count('k', TEST_NOW, { requests: 1 });
  await usage.flush();
  await usage.flush();
  expect(written).toEqual([
    { day: '2026-01-02', keyId: 'k', requests: 2, records: 2, refused: 0, lastUsedAt: TEST_NOW.toISOString() },
  ]);
});

test('requests beyond the concurrency limit get a 503 with Retry-After, after key and parameters were checked', async () => {
  limited = { ...limited, queue: new RequestQueue(2) };
  const asked = ['RecordCount=1', 'RecordCount=2', 'RecordCount=3', 'x=1'].map((query) => ask(query, service.key));
  const answers = await Promise.all([...asked, ask('', 'wdk_nobody')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 400, 401]);
  expect(answers[2]?.headers).toMatchObject({ 'Retry-After': '2', 'Content-Type': 'application/problem+json' });
  expect((await ask('RecordCount=3', service.key)).status).toBe(200);
});

describe('a long search', () => {
  const service = createTestService();
  const SITES = 600;
  /** Areas across the northern edge of the boundary below, which the search has to read one by one. */
  const AREAS = 40;
  const AROUND_ALL = 'SearchBoundary=POLYGON((-120+30,-100+30,-100+45,-120+45,-120+30))';

  beforeAll(async () => {
    const sites = Array.from({ length: SITES }, (_, index) => `S${index}`);
    const areas = Array.from({ length: AREAS }, (_, index) => `A${index}`);
    await service.load({
      ...buildLookups(),
      'sites.csv': [
        ...sites.map((SiteUUID, index) => ({ SiteUUID, Longitude: -112 + index / SITES, Latitude: 40 })),
        ...areas.map((SiteUUID, index) => {
          const west = -119 + index / 10;
          return {
            SiteUUID,
            Geometry: `POLYGON((${west} 44, ${west + 1} 44, ${west + 1} 46, ${west} 46, ${west} 44))`,
          };
        }),
      ],
      'sitespecificamounts.csv': [...sites, ...areas].map((SiteUUID) => siteAmount({ SiteUUID })),
    });
  });

  /**
   * Sends a query to a service whose clock advances by `seconds` at each reading. The client disconnects at reading
   * `closedAt`.
   */
  async function ask(query: string, seconds: number, closedAt?: number) {
    let clockReadings = 0;
    const closeListeners: (() => void)[] = [];
    const clock = (): number => {
      if (clockReadings === closedAt) {
        for (const notify of closeListeners) notify();
      }
      const milliseconds = 1000 * seconds * clockReadings;
      clockReadings++;
      return milliseconds;
    };
    const url = `http://localhost/v1/SiteVariableAmounts?RecordCount=1&${query}`;
    const request = new HttpRequest({ method: 'GET', url, headers: { 'x-api-key': service.key } });
    const closableRequest = Object.assign(request, {
      onClosed: (listener: () => void) => closeListeners.push(listener),
    });
    const { status, headers } = await siteVariableAmountsFunction.handle(closableRequest, {
      ...service.service,
      clock,
    });
    return { status, headers, clockReadings };
  }

  test('around many places is a 503 with Retry-After after the deadline', async () => {
    expect(await ask(AROUND_ALL, 20)).toMatchObject({
      status: 503,
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) as unknown, 'Content-Type': 'application/problem+json' },
    });
  });

  test('is answered within its deadline, and then from the cache', async () => {
    expect(await ask(AROUND_ALL, 0.1)).toMatchObject({ status: 200 });
    expect(await ask(AROUND_ALL, 20)).toMatchObject({ status: 200 });
  });

  /** Polygons that no other test sends, so that no cache contains their answers. */
  const aroundAll = (south: number): string => AROUND_ALL.replaceAll('+30', `+${south}`);

  /** Sends all queries at once, each with its expected total. Returns them in the order of their answers. */
  async function sendAll(totals: Readonly<Record<string, number>>): Promise<readonly string[]> {
    const answeredQueries: string[] = [];
    const answers = Object.entries(totals).map(async ([query, total]) => {
      // The clock advances by more than a time slice at each reading.
      const { status, headers } = await ask(query, 0.01);
      answeredQueries.push(query);
      expect([status, headers]).toMatchObject([200, { 'X-Total-Count': String(total) }]);
    });
    await Promise.all(answers);
    return answeredQueries;
  }

  test('does not delay a small request', async () => {
    const totals = {
      [aroundAll(31)]: SITES + AREAS,
      'SiteUUID=S7': 1,
      [aroundAll(32)]: SITES + AREAS,
      'SiteUUID=S8': 1,
    };
    expect((await sendAll(totals)).slice(0, 2).sort()).toEqual(['SiteUUID=S7', 'SiteUUID=S8']);
  });

  test('a slow sort does not delay a small request', async () => {
    expect(await sendAll({ 'OrderBy=-Amount': SITES + AREAS, 'SiteUUID=S9': 1 })).toEqual([
      'SiteUUID=S9',
      'OrderBy=-Amount',
    ]);
  });

  test('ends at its next pause, without an error, after its client has disconnected', async () => {
    const { status, clockReadings } = await ask(aroundAll(33), 0.01, 20);
    expect(status).toBe(503);
    expect(clockReadings).toBeLessThan(25);
    expect((await ask(aroundAll(33), 0.01)).clockReadings).toBeGreaterThan(AREAS);
  });
});
