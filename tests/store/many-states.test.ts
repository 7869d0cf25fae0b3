// What requests read when many catalog states are kept. States never change, so an instance reads each once: with 2,000
// of them a request reads at most two documents more than with 2, on both stores.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { buildCatalogState, type CatalogEntry } from '../../shared/store/catalog-types';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import type { Store } from '../../shared/store/port';
import { openEmbeddedStore } from '../../shared/store/sqlite/embedded-store';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { startServerForTests } from '../fixtures/loopback-server';
import { countRowsRead } from '../fixtures/rows-read';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createServiceMaker, type TestService } from '../fixtures/test-service';

const FEW = 2;
const MANY = 2000;
const MINUTES = 60_000;

/** Documents that a request may read more with many states than with few. */
const MAX_MORE = 2;

const folder = createTemporaryFolder();
// Services are closed before the emulator is.
const createService = createServiceMaker();
const emulator = startServerForTests(startCosmosEmulator);

const submission = {
  ...buildLookups(),
  'sites.csv': [{ SiteUUID: 'S1', Longitude: '-111', Latitude: '40' }],
  'sitespecificamounts.csv': [siteAmount({ SiteUUID: 'S1' })],
  'waterallocations.csv': [allocation({ AllocationNativeID: 'A', SiteUUID: 'S1' })],
};

const REQUESTS: readonly (readonly [path: string, status: number])[] = [
  ['/v1/Inventory', 200],
  ['/releases.atom', 200],
  ['/', 200],
  ['/downloads', 200],
  ['/data.json', 200],
  ['/health', 200],
  ['/ogc/collections/sites/items/ORG_1~S1?f=html', 200],
  ['/ogc/collections/allocations/items/ORG_1~A?f=html', 200],
  ['/ogc/collections/sites/items/ORG_1~none', 404],
  ['/ogc/collections/sites/items/ORG_1~none%2Fwith%2Fslashes?f=html', 404],
  ['/ogc/collections/allocations/items/ORG_1~none?f=html', 404],
  ['/ogc/collections/site-amounts/items/ORG_1~0123456789abcdef0123456789abcdef', 404],
  ['/ogc/collections/sites/items/NOBODY~S1', 404],
];

interface Adapter {
  readonly name: string;
  readonly openStore: () => Store;
  /** Counts what a request reads: rows of the catalog, or requests to the database. */
  readonly countReads: (act: () => Promise<void>) => Promise<number>;
}

const embedded: Adapter = {
  name: 'the embedded store',
  openStore: () => openEmbeddedStore(mkdtempSync(join(folder, 'data-'))),
  countReads: async (act) => {
    const rows = countRowsRead();
    try {
      await act();
      return rows.count();
    } finally {
      rows.restore();
    }
  },
};

const cosmos: Adapter = {
  name: 'the Cosmos store',
  openStore: () => openCosmosStore(emulator().newLocation(), { stagingDirectory: folder, now: () => new Date() }),
  countReads: async (act) => {
    const before = emulator().requests();
    await act();
    return emulator().requests() - before;
  },
};

async function publish(store: Store, entries: readonly CatalogEntry[], minute: number): Promise<void> {
  const { version } = await store.currentState();
  const since = new Date(Date.UTC(2025, 0, 1, 0, minute)).toISOString();
  expect(await store.publish(version, buildCatalogState(entries, since, 'load'))).toBe('published');
}

/** A service whose catalog has so many states. The releases of all but the first and the last one are gone. */
async function createServiceWithStates(adapter: Adapter, states: number): Promise<TestService> {
  const service = createService(undefined, adapter.openStore());
  await service.load(submission);
  const { store } = service;
  const { entries } = await store.currentState();
  for (let index = 2; index < states; index++) {
    const gone = entries.map((entry) => ({ ...entry, releaseId: `${entry.releaseId.slice(0, -6)}${100_000 + index}` }));
    await publish(store, gone, index);
  }
  await publish(store, entries, states);
  return service;
}

describe.each([embedded, cosmos])('$name', (adapter) => {
  let few: TestService;
  let many: TestService;

  beforeAll(async () => {
    few = await createServiceWithStates(adapter, FEW);
    many = await createServiceWithStates(adapter, MANY);
  }, 20 * MINUTES);

  test.each(REQUESTS)('%s reads at most two documents more with 2,000 states', async (path, status) => {
    const reads: number[] = [];
    for (const service of [few, many]) {
      // The instance has answered before.
      expect((await service.get(path)).status).toBe(status);
      reads.push(
        await adapter.countReads(async () => {
          expect((await service.get(path)).status).toBe(status);
        }),
      );
    }
    const [readOfFew = 0, readOfMany = Infinity] = reads;
    expect(readOfMany).toBeLessThanOrEqual(readOfFew + MAX_MORE);
  });
});
