// The Cosmos store when the service is short of capacity or the network breaks: an answer is complete or a timely 503,
// a load is published completely or not at all, and no request is retried forever (ADR 0025). Also large releases
// within the limits of the service, which the proxy enforces as strictly (docs/cosmos.md).

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import fc from 'fast-check';
import { drawPolygonAround } from '../../bench/generate/polygons';
import { SeededRandom } from '../../bench/generate/seeded-random';
import type { Service } from '../../shared/http/pipeline/service';
import { createSearchCaches } from '../../shared/search/index/search-caches';
import type { CosmosLocation } from '../../shared/store/cosmos/connect';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import { REQUEST_RETRIES } from '../../shared/store/cosmos/retries';
import type { Store } from '../../shared/store/port';
import { finishRelease } from '../../tools/store-contract/release-content';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { failAfter, type Fault, FaultPlan, type FaultRates } from '../fixtures/cosmos-faults';
import { getRequestKind } from '../fixtures/cosmos-limits';
import { startServerForTests } from '../fixtures/loopback-server';
import { createManyAmounts } from '../fixtures/many-amounts';
import { writePath } from '../fixtures/plain-search';
import { drawQuery } from '../fixtures/random-submission';
import { chooseSeed, countCases } from '../fixtures/soak';
import { aggregatedSubmission, type Submission } from '../fixtures/submission';
import { getRows } from '../fixtures/submission-changes';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { type Answer, createTestService, TEST_NOW, type TestService } from '../fixtures/test-service';

const SEED = chooseSeed(20_250_919);
const REQUESTS = countCases(600, 0.01);
const LOADS = countCases(6, 0.1);
const BREAKS = countCases(30, 0.03);

const AT_ONCE = 20;

/** Sites with a hundred records each. */
const SITES = 10;
const DEEP_PAGE = '/v1/SiteVariableAmounts?StartIndex=490&RecordCount=20';
const LONG_PAGE = '/v1/SiteVariableAmounts?RecordCount=1000';

/** Nearly a third of the requests are throttled, and most other faults are rare. */
const TROUBLE: FaultRates = {
  throttled: 0.3,
  unavailable: 0.02,
  'unavailable-without-body': 0.02,
  'retry-with': 0.02,
  'cut-before': 0.02,
  'cut-after': 0.02,
  'cut-within': 0.02,
  delayed: 0.05,
  'throttled-operation': 0.05,
  'empty-page': 0.3,
};

/** The share of attempts that fail. */
const TROUBLED_SHARE = 0.47;

/** Enough for the full number of cases on a busy machine. */
jest.setTimeout(countCases(600_000, 0.1));

const MOST_BUSY = Math.ceil(REQUESTS / 50);

/** Without a deadline, the maximum number of attempts takes 12 seconds. */
const DEADLINE_MS = 400;

const folder = createTemporaryFolder();
const stores: Store[] = [];
const emulator = startServerForTests(startCosmosEmulator);
let embedded: TestService;
let location: CosmosLocation;

/** Starts with both stores empty. */
function start(): void {
  location = emulator().newLocation();
  embedded = createTestService('MDY', mkdtempSync(join(folder, 'embedded-')));
}

async function end(): Promise<void> {
  for (const store of stores.splice(0)) await store.close();
  await embedded.close();
}

/** Shortens the pauses between tries to a tenth; the store limits its tries as if the pauses had their full length. */
beforeAll(() => {
  const pause = timers.setTimeout;
  jest.spyOn(timers, 'setTimeout').mockImplementation((milliseconds = 0) => pause(milliseconds / 10));
});

afterAll(() => {
  jest.restoreAllMocks();
});

afterEach(() => {
  emulator().setFaultPlan(undefined);
});

/** A submission that can be recognized by its amount. */
function submission(amount: number): Submission {
  return createManyAmounts(amount, SITES);
}

/** A new instance on the same container, with empty caches. */
function instance(minutes = 0): TestService {
  const own = mkdtempSync(join(folder, 'instance-'));
  const now = (): Date => new Date(TEST_NOW.getTime() + minutes * 60_000);
  const store = openCosmosStore(location, { stagingDirectory: join(own, 'staging'), now });
  stores.push(store);
  return createTestService('MDY', own, store);
}

/** Failures are expected here and do not fail the test. */
function patient(service: Service, deadlineMs: number): Service {
  return { ...service, caches: createSearchCaches(1_000_000), deadlineMs, logError: () => undefined };
}

function ask(one: TestService, path: string, deadlineMs = 60_000): Promise<Answer> {
  return one.getFrom(patient(one.service, deadlineMs), path);
}

async function askBoth(one: TestService, path: string, deadlineMs?: number): Promise<readonly [Answer, Answer]> {
  return [await embedded.get(path), await ask(one, path, deadlineMs)];
}

function expectBusy({ status, headers, json }: Answer): void {
  expect({ status, type: headers['Content-Type'], json: json as unknown }).toMatchObject({
    status: 503,
    type: 'application/problem+json',
    json: { status: 503 },
  });
  expect(Number(headers['Retry-After'])).toBeGreaterThan(0);
}

const paths = fc
  .sample(
    fc.tuple(
      drawQuery('SiteVariableAmounts'),
      fc.constantFrom('RecordCount=1000', 'RecordCount=3', 'StartIndex=634&RecordCount=300', 'StartIndex=990'),
    ),
    { seed: SEED, numRuns: REQUESTS },
  )
  // Most random filters match nothing here, so every other request is for records.
  .map(([query, page], index) => writePath('SiteVariableAmounts', index % 2 === 0 ? {} : query, page));

describe('reading', () => {
  beforeAll(async () => {
    start();
    await embedded.load(submission(1));
    await instance().load(submission(1));
  });

  afterAll(end);

  test('returns complete pages under faults, with a bounded number of retries', async () => {
    const counts: number[] = [];
    for (const plan of [undefined, new FaultPlan(SEED, TROUBLE)]) {
      emulator().setFaultPlan(plan);
      const before = emulator().requests();
      const left = [...paths];
      const busy: Answer[] = [];
      const askAll = async (): Promise<void> => {
        for (let path = left.pop(); path !== undefined; path = left.pop()) {
          const [expected, answer] = await askBoth(instance(), path);
          if (answer.status === 200) expect(answer.text === expected.text).toBe(true);
          else busy.push(answer);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, askAll));
      busy.forEach(expectBusy);
      // About two of four thousand calls fail ten times in a row.
      expect(busy.length).toBeLessThanOrEqual(plan === undefined ? 0 : MOST_BUSY);
      counts.push(emulator().requests() - before);
    }
    const [calm = 0, troubled = 0] = counts;
    expect(calm).toBeGreaterThan(REQUESTS);
    // Each call is retried until it succeeds, but no longer. The margin of a quarter allows for chance.
    expect(troubled).toBeLessThan((1.25 * calm) / (1 - TROUBLED_SHARE));
  });

  test.each<readonly [Fault, calls: number]>([
    ['unavailable', 1],
    ['unavailable-without-body', 1],
    ['throttled', 1],
    ['retry-with', 1],
    ['cut-before', 1],
    ['cut-within', 1],
  ])('gives up after bounded retries with 503 if every answer is "%s"', async (fault, calls) => {
    const one = instance();
    emulator().setFaultPlan(new FaultPlan(SEED, { [fault]: 1 }));
    const before = emulator().requests();
    const [, answer] = await askBoth(one, LONG_PAGE, DEADLINE_MS);
    expectBusy(answer);
    expect(emulator().requests() - before).toBeLessThan(calls * REQUEST_RETRIES.tries);
    emulator().setFaultPlan(undefined);
    const [expected, again] = await askBoth(one, LONG_PAGE);
    expect(again.text === expected.text).toBe(true);
  });

  test('gives up at the deadline if the service hangs, and recovers afterwards', async () => {
    const one = instance();
    const hold = emulator().holdRequests((request) => getRequestKind(request) === 'query');
    const [, answer] = await askBoth(one, LONG_PAGE, DEADLINE_MS);
    expectBusy(answer);
    hold.releaseRequests();
    const [expected, again] = await askBoth(one, LONG_PAGE);
    expect(again.text === expected.text).toBe(true);
  });

  test('a request that gives up does not affect another request that waits for the same documents', async () => {
    const one = instance();
    const hold = emulator().holdRequests(
      ({ headers }) => headers['x-ms-documentdb-partitionkey']?.includes('pieces') === true,
    );
    const both = [ask(one, LONG_PAGE, DEADLINE_MS), ask(one, LONG_PAGE)] as const;
    expectBusy(await both[0]);
    hold.releaseRequests();
    expect((await both[1]).text === (await embedded.get(LONG_PAGE)).text).toBe(true);
  });
});

describe('writing', () => {
  beforeEach(start);
  afterEach(end);

  test('a load under faults is published atomically', async () => {
    await embedded.load(submission(0));
    await instance().load(submission(0));
    for (let amount = 1; amount <= LOADS; amount++) {
      const earlierAnswer = await embedded.get(DEEP_PAGE);
      const expectedReport = await embedded.load(submission(amount));
      const next = await embedded.get(DEEP_PAGE);
      emulator().setFaultPlan(new FaultPlan(SEED + amount, TROUBLE));
      let isLoading = true;
      const read = async (): Promise<void> => {
        const reader = instance();
        for (let whole = 0; isLoading || whole === 0;) {
          const answer = await ask(reader, DEEP_PAGE);
          if (answer.status !== 200) {
            expectBusy(answer);
            continue;
          }
          whole++;
          const expected =
            answer.headers['Data-Version'] === earlierAnswer.headers['Data-Version'] ? earlierAnswer : next;
          expect(answer.headers['Data-Version']).toBe(expected.headers['Data-Version']);
          expect(answer.text === expected.text).toBe(true);
        }
      };
      const reading = read();
      const { verdict, dataSets } = await instance().load(submission(amount));
      isLoading = false;
      await reading;
      expect({ verdict, dataSets }).toEqual({ verdict: 'published', dataSets: expectedReport.dataSets });
      emulator().setFaultPlan(undefined);
      const [expected, answer] = await askBoth(instance(), DEEP_PAGE);
      expect(answer.text).toBe(expected.text);
    }
    const versions = async ({ store }: TestService): Promise<readonly string[]> =>
      (await store.history()).map(({ version }) => version);
    expect(await versions(instance())).toEqual(await versions(embedded));
  });

  test('a load that fails at any step keeps the previous data, and the next load is published', async () => {
    await instance().load(submission(0));
    const before = emulator().requests();
    await instance().load(submission(1));
    const whole = emulator().requests() - before;
    expect(whole).toBeGreaterThan(10);
    let earlierAnswer = await ask(instance(), DEEP_PAGE);
    let broken = 0;
    for (let round = 0; round < BREAKS; round++) {
      emulator().setFaultPlan(failAfter(Math.floor(((round + 0.5) * whole) / BREAKS)));
      const report = await instance()
        .load(submission(round + 2))
        .catch(() => undefined);
      emulator().setFaultPlan(undefined);
      const seen = await ask(instance(), DEEP_PAGE);
      if (report === undefined) broken++;
      expect(seen.text === earlierAnswer.text).toBe(report === undefined);
      await instance().load(submission(round + 2));
      earlierAnswer = await ask(instance(), DEEP_PAGE);
    }
    // The last break may come after everything is done.
    expect(broken).toBeGreaterThanOrEqual(0.7 * BREAKS);
    await embedded.load(submission(BREAKS + 1));
    const { text } = await embedded.get(DEEP_PAGE);
    expect(earlierAnswer.text).toBe(text);
    // The documents of interrupted loads are removed after their leases expire; the documents of published releases
    // stay.
    const { store } = instance(20);
    await store.removeUnfinished();
    await store.forgetStates('2099-01-01T00:00:00.000Z');
    for (const releaseId of await store.listReleases()) await store.deleteRelease(releaseId);
    expect(await store.listReleases()).toEqual((await store.currentState()).entries.map(({ releaseId }) => releaseId));
    expect((await ask(instance(), DEEP_PAGE)).text).toBe(text);
  });

  test('a writer whose lease expired does not complete a release whose documents were removed', async () => {
    const hold = emulator().holdRequests(({ body }) => body.includes('"kind":"release"'));
    const writing = finishRelease(instance().store, 'paused', 300);
    await hold.reached;
    await instance(20).store.removeUnfinished();
    hold.releaseRequests();
    await expect(writing).rejects.toThrow('lease');
    expect(await instance().store.listReleases()).toEqual([]);
  });
});

test('polygons of several megabytes load within the limits, and answers equal those of the embedded store', async () => {
  start();
  const random = new SeededRandom(7);
  const [unit, amount] = ['reportingunits.csv', 'aggregatedamounts.csv'].map(
    (file) => getRows(aggregatedSubmission, file)[0],
  );
  const ids = ['RU1', 'RU2'];
  const large = {
    ...aggregatedSubmission,
    'reportingunits.csv': ids.map((ReportingUnitUUID, index) => ({
      ...unit,
      ReportingUnitUUID,
      Geometry: drawPolygonAround(random, [-111 + index, 40], 0.4, 60_000),
    })),
    'aggregatedamounts.csv': ids.map((ReportingUnitUUID) => ({ ...amount, ReportingUnitUUID })),
  };
  const answers: string[] = [];
  for (const service of [embedded, instance()]) {
    expect((await service.load(large)).verdict).toBe('published');
    for (const query of [
      '',
      '?SearchBoundary=POLYGON((-111.2+39.9,-110.9+39.9,-110.9+40.1,-111.2+40.1,-111.2+39.9))',
    ]) {
      const { status, text } = await service.get(`/v1/AggregatedAmounts${query}`);
      expect(status).toBe(200);
      answers.push(text);
    }
  }
  await end();
  expect(answers[0]?.length).toBeGreaterThan(2 * 1024 * 1024);
  expect(answers[2] === answers[0]).toBe(true);
  expect(answers[3]).toBe(answers[1]);
  expect(JSON.parse(answers[1] ?? '')).toMatchObject({ TotalAggregatedAmountsCount: 1 });
});
