// The part of the store contract about catalog states and keys.

import { expect } from 'expect';
import { expireKey, limitKey, revokeKey } from '../../shared/access/access-keys';
import { limitChain, listChain, replaceKey, revokeChain, revokeReplaced } from '../../shared/access/key-chains';
import { deleteExpired } from '../../shared/access/self-service-upkeep';
import {
  buildCatalogState,
  EMPTY_STATE,
  type HeldDataSet,
  type KeyRecord,
  type KeyUse,
  type SelfServiceRecord,
} from '../../shared/store/catalog-types';
import type { Store } from '../../shared/store/port';
import type { DeclareCheck } from './declare-check';
import { createState } from './release-content';

const first = createState('first', '2024-01-01T00:00:00.000Z');
const second = createState('second', '2024-01-02T00:00:00.000Z', 'rollback');

export function keyRecord(id: string, expiresAt: string | null = null): KeyRecord {
  return {
    id,
    hash: 'ab'.repeat(32),
    owner: `Øwner of ${id}`,
    issuedAt: '2024-01-01T00:00:00.000Z',
    expiresAt,
    revokedAt: null,
    requestsPerMinute: null,
    recordsPerMinute: null,
    replaces: null,
    mayReadMetrics: false,
    replacedBy: null,
    chainId: id,
    email: null,
  };
}

/** Keys to which the expiry 2024-05-01 is applied, with their expiry before and after. */
const EXPIRIES = [
  { which: 'a key without an end', expiresAt: null, end: '2024-05-01T00:00:00.000Z' },
  { which: 'a key that ends later', expiresAt: '2025-01-01T00:00:00.000Z', end: '2024-05-01T00:00:00.000Z' },
  {
    which: 'a key that ends earlier and is not extended',
    expiresAt: '2024-04-01T00:00:00.000Z',
    end: '2024-04-01T00:00:00.000Z',
  },
];

/** Options of rotations. */
const ROTATION = { now: new Date('2024-02-01T00:00:00.000Z'), overlapMs: 86_400_000 };

export function declareCatalogContract(test: DeclareCheck, storeOf: () => Store): void {
  test('starts with the empty state', async () => {
    expect(await storeOf().currentState()).toEqual(EMPTY_STATE);
    expect(await storeOf().history()).toEqual([]);
  });

  test('publishes when the expected state is current', async () => {
    expect(await storeOf().publish(EMPTY_STATE.version, first)).toBe('published');
    expect(await storeOf().currentState()).toEqual(first);
    expect(await storeOf().publish(first.version, second)).toBe('published');
    expect(await storeOf().currentState()).toEqual(second);
  });

  test('does not publish when another state is current', async () => {
    await storeOf().publish(EMPTY_STATE.version, first);
    expect(await storeOf().publish(EMPTY_STATE.version, second)).toBe('conflict');
    expect(await storeOf().currentState()).toEqual(first);
    expect(await storeOf().findState(second.version)).toBeUndefined();
    expect(await storeOf().history()).toEqual([first]);
  });

  test('of many concurrent publishers, one wins and the others get a conflict', async () => {
    const states = Array.from({ length: 5 }, (_, index) =>
      createState(`one of many ${index}`, '2024-01-03T00:00:00.000Z'),
    );
    const outcomes = await Promise.all(states.map((state) => storeOf().publish(EMPTY_STATE.version, state)));
    expect(outcomes.filter((outcome) => outcome === 'published')).toHaveLength(1);
    expect(await storeOf().currentState()).toEqual(states[outcomes.indexOf('published')]);
  });

  test('finds states by version and lists them, newest first', async () => {
    await storeOf().publish(EMPTY_STATE.version, first);
    await storeOf().publish(first.version, second);
    const again = { ...first, since: '2024-01-05T00:00:00.000Z' };
    await storeOf().publish(second.version, again);
    expect((await storeOf().findState(first.version))?.entries).toEqual(first.entries);
    expect(await storeOf().findState(second.version)).toEqual(second);
    expect((await storeOf().history()).map(({ version, since }) => [version, since])).toEqual([
      [first.version, again.since],
      [second.version, second.since],
      [first.version, first.since],
    ]);
  });

  test('keeps what a submission says about itself, independent of the data version', async () => {
    const submission = {
      name: 'third quarter',
      contact: 'data@example.org',
      note: 'Ünder "quotes"\n',
      termsOfUse: null,
      license: 'https://example.org/license',
      citation: null,
    };
    const entries = first.entries.map((entry) => ({ ...entry, submission }));
    const told = buildCatalogState(entries, first.since, first.cause);
    expect(told.version).toBe(first.version);
    await storeOf().publish(EMPTY_STATE.version, told);
    expect(await storeOf().currentState()).toEqual(told);
    expect(await storeOf().history()).toEqual([told]);
  });

  test('keeps the list of held submissions, and does not rewrite an equal one', async () => {
    const { held } = storeOf();
    const of = (organizationUuid: string): HeldDataSet => ({
      organizationUuid,
      dataSet: 'WaterAllocations',
      submission: 'third quärter',
      heldAt: '2024-01-01T00:00:00.000Z',
      reasons: ['records-gone'],
      confirmationCode: '0123456789ab',
    });
    expect(await held.list()).toEqual([]);
    await held.change((list) => list);
    await held.change((list) => [...list, of('ORG_1')]);
    await held.change((list) => [...list, of('ORG_2')]);
    expect(await held.list()).toEqual([of('ORG_1'), of('ORG_2')]);
    await held.change((list) => list.slice(1));
    expect(await held.list()).toEqual([of('ORG_2')]);
    expect(await storeOf().history()).toEqual([]);
  });

  test('finds keys by id and lists them in issue order', async () => {
    const limits = { requestsPerMinute: 60, recordsPerMinute: 1_000_000_000, replaces: 'bbbb' };
    const later = {
      ...keyRecord('aaaa', '2030-01-01T00:00:00.000Z'),
      issuedAt: '2024-02-01T00:00:00.000Z',
      ...limits,
    };
    await storeOf().keys.add(later);
    await storeOf().keys.add(keyRecord('bbbb'));
    expect(await storeOf().keys.find('aaaa')).toEqual(later);
    expect(await storeOf().keys.find('AAAA')).toBeUndefined();
    expect(await storeOf().keys.list()).toEqual([keyRecord('bbbb'), later]);
  });

  test('adding a second key with the same id is an error, and the first is kept', async () => {
    await storeOf().keys.add(keyRecord('cccc'));
    await expect(async () => storeOf().keys.add({ ...keyRecord('cccc'), owner: 'Somebody else' })).rejects.toThrow();
    expect(await storeOf().keys.find('cccc')).toEqual(keyRecord('cccc'));
  });

  test('revokes a key once and keeps the time of the first revocation', async () => {
    await storeOf().keys.add(keyRecord('dddd'));
    expect(await revokeKey(storeOf().keys, 'dddd', '2024-03-01T00:00:00.000Z')).toBe(true);
    expect(await revokeKey(storeOf().keys, 'dddd', '2024-04-01T00:00:00.000Z')).toBe(true);
    expect(await storeOf().keys.find('dddd')).toEqual({ ...keyRecord('dddd'), revokedAt: '2024-03-01T00:00:00.000Z' });
  });

  for (const { which, expiresAt, end } of EXPIRIES) {
    test(`lets a key expire: ${which}`, async () => {
      await storeOf().keys.add(keyRecord('ffff', expiresAt));
      expect(await storeOf().keys.find('ffff')).toEqual(keyRecord('ffff', expiresAt));
      expect(await expireKey(storeOf().keys, 'ffff', '2024-05-01T00:00:00.000Z')).toBe(true);
      expect(await storeOf().keys.find('ffff')).toEqual(keyRecord('ffff', end));
      expect(await expireKey(storeOf().keys, 'gggg', '2024-05-01T00:00:00.000Z')).toBe(false);
    });
  }

  test('sets the limits of a key and resets them', async () => {
    await storeOf().keys.add(keyRecord('hhhh'));
    expect(await limitKey(storeOf().keys, 'hhhh', { requestsPerMinute: 5, recordsPerMinute: null })).toBe(true);
    expect(await storeOf().keys.find('hhhh')).toEqual({ ...keyRecord('hhhh'), requestsPerMinute: 5 });
    expect(await limitKey(storeOf().keys, 'hhhh', { requestsPerMinute: null, recordsPerMinute: 7 })).toBe(true);
    expect(await storeOf().keys.find('hhhh')).toEqual({ ...keyRecord('hhhh'), recordsPerMinute: 7 });
    expect(await limitKey(storeOf().keys, 'iiii', { requestsPerMinute: 5, recordsPerMinute: 5 })).toBe(false);
  });

  test('replaces a key: adds the new one and changes the previous one, or does neither', async () => {
    const { keys } = storeOf();
    await keys.add(keyRecord('jjjj'));
    const next = { ...keyRecord('kkkk'), replaces: 'jjjj', chainId: 'jjjj' };
    expect(await keys.replace('jjjj', next, () => undefined)).toBe(false);
    expect(await keys.replace('nobody', next, (key) => key)).toBe(false);
    expect(await keys.list()).toEqual([keyRecord('jjjj')]);
    expect(await keys.replace('jjjj', next, (key) => ({ ...key, replacedBy: 'kkkk' }))).toBe(true);
    expect(await keys.list()).toEqual([{ ...keyRecord('jjjj'), replacedBy: 'kkkk' }, next]);
    expect(await keys.findCurrent('kkkk')).toEqual(next);
    expect(await keys.findCurrent('nobody')).toBeUndefined();
  });

  test('a key from an older version belongs to the rotation chain of the key that it replaced', async () => {
    const { keys, documents } = storeOf();
    const older = { ...keyRecord('mmmm'), replaces: 'llll', chainId: undefined };
    // The format in which older programs stored the record.
    await documents.change('key', ['mmmm'], () => older as unknown as KeyRecord);
    expect(await keys.find('mmmm')).toMatchObject({ chainId: 'llll' });
  });

  test('of concurrent rotations of one key, one succeeds and the others leave no key', async () => {
    const { keys } = storeOf();
    await keys.add(keyRecord('nnnn'));
    const rotations = await Promise.all(Array.from({ length: 8 }, () => replaceKey(keys, 'nnnn', ROTATION)));
    expect(rotations.map(({ kind }) => kind).sort()).toEqual(['replaced', ...Array<string>(7).fill('replaced before')]);
    expect(await keys.list()).toHaveLength(2);
    expect((await replaceKey(keys, 'nnnn', ROTATION)).kind).toBe('replaced before');
    expect((await replaceKey(keys, 'nobody', ROTATION)).kind).toBe('ended');
    expect(await keys.list()).toHaveLength(2);
  });

  test('the keys of a rotation chain share one owner, one allowance and one end, set through any of them', async () => {
    const { keys } = storeOf();
    for (const start of [0, 1, 2]) {
      const ids = [`start-${start}`];
      await keys.add({ ...keyRecord(`start-${start}`), email: 'a@example.org' });
      while (ids.length < 3) {
        const rotation = await replaceKey(keys, ids.at(-1) ?? '', ROTATION);
        ids.push(rotation.kind === 'replaced' ? rotation.issued.record.id : rotation.kind);
      }
      const member = ids[start] ?? '';
      const read = async (): Promise<readonly KeyRecord[]> =>
        (await keys.list()).filter(({ chainId }) => chainId === `start-${start}`);
      expect((await read()).map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect(listChain(await keys.list(), member)).toHaveLength(3);
      await limitChain(keys, [member], { requestsPerMinute: 5, recordsPerMinute: null });
      expect(new Set((await read()).map(({ requestsPerMinute }) => requestsPerMinute))).toEqual(new Set([5]));
      expect(await revokeChain(keys, [member], '2024-03-01T00:00:00.000Z')).toHaveLength(3);
      const ended = (await read()).map(({ revokedAt, owner, email }) => [revokedAt, owner, email]);
      expect(ended).toEqual(Array(3).fill(['2024-03-01T00:00:00.000Z', '', '']));
    }
  });

  test('revoking what a key replaced spares the key and what replaced it', async () => {
    const { keys } = storeOf();
    await keys.add(keyRecord('oooo'));
    const second = await replaceKey(keys, 'oooo', ROTATION);
    const secondId = second.kind === 'replaced' ? second.issued.record.id : '';
    await replaceKey(keys, secondId, ROTATION);
    expect(await revokeReplaced(keys, secondId, 'later')).toEqual([secondId, 'oooo']);
    expect((await keys.list()).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
  });

  test('a rotation at the same time as a revocation leaves no valid key', async () => {
    const { keys } = storeOf();
    for (let round = 0; round < 10; round++) {
      const id = `round-${round}`;
      await keys.add(keyRecord(id));
      const rotate = (): Promise<unknown> => replaceKey(keys, id, ROTATION);
      const revoke = (): Promise<unknown> => revokeChain(keys, [id], '2024-03-01T00:00:00.000Z');
      const actions = round % 2 === 0 ? [rotate, revoke, rotate] : [revoke, rotate, rotate];
      await Promise.all(actions.map((act) => act()));
    }
    expect((await keys.list()).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
  });

  test('adds up the use of keys by day, listed by day and key', async () => {
    expect(await storeOf().documents.list('use')).toEqual([]);
    await storeOf().usage.add([use('2024-01-02', 'bbbb', 1, '2024-01-02T08:00:00.000Z')]);
    await storeOf().usage.add([
      use('2024-01-02', 'bbbb', 10, '2024-01-02T07:00:00.000Z'),
      use('2024-01-02', 'aaaa', 100, '2024-01-02T09:00:00.000Z'),
      use('2024-01-01', 'bbbb', 1000, '2024-01-01T09:00:00.000Z'),
    ]);
    expect(await storeOf().documents.list('use')).toEqual([
      use('2024-01-01', 'bbbb', 1000, '2024-01-01T09:00:00.000Z'),
      use('2024-01-02', 'aaaa', 100, '2024-01-02T09:00:00.000Z'),
      use('2024-01-02', 'bbbb', 11, '2024-01-02T08:00:00.000Z'),
    ]);
  });

  test('finds the use of one key on some days, in the order of the requested days', async () => {
    const uses = ['2024-01-01', '2024-01-02', '2024-01-03'].map((day) => use(day, 'aaaa', 1, `${day}T09:00:00.000Z`));
    await storeOf().usage.add([...uses, use('2024-01-02', 'bbbb', 1, '2024-01-02T09:00:00.000Z')]);
    const [first, , third] = uses;
    expect(await storeOf().usage.listForKey('aaaa', ['2024-01-03', '2023-12-31', '2024-01-01'])).toEqual([
      third,
      first,
    ]);
  });

  test('keeps, changes atomically and expires the documents of self-service keys', async () => {
    const { documents } = storeOf();
    const record = (id: string, requests: number, expiresAt = '2024-01-02T00:00:00.000Z'): SelfServiceRecord<'day'> => {
      return { id, expiresAt, content: { requests } };
    };
    const counting = Array.from({ length: 10 }, () =>
      documents.change('day', ['b'], (stored) => record('b', (stored?.content.requests ?? 0) + 1)),
    );
    await Promise.all(counting);
    await documents.change('day', ['a'], () => record('a', 7, '2024-01-03T00:00:00.000Z'));
    await documents.change('blocked', ['b'], () => ({ id: 'b', expiresAt: '9999-12-31', content: {} }));
    expect(await documents.change('day', ['c'], (stored) => stored)).toEqual([undefined]);
    expect(await documents.list('day')).toEqual([record('a', 7, '2024-01-03T00:00:00.000Z'), record('b', 10)]);
    await deleteExpired(storeOf(), new Date('2024-01-02T00:00:00.000Z'));
    expect((await documents.list('day')).map(({ id }) => id)).toEqual(['a']);
    expect(await documents.change('day', ['a'], () => undefined)).toEqual([undefined]);
    expect([await documents.list('day'), (await documents.list('blocked')).length]).toEqual([[], 1]);
  });

  test('adds up concurrent use of keys without losses', async () => {
    const adding = Array.from({ length: 5 }, () =>
      storeOf().usage.add([use('2024-01-01', 'aaaa', 1, '2024-01-01T08:00:00.000Z')]),
    );
    await Promise.all(adding);
    expect(await storeOf().documents.list('use')).toEqual([use('2024-01-01', 'aaaa', 5, '2024-01-01T08:00:00.000Z')]);
  });
}

/** A usage record with three different counts. */
function use(day: string, keyId: string, count: number, lastUsedAt: string): KeyUse {
  return { day, keyId, requests: count, records: 2 * count, refused: 3 * count, lastUsedAt };
}
