// Backups of the embedded store, taken while it is in use (shared/store/sqlite/backup.ts).

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeKey } from '../../shared/access/access-keys';
import { backUp, restore } from '../../shared/store/sqlite/backup';
import { openEmbeddedStore, readCatalogFile } from '../../shared/store/sqlite/embedded-store';
import { releaseIdsIn } from '../../shared/store/sqlite/release-files';
import { releaseDamages } from '../fixtures/changed-releases';
import { siteAmountsSubmission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

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
  expect(backUp(data, folder, ignore)).toEqual({ ok: true, value: { version, releases: 2 } });
  expect(restore(folder, restored, ignore)).toEqual({ ok: true, value: { version, releases: 2 } });
  const store = openEmbeddedStore(restored);
  expect(await store.currentState()).toEqual(await service.store.currentState());
  expect(await store.history()).toEqual(await service.store.history());
  expect(await store.keys.list()).toEqual(await service.store.keys.list());
  for (const { entries } of await store.history()) {
    for (const { releaseId } of entries) {
      const [here, there] = [await store.openRelease(releaseId), await service.store.openRelease(releaseId)];
      expect(here?.facts).toEqual(there?.facts);
    }
  }
  await store.close();
});

test('a backup does not touch an existing folder', () => {
  expect(backUp(data, data, ignore)).toMatchObject({ ok: false });
});

test('nothing is restored over a store', () => {
  const folder = join(service.folder, 'backup-2');
  expect(backUp(data, folder, ignore).ok).toBe(true);
  expect(restore(folder, data, ignore)).toMatchObject({ ok: false });
});

test('a backup whose current release is missing is refused, and leaves no store', async () => {
  const folder = join(service.folder, 'backup-3');
  const target = join(service.folder, 'restored-3');
  expect(backUp(data, folder, ignore).ok).toBe(true);
  const [entry] = (await service.store.currentState()).entries;
  rmSync(join(folder, 'releases', `${entry?.releaseId ?? ''}.sqlite`));
  expect(restore(folder, target, ignore)).toMatchObject({ ok: false });
  expect(existsSync(join(target, 'catalog.sqlite'))).toBe(false);
});

test('a missing release of a former state does not prevent a backup', async () => {
  const history = await service.store.history();
  const former = history[1]?.entries[0]?.releaseId ?? '';
  const copy = join(service.folder, 'copy');
  expect(backUp(data, copy, ignore).ok).toBe(true);
  rmSync(join(copy, 'releases', `${former}.sqlite`));
  const folder = join(service.folder, 'backup-4');
  expect(backUp(copy, folder, ignore)).toMatchObject({ ok: true, value: { releases: 1 } });
  expect(releaseIdsIn(folder)).toHaveLength(1);
});

test('a failed backup leaves nothing behind', () => {
  expect(backUp(join(service.folder, 'nothing'), join(service.folder, 'backup-5'), ignore)).toMatchObject({
    ok: false,
  });
  expect(readdirSync(service.folder).filter((name) => name.startsWith('.backup'))).toEqual([]);
});

/** A whole backup in a folder of its own, and the path of the current release in it. */
function wholeBackup(name: string): { readonly folder: string; readonly release: string } {
  const folder = join(service.folder, name);
  expect(backUp(data, folder, ignore).ok).toBe(true);
  const entries = readCatalogFile(join(folder, 'catalog.sqlite'))[0]?.entries;
  return { folder, release: join(folder, 'releases', `${entries?.[0]?.releaseId ?? ''}.sqlite`) };
}

test.each([
  ['has lost its records', 'is missing'],
  ['has records cut short', 'bytes instead of'],
  ['has an index cut short', 'cannot be read'],
] as const)(
  'a store whose current release %s is neither backed up nor restored, and the reason is said',
  (what, words) => {
    const { folder, release } = wholeBackup(`damaged: ${what}`);
    releaseDamages[what](release);
    const problem: unknown = expect.stringMatching(`of ORG_1 SiteVariableAmounts is damaged: .*${words}`);
    const target = `${folder}, restored`;
    expect(restore(folder, target, ignore)).toEqual({ ok: false, problem });
    expect(existsSync(join(target, 'catalog.sqlite'))).toBe(false);
    expect(backUp(folder, `${folder}, again`, ignore)).toEqual({ ok: false, problem });
    expect(existsSync(`${folder}, again`)).toBe(false);
  },
);
