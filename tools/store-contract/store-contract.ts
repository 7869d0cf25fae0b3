// The contract that every store fulfills (docs/release-layout.md): what a store keeps and deletes, and how several
// processes or instances share the same data. The tests run it with each adapter, and `npm run azure-check` runs it on
// an account.

import { expect } from 'expect';
import { revokeKey } from '../../shared/access/access-keys';
import { EMPTY_STATE } from '../../shared/store/catalog-types';
import type { Store } from '../../shared/store/port';
import { declareCatalogContract, keyRecord } from './catalog-contract';
import type { DeclareCheck } from './declare-check';
import {
  createFacts,
  createState,
  finishRelease,
  openExistingRelease,
  readRecords,
  writeRecordText,
} from './release-content';
import { declareReleaseContract } from './release-contract';

/**
 * Declares every check for one store. `storeOf` returns the store of the current check, which is empty when the check
 * starts.
 */
export function declareStoreContract(test: DeclareCheck, storeOf: () => Store): void {
  declareReleaseContract(test, storeOf);
  declareCatalogContract(test, storeOf);
  declareRetentionContract(test, storeOf);
}

const DAYS = ['2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z', '2024-01-03T00:00:00.000Z'] as const;
const first = createState('a', DAYS[0]);
const second = createState('b', DAYS[1]);
const third = createState('c', DAYS[2]);

function idOf(word: string): string {
  return createFacts(word, 0).releaseId;
}

function declareRetentionContract(test: DeclareCheck, storeOf: () => Store): void {
  async function publishAll(): Promise<void> {
    let current = EMPTY_STATE.version;
    for (const [word, state] of [
      ['a', first],
      ['b', second],
      ['c', third],
    ] as const) {
      await finishRelease(storeOf(), word);
      expect(await storeOf().publish(current, state)).toBe('published');
      current = state.version;
    }
  }

  test('forgets states by the time they were superseded, but never the current state', async () => {
    await publishAll();
    await storeOf().forgetStates(DAYS[1]);
    expect(await storeOf().history()).toEqual([third, second, first]);
    await storeOf().forgetStates('2024-01-02T00:00:00.001Z');
    expect(await storeOf().history()).toEqual([third, second]);
    expect(await storeOf().findState(first.version)).toBeUndefined();
    await storeOf().forgetStates('2099-01-01T00:00:00.000Z');
    expect(await storeOf().history()).toEqual([third]);
    expect(await storeOf().currentState()).toEqual(third);
  });

  test('forgets states from the oldest on and stops at the first one to keep, even if a later one has an earlier date', async () => {
    await publishAll();
    // Published by a machine whose clock was behind.
    await storeOf().publish(third.version, { ...first, since: '2024-01-01T12:00:00.000Z' });
    await storeOf().forgetStates('2024-01-02T00:00:00.000Z');
    expect(await storeOf().history()).toEqual([{ ...first, since: '2024-01-01T12:00:00.000Z' }, third, second, first]);
  });

  test('keeps a state that became current again, even after its first period is removed from the history', async () => {
    await publishAll();
    const again = { ...first, since: '2024-01-04T00:00:00.000Z' };
    await storeOf().publish(third.version, again);
    await storeOf().forgetStates('2099-01-01T00:00:00.000Z');
    expect(await storeOf().findState(first.version)).toEqual(again);
  });

  test('a new store has nothing to forget', async () => {
    await storeOf().forgetStates('2099-01-01T00:00:00.000Z');
    expect(await storeOf().currentState()).toEqual(EMPTY_STATE);
    expect(await storeOf().listReleases()).toEqual([]);
  });

  test('lists the finished releases, not those being written', async () => {
    await publishAll();
    const writer = await storeOf().startRelease();
    expect([...(await storeOf().listReleases())].sort()).toEqual(['a', 'b', 'c'].map(idOf).sort());
    await writer.abandon();
  });

  test('deletes a release that no state lists, and keeps a release that any state lists', async () => {
    await publishAll();
    await storeOf().forgetStates(DAYS[2]);
    expect(await storeOf().deleteRelease(idOf('a'))).toBe('deleted');
    expect(await storeOf().deleteRelease(idOf('b'))).toBe('kept');
    expect(await storeOf().deleteRelease(idOf('c'))).toBe('kept');
    expect(await storeOf().openRelease(idOf('a'))).toBeUndefined();
    expect(await readRecords(await openExistingRelease(storeOf(), createFacts('c', 3)), [1])).toBe(writeRecordText(1));
  });

  test('deleting a release that does not exist is harmless', async () => {
    expect(await storeOf().deleteRelease(idOf('never'))).toBe('deleted');
  });

  test('keeps a finished release that is not yet published, unless it is abandoned', async () => {
    const writer = await storeOf().startRelease();
    await writer.finish(createFacts('a', 0));
    expect(await storeOf().deleteRelease(idOf('a'))).toBe('kept');
    await storeOf().publish(EMPTY_STATE.version, first);
    await storeOf().publish(first.version, second);
    await storeOf().forgetStates('2099-01-01T00:00:00.000Z');
    expect(await storeOf().deleteRelease(idOf('a'))).toBe('deleted');
    const other = await storeOf().startRelease();
    await other.finish(createFacts('a', 0));
    await other.abandon();
    expect(await storeOf().deleteRelease(idOf('a'))).toBe('deleted');
  });

  test('keeps an old release that a writer has written again', async () => {
    await publishAll();
    await storeOf().forgetStates('2099-01-01T00:00:00.000Z');
    const writer = await storeOf().startRelease();
    await writer.finish(createFacts('a', 3));
    expect(await storeOf().deleteRelease(idOf('a'))).toBe('kept');
    await storeOf().publish(third.version, { ...first, since: '2024-01-04T00:00:00.000Z' });
    expect(await readRecords(await openExistingRelease(storeOf(), createFacts('a', 3)), [0])).toBe(writeRecordText(0));
  });

  test('keeps the unfinished release of a writer that is still running', async () => {
    const writer = await storeOf().startRelease();
    writer.addFragment('records', '{"one":1}');
    await storeOf().removeUnfinished();
    await writer.finish(createFacts('living', 1));
    expect(await readRecords(await openExistingRelease(storeOf(), createFacts('living', 1)), [0])).toBe('{"one":1}');
  });
}

/** `storesOf` returns two stores on the same data, which are empty when each test starts. */
export function declareSharingContract(test: DeclareCheck, storesOf: () => readonly [Store, Store]): void {
  test('two stores see what the other publishes at the next call', async () => {
    const [one, two] = storesOf();
    await one.publish(EMPTY_STATE.version, first);
    expect(await two.currentState()).toEqual(first);
    await two.publish(first.version, second);
    expect(await one.currentState()).toEqual(second);
    expect(await one.findState(first.version)).toEqual(first);
  });

  test('reads the history once, and after the other store publishes, reads only the new state', async () => {
    const [one, two] = storesOf();
    await one.publish(EMPTY_STATE.version, first);
    const history = await two.history();
    expect(await two.history()).toBe(history);
    await one.publish(first.version, second);
    const next = await two.history();
    expect(next).toEqual([second, first]);
    expect(next[1]).toBe(history[0]);
    expect(await two.history()).toBe(next);
    expect(await two.currentState()).toBe(next[0]);
    expect(await two.findState(first.version)).toEqual(first);
  });

  test('if two stores publish over the same state, one gets a conflict', async () => {
    const [one, two] = storesOf();
    expect(await one.publish(EMPTY_STATE.version, first)).toBe('published');
    expect(await two.publish(EMPTY_STATE.version, second)).toBe('conflict');
  });

  test('if two stores publish over the same state at once, one gets a conflict', async () => {
    const stores = storesOf();
    const states = [first, second];
    const outcomes = await Promise.all(
      stores.map((store, index) => store.publish(EMPTY_STATE.version, states[index] ?? EMPTY_STATE)),
    );
    expect([...outcomes].sort()).toEqual(['conflict', 'published']);
    for (const store of stores) {
      expect(await store.currentState()).toEqual(states[outcomes.indexOf('published')]);
      expect(await store.history()).toHaveLength(1);
    }
  });

  test('a store sees a release that another store finished, and a key that another store revoked', async () => {
    const [one, two] = storesOf();
    const facts = await finishRelease(one, 'shared');
    expect(await readRecords(await openExistingRelease(two, facts), [0, 2])).toBe(
      `${writeRecordText(0)},${writeRecordText(2)}`,
    );
    const key = keyRecord('k');
    await one.keys.add(key);
    await revokeKey(two.keys, 'k', 'later');
    expect(await one.keys.find('k')).toEqual({ ...key, revokedAt: 'later' });
  });
}
