// GET /health: needs no key, is cheap, and is a 503 as soon as the data cannot be read.

import { HealthMemory } from '../../shared/http/operating/health';
import { readProgramVersion } from '../../shared/project-files';
import type { CatalogEntry } from '../../shared/store/catalog-types';
import { FORMAT_VERSION, type ReleaseReader, type Store } from '../../shared/store/port';
import { oneAmount } from '../fixtures/handmade';
import { type Answer, createLoadedService, createTestService, TEST_NOW } from '../fixtures/test-service';

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
