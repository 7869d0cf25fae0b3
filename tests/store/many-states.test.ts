// Reads of requests when many catalog states are kept. States never change, so an instance reads each once. With
// hundreds of states, a request reads at most two more documents than with two states, on both stores.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { buildCatalogState, type CatalogEntry } from '../../shared/store/catalog-types';
import type { CosmosLocation } from '../../shared/store/cosmos/connect';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import type { Store } from '../../shared/store/port';
import { openEmbeddedStore } from '../../shared/store/sqlite/embedded-store';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { startServerForTests } from '../fixtures/loopback-server';
import { countRowsRead } from '../fixtures/rows-read';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { type Answer, createServiceMaker, type TestService } from '../fixtures/test-service';

const FEW = 2;
const MINUTES = 60_000;

/** The number of additional documents that a request may read if there are many states instead of a few. */
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
  ['/v1/SiteVariableAmounts', 200],
  ['/v1/SiteVariableAmounts/Facets?Facet=VariableCV', 200],
  ['/sitemap.xml', 200],
  ['/releases.atom', 200],
  ['/', 200],
  ['/downloads', 200],
  ['/data.json', 200],
  ['/health', 200],
  ['/ogc/collections/sites/items/ORG_1~S1?f=html', 200],
  ['/ogc/collections/sites/items/ORG_1~S1?f=json', 200],
  ['/ogc/collections/allocations/items/ORG_1~A?f=html', 200],
  ['/ogc/collections/sites/items/ORG_1~none', 404],
  ['/ogc/collections/sites/items/ORG_1~none%2Fwith%2Fslashes?f=html', 404],
  ['/ogc/collections/allocations/items/ORG_1~none?f=html', 404],
  ['/ogc/collections/site-amounts/items/ORG_1~0123456789abcdef0123456789abcdef', 404],
  ['/ogc/collections/sites/items/NOBODY~S1', 404],
];

interface Adapter {
  readonly name: string;
  /**
   * The number of states that counts as many. Publishing a state takes 17 ms on the emulator of Cosmos DB, and 0.3 ms
   * on the embedded store.
   */
  readonly manyStates: number;
  /** Includes the states themselves, each once, and releases that turn out to be deleted. */
  readonly maxReadsOfNewInstance: number;
  readonly openStore: () => Store;
  /** Opens the most recently opened store again, as another instance. */
  readonly openAgain: () => Store;
  /** Counts the reads of a request: rows of the catalog, or requests to the database. */
  readonly countReads: (act: () => Promise<void>) => Promise<number>;
}

let dataDirectory = '';

const embedded: Adapter = {
  name: 'the embedded store',
  manyStates: 2000,
  // One row for each state.
  maxReadsOfNewInstance: 2000 + 250,
  openStore: () => {
    dataDirectory = mkdtempSync(join(folder, 'data-'));
    return openEmbeddedStore(dataDirectory);
  },
  openAgain: () => openEmbeddedStore(dataDirectory),
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

const cosmosOptions = { stagingDirectory: folder, now: () => new Date() };
let location: CosmosLocation | undefined;

const cosmos: Adapter = {
  name: 'the Cosmos store',
  manyStates: 500,
  // Documents that list the changes of several states each, and the 100 newest releases, which the feed looks up.
  maxReadsOfNewInstance: 125,
  openStore: () => {
    location = emulator().newLocation();
    return openCosmosStore(location, cosmosOptions);
  },
  openAgain: () => {
    if (location === undefined) throw new Error('no store was opened');
    return openCosmosStore(location, cosmosOptions);
  },
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

/**
 * A service whose catalog has this many states. All releases except the releases of the first and the last state were
 * deleted.
 */
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

/** The service has a public address, because otherwise there is no sitemap. */
function ask({ getFrom, service }: TestService, path: string): Promise<Answer> {
  return getFrom({ ...service, publicUrl: 'https://water.example.org' }, path);
}

describe.each([embedded, cosmos])('$name', (adapter) => {
  let few: TestService;
  let many: TestService;

  beforeAll(async () => {
    few = await createServiceWithStates(adapter, FEW);
    many = await createServiceWithStates(adapter, adapter.manyStates);
  }, 20 * MINUTES);

  test.each(REQUESTS)('%s reads at most two more documents with many states', async (path, status) => {
    const reads: number[] = [];
    for (const service of [few, many]) {
      // This instance has already answered the request once.
      expect((await ask(service, path)).status).toBe(status);
      reads.push(
        await adapter.countReads(async () => {
          expect((await ask(service, path)).status).toBe(status);
        }),
      );
    }
    const [readOfFew = 0, readOfMany = Infinity] = reads;
    expect(readOfMany).toBeLessThanOrEqual(readOfFew + MAX_MORE);
  });

  test.each(REQUESTS)('a new instance reads the states at most once for %s', async (path, status) => {
    const instance = createService(undefined, adapter.openAgain());
    const reads = await adapter.countReads(async () => {
      expect((await ask(instance, path)).status).toBe(status);
    });
    await instance.close();
    expect(reads).toBeLessThanOrEqual(adapter.maxReadsOfNewInstance);
  });
});
