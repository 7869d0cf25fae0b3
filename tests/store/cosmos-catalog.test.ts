// The catalog on Cosmos DB: the cost of reads does not depend on the number of states, states have a limited size, and
// the service keeps answering while it is short of capacity.

import { buildCatalogState, type CatalogEntry, type CatalogState, EMPTY_STATE } from '../../shared/store/catalog-types';
import type { LoggedRequest } from '../../shared/store/cosmos/calls';
import { connect, type CosmosLocation } from '../../shared/store/cosmos/connect';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import { type Store, StoreUnavailableError } from '../../shared/store/port';
import { createState } from '../../tools/store-contract/release-content';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { FaultPlan } from '../fixtures/cosmos-faults';
import { startServerForTests } from '../fixtures/loopback-server';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const KILOBYTE = 1024;
const STATEMENT = { contact: null, note: null, termsOfUse: null, license: null, citation: null };
const stagingDirectory = createTemporaryFolder();
const emulator = startServerForTests(startCosmosEmulator);
const stores: Store[] = [];
let location: CosmosLocation;
let seconds = 0;

beforeEach(() => {
  location = emulator().newLocation();
  seconds = 0;
});

afterEach(async () => {
  emulator().setFaultPlan(undefined);
  for (const store of stores.splice(0)) await store.close();
});

function openStore(requestLog?: (request: LoggedRequest) => void): Store {
  const now = (): Date => new Date(NOW + seconds * 1000);
  const store = openCosmosStore(location, { stagingDirectory, now, ...(requestLog && { requestLog }) });
  stores.push(store);
  return store;
}

async function publishAll(store: Store, states: readonly CatalogState[]): Promise<void> {
  let { version } = await store.currentState();
  for (const state of states) {
    expect(await store.publish(version, state)).toBe('published');
    ({ version } = state);
  }
}

function createStates(count: number, from = 0): readonly CatalogState[] {
  return Array.from({ length: count }, (_, index) => {
    return createState(`release ${from + index}`, new Date(NOW + (from + index) * 1000).toISOString());
  });
}

function createEntries(count: number, note: string | null): readonly CatalogEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    organizationUuid: `STATE_${Math.floor(index / 3)}`,
    dataSet:
      (['SiteVariableAmounts', 'AggregatedAmounts', 'WaterAllocations'] as const)[index % 3] ?? 'WaterAllocations',
    releaseId: String(index).padStart(32, '0'),
    records: 1_000_000,
    isSample: false,
    publishedAt: '2026-01-01T00:00:00.000Z',
    submission: { name: `submission-2026-${index}`, ...STATEMENT, note },
  }));
}

test('the first reads of an instance do not grow with the number of states, and later ones read only the pointer', async () => {
  const writer = openStore();
  const counts: number[] = [];
  for (const from of [0, 3]) {
    await publishAll(writer, createStates(from === 0 ? 3 : 37, from));
    const requests: LoggedRequest[] = [];
    const reader = openStore((request) => requests.push(request));
    await reader.currentState();
    const history = await reader.history();
    expect(history).toEqual(await writer.history());
    expect(await reader.findState(history.at(-1)?.version ?? '')).toEqual(history.at(-1));
    expect(await reader.findState('unknown')).toBeUndefined();
    counts.push(requests.length);
    requests.length = 0;
    await reader.currentState();
    await reader.history();
    expect(requests.map(({ documents }) => documents)).toEqual([1, 1]);
  }
  expect(counts[1]).toBe(counts[0]);
});

test('an instance follows publishes, rollbacks and forgotten states of another instance', async () => {
  const writer = openStore();
  const reader = openStore();
  const states = createStates(12);
  for (const state of [...states, states[4], states[11], states[2]].filter((state) => state !== undefined)) {
    await publishAll(writer, [state]);
    expect(await reader.currentState()).toEqual(state);
    expect(await reader.history()).toEqual(await openStore().history());
  }
  await writer.forgetStates(new Date(NOW + 8000).toISOString());
  const left = await openStore().history();
  expect(left.length).toBeLessThan(15);
  expect(await reader.history()).toEqual(left);
  expect(await reader.findState(states[0]?.version ?? '')).toBeUndefined();
});

test('the history is correct across changes too large to be listed, and across segments', async () => {
  const store = openStore();
  const states = [300, 900, 901, 20, 1500, 1499].map((count, index) => {
    return buildCatalogState(createEntries(count, `note ${index}`), new Date(NOW + index * 1000).toISOString(), 'load');
  });
  await publishAll(store, states);
  expect(await openStore().history()).toEqual(states.toReversed());
});

test('a state of 1,500 data sets takes less than 500 KB, whatever the statements of submissions', async () => {
  const text = (index: number): string => `${index} `.repeat(300);
  const entries = createEntries(1500, null).map((entry, index) => {
    const submission = { ...STATEMENT, name: `submission-${index}`, note: text(index), termsOfUse: text(index % 7) };
    return { ...entry, submission };
  });
  const state = buildCatalogState(entries, '2026-01-01T00:00:00.000Z', 'load');
  await publishAll(openStore(), [state]);
  const changed = entries.map((entry, index) => (index === 7 ? { ...entry, records: 5 } : entry));
  const next = buildCatalogState(changed, '2026-01-02T00:00:00.000Z', 'load');
  await openStore().publish(state.version, next);
  expect(await openStore().currentState()).toEqual(next);
  const sizes = (await readCatalog()).map((document) => Buffer.byteLength(JSON.stringify(document)));
  expect(Math.max(...sizes)).toBeLessThan(500 * KILOBYTE);
  expect(Math.max(...sizes)).toBeGreaterThan(300 * KILOBYTE);
});

/** The documents of the catalog, as an operator sees them. */
async function readCatalog(): Promise<
  readonly { readonly id: string; readonly kind: string; readonly ttl?: number }[]
> {
  const { containers, close } = await connect(emulator().bypassProxy(location));
  const { resources } = await containers.catalog.items.readAll<{ id: string; kind: string; ttl?: number }>().fetchAll();
  close();
  return resources;
}

async function countLists(): Promise<number> {
  return (await readCatalog()).filter(({ kind }) => kind === 'statements').length;
}

/** A state whose data sets each have their own texts. The texts fill more than one list. */
function createWordyState(day: number): CatalogState {
  const entries = createEntries(300, `${day} `.repeat(500)).map((entry, index) => {
    return { ...entry, submission: { ...STATEMENT, name: 'wordy', note: `${day} ${index} `.repeat(150) } };
  });
  return buildCatalogState(entries, new Date(NOW + day * 86_400_000).toISOString(), 'load');
}

test('lists of texts that no state refers to are deleted, and no others', async () => {
  const store = openStore();
  const states = [0, 1, 2].map(createWordyState);
  await publishAll(store, states);
  const before = await countLists();
  seconds = 2 * 86_400 + 3600;
  await store.forgetStates(new Date(NOW + 2 * 86_400_000 + 1).toISOString());
  expect(await countLists()).toBe(before);
  await store.forgetStates(new Date(NOW + 2 * 86_400_000 + 1).toISOString());
  expect(await countLists()).toBeLessThan(before);
  expect(await openStore().history()).toEqual(states.slice(2));
  await publishAll(store, [createWordyState(3)]);
  await store.forgetStates(new Date(NOW).toISOString());
  expect(await openStore().history()).toEqual([createWordyState(3), ...states.slice(2)]);
});

test('a list of texts that was written a moment ago stays, because its state may follow', async () => {
  const store = openStore();
  await publishAll(store, [createWordyState(0)]);
  const { containers, close } = await connect(emulator().bypassProxy(location));
  const writtenAt = new Date(NOW).toISOString();
  const list = { id: 'statements-new', partition: 'catalog', kind: 'statements', statements: [], writtenAt };
  await containers.catalog.items.create(list);
  close();
  seconds = 10 * 60;
  await store.forgetStates(new Date(NOW).toISOString());
  expect((await readCatalog()).map(({ id }) => id)).toContain(list.id);
  seconds = 16 * 60;
  await store.forgetStates(new Date(NOW).toISOString());
  expect((await readCatalog()).map(({ id }) => id)).not.toContain(list.id);
});

test('refuses a state that is too large with an error message, and publishes nothing', async () => {
  const store = openStore();
  const entries = createEntries(1500, null).map((entry) => {
    return { ...entry, organizationUuid: entry.organizationUuid + 'x'.repeat(1500) };
  });
  const large = buildCatalogState(entries, '2026-01-01T00:00:00.000Z', 'load');
  await expect(store.publish(EMPTY_STATE.version, large)).rejects.toThrow(
    /^Nothing was published: the list of 1500 data sets has \d+ KB, which is more than Cosmos DB stores/,
  );
  emulator().refusals.length = 0;
  expect(await openStore().currentState()).toEqual(EMPTY_STATE);
});

test('the last known state is used while the service is throttled, for up to a minute', async () => {
  const [first, second] = createStates(2);
  if (first === undefined || second === undefined) throw new Error('no states');
  await publishAll(openStore(), [first]);
  const reader = openStore();
  expect(await reader.currentState()).toEqual(first);
  expect(await reader.history()).toEqual([first]);
  emulator().setFaultPlan(new FaultPlan(1, { throttled: 1 }));
  seconds = 30;
  expect(await reader.currentState()).toEqual(first);
  expect(await reader.history()).toEqual([first]);
  seconds = 61;
  await expect(reader.currentState()).rejects.toThrow(StoreUnavailableError);
  emulator().setFaultPlan(undefined);
  await publishAll(openStore(), [second]);
  expect(await reader.currentState()).toEqual(second);
}, 60_000);

test('documents that accumulate expire automatically', async () => {
  const store = openStore();
  const use = { day: '2026-01-01', keyId: 'k', requests: 1, records: 2, refused: 3, lastUsedAt: '2026-01-01T08' };
  await store.usage.add([use]);
  const expiresAt = new Date(NOW + 3600_000).toISOString();
  await store.documents.change('proof', ['p'], () => ({ id: 'p', expiresAt, content: {} }));
  const lifetimes = new Map((await readCatalog()).map(({ kind, ttl }) => [kind, ttl]));
  expect(lifetimes.get('use')).toBeGreaterThan(30 * 86_400);
  expect(lifetimes.get('proof')).toBeGreaterThanOrEqual(3600);
  expect(lifetimes.get('proof')).toBeLessThan(7 * 86_400);
});
