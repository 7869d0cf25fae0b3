import { revokeKey } from '../../shared/access/access-keys';
import { EMPTY_STATE } from '../../shared/store/catalog-types';
import { CosmosCalls, type LoggedRequest } from '../../shared/store/cosmos/calls';
import { connect, type CosmosLocation } from '../../shared/store/cosmos/connect';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import { type CosmosDocument, getPartition } from '../../shared/store/cosmos/document-names';
import { ReleaseRegistry } from '../../shared/store/cosmos/release-registry';
import { ReleaseGoneError, type ReleaseReader, type Store } from '../../shared/store/port';
import { keyRecord } from '../../tools/store-contract/catalog-contract';
import {
  createFacts,
  createState,
  finishRelease,
  openExistingRelease,
  readRecords,
  writeRecords,
  writeRecordText,
} from '../../tools/store-contract/release-content';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { failAfter } from '../fixtures/cosmos-faults';
import { startServerForTests } from '../fixtures/loopback-server';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { describeSharingContract, describeStoreContract } from './store-contract';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const MINUTE = 60_000;

const stagingDirectory = createTemporaryFolder();
const emulator = startServerForTests(startCosmosEmulator);

/** A store whose clock shows the given number of minutes after NOW. */
function openAt(location: CosmosLocation, minutes = 0): Store {
  return openCosmosStore(location, { stagingDirectory, now: () => new Date(NOW + minutes * MINUTE) });
}

describeStoreContract('the Cosmos store', () => Promise.resolve(openAt(emulator().newLocation())));

describe('several stores on one container', () => {
  const first = createState('first', '2024-01-01T00:00:00.000Z');
  const second = createState('second', '2024-01-02T00:00:00.000Z');
  let location: CosmosLocation;
  let one: Store;
  let two: Store;
  const others: Store[] = [];

  beforeEach(() => {
    location = emulator().newLocation();
    [one, two] = [openAt(location), openAt(location)];
  });

  afterEach(async () => {
    for (const store of [one, two, ...others.splice(0)]) await store.close();
  });

  /** Another instance, whose clock is ahead by this many minutes. */
  function laterBy(minutes: number): Store {
    const store = openAt(location, minutes);
    others.push(store);
    return store;
  }

  /** All documents in the container except catalog, keys and registry. */
  async function documentsOfReleases(): Promise<readonly CosmosDocument[]> {
    const { containers, close } = await connect(emulator().bypassProxy(location));
    const found = await Promise.all(
      [containers.data, containers.index].map((container) => container.items.readAll<CosmosDocument>().fetchAll()),
    );
    close();
    return found.flatMap(({ resources }) => resources);
  }

  describeSharingContract(() => [one, two]);

  test('two writers that finish the same release at once create one release', async () => {
    const writers = [await one.startRelease(), await two.startRelease()];
    for (const writer of writers) writeRecords(writer, 200);
    await Promise.all(writers.map((writer) => writer.finish(createFacts('same', 200))));
    expect(await one.listReleases()).toEqual([createFacts('same', 200).releaseId]);
    expect(await readRecords(await openExistingRelease(two, createFacts('same', 200)), [199])).toBe(
      writeRecordText(199),
    );
    const prefixes = (await documentsOfReleases()).map(({ partition }) => partition.split('/')[2]);
    expect(new Set(prefixes).size).toBe(1);
  });

  test('a lease that cannot be released is logged, and the publish succeeds', async () => {
    const { releaseId } = await finishRelease(one, 'first');
    const before = emulator().requests();
    await one.publish(EMPTY_STATE.version, first);
    const requestsBeforeRelease = emulator().requests() - before - 1;
    const logged: string[] = [];
    const other = emulator().newLocation();
    const logError = (message: string): void => void logged.push(message);
    const store = openCosmosStore(other, { stagingDirectory, now: () => new Date(NOW), logError });
    others.push(store);
    await finishRelease(store, 'first');
    emulator().setFaultPlan(failAfter(requestsBeforeRelease));
    expect(await store.publish(EMPTY_STATE.version, first)).toBe('published');
    emulator().setFaultPlan(undefined);
    expect(logged).toEqual([`the lease on release ${releaseId} was not released and expires automatically`]);
    expect(await store.currentState()).toMatchObject({ version: first.version });
  });

  test('a revoked key is refused within 60 seconds elsewhere, and immediately where it was revoked (D30)', async () => {
    const key = keyRecord('k');
    let seconds = 0;
    const elsewhere = openCosmosStore(location, { stagingDirectory, now: () => new Date(NOW + seconds * 1000) });
    others.push(elsewhere);
    await one.keys.add(key);
    expect(await one.keys.find('k')).toEqual(key);
    expect(await elsewhere.keys.find('k')).toEqual(key);
    await revokeKey(one.keys, 'k', 'later');
    expect(await one.keys.find('k')).toEqual({ ...key, revokedAt: 'later' });
    seconds = 60;
    expect(await elsewhere.keys.find('k')).toEqual({ ...key, revokedAt: 'later' });
  });

  test('documents of an older version, with members next to the id, are read and changed', async () => {
    const key = { ...keyRecord('k'), requestsPerMinute: 5 };
    const earlierMembers = Object.entries(key).filter(([name]) => name !== 'replacedBy');
    const use = { day: '2024-01-01', keyId: 'k', requests: 1, records: 2, refused: 3, lastUsedAt: '2024-01-01T08' };
    const { containers, close } = await connect(emulator().bypassProxy(location));
    const container = containers.catalog;
    await container.items.create({ ...Object.fromEntries(earlierMembers), partition: 'keys', kind: 'key' });
    await container.items.create({ ...use, id: '2024-01-01-k', partition: 'usage', kind: 'use' });
    await container.items.create({ id: 'held', partition: 'catalog', kind: 'held', held: [{ submission: 'third' }] });
    close();
    expect([await one.keys.list(), await one.documents.list('use')]).toEqual([[key], [use]]);
    await revokeKey(one.keys, 'k', 'later');
    await one.usage.add([use]);
    expect(await two.keys.find('k')).toEqual({ ...key, revokedAt: 'later' });
    expect(await two.usage.listForKey('k', ['2024-01-01'])).toEqual([{ ...use, requests: 2, records: 4, refused: 6 }]);
    expect(await two.held.list()).toEqual([{ submission: 'third' }]);
  });

  test('a deleted release leaves no document, and open readers report that it is gone', async () => {
    const reader = await openExistingRelease(two, await finishRelease(one, 'first', 300));
    await one.publish(EMPTY_STATE.version, first);
    await one.publish(first.version, second);
    await one.forgetStates('2099-01-01T00:00:00.000Z');
    expect(await one.deleteRelease(reader.facts.releaseId)).toBe('deleted');
    expect(await documentsOfReleases()).toEqual([]);
    await expect(reader.texts('records', Uint32Array.of(1, 200))).rejects.toThrow(ReleaseGoneError);
    expect(await two.openRelease(reader.facts.releaseId)).toBeUndefined();
  });

  /** A reader of a release of 900 records, of which one document was removed. */
  async function readerWithout(which: (ids: readonly string[]) => string): Promise<ReleaseReader> {
    const reader = await openExistingRelease(one, await finishRelease(one, 'first', 900));
    const records = (await documentsOfReleases()).filter(({ partition }) => partition.includes('/records/'));
    const { containers, close } = await connect(location);
    await containers.data.item(which(records.map(({ id }) => id)), records[0]?.partition).delete();
    close();
    return reader;
  }

  test('a release with missing documents is reported as gone; its answers are never truncated', async () => {
    const reader = await readerWithout(() => '1');
    const all = Uint32Array.from({ length: 900 }, (_, number) => number);
    await expect(reader.texts('records', all)).rejects.toThrow(ReleaseGoneError);
  });

  test('a release whose last record is missing has a fault', async () => {
    const reader = await readerWithout((ids) => String(Math.max(...ids.map(Number))));
    expect(await reader.findFault()).toBe('some of its documents are missing');
  });

  test('keeps a finished release for fifteen minutes or until it is published', async () => {
    const { releaseId } = await finishRelease(one, 'first');
    expect(await laterBy(14).deleteRelease(releaseId)).toBe('kept');
    await finishRelease(two, 'second');
    expect(await laterBy(16).deleteRelease(releaseId)).toBe('deleted');
    await two.publish(EMPTY_STATE.version, second);
    await two.publish(second.version, first);
    await two.forgetStates('2099-01-01T00:00:00.000Z');
    expect(await one.deleteRelease(createFacts('second', 3).releaseId)).toBe('deleted');
  });

  test("removes documents of an unfinished release only after its writer's lease has expired", async () => {
    const calls = new CosmosCalls(
      () => connect(location),
      () => undefined,
    );
    const registry = new ReleaseRegistry(
      calls,
      () => new Date(NOW),
      () => Promise.resolve(undefined),
    );
    const documents = { records: 3, lookups: 0, geometries: 0, places: 0, names: 0, terms: 0, pieces: 0 };
    const { prefix } = await registry.begin('ORG_1/SiteVariableAmounts/killed', documents);
    const place = getPartition(prefix, 'records', 0);
    const { partition } = place;
    // Its writer is killed after writing two of its three documents.
    for (const id of ['0', '1']) {
      await calls.write(place, [{ operationType: 'Create', resourceBody: { id, partition } }]);
    }
    await two.removeUnfinished();
    expect(await documentsOfReleases()).toHaveLength(2);
    await laterBy(16).removeUnfinished();
    expect(await documentsOfReleases()).toEqual([]);
    expect(await two.listReleases()).toEqual([]);
  });

  test('lookups and directories are read once, even by concurrent requests', async () => {
    const calls: LoggedRequest[] = [];
    const requestLog = (request: LoggedRequest): number => calls.push(request);
    const listening = openCosmosStore(location, { stagingDirectory, now: () => new Date(NOW), requestLog });
    others.push(listening);
    const writer = await one.startRelease();
    for (let lookup = 0; lookup < 200; lookup++) writer.addFragment('lookups', JSON.stringify({ lookup }));
    await writer.finish(createFacts('lookups', 0));
    const reader = await openExistingRelease(listening, createFacts('lookups', 0));
    const all = Uint32Array.from({ length: 200 }, (_, lookup) => lookup);
    const atOnce = await Promise.all([reader.texts('lookups', all), reader.texts('lookups', all)]);
    const sizes = [...atOnce, await reader.texts('lookups', all)].map(({ byteLength }) => byteLength);
    expect(new Set(sizes).size).toBe(1);
    const read = calls.flatMap(({ partition, documents }) =>
      Array<string>(documents).fill(partition.split('/')[3] ?? partition),
    );
    expect([...new Set(read)]).toEqual(['releases', 'pieces', 'lookups']);
    expect(calls.every(({ status, charge }) => status === 200 && charge > 0)).toBe(true);
  });
});
