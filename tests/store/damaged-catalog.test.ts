// Damage inside the catalog of the embedded store (ADR 0050): a damaged state is never used for answers.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DamagedCatalogError } from '../../shared/store/damaged-catalog';
import type { Store } from '../../shared/store/port';
import { backUp } from '../../shared/store/sqlite/backup';
import { openEmbeddedStore } from '../../shared/store/sqlite/embedded-store';
import { createState, finishRelease } from '../../tools/store-contract/release-content';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();
const whole = join(folder, 'whole');
const WORDS = ['first', 'second', 'third'];
const states = WORDS.map((word, index) => createState(word, `2026-01-0${index + 1}T00:00:00.000Z`));
const [first, second, third] = states.map(({ version }) => version);

let copies = 0;

beforeAll(async () => {
  const store = openEmbeddedStore(whole);
  for (const word of WORDS) await finishRelease(store, word);
  for (const state of states) {
    expect(await store.publish((await store.currentState()).version, state)).toBe('published');
  }
  await store.close();
});

/** A copy of the store after running the SQL statements on it. */
function copyWith(...statements: readonly string[]): string {
  copies++;
  const directory = join(folder, `copy-${copies}`);
  cpSync(whole, directory, { recursive: true });
  const database = new DatabaseSync(join(directory, 'catalog.sqlite'));
  for (const statement of statements) database.exec(statement);
  database.close();
  return directory;
}

async function withStore<Value>(directory: string, act: (store: Store) => Promise<Value>): Promise<Value> {
  const store = openEmbeddedStore(directory);
  try {
    return await act(store);
  } finally {
    await store.close();
  }
}

const DAMAGES: Readonly<Record<string, string>> = {
  'another release': `entries = replace(entries, substr(entries, instr(entries, '"releaseId":"') + 13, 1), 'g')`,
  'another organization': `entries = replace(entries, 'ORG_1', 'ORG_2')`,
  'an unknown data set': `entries = replace(entries, '"dataSet":"', '"dataSet":"X')`,
  'another number of records': `entries = replace(entries, '"records":3', '"records":2')`,
  'an entry less': `entries = '[]'`,
  'text that is no JSON': `entries = replace(entries, ':', ';')`,
  'another time': `since = replace(since, '2026', '2027')`,
  'another version': `version = replace(version, substr(version, 1, 1), 'x')`,
  'another cause': `cause = 'rollback'`,
  'another checksum': `checksum = checksum + 1`,
};

describe.each(Object.keys(DAMAGES))('a state with %s', (name) => {
  const damage = `UPDATE states SET ${DAMAGES[name] ?? ''}`;

  test('is not used for answers or for a backup if it is the current state', async () => {
    const directory = copyWith(`${damage} WHERE sequence = 3`);
    await withStore(directory, (store) => expect(store.currentState()).rejects.toBeInstanceOf(DamagedCatalogError));
    expect(() => backUp(directory, `${directory}-backup`, () => undefined)).toThrow(DamagedCatalogError);
  });

  test('is omitted from the history if it is an earlier state, and a backup says so', async () => {
    const directory = copyWith(`${damage} WHERE sequence = 2`);
    await withStore(directory, async (store) => {
      expect((await store.currentState()).version).toBe(third);
      expect((await store.history()).map(({ version }) => version)).toEqual([third, first]);
    });
    const backup = backUp(directory, `${directory}-backup`, () => undefined);
    expect(backup).toMatchObject({
      ok: true,
      value: { omitted: [expect.stringContaining('1 earlier state of the catalog is damaged')] },
    });
  });
});

test('a catalog of an earlier version has no checksums, so its data versions are checked instead', async () => {
  const earlier = 'ALTER TABLE states DROP COLUMN checksum';
  await withStore(copyWith(earlier), async (store) => {
    expect((await store.history()).map(({ version }) => version)).toEqual([third, second, first]);
    const next = createState('second', '2026-01-04T00:00:00.000Z');
    expect(await store.publish(third ?? '', next)).toBe('published');
    expect(await store.currentState()).toEqual(next);
  });
  const damaged = copyWith(earlier, `UPDATE states SET ${DAMAGES['another release'] ?? ''} WHERE sequence = 3`);
  await withStore(damaged, (store) => expect(store.currentState()).rejects.toBeInstanceOf(DamagedCatalogError));
});
