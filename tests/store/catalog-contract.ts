// The part of the store contract about catalog states and keys.

import { expireKey, limitKey, revokeKey } from '../../shared/access/access-keys';
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
import { createState } from '../fixtures/release-content';

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
    email: null,
  };
}

export function describeCatalogContract(storeOf: () => Store): void {
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

  test('one of many publishers at once wins, and the others get a conflict', async () => {
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

  test('finds keys by id and lists them in the order of issue', async () => {
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

  test('a second key of the same id is an error, and the first stays', async () => {
    await storeOf().keys.add(keyRecord('cccc'));
    await expect(async () => storeOf().keys.add({ ...keyRecord('cccc'), owner: 'Somebody else' })).rejects.toThrow();
    expect(await storeOf().keys.find('cccc')).toEqual(keyRecord('cccc'));
  });

  test('revokes a key once: the first moment stays', async () => {
    await storeOf().keys.add(keyRecord('dddd'));
    expect(await revokeKey(storeOf().keys, 'dddd', '2024-03-01T00:00:00.000Z')).toBe(true);
    expect(await revokeKey(storeOf().keys, 'dddd', '2024-04-01T00:00:00.000Z')).toBe(true);
    expect(await storeOf().keys.find('dddd')).toEqual({ ...keyRecord('dddd'), revokedAt: '2024-03-01T00:00:00.000Z' });
  });

  test.each([
    ['a key without an end', null, '2024-05-01T00:00:00.000Z'],
    ['a key that ends later', '2025-01-01T00:00:00.000Z', '2024-05-01T00:00:00.000Z'],
    ['a key that ends earlier, which stays so', '2024-04-01T00:00:00.000Z', '2024-04-01T00:00:00.000Z'],
  ])('lets a key expire: %s', async (_, expiresAt, end) => {
    await storeOf().keys.add(keyRecord('ffff', expiresAt));
    expect(await storeOf().keys.find('ffff')).toEqual(keyRecord('ffff', expiresAt));
    expect(await expireKey(storeOf().keys, 'ffff', '2024-05-01T00:00:00.000Z')).toBe(true);
    expect(await storeOf().keys.find('ffff')).toEqual(keyRecord('ffff', end));
    expect(await expireKey(storeOf().keys, 'gggg', '2024-05-01T00:00:00.000Z')).toBe(false);
  });

  test('sets the limits of a key and resets them', async () => {
    await storeOf().keys.add(keyRecord('hhhh'));
    expect(await limitKey(storeOf().keys, 'hhhh', { requestsPerMinute: 5, recordsPerMinute: null })).toBe(true);
    expect(await storeOf().keys.find('hhhh')).toEqual({ ...keyRecord('hhhh'), requestsPerMinute: 5 });
    expect(await limitKey(storeOf().keys, 'hhhh', { requestsPerMinute: null, recordsPerMinute: 7 })).toBe(true);
    expect(await storeOf().keys.find('hhhh')).toEqual({ ...keyRecord('hhhh'), recordsPerMinute: 7 });
    expect(await limitKey(storeOf().keys, 'iiii', { requestsPerMinute: 5, recordsPerMinute: 5 })).toBe(false);
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

  test('finds the use of one key on some days, in their order', async () => {
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

/** A use with three different counts. */
function use(day: string, keyId: string, count: number, lastUsedAt: string): KeyUse {
  return { day, keyId, requests: count, records: 2 * count, refused: 3 * count, lastUsedAt };
}
