// Copies of releases between stores, in both directions, give answers with the same bytes (docs/operating/cosmos-db.md).

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withdraw } from '../../data-loaders/manage-releases';
import { copyKeys } from '../../data-loaders/publish/copy-keys';
import { copyReleases } from '../../data-loaders/publish/copy-releases';
import { SILENT } from '../../data-loaders/stage/progress';
import { expireKey, limitKey, makeKey, revokeKey } from '../../shared/access/access-keys';
import { DATA_SET_KINDS } from '../../shared/records/data-sets';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import type { ReleaseReader, Store } from '../../shared/store/port';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { failAfter } from '../fixtures/cosmos-faults';
import { startServerForTests } from '../fixtures/loopback-server';
import { writePath } from '../fixtures/plain-search';
import { aggregatedSubmission, allocationsSubmission, siteAmountsSubmission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createTestService, TEST_NOW, type TestService } from '../fixtures/test-service';
import { withFailures } from '../fixtures/tick-world';

const folder = createTemporaryFolder();
const emulator = startServerForTests(startCosmosEmulator);
let embedded: TestService;
let cosmos: TestService;
let third: TestService;

beforeEach(() => {
  const own = mkdtempSync(join(folder, 'copy-'));
  const stagingDirectory = join(own, 'staging');
  embedded = createTestService('MDY', join(own, 'embedded'));
  cosmos = createTestService(
    'MDY',
    own,
    openCosmosStore(emulator().newLocation(), { stagingDirectory, now: () => TEST_NOW }),
  );
  third = createTestService('MDY', join(own, 'third'));
});

afterEach(async () => {
  for (const { store } of [embedded, cosmos, third]) await store.close();
});

function copy(from: Store, to: Store): ReturnType<typeof copyReleases> {
  return copyReleases({ from, to, progress: SILENT, now: () => TEST_NOW });
}

async function loadAll({ load }: TestService): Promise<void> {
  const submissions = [siteAmountsSubmission, aggregatedSubmission, allocationsSubmission];
  for (const submission of submissions) expect((await load(submission)).verdict).toBe('published');
}

/** Requests for complete answers, filtered answers, and an answer by place. */
async function answers(service: TestService): Promise<readonly unknown[]> {
  const queries = [{}, { text: { BeneficialUseCV: ['Irrigation'] } }, { from: '2015-06-01' }];
  const paths = DATA_SET_KINDS.flatMap((kind) => queries.map((query) => writePath(kind, query, 'RecordCount=1000')));
  const found = [];
  for (const path of [
    ...paths,
    `${paths[0] ?? ''}&SearchBoundary=POLYGON((-112+40,-111+40,-111+41,-112+41,-112+40))`,
  ]) {
    const { status, text, headers } = await service.get(path);
    found.push({ path, status, text, version: headers['Data-Version'], modified: headers['Last-Modified'] });
  }
  return found;
}

async function sourceRows(store: Store): Promise<string> {
  let text = '';
  for (const { releaseId } of (await store.currentState()).entries) {
    const reader = await store.openRelease(releaseId);
    for await (const { name, pieces } of reader?.sourceFiles() ?? []) {
      for await (const piece of pieces()) text += `${name}: ${Buffer.from(piece).toString()}`;
    }
  }
  return text;
}

test('a copy to Cosmos DB and on to another embedded store has the same version, bytes and source rows', async () => {
  await loadAll(embedded);
  const there = await copy(embedded.store, cosmos.store);
  expect(there).toMatchObject({ ok: true, value: { copied: { length: 3 }, alreadyPresent: [] } });
  expect(await copy(cosmos.store, third.store)).toMatchObject({ ok: true, value: { copied: { length: 3 } } });
  const original = await answers(embedded);
  expect([await answers(cosmos), await answers(third)]).toEqual([original, original]);
  const rows = await sourceRows(embedded.store);
  expect([await sourceRows(cosmos.store), await sourceRows(third.store)]).toEqual([rows, rows]);
  expect((await third.store.currentState()).entries).toEqual((await embedded.store.currentState()).entries);
});

/** Returns a function that counts the requests that have written documents since. */
function countWrites(): () => number {
  let writes = 0;
  emulator().setFaultPlan({
    next: (kind) => {
      if (kind === 'batch') writes++;
      return undefined;
    },
  });
  return () => writes;
}

test('a later copy transfers only new releases', async () => {
  await loadAll(embedded);
  const writes = countWrites();
  await copy(embedded.store, cosmos.store);
  const copied = writes();
  expect(await copy(embedded.store, cosmos.store)).toMatchObject({
    value: { copied: [], alreadyPresent: { length: 3 } },
  });
  // The copy reads existing releases and does not write them again.
  expect(writes() - copied).toBeLessThan(copied / 2);
  emulator().setFaultPlan(undefined);
  await embedded.load(withCells(siteAmountsSubmission, 'sitespecificamounts.csv', 0, { Amount: '7' }));
  expect(await copy(embedded.store, cosmos.store)).toMatchObject({
    value: { copied: [{ dataSet: 'SiteVariableAmounts' }], alreadyPresent: { length: 2 } },
  });
  expect(await answers(cosmos)).toEqual(await answers(embedded));
});

test('a failed copy publishes nothing, and the next one continues from there', async () => {
  await loadAll(embedded);
  emulator().setFaultPlan(failAfter(45));
  await expect(copy(embedded.store, cosmos.store)).rejects.toThrow();
  emulator().setFaultPlan(undefined);
  expect((await cosmos.store.currentState()).entries).toEqual([]);
  const there = await cosmos.store.listReleases();
  expect(there.length).toBeGreaterThan(0);
  expect(await copy(embedded.store, cosmos.store)).toMatchObject({
    value: { copied: { length: 3 - there.length }, alreadyPresent: { length: there.length } },
  });
  expect(await answers(cosmos)).toEqual(await answers(embedded));
});

test('a copy does not replace data that were loaded into the other store', async () => {
  await loadAll(embedded);
  await cosmos.load(withCells(siteAmountsSubmission, 'sitespecificamounts.csv', 0, { Amount: '9' }));
  const before = await answers(cosmos);
  expect(await copy(embedded.store, cosmos.store)).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/ORG_1 SiteVariableAmounts.*withdraw/) as unknown,
  });
  expect(await answers(cosmos)).toEqual(before);
  await withdraw(cosmos.store, { organizationUuid: 'ORG_1', dataSet: 'SiteVariableAmounts' }, TEST_NOW.toISOString());
  expect(await copy(embedded.store, cosmos.store)).toMatchObject({ ok: true });
  expect(await copy(third.store, cosmos.store)).toMatchObject({
    ok: false,
    problem: 'nothing is published in the source store',
  });
});

/** A store whose releases return amounts that differ from the loaded amounts. */
function falsified(store: Store): Store {
  const changed = async function* (reader: ReleaseReader): ReturnType<ReleaseReader['parts']> {
    for await (const part of reader.parts()) {
      yield part.kind === 'record' ? { ...part, json: part.json.replace(/"Amount":\d/, '"Amount":8') } : part;
    }
  };
  return withFailures(store, {
    openRelease: async (releaseId) => {
      const reader = await store.openRelease(releaseId);
      return reader && withFailures(reader, { parts: () => changed(reader) });
    },
  });
}

test('refuses a release whose content does not match its name, and deletes a copy that differs from its original', async () => {
  await embedded.load(siteAmountsSubmission);
  await expect(copy(falsified(embedded.store), cosmos.store)).rejects.toThrow('data that does not match its name');
  await expect(copy(embedded.store, falsified(cosmos.store))).rejects.toThrow('differs');
  expect(await cosmos.store.listReleases()).toEqual([]);
  expect((await cosmos.store.currentState()).entries).toEqual([]);
});

test('a copy replaces damaged releases, and copies nothing from a damaged store', async () => {
  const blocks = (name: string, releaseId: string): string =>
    join(embedded.folder, '..', name, 'data', 'releases', `${releaseId}.sqlite.blocks`);
  const { dataSets } = await embedded.load(siteAmountsSubmission);
  const releaseId = dataSets[0]?.releaseId ?? '';
  expect(await copy(embedded.store, third.store)).toMatchObject({ ok: true });
  rmSync(blocks('third', releaseId));
  await third.store.close();
  third = createTestService('MDY', third.folder);
  expect(await copy(embedded.store, third.store)).toMatchObject({ ok: true, value: { copied: [{ releaseId }] } });
  expect(await answers(third)).toEqual(await answers(embedded));
  await embedded.store.close();
  rmSync(blocks('embedded', releaseId));
  embedded = createTestService('MDY', embedded.folder);
  expect(await copy(embedded.store, cosmos.store)).toMatchObject({
    ok: false,
    problem: expect.stringMatching('SiteVariableAmounts is damaged: .* releases -- rebuild'),
  });
});

test('keys are copied with their limits, expiry and revocation', async () => {
  const keys = ['one', 'two', 'three'].map((owner) => makeKey(owner, '2024-01-01T00:00:00.000Z', null).record);
  const [one, two] = keys.map(({ id }) => id);
  for (const key of keys) await embedded.store.keys.add(key);
  expect(await copyKeys(embedded.store, cosmos.store)).toEqual({ added: 3, ended: 0 });
  await revokeKey(embedded.store.keys, one ?? '', '2024-02-01T00:00:00.000Z');
  await expireKey(embedded.store.keys, two ?? '', '2024-03-01T00:00:00.000Z');
  await limitKey(embedded.store.keys, two ?? '', { requestsPerMinute: 60, recordsPerMinute: null });
  expect(await copyKeys(embedded.store, cosmos.store)).toEqual({ added: 0, ended: 2 });
  expect(await cosmos.store.keys.list()).toEqual(await embedded.store.keys.list());
  expect(await copyKeys(cosmos.store, third.store)).toEqual({ added: 3, ended: 0 });
  expect(await third.store.keys.list()).toEqual(await embedded.store.keys.list());
});
