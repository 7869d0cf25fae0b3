// What answers cost with many kept catalog states, on both stores: an instance that has read the history reads hardly
// more documents with 2,000 states than with 2.

import { join } from 'node:path';
import { createService } from '../../shared/http/make-service';
import type { Service } from '../../shared/http/pipeline/service';
import { readSettings } from '../../shared/settings';
import { buildCatalogState } from '../../shared/store/catalog-types';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import type { Store } from '../../shared/store/port';
import { openEmbeddedStore } from '../../shared/store/sqlite/embedded-store';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { startServerForTests } from '../fixtures/loopback-server';
import { countRowsRead } from '../fixtures/rows-read';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createTestService, TEST_NOW, type TestService } from '../fixtures/test-service';

const FEW = 2;
const MANY = 2000;

/** How many documents an answer may read more with MANY states than with FEW. */
const MAX_MORE = 2;

const PATHS: readonly (readonly [path: string, status: number])[] = [
  ['/v1/Inventory', 200],
  ['/v1/SiteVariableAmounts', 200],
  ['/releases.atom', 200],
  ['/', 200],
  ['/health', 200],
  ['/ogc/collections/sites/items/ORG_1~S1?f=html', 200],
  ['/ogc/collections/sites/items/ORG_1~S1?f=json', 200],
  ['/ogc/collections/allocations/items/ORG_1~A?f=html', 200],
  ['/ogc/collections/sites/items/ORG_1~none', 404],
  ['/ogc/collections/sites/items/NOBODY~S1', 404],
];

const emulator = startServerForTests(startCosmosEmulator);

/** A store, and how many documents or rows it has read so far. */
interface CountedStore {
  readonly store: Store;
  readonly countReads: () => number;
}

function openCountedSqlite(folder: string): CountedStore {
  const { count: countReads } = countRowsRead();
  return { store: openEmbeddedStore(join(folder, 'data')), countReads };
}

function openCountedCosmos(folder: string): CountedStore {
  let reads = 0;
  const store = openCosmosStore(emulator().newLocation(), {
    stagingDirectory: join(folder, 'staging'),
    now: () => TEST_NOW,
    requestLog: ({ documents }) => {
      reads += documents;
    },
  });
  return { store, countReads: () => reads };
}

async function publishStates(store: Store, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index++) {
    const { version, entries } = await store.currentState();
    // Another time of publication makes another state of the same releases.
    const publishedAt = new Date(Date.UTC(2025, 0, 1, 0, index)).toISOString();
    const next = entries.map((entry) => ({ ...entry, publishedAt, isSample: index % 2 === 1 }));
    expect(await store.publish(version, buildCatalogState(next, publishedAt, 'load'))).toBe('published');
  }
}

/** The service of an instance that has nothing in its caches. */
function createFreshService({ service, folder, key }: TestService): Service {
  const settings = readSettings({ WATER_DATA_DIR: 'data' }, folder);
  const { store, access, exports, logError } = service;
  const fresh = createService(settings, { store, developmentKey: key, now: () => TEST_NOW, logError });
  return { ...fresh, access, exports };
}

describe.each([
  ['the embedded store', openCountedSqlite],
  ['the Cosmos store', openCountedCosmos],
])('with %s', (_, open) => {
  const folder = createTemporaryFolder();
  let service: TestService;
  let countReads: () => number;

  beforeAll(async () => {
    const counted = open(folder);
    ({ countReads } = counted);
    service = createTestService('MDY', folder, counted.store);
    await service.load({
      ...buildLookups(),
      'sites.csv': [{ SiteUUID: 'S1', Longitude: '-111', Latitude: '40' }],
      'sitespecificamounts.csv': [siteAmount({ SiteUUID: 'S1' })],
      'waterallocations.csv': [allocation({ AllocationNativeID: 'A', SiteUUID: 'S1' })],
    });
  });

  afterAll(async () => {
    await service.close();
    jest.restoreAllMocks();
  });

  async function countReadsByPath(): Promise<ReadonlyMap<string, number>> {
    await service.store.history();
    const reads = new Map<string, number>();
    for (const [path, status] of PATHS) {
      const before = countReads();
      const answer = await service.getFrom(createFreshService(service), path, { 'x-api-key': service.key });
      expect({ path, status: answer.status }).toEqual({ path, status });
      reads.set(path, countReads() - before);
    }
    return reads;
  }

  test(`each answer reads at most ${MAX_MORE} documents more with ${MANY} states than with ${FEW}`, async () => {
    const { length } = await service.store.history();
    await publishStates(service.store, length, FEW);
    await countReadsByPath();
    const few = await countReadsByPath();
    await publishStates(service.store, FEW, MANY);
    expect((await service.store.history()).length).toBeGreaterThanOrEqual(MANY);
    const many = await countReadsByPath();
    const more = [...many].map(([path, count]) => [path, count - (few.get(path) ?? 0)] as const);
    expect(more.filter(([, count]) => count > MAX_MORE)).toEqual([]);
  }, 300_000);
});
