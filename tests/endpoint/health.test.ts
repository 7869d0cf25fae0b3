// What operators watch. Health: no key, cheap, and a 503 as soon as the data cannot be read; and what queries answer
// while the release of one data set cannot be read (ADR 0050). Metrics: who may read them, and that they count what
// happened (ADR 0056).

import fc from 'fast-check';
import { makeKey } from '../../shared/access/access-keys';
import { createMemory } from '../../shared/http/make-service';
import { HealthMemory } from '../../shared/http/operating/health';
import type { Service } from '../../shared/http/pipeline/service';
import { readProgramVersion } from '../../shared/project-files';
import type { CatalogEntry } from '../../shared/store/catalog-types';
import { FORMAT_VERSION, type ReleaseReader, type Store } from '../../shared/store/port';
import { ageRelease, damageRelease, releaseDamages } from '../fixtures/changed-releases';
import { oneAmount, paths } from '../fixtures/handmade';
import { aggregatedSubmission, siteAmountsSubmission } from '../fixtures/submission';
import { withOrganization } from '../fixtures/submission-changes';
import {
  type Answer,
  createLoadedService,
  createServiceMaker,
  createTestService,
  TEST_NOW,
  type TestService,
} from '../fixtures/test-service';

const service = createTestService();
const loaded = createLoadedService(oneAmount);

interface Asked extends Answer {
  readonly errors: readonly unknown[];
  readonly reads: number;
}

/** Asks `times` times, a given number of milliseconds apart, with a store that may be broken. */
async function ask(changes: (store: Store) => Partial<Store>, times = 1, apartMs = 0): Promise<Asked> {
  const errors: unknown[] = [];
  let reads = 0;
  let clock = TEST_NOW.getTime() + 90_500;
  const store: Store = Object.assign(Object.create(loaded.store), {
    currentState: () => {
      reads++;
      return loaded.store.currentState();
    },
    ...changes(loaded.store),
  });
  const logError = (_: string, error: unknown): void => {
    errors.push(error);
  };
  const broken = { ...loaded.service, store, logError, now: () => new Date(clock), health: new HealthMemory() };
  let answer = await loaded.getFrom(broken, '/health', {});
  for (let time = 1; time < times; time++) {
    clock += apartMs;
    answer = await loaded.getFrom(broken, '/health', {});
  }
  return { ...answer, errors, reads };
}

test('an empty store is ready', async () => {
  const { status, headers, json } = await service.get('/health', {});
  expect(status).toBe(200);
  expect(headers['Content-Type']).toBe('application/json');
  expect(json).toEqual({
    status: 'ready',
    programVersion: readProgramVersion(),
    dataVersion: headers['Data-Version'],
    dataSets: 0,
    records: 0,
    samples: false,
    newestPublishedAt: null,
    newestAgeSeconds: null,
    held: [],
    timers: [],
  });
});

test('reports how the last run of each timer ended, and is ready even if one failed', async () => {
  const { timers } = service.service.health;
  timers.recordTick({ name: 'TakeInSubmissions', at: TEST_NOW, outcome: 'failed' });
  timers.recordTick({ name: 'TakeInSubmissions', at: TEST_NOW, outcome: 'done' });
  const asked = { ...service.service, now: () => new Date(TEST_NOW.getTime() + 10_000) };
  const { status, json } = await service.getFrom(asked, '/health', {});
  expect(status).toBe(200);
  expect(json).toMatchObject({
    timers: [{ name: 'TakeInSubmissions', lastTickAt: TEST_NOW.toISOString(), lastTick: 'done', failedTicks: 1 }],
  });
});

test('reports without a key what is published and how old the newest release is', async () => {
  const { status, headers, text } = await ask(() => ({}));
  const { version } = await loaded.store.currentState();
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'Data-Version': version, 'Cache-Control': 'no-store' });
  expect(JSON.parse(text)).toMatchObject({
    dataVersion: version,
    dataSets: 1,
    records: 1,
    samples: false,
    newestPublishedAt: TEST_NOW.toISOString(),
    newestAgeSeconds: 90,
  });
});

test.each<[string, (store: Store) => Partial<Store>]>([
  ['the catalog cannot be read', () => ({ currentState: () => Promise.reject(new Error('secret detail')) })],
  ['the newest release is not there', () => ({ openRelease: () => Promise.resolve(undefined) })],
  ['the newest release cannot be opened', () => ({ openRelease: () => Promise.reject(new Error('secret detail')) })],
])('is a 503 with Retry-After and no internals when %s', async (_, changes) => {
  const { status, headers, text, errors } = await ask(changes);
  expect(status).toBe(503);
  expect(headers).toMatchObject({ 'Content-Type': 'application/problem+json', 'Retry-After': '5' });
  expect(Object.keys(JSON.parse(text))).toEqual(['type', 'title', 'status', 'detail', 'instance']);
  expect(text).not.toMatch(/secret|release [0-9a-f]/);
  expect(errors).toHaveLength(1);
});

test('names each data set whose release cannot be read, and why', async () => {
  const { releaseId } = (await loaded.store.currentState()).entries[0] ?? { releaseId: '' };
  const reader = await loaded.store.openRelease(releaseId);
  const findFault = (): Promise<string> => Promise.resolve('the file of its records is missing');
  const damaged = Object.assign(Object.create(reader ?? null), { findFault });
  const { status, text } = await ask(() => ({ openRelease: () => Promise.resolve(damaged) }));
  expect(status).toBe(503);
  expect(JSON.parse(text).detail).toBe(
    'Not all data can be read: the release of ORG_1 SiteVariableAmounts is damaged: the file of its records is missing. Try again after the time in Retry-After.',
  );
});

test('checks each of many releases once, and some of them again at each request', async () => {
  const looked: string[] = [];
  const parts = { facts: { formatVersion: FORMAT_VERSION }, findFault: () => Promise.resolve(undefined) };
  const reader: ReleaseReader = Object.assign(Object.create(null), parts);
  const openRelease = (releaseId: string): Promise<ReleaseReader> => {
    looked.push(releaseId);
    return Promise.resolve(reader);
  };
  const {
    entries: [entry],
  } = await loaded.store.currentState();
  const entries = Array.from({ length: 180 }, (_, number) => ({ ...entry, releaseId: `release ${number}` }));
  const currentState = async (): ReturnType<Store['currentState']> => ({
    ...(await loaded.store.currentState()),
    entries: entries as CatalogEntry[],
  });
  expect((await ask(() => ({ currentState, openRelease }), 5, 1000)).status).toBe(200);
  expect(new Set(looked).size).toBe(180);
  expect(looked).toHaveLength(180 + 4 * 50);
});

test('is a 503 when the store hangs', async () => {
  jest.useFakeTimers();
  try {
    const asked = ask(() => ({ currentState: () => new Promise(() => undefined) }));
    await jest.advanceTimersByTimeAsync(5000);
    expect(await asked).toMatchObject({ status: 503, errors: [expect.any(Error)] });
  } finally {
    jest.useRealTimers();
  }
});

test('reads the store at most once a second', async () => {
  expect(await ask(() => ({}), 20, 100)).toMatchObject({ status: 200, reads: 2 });
});

const newService = createServiceMaker();

const damages = ['has lost its records', 'has records cut short', 'is no database', 'is gone'] as const;

/** A service on data of ORG_1 that were damaged, and on whole data of ORG_2 and of another data set. */
async function damagedService(damage: keyof typeof releaseDamages): Promise<TestService> {
  const whole = newService();
  const loaded = await whole.load(siteAmountsSubmission);
  await whole.load(withOrganization('ORG_2', siteAmountsSubmission));
  await whole.load(aggregatedSubmission);
  await whole.close();
  damageRelease(whole.folder, loaded, releaseDamages[damage]);
  return newService(whole.folder);
}

async function expectNamed(service: TestService, path: string): Promise<void> {
  const logged: string[] = [];
  const careful = { ...service.service, logError: (message: string) => void logged.push(message) };
  const { status, headers, json } = await service.getFrom(careful, path);
  expect(logged).toEqual([expect.stringMatching(/^request .* failed$/)]);
  expect([status, json.title, headers['Retry-After']]).toEqual([503, 'Data not readable', '60']);
  expect(json.detail).toContain('Data of ORG_1 SiteVariableAmounts cannot be read');
}

describe.each(damages)('a release that %s', (damage) => {
  let service: TestService;

  beforeAll(async () => {
    service = await damagedService(damage);
  });

  test('is named by a 503 for queries that would read it', async () => {
    await expectNamed(service, paths.site);
    await expectNamed(service, `${paths.site}?OrganizationUUID=ORG_1`);
  });

  test('does not affect queries that do not read it', async () => {
    const other = await service.get(`${paths.site}?OrganizationUUID=ORG_2`);
    expect([other.status, other.json.TotalSiteVariableAmountsCount]).toEqual([200, 6]);
    expect((await service.get('/v1/AggregatedAmounts')).status).toBe(200);
    expect((await service.get(`${paths.site}?OrganizationUUID=ORG_2&VariableCV=Nothing`)).status).toBe(200);
    expect((await service.get('/')).status).toBe(200);
  });
});

test('a release with another format version is named by a 503', async () => {
  const service = newService();
  await service.load(siteAmountsSubmission);
  await ageRelease(service);
  await expectNamed(service, paths.site);
});

describe('metrics', () => {
  const issuedAt = TEST_NOW.toISOString();
  const reader = makeKey('monitor', issuedAt, null, { mayReadMetrics: true });
  const usual = makeKey('usual', issuedAt, null);

  beforeAll(async () => {
    for (const { record } of [reader, usual]) await loaded.store.keys.add(record);
  });

  /** A service over the same store that has counted nothing. */
  function freshService(): Service {
    const memory = createMemory(1024 * 1024, Infinity);
    return { ...loaded.service, ...memory, collectMetrics: () => memory.metrics.text() };
  }

  /** The samples of a text form by their names and labels, as written. Throws where a line is none of the form. */
  function samplesOf(text: string): ReadonlyMap<string, number> {
    const samples = new Map<string, number>();
    for (const line of text.split('\n')) {
      if (line === '' || /^# (HELP|TYPE) [a-z_]+ /.test(line)) continue;
      const [, name = '', value = ''] = /^([a-z_]+(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? [];
      if (name === '') throw new Error(`not of the text form: ${line}`);
      samples.set(name, Number(value));
    }
    return samples;
  }

  async function readMetrics(asked: Service): Promise<ReadonlyMap<string, number>> {
    const answer = await loaded.getFrom(asked, '/metrics', { 'x-api-key': reader.key });
    expect([answer.status, answer.headers['Content-Type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    return samplesOf(answer.text);
  }

  test.each([
    ['no key', 401, {}],
    ['a key that may read metrics', 200, { 'x-api-key': reader.key }],
    ['such a key as the user name of Basic', 200, { authorization: `Basic ${btoa(`${reader.key}:`)}` }],
    ['the development key', 200, { 'x-api-key': loaded.key }],
  ])('with %s give %d', async (_, status, headers) => {
    expect(await loaded.getFrom(freshService(), '/metrics', headers)).toMatchObject({ status });
  });

  test('refuse a key without the right to read metrics, and a key in the address, because addresses are logged', async () => {
    expect((await loaded.getFrom(freshService(), `/metrics?key=${reader.key}`, {})).status).toBe(401);
    const { status, json } = await loaded.getFrom(freshService(), '/metrics', { 'x-api-key': usual.key });
    expect([status, json.type, json.detail]).toEqual([
      401,
      expect.stringMatching(/:key-unknown$/),
      expect.stringContaining('--metrics'),
    ]);
  });

  test('count requests, bytes, times, refusals, cached answers and searches', async () => {
    const requests = {
      [`${paths.site}?RecordCount=1`]: 200,
      [`${paths.site}?RecordCount=0`]: 400,
      [`${paths.site}?DataVersion=${'0'.repeat(32)}`]: 410,
      '/nothing': 404,
      '/health': 200,
    };
    const drawn = fc.array(fc.constantFrom(...Object.keys(requests)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(drawn, async (asked) => {
        const fresh = freshService();
        const answers: (Answer & { readonly path: string })[] = [];
        for (const path of asked)
          answers.push({ path, ...(await loaded.getFrom(fresh, path, { 'x-api-key': usual.key })) });
        const samples = await readMetrics(fresh);
        const ofSites = answers.filter(({ path }) => path.startsWith(paths.site));
        for (const status of [200, 400, 410]) {
          const name = `water_requests_total{function="SiteVariableAmounts",status="${status}"}`;
          expect(samples.get(name) ?? 0).toBe(ofSites.filter((answer) => answer.status === status).length);
        }
        const bytes = ofSites.reduce((sum, answer) => sum + answer.bytes.length, 0);
        expect(samples.get('water_answer_bytes_total{function="SiteVariableAmounts"}') ?? 0).toBe(bytes);
        expect(samples.get('water_request_seconds_count{function="SiteVariableAmounts"}') ?? 0).toBe(ofSites.length);
        const refused = answers.filter(({ status }) => status === 400).length;
        expect(samples.get('water_refusals_total{problem="Bad input parameter"}') ?? 0).toBe(refused);
        // An answer is kept when it is made for the second time.
        const found = ofSites.filter(({ status }) => status === 200).length;
        expect(samples.get('water_searches_total')).toBe(Math.min(2, found));
        expect(samples.get('water_cached_answers_total')).toBe(Math.max(0, found - 2));
      }),
      { numRuns: 25 },
    );
  });

  test('contain nothing of a request or a key', async () => {
    const fresh = freshService();
    await loaded.getFrom(fresh, `${paths.site}?State=secretive&SiteUUID=hidden`, { 'x-api-key': usual.key });
    await loaded.getFrom(fresh, '/secretive/hidden', { 'x-api-key': usual.key });
    const { text } = await loaded.getFrom(fresh, '/metrics', { 'x-api-key': reader.key });
    for (const word of ['secretive', 'hidden', usual.key, usual.record.id, reader.record.id, 'monitor']) {
      expect(text).not.toContain(word);
    }
  });

  test('have the publish time and record count of each data set, and the number of held submissions', async () => {
    const labels = '{organization="ORG_1",data_set="SiteVariableAmounts"}';
    const before = await readMetrics(freshService());
    expect(before.get(`water_data_published_timestamp_seconds${labels}`)).toBe(TEST_NOW.getTime() / 1000);
    expect(before.get(`water_data_records${labels}`)).toBe(1);
    expect(before.get('water_held_data_sets')).toBe(0);
    const failing = { ...loaded.store, currentState: () => Promise.reject(new Error('away')) };
    const logged: string[] = [];
    const away = { ...freshService(), store: failing, logError: (message: string) => void logged.push(message) };
    const counts = samplesOf((await loaded.getFrom(away, '/metrics')).text);
    expect(counts.has('water_held_data_sets')).toBe(false);
    expect(counts.has('water_searches_total')).toBe(true);
    expect(logged).toEqual(['the metrics of the data cannot be read']);
  });
});
