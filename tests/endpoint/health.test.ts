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

/** Requests /health `times` times at an interval in milliseconds, with a store that may be broken. */
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
    notRead: [],
    timers: [],
  });
});

test('reports how the last run of each timer ended, and is ready even if one failed', async () => {
  const { timers } = service.service.health;
  timers.recordTick({ name: 'TakeInSubmissions', at: TEST_NOW, outcome: 'failed' });
  timers.recordTick({ name: 'TakeInSubmissions', at: TEST_NOW, outcome: 'done' });
  const testedService = { ...service.service, now: () => new Date(TEST_NOW.getTime() + 10_000) };
  const { status, json } = await service.getFrom(testedService, '/health', {});
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
  ['the newest release is missing', () => ({ openRelease: () => Promise.resolve(undefined) })],
  ['the newest release cannot be opened', () => ({ openRelease: () => Promise.reject(new Error('secret detail')) })],
])('is a 503 with Retry-After and no internals when %s', async (_, changes) => {
  const { status, headers, text, errors } = await ask(changes);
  expect(status).toBe(503);
  expect(headers).toMatchObject({ 'Content-Type': 'application/problem+json', 'Retry-After': '5' });
  expect(Object.keys(JSON.parse(text))).toEqual(['type', 'title', 'status', 'detail', 'instance']);
  expect(text).not.toMatch(/secret|release [0-9a-f]/);
  expect(errors).toHaveLength(1);
});

test('lists each data set whose release cannot be read, with the reason', async () => {
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

test('checks each of many releases once, and some of them again with each request', async () => {
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

describe('with 1,500 releases', () => {
  const RELEASES = 1500;
  /** The delays of a store over a network, shortened for the test. */
  const OPEN_MS = 20;
  const PATIENCE_MS = 5000;

  /** A store whose releases take a while to open. `isBroken` decides which of them cannot be read. */
  function createSlowStore(openMs: number, isBroken: (releaseId: string) => boolean = () => false) {
    const opened: string[] = [];
    let inFlight = 0;
    let maxInFlight = 0;
    const parts = { facts: { formatVersion: FORMAT_VERSION }, findFault: () => Promise.resolve(undefined) };
    const reader: ReleaseReader = Object.assign(Object.create(null), parts);
    const openRelease = async (releaseId: string): Promise<ReleaseReader | undefined> => {
      opened.push(releaseId);
      inFlight++;
      maxInFlight = Math.max(maxInFlight, inFlight);
      await new Promise((resolve) => setTimeout(resolve, openMs));
      inFlight--;
      return isBroken(releaseId) ? undefined : reader;
    };
    const currentState = async (): ReturnType<Store['currentState']> => {
      const state = await loaded.store.currentState();
      const [entry] = state.entries;
      if (entry === undefined) throw new Error('nothing is published');
      const entries = Array.from({ length: RELEASES }, (_, number): CatalogEntry => {
        return { ...entry, organizationUuid: `ORG_${number}`, releaseId: `release ${number}` };
      });
      return { ...state, entries };
    };
    return { changes: () => ({ currentState, openRelease }), opened, getMaxInFlight: () => maxInFlight };
  }

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('answers in time although opening each release takes 20 ms, and opens only a few at once', async () => {
    const { changes, opened, getMaxInFlight } = createSlowStore(OPEN_MS);
    const pending = ask(changes);
    await jest.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(await pending).toMatchObject({ status: 200, errors: [] });
    expect(new Set(opened).size).toBe(RELEASES);
    expect(getMaxInFlight()).toBeLessThanOrEqual(32);
  });

  test('lists the unreadable releases in the order of the catalog', async () => {
    const { changes } = createSlowStore(OPEN_MS, (releaseId) => /^release (7|1400)$/.test(releaseId));
    const pending = ask(changes);
    await jest.advanceTimersByTimeAsync(PATIENCE_MS);
    const { status, json } = await pending;
    expect(status).toBe(503);
    expect(json.detail).toMatch(/the release of ORG_7 .* the release of ORG_1400 /);
  });

  test('answers with the previous result while many new releases are checked, but not for long', async () => {
    const health = new HealthMemory();
    let clock = TEST_NOW.getTime();
    const errors: unknown[] = [];
    const askWith = (changes: Partial<Store>): Promise<Answer> => {
      const store: Store = Object.assign(Object.create(loaded.store), changes);
      const logError = (_: string, error: unknown): number => errors.push(error);
      return loaded.getFrom({ ...loaded.service, store, health, logError, now: () => new Date(clock) }, '/health', {});
    };
    expect((await askWith({})).status).toBe(200);
    const { changes } = createSlowStore(1_000_000);
    clock += 2000;
    const soon = askWith(changes());
    await jest.advanceTimersByTimeAsync(PATIENCE_MS);
    expect((await soon).json).toMatchObject({ status: 'ready', dataSets: RELEASES });
    clock += 61_000;
    const later = askWith(changes());
    await jest.advanceTimersByTimeAsync(PATIENCE_MS);
    expect([(await later).status, errors]).toEqual([503, [expect.any(Error)]]);
  });

  test('keeps the results of a check that runs out of time, and continues with the next probe', async () => {
    const { changes, opened } = createSlowStore(10 * OPEN_MS);
    const pending = ask(changes, 2, PATIENCE_MS + 1000);
    await jest.advanceTimersByTimeAsync(PATIENCE_MS);
    const checkedFirst = opened.length;
    await jest.advanceTimersByTimeAsync(2 * PATIENCE_MS);
    // The first probe is a 503, because not all releases have been checked yet.
    expect(await pending).toMatchObject({ status: 200, errors: [expect.any(Error)] });
    expect([checkedFirst < RELEASES, new Set(opened).size]).toEqual([true, RELEASES]);
    // Checks in progress are not started again; each probe checks some readable releases again.
    expect(opened.length).toBeLessThanOrEqual(RELEASES + 50);
  });
});

test('is a 503 when the store hangs', async () => {
  jest.useFakeTimers();
  try {
    const pending = ask(() => ({ currentState: () => new Promise(() => undefined) }));
    await jest.advanceTimersByTimeAsync(5000);
    expect(await pending).toMatchObject({ status: 503, errors: [expect.any(Error)] });
  } finally {
    jest.useRealTimers();
  }
});

test('reads the store at most once a second', async () => {
  expect(await ask(() => ({}), 20, 100)).toMatchObject({ status: 200, reads: 2 });
});
