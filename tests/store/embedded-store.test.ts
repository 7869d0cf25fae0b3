// The embedded store: the store contract, its files and catalog, and backups while it is in use.

import { randomUUID } from 'node:crypto';
import fs, { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeKey } from '../../shared/access/access-keys';
import { EMPTY_STATE } from '../../shared/store/catalog-types';
import { ReleaseGoneError, type Store } from '../../shared/store/port';
import { backUp, restore } from '../../shared/store/sqlite/backup';
import { takeLock } from '../../shared/store/sqlite/database';
import { openEmbeddedStore, readCatalogFile } from '../../shared/store/sqlite/embedded-store';
import { listReleaseIds } from '../../shared/store/sqlite/release-files';
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
import { releaseDamages } from '../fixtures/changed-releases';
import { testWith } from '../fixtures/optional-tool';
import { PROC_FILE_SYSTEM } from '../fixtures/outside-tools';
import { siteAmountsSubmission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createTestService } from '../fixtures/test-service';
import { describeSharingContract, describeStoreContract } from './store-contract';

/** The number of releases that a store in the tests of this limit keeps open; each has two files. */
const MOST_OPEN = 20;

const folder = createTemporaryFolder();
let count = 0;

function newDirectory(): string {
  count++;
  return join(folder, `store-${count}`);
}

describeStoreContract('the embedded store', () => Promise.resolve(openEmbeddedStore(newDirectory())));

test('a full disk is reported with the file that could not be written', async () => {
  const exec = jest.spyOn(DatabaseSync.prototype, 'exec');
  const directory = newDirectory();
  const store = openEmbeddedStore(directory);
  const database = exec.mock.contexts[0] as DatabaseSync; // The database of the catalog, which is opened first.
  exec.mockRestore();
  await store.keys.add(keyRecord('small'));
  database.exec('PRAGMA max_page_count = 1');
  const full = `The disk is full: ${join(directory, 'catalog.sqlite')} could not be written.`;
  const long = 'x'.repeat(100_000);
  await expect(store.keys.add({ ...keyRecord('large'), owner: long })).rejects.toThrow(full);
  const use = { day: '2026-01-01', keyId: long, requests: 1, records: 1, refused: 0, lastUsedAt: '2026-01-01' };
  await expect(store.usage.add([use])).rejects.toThrow(full);
  const state = createState('first', '2026-01-01');
  expect(() => store.publish(EMPTY_STATE.version, { ...state, cause: long })).toThrow(full);
  expect(await store.keys.find('small')).toMatchObject({ id: 'small' });
  database.exec('PRAGMA max_page_count = 1000000');
  await store.keys.add({ ...keyRecord('large'), owner: long });
  await store.close();
});

test('opens published data even if the disk is full, and writes again when there is room', async () => {
  const directory = newDirectory();
  const before = openEmbeddedStore(directory);
  await before.keys.add(keyRecord('old'));
  await before.publish(EMPTY_STATE.version, createState('first', '2026-01-01'));
  await before.close();
  const exec = jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(() => {
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
  });
  const store = openEmbeddedStore(directory);
  expect((await store.currentState()).since).toBe('2026-01-01');
  expect(await store.keys.list()).toMatchObject([{ id: 'old' }]);
  await expect(store.keys.add(keyRecord('new'))).rejects.toThrow(`Make room in ${directory}, then try again.`);
  exec.mockRestore();
  await store.keys.add(keyRecord('new'));
  expect(await store.keys.list()).toHaveLength(2);
  await store.close();
});

test('opens a store that was never written to, even if the disk is full', () => {
  const exec = jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(() => {
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
  });
  const directory = newDirectory();
  expect(() => openEmbeddedStore(directory)).toThrow(`Make room in ${directory}, then try again.`);
  exec.mockRestore();
});

test.each(['ENOSPC', 'EDQUOT'])('a write of a release that fails with %s names the folder', async (code) => {
  const directory = newDirectory();
  const store = openEmbeddedStore(directory);
  const writer = await store.startRelease();
  writeRecords(writer, 10);
  const append = jest.spyOn(fs, 'appendFileSync').mockImplementation(() => {
    throw Object.assign(new Error(`${code}: no space left on device, write`), { code });
  });
  const advice = `Make room in ${join(directory, 'releases')}, then try again. The published data have not changed.`;
  await expect(async () => writer.finish(createFacts('full', 10))).rejects.toThrow(advice);
  append.mockRestore();
  await writer.abandon();
  expect(readdirSync(join(directory, 'releases'))).toEqual([]);
  await store.close();
});

describe('the embedded store on a shared directory', () => {
  let directory: string;
  let one: Store;
  let two: Store;

  beforeEach(() => {
    directory = newDirectory();
    [one, two] = [openEmbeddedStore(directory), openEmbeddedStore(directory)];
  });

  afterEach(async () => {
    await one.close();
    await two.close();
  });

  const first = createState('first', '2024-01-01T00:00:00.000Z');
  const second = createState('second', '2024-01-02T00:00:00.000Z');

  describeSharingContract(() => [one, two]);

  test('a store no longer lists states that another store has forgotten', async () => {
    await one.publish(EMPTY_STATE.version, first);
    await one.publish(first.version, second);
    expect(await two.history()).toEqual([second, first]);
    await one.forgetStates('2025-01-01T00:00:00.000Z');
    expect(await two.history()).toEqual([second]);
    expect(await two.findState(first.version)).toBeUndefined();
  });

  test('a reader reports a release whose file was deleted', async () => {
    const facts = await finishRelease(one, 'deleted');
    const reader = await openExistingRelease(one, facts);
    await one.close();
    rmSync(join(directory, 'releases'), { recursive: true });
    expect(await two.openRelease(facts.releaseId)).toBeUndefined();
    await expect(async () => reader.texts('records', Uint32Array.of(0))).rejects.toThrow(ReleaseGoneError);
    one = openEmbeddedStore(directory);
  });

  const lossOfRecords = ['has lost its records', 'has records that are cut off'] as const;

  test.each(lossOfRecords)('a release that %s is damaged, and writing it again repairs it', async (damage) => {
    const facts = await finishRelease(one, 'healed', 300);
    expect(await (await openExistingRelease(one, facts)).findFault()).toBeUndefined();
    releaseDamages[damage](join(directory, 'releases', `${facts.releaseId}.sqlite`));
    const reader = await openExistingRelease(two, facts);
    expect(await reader.findFault()).toContain('the file of its records');
    await expect(async () => readRecords(reader, [299])).rejects.toThrow();
    await finishRelease(one, 'healed', 300);
    // The reader had already opened the damaged file.
    expect(await readRecords(reader, [299])).toBe(writeRecordText(299));
    expect(await reader.findFault()).toBeUndefined();
  });

  test('keeps the finished release of another store until it is published, or until an hour after its process ended', async () => {
    await finishRelease(one, 'first');
    const { releaseId } = createFacts('first', 3);
    expect(await two.deleteRelease(releaseId)).toBe('kept');
    const catalog = new DatabaseSync(join(directory, 'catalog.sqlite'));
    // Higher than any process id that Linux assigns.
    const dead = `${2 ** 22 + 1}-${randomUUID()}`;
    catalog.prepare('UPDATE finished_releases SET holder = ?').run(dead);
    expect(await two.deleteRelease(releaseId)).toBe('kept');
    catalog.exec('UPDATE finished_releases SET finished_at = finished_at - 3601');
    expect(await two.deleteRelease(releaseId)).toBe('deleted');
    expect(catalog.prepare('SELECT * FROM finished_releases').all()).toEqual([]);
    catalog.close();
  });

  test('an open reader keeps reading a deleted release until the next state without it', async () => {
    const reader = await openExistingRelease(one, await finishRelease(one, 'first'));
    await one.publish(EMPTY_STATE.version, first);
    await one.publish(first.version, second);
    await two.forgetStates('2099-01-01T00:00:00.000Z');
    expect(await two.deleteRelease(reader.facts.releaseId)).toBe('deleted');
    expect(await readRecords(reader, [1])).toBe(writeRecordText(1));
    await one.currentState();
    await expect(async () => reader.texts('records', Uint32Array.of(1))).rejects.toThrow(ReleaseGoneError);
  });

  testWith(PROC_FILE_SYSTEM, 'the number of open files is bounded for any number of releases', async () => {
    await two.close();
    two = openEmbeddedStore(directory, MOST_OPEN);
    const words = Array.from({ length: MOST_OPEN + 5 }, (_, index) => `bounded ${index}`);
    for (const word of words) await finishRelease(one, word, 1);
    const descriptors = (): number => readdirSync('/proc/self/fd').length;
    const before = descriptors();
    for (let request = 0; request < 8; request++) {
      // Works like a request: opens all releases first and reads them later, some of them while others are opened.
      const readers = [];
      for (const word of words) readers.push(await openExistingRelease(two, createFacts(word, 1)));
      const order = request % 2 === 0 ? readers : readers.toReversed();
      for (const reader of order) expect(await readRecords(reader, [0])).toBe(writeRecordText(0));
      expect(descriptors() - before).toBeLessThanOrEqual(2 * MOST_OPEN);
    }
    await two.close();
    expect(descriptors()).toBeLessThanOrEqual(before);
    two = openEmbeddedStore(directory);
  });
});

test('upgrades a catalog of an older version that has a table for each kind of document', async () => {
  const directory = newDirectory();
  await openEmbeddedStore(directory).close();
  const catalog = new DatabaseSync(join(directory, 'catalog.sqlite'));
  catalog.exec(`
    CREATE TABLE keys (
      id TEXT PRIMARY KEY, hash TEXT NOT NULL, owner TEXT NOT NULL, issued_at TEXT NOT NULL, expires_at TEXT,
      revoked_at TEXT, requests_per_minute INTEGER, may_read_metrics INTEGER
    ) WITHOUT ROWID;
    CREATE TABLE key_usage (
      day TEXT NOT NULL, key_id TEXT NOT NULL, requests INTEGER NOT NULL, records INTEGER NOT NULL,
      refused INTEGER NOT NULL, last_used_at TEXT NOT NULL, PRIMARY KEY (day, key_id)
    ) WITHOUT ROWID;
    CREATE TABLE held (list INTEGER PRIMARY KEY, content TEXT NOT NULL);
    CREATE TABLE self_service (
      kind TEXT NOT NULL, id TEXT NOT NULL, expires_at TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (kind, id)
    ) WITHOUT ROWID;
    INSERT INTO key_usage VALUES ('2024-01-01', 'oooo', 1, 2, 3, '2024-01-01T08:00:00.000Z');
    INSERT INTO held VALUES (1, '[{"submission":"third quarter"}]');
    INSERT INTO self_service VALUES ('day', '2024-01-01', '2024-01-02T00:00:00.000Z', '{"requests":4}');
  `);
  const insert = catalog.prepare('INSERT INTO keys VALUES (?, ?, ?, ?, NULL, NULL, ?, ?)');
  const { hash, issuedAt } = keyRecord('oooo');
  insert.run('oooo', hash, keyRecord('oooo').owner, issuedAt, null, null);
  insert.run('pppp', hash, keyRecord('pppp').owner, issuedAt, 7, 1);
  catalog.close();
  const one = openEmbeddedStore(directory);
  const two = openEmbeddedStore(directory);
  const limited = { ...keyRecord('pppp'), requestsPerMinute: 7, mayReadMetrics: true };
  expect(await one.keys.list()).toEqual([keyRecord('oooo'), limited]);
  await two.keys.add({ ...keyRecord('nnnn'), requestsPerMinute: 5 });
  expect(await one.keys.find('nnnn')).toMatchObject({ requestsPerMinute: 5 });
  const use = { day: '2024-01-01', keyId: 'oooo', requests: 1, records: 2, refused: 3 };
  expect(await one.documents.list('use')).toEqual([{ ...use, lastUsedAt: '2024-01-01T08:00:00.000Z' }]);
  expect(await one.held.list()).toEqual([{ submission: 'third quarter' }]);
  const asked = { id: '2024-01-01', expiresAt: '2024-01-02T00:00:00.000Z', content: { requests: 4 } };
  expect(await one.documents.list('day')).toEqual([asked]);
  await one.close();
  await two.close();
});

const service = createTestService();
const data = join(service.folder, 'data');
const changed = withCells(siteAmountsSubmission, 'sitespecificamounts.csv', 0, { Amount: '7' });
const ignore = (): void => undefined;

beforeAll(async () => {
  await service.load(siteAmountsSubmission);
  await service.load(changed);
  await service.store.keys.add(makeKey('somebody', '2026-01-01T00:00:00.000Z', null).record);
});

test('a backup restores states, keys, releases and their source rows', async () => {
  const folder = join(service.folder, 'backup');
  const restored = join(service.folder, 'restored');
  const { version } = await service.store.currentState();
  const whole = { ok: true, value: { version, releases: 2, omitted: [], removed: [] } };
  expect(backUp(data, folder, ignore)).toEqual(whole);
  expect(restore(folder, restored, ignore)).toEqual(whole);
  const store = openEmbeddedStore(restored);
  expect(await store.currentState()).toEqual(await service.store.currentState());
  expect(await store.history()).toEqual(await service.store.history());
  expect(await store.keys.list()).toEqual(await service.store.keys.list());
  for (const { entries } of await store.history()) {
    for (const { releaseId } of entries) {
      const here = await store.openRelease(releaseId);
      const there = await service.store.openRelease(releaseId);
      expect(here?.facts).toEqual(there?.facts);
    }
  }
  await store.close();
});

test('a backup refuses an existing folder, and a restore refuses an existing store', () => {
  expect(backUp(data, data, ignore)).toMatchObject({ ok: false });
  const folder = join(service.folder, 'backup-2');
  expect(backUp(data, folder, ignore).ok).toBe(true);
  expect(restore(folder, data, ignore)).toMatchObject({ ok: false });
});

test('a missing release of a previous state does not prevent a backup', async () => {
  const history = await service.store.history();
  const earlierReleaseId = history[1]?.entries[0]?.releaseId ?? '';
  const copy = join(service.folder, 'copy');
  expect(backUp(data, copy, ignore).ok).toBe(true);
  rmSync(join(copy, 'releases', `${earlierReleaseId}.sqlite`));
  const folder = join(service.folder, 'backup-4');
  expect(backUp(copy, folder, ignore)).toMatchObject({ ok: true, value: { releases: 1 } });
  expect(listReleaseIds(folder)).toHaveLength(1);
});

test('a failed backup leaves nothing behind', () => {
  expect(backUp(join(service.folder, 'nothing'), join(service.folder, 'backup-5'), ignore)).toMatchObject({
    ok: false,
  });
  expect(readdirSync(service.folder).filter((name) => name.startsWith('.backup'))).toEqual([]);
});

test('a backup removes the unfinished backups of dead processes next to it, and nothing else', () => {
  const ended = `${2 ** 22 + 1}-${randomUUID()}`;
  const running = `${process.pid}-${randomUUID()}`;
  const folders = [`.backup-old-${ended}`, `.backup-6-${running}`, `.notes-${ended}`, `backup-${ended}`];
  for (const name of folders)
    mkdirSync(join(service.folder, name, name.startsWith('.notes') ? '' : 'releases'), { recursive: true });
  const locked = `.backup-elsewhere-${ended}`;
  mkdirSync(join(service.folder, locked, 'releases'), { recursive: true });
  const lock = takeLock(join(service.folder, locked, 'unfinished'));
  const outcome = backUp(data, join(service.folder, 'backup-6'), ignore);
  lock?.close();
  expect(outcome).toMatchObject({ ok: true, value: { removed: [join(service.folder, `.backup-old-${ended}`)] } });
  const left = readdirSync(service.folder);
  expect(left).toEqual(expect.arrayContaining([...folders.slice(1), locked, 'backup-6']));
  expect(left).not.toContain(folders[0]);
  expect(readdirSync(join(service.folder, 'backup-6')).sort()).toEqual(['catalog.sqlite', 'releases']);
});

test('a damaged release of a previous state is left out of a backup and named', async () => {
  const history = await service.store.history();
  const earlierReleaseId = history[1]?.entries[0]?.releaseId ?? '';
  const copy = join(service.folder, 'copy with damage');
  expect(backUp(data, copy, ignore).ok).toBe(true);
  releaseDamages['has a changed digit in its records'](join(copy, 'releases', `${earlierReleaseId}.sqlite`));
  const folder = join(service.folder, 'backup-7');
  const omitted = [expect.stringMatching(`^the release ${earlierReleaseId} of ORG_1 SiteVariableAmounts is damaged: `)];
  expect(backUp(copy, folder, ignore)).toMatchObject({ ok: true, value: { releases: 1, omitted } });
  expect(listReleaseIds(folder)).toHaveLength(1);
});

/** A complete backup in its own folder, and the path of the current release in it. */
function wholeBackup(name: string): { readonly folder: string; readonly release: string } {
  const folder = join(service.folder, name);
  expect(backUp(data, folder, ignore).ok).toBe(true);
  const entries = readCatalogFile(join(folder, 'catalog.sqlite')).states[0]?.entries;
  return { folder, release: join(folder, 'releases', `${entries?.[0]?.releaseId ?? ''}.sqlite`) };
}

test.each([
  ['is missing', 'is missing'],
  ['has lost its records', 'is damaged: .*is missing'],
  ['has records that are cut off', 'is damaged: .*truncated'],
  ['has an index that is cut off', 'is damaged: '],
  ['has a changed digit in its records', 'is damaged: its content does not match its checksum'],
  ['has overwritten bytes in its index', 'is damaged: '],
] as const)('a store whose current release %s is neither backed up nor restored, with a reason', (what, words) => {
  const { folder, release } = wholeBackup(`damaged: ${what}`);
  releaseDamages[what](release);
  const problem: unknown = expect.stringMatching(`of ORG_1 SiteVariableAmounts ${words}`);
  const target = `${folder}, restored`;
  expect(restore(folder, target, ignore)).toEqual({ ok: false, problem });
  expect(existsSync(join(target, 'catalog.sqlite'))).toBe(false);
  expect(backUp(folder, `${folder}, again`, ignore)).toEqual({ ok: false, problem });
  expect(existsSync(`${folder}, again`)).toBe(false);
});
