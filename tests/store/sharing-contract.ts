// The part of the store contract about several stores on the same data: processes or instances of the service.

import { revokeKey } from '../../shared/access/access-keys';
import { EMPTY_STATE } from '../../shared/store/catalog-types';
import type { Store } from '../../shared/store/port';
import { finishRelease, openedRelease, readRecords, recordText, stateWith } from '../fixtures/release-content';
import { keyRecord } from './catalog-contract';

const first = stateWith('first', '2024-01-01T00:00:00.000Z');
const second = stateWith('second', '2024-01-02T00:00:00.000Z');

/** `storesOf` gives two stores that share one place, empty at the start of each test. */
export function describeSharingContract(storesOf: () => readonly [Store, Store]): void {
  test('two stores see what the other publishes at the next call', async () => {
    const [one, two] = storesOf();
    await one.publish(EMPTY_STATE.version, first);
    expect(await two.currentState()).toEqual(first);
    await two.publish(first.version, second);
    expect(await one.currentState()).toEqual(second);
    expect(await one.stateOf(first.version)).toEqual(first);
  });

  test('one of two stores that publish over the same state gets a conflict', async () => {
    const [one, two] = storesOf();
    expect(await one.publish(EMPTY_STATE.version, first)).toBe('published');
    expect(await two.publish(EMPTY_STATE.version, second)).toBe('conflict');
  });

  test('one of two stores that publish over the same state at once gets a conflict', async () => {
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

  test('two stores read a release that one has finished, and a key that one has revoked', async () => {
    const [one, two] = storesOf();
    const facts = await finishRelease(one, 'shared');
    expect(await readRecords(await openedRelease(two, facts), [0, 2])).toBe(`${recordText(0)},${recordText(2)}`);
    const key = keyRecord('k');
    await one.keys.add(key);
    await revokeKey(two.keys, 'k', 'later');
    expect(await one.keys.find('k')).toEqual({ ...key, revokedAt: 'later' });
  });
}
