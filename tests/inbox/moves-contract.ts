// Tests of the inbox contract: fetching a submission, and moving it with its report (submissions.md, 5).

import { text } from 'node:stream/consumers';
import { below, LEASE_MS, report, submission, type InboxOfTest } from './inbox-of-test';

/** Every operation is tried as the last one, which takes minutes in a container. */
const MINUTES = 180_000;

/** Far more than a move needs. */
const MANY_OPERATIONS = 200;

export interface Strides {
  /** A settlement is killed at every operation whose number is a multiple of it. */
  readonly move: number;
  readonly followedMove: number;
}

export function testMoves(at: InboxOfTest, strides: Strides): void {
  const { now, reportFolder, submit, claimed, settle } = at;

  /** Settles in a process that is killed after so many operations; false when it was killed. Its claim then expires. */
  async function settlesWhole(operations: number): Promise<boolean> {
    const breaking = await at.world.openBreaking(now, operations);
    const isWhole = await settle('accepted', breaking.inbox).then(
      () => true,
      () => false,
    );
    await breaking.heal();
    at.time += LEASE_MS;
    return isWhole;
  }

  test('the files are read where they lie, from any byte on', async () => {
    await submit('one');
    const files = await (await claimed('one')).files();
    if (!files.ok) throw new Error(files.problem);
    const { name, names, file } = files.value;
    expect({ name, names: [...names()].sort() }).toEqual({
      name: 'one',
      names: ['notes', 'sites.csv', 'submission.json'],
    });
    expect([file('notes'), file('methods.csv')]).toEqual([undefined, undefined]);
    const sites = file('sites.csv');
    if (sites === undefined) throw new Error('there is no sites.csv');
    const texts = await Promise.all([0, 4, 9].map((start) => text(sites.bytes(start))));
    expect({ size: sites.size, texts }).toEqual({ size: 9, texts: ['the sites', 'sites', ''] });
  });

  test.each(['accepted', 'refused', 'held'] as const)('%s: the submission moves with its report', async (as) => {
    await submit('one');
    await settle(as);
    expect(await at.world.files()).toEqual(below(`${as}/one`, { ...submission, ...report }));
    expect(await at.inbox.waiting()).toEqual([]);
    expect(await at.inbox.claim('one')).toBeUndefined();
  });

  test('a second and a third submission of one name get names of their own', async () => {
    for (const text of ['first', 'second', 'third']) {
      await submit('one', { 'sites.csv': text, READY: '' });
      await settle('accepted');
    }
    expect(await at.world.files()).toEqual({
      ...below('accepted/one', { 'sites.csv': 'first', READY: '', ...report }),
      ...below('accepted/one-2', { 'sites.csv': 'second', READY: '', ...report }),
      ...below('accepted/one-3', { 'sites.csv': 'third', READY: '', ...report }),
    });
  });

  test('a submission that came back with its old report keeps that under another name', async () => {
    const submitted = { READY: '', 'report.json': 'old', 'report.md': 'old', 'submitted-report.md': 'older' };
    await submit('one', submitted);
    await settle('refused');
    const renamed = { 'submitted-report.json': 'old', 'submitted-submitted-report.md': 'old' };
    expect(await at.world.files()).toEqual(
      below('refused/one', { ...report, ...renamed, READY: '', 'submitted-report.md': 'older' }),
    );
  });

  test.each([
    ['a file that was written again', 'waiting/one/sites.csv', 'other sites'],
    ['a file that came later', 'waiting/one/variables.csv', 'the variables'],
  ])('%s leaves the submission waiting', async (_, path, text) => {
    await submit('one');
    const claim = await claimed('one');
    await claim.files();
    await at.world.put(path, text);
    expect(await claim.settle('accepted', reportFolder())).toBe('changed');
    expect(await at.world.files()).toEqual({ ...below('waiting/one', submission), [path]: text });
    await settle('accepted');
  });

  test('the report of what is published goes alone when the submission changed behind the publish', async () => {
    await submit('one');
    const claim = await claimed('one');
    await at.world.put('waiting/one/sites.csv', 'other sites');
    expect(await claim.settle('accepted', reportFolder(), true)).toBe('changed');
    const waiting = below('waiting/one', { ...submission, 'sites.csv': 'other sites' });
    expect(await at.world.files()).toEqual({ ...waiting, ...below('accepted/one', report) });
    await settle('accepted');
    expect(await at.world.files()).toEqual({
      ...below('accepted/one', report),
      ...below('accepted/one-2', { ...submission, 'sites.csv': 'other sites', ...report }),
    });
  });

  test(
    'a move that ended at any point is ended by the next tick, with nothing lost, doubled or overwritten',
    async () => {
      const former = below('accepted/one', { 'sites.csv': 'former' });
      for (const [path, text] of Object.entries(former)) await at.world.put(path, text);
      const submitted = { ...submission, 'report.md': 'old' };
      const moved = below('accepted/one-2', { ...submission, ...report, 'submitted-report.md': 'old' });
      let isWhole = false;
      for (let operations = 0; operations < MANY_OPERATIONS && !isWhole; operations += strides.move) {
        await submit('one', submitted);
        isWhole = await settlesWhole(operations);
        await at.inbox.finishMoves();
        if ((await at.inbox.waiting()).includes('one')) await settle('accepted');
        expect({ operations, files: await at.world.files() }).toEqual({ operations, files: { ...former, ...moved } });
        await at.world.clear('accepted/one-2');
      }
      expect(isWhole).toBe(true);
    },
    MINUTES,
  );

  test('a submission that is dropped while a move of its name is half done is not taken for the moved one', async () => {
    const next = { 'sites.csv': 'next', READY: '' };
    const whole = [
      ...Object.entries(below('accepted/one', { ...submission, ...report })),
      ...Object.entries(below('accepted/one-2', { ...next, ...report })),
    ];
    let isWhole = false;
    for (let operations = 0; operations < MANY_OPERATIONS && !isWhole; operations += strides.followedMove) {
      await submit('one');
      isWhole = await settlesWhole(operations);
      const hasLeft = Object.keys(await at.world.files()).every((path) => !path.startsWith('waiting/'));
      if (hasLeft) {
        await submit('one', next);
        await settle('accepted');
        expect(await at.world.files()).toEqual(Object.fromEntries(whole));
      }
      await at.inbox.finishMoves();
      for (const path of ['waiting/one', 'accepted/one', 'accepted/one-2']) await at.world.clear(path);
    }
    expect(isWhole).toBe(true);
  });
}
