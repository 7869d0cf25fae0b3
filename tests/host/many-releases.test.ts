// A service with many releases answers mixed requests correctly, and its open files and memory do not grow with the
// requests. The soak (part many-releases) uses 1,000 releases and 1,000 requests.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SeededRandom } from '../../bench/generate/seeded-random';
import { aggregatedAmount, allocation, buildLookups, paths, siteAmount } from '../fixtures/handmade';
import { type RunningHost, startHost } from '../fixtures/host-process';
import { testWith } from '../fixtures/optional-tool';
import { PROC_FILE_SYSTEM } from '../fixtures/outside-tools';
import { chooseSeed, countCases, printInSoak } from '../fixtures/soak';
import type { Submission } from '../fixtures/submission';
import { createTestService } from '../fixtures/test-service';

/**
 * Each organization has three releases. Only the soak has more releases than the store opens at once;
 * tests/store/embedded-store.test.ts tests that limit with few releases.
 */
const ORGANIZATIONS = Math.ceil(countCases(1000, 0.03) / 3);
const REQUESTS = countCases(1000, 0.1);
const YEARS = 20;

/** Caches so small that they are full after the first requests, so that later growth is not due to caches. */
const SMALL_CACHES = { SEARCH_CACHE_MB: '16', ANSWER_CACHE_MB: '8' };

/** Two files for each of at most 200 open releases (shared/store/sqlite/embedded-store.ts). */
const MOST_RELEASE_FILES = 2 * Math.min(200, 3 * ORGANIZATIONS);
/** Sockets, the catalog, Node's own files, and releases beyond 200 that requests in progress keep open. */
const OTHER_FILES = 120;

/** The tolerated difference in memory between two parts of a run, because garbage collection is not deterministic. */
const NOISE_MEGABYTES = 64;

const MINUTES = 60_000 * countCases(30, 0.1);

const random = new SeededRandom(chooseSeed(20_250_407));

const loader = createTestService();
let host: RunningHost;

beforeAll(async () => {
  for (let number = 0; number < ORGANIZATIONS; number++) await loader.load(createSubmission(number));
  await loader.close();
  host = await startHost({ WATER_DATA_DIR: join(loader.folder, 'data'), ...SMALL_CACHES });
}, MINUTES);

afterAll(() => host.stop());

function createName(number: number): string {
  return `ORG_${String(number).padStart(4, '0')}`;
}

function createSubmission(number: number): Submission {
  const OrganizationUUID = createName(number);
  const place = { StateCV: 'UT', Longitude: -111 + number / 1000, Latitude: 40 };
  const rows = Array.from({ length: YEARS }, (_, index) => ({
    OrganizationUUID,
    Amount: number * 100 + index,
    ReportYearCV: 2000 + index,
    TimeframeStart: `${2000 + index}-01-01`,
    TimeframeEnd: `${2000 + index}-12-31`,
  }));
  return {
    ...buildLookups({ OrganizationUUID }),
    'sites.csv': [{ SiteUUID: 'S1', ...place }],
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1', StateCV: 'UT' }],
    'sitespecificamounts.csv': rows.map(siteAmount),
    'aggregatedamounts.csv': rows.map(aggregatedAmount),
    'waterallocations.csv': rows.map(({ Amount }) =>
      allocation({ OrganizationUUID, AllocationNativeID: `N-${Amount}`, SiteUUID: 'S1' }),
    ),
  };
}

/** A random request, and the number of records that it matches; undefined for a path without such a count. */
function drawRequest(): readonly [path: string, total: number | undefined] {
  const number = random.integer(0, ORGANIZATIONS - 1);
  const path = random.pick(Object.values(paths));
  const all = ORGANIZATIONS * YEARS;
  const start = random.integer(0, all - 1);
  const east = (-111 + number / 1000 + 0.0005).toFixed(4);
  return random.pick<readonly [string, number | undefined]>([
    [`${path}?OrganizationUUID=${createName(number)}`, YEARS],
    [`${path}?StartIndex=${start}&RecordCount=100`, all],
    [`${path}?RecordCount=50&format=csv`, all],
    [`${path}?State=UT&RecordCount=50&format=geojson&StartIndex=${start}`, all],
    [`${paths.site}?StartDate=2010-01-01&EndDate=2010-12-31&RecordCount=1000`, ORGANIZATIONS],
    [`${paths.site}?SearchBoundary=bbox:-111.5,39,${east},41&RecordCount=10`, (number + 1) * YEARS],
    [`/v1/Inventory?OrganizationUUID=${createName(number)}`, undefined],
    ['/health', undefined],
  ]);
}

interface Measured {
  readonly openFiles: number;
  readonly megabytes: number;
}

function measure(): Measured {
  const process = `/proc/${host.process.pid ?? 0}`;
  const [, kilobytes = 'NaN'] = /RssAnon:\s+(\d+) kB/.exec(readFileSync(`${process}/status`, 'utf8')) ?? [];
  return { openFiles: readdirSync(`${process}/fd`).length, megabytes: Math.round(Number(kilobytes) / 1000) };
}

/** The increase of the maximum from the first half, which warms up the server, to the second half. */
function growthOf(figures: readonly number[]): number {
  const half = figures.length / 2;
  return Math.max(...figures.slice(half)) - Math.max(...figures.slice(0, half));
}

testWith(
  PROC_FILE_SYSTEM,
  `answers ${REQUESTS} mixed requests over ${ORGANIZATIONS * 3} releases with open files and memory bounded`,
  async () => {
    const wrong: string[] = [];
    const measured: Measured[] = [];
    for (let asked = 0; asked < 2 * REQUESTS; asked++) {
      const [path, total] = drawRequest();
      const { status, headers, text } = await host.get(path);
      const count = total === undefined ? undefined : Number(headers['x-total-count']);
      if (status !== 200 || count !== total)
        wrong.push(`${path}: ${status}, ${count ?? 'no'} records: ${text.slice(0, 200)}`);
      if ((asked + 1) % (REQUESTS / 10) === 0) measured.push(measure());
    }
    const files = measured.map(({ openFiles }) => openFiles);
    const megabytes = measured.map((one) => one.megabytes);
    printInSoak(`${ORGANIZATIONS * 3} releases, after each tenth of ${REQUESTS} requests, and as many again:`);
    printInSoak(`open files ${files.join(', ')}; private memory in MB ${megabytes.join(', ')}`);
    expect(wrong).toEqual([]);
    expect(Math.max(...files)).toBeLessThanOrEqual(MOST_RELEASE_FILES + OTHER_FILES);
    expect(growthOf(files)).toBeLessThanOrEqual(10);
    expect(growthOf(megabytes)).toBeLessThanOrEqual(NOISE_MEGABYTES);
  },
  MINUTES,
);
