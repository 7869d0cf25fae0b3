// The contract of every kind of inbox (submissions.md, 5): listing, claiming, reading and moving submissions.

import { text } from 'node:stream/consumers';
import type { Inbox } from '../../data-loaders/intake/inbox';
import {
  below,
  inboxForEachTest,
  type InboxOfTest,
  LEASE_MS,
  report,
  submission,
  type TestInbox,
} from './inbox-of-test';

/** Every operation is tried as the last operation before a kill, which takes minutes in a container. */
const MINUTES = 180_000;

/** Many more operations than a move needs. */
const MANY_OPERATIONS = 200;

interface Strides {
  /** A settlement is killed at every operation whose number is a multiple of this number. */
  readonly move: number;
  readonly followedMove: number;
}

export function describeInboxContract(
  name: string,
  create: () => Promise<TestInbox>,
  folder: string,
  strides: Strides,
): void {
  describe(name, () => {
    const at = inboxForEachTest(create, folder);
    testClaims(at);
    testMoves(at, strides);
    testNotRead(at);
  });
}

function testNotRead(at: InboxOfTest): void {
  test.each([
    ['submission.json'],
    ['Submission.json'],
    ['SUBMISSION.JSON'],
    ['submission.json.txt'],
    ['READY'],
    ['ready'],
    ['READY.txt'],
    ['Ready.TXT'],
    ['2026/submission.json'],
    ['2026/ready.txt'],
  ])('a submission is complete with %s', async (marker) => {
    const { claimed } = at;
    const inner = marker.includes('/') ? '2026/' : '';
    await at.submit('one', {
      [`${inner}sites.csv`]: 'the sites',
      '.DS_Store': '',
      '__MACOSX/2026/READY': '',
      [marker]: '',
    });
    expect(await at.inbox.listWaiting()).toEqual(['one']);
    expect(await at.inbox.noteNotRead()).toEqual([]);
    const files = await (await claimed('one')).files();
    expect(files).toMatchObject({ ok: true });
  });

  test.each([
    ['state/sites.csv', 'state', 'outside-waiting'],
    ['state/2026/submission.json', 'state', 'outside-waiting'],
    ['sites.csv', 'sites.csv', 'outside-waiting'],
    ['state.zip', 'state.zip', 'outside-waiting'],
    ['waiting/state.zip', 'waiting/state.zip', 'archive'],
    ['waiting/state.7z', 'waiting/state.7z', 'archive'],
    ['waiting/state.xlsx', 'waiting/state.xlsx', 'workbook'],
    ['waiting/state.xls', 'waiting/state.xls', 'workbook'],
    ['waiting/sites.csv', 'waiting/sites.csv', 'loose-file'],
    ['waiting/submission.json', 'waiting/submission.json', 'loose-file'],
    ['waiting/state/sites.csv', 'waiting/state', 'no-marker'],
    ['waiting/state/state.zip', 'waiting/state', 'no-marker'],
    ['waiting/state/a/b/submission.json', 'waiting/state', 'no-marker'],
  ])('%s is reported with a note next to %s', async (path, entry, reason) => {
    await at.world.put(path, 'content');
    expect(await at.inbox.noteNotRead()).toMatchObject([{ path: entry, reason }]);
    const { [`${entry}.not-read.txt`]: note } = await at.world.files();
    expect(note).toContain(`${entry} `);
    expect(await at.inbox.noteNotRead()).toMatchObject([{ path: entry, reason }]);
    await at.world.clear(path.split('/').slice(0, entry.split('/').length).join('/'));
    if (path === entry) await at.world.clear(path);
  });

  test.each(['state.zip', 'state.xlsx'])(
    'following the note next to %s leads to a submission that is read',
    async (name) => {
      const { put, files, clear } = at.world;
      await put(`waiting/${name}`, 'content');
      await at.inbox.noteNotRead();
      const note = (await files())[`waiting/${name}.not-read.txt`] ?? '';
      const folder = /a folder (waiting\/\S+),/.exec(note)?.[1] ?? '';
      await clear(`waiting/${name}`);
      await put(`${folder}/${name}`, 'content');
      await put(`${folder}/READY`, '');
      expect(await at.inbox.listWaiting()).toEqual(['state']);
      expect(await at.inbox.noteNotRead()).toEqual([]);
      expect(Object.keys(await files()).sort()).toEqual([`${folder}/READY`, `${folder}/${name}`]);
    },
  );

  test('a note is removed when the submission is complete, and updated when the reason changes', async () => {
    const { put, files } = at.world;
    await put('waiting/state/2025/READY', '');
    await put('waiting/state/2026/READY', '');
    expect(await at.inbox.noteNotRead()).toMatchObject([{ reason: 'several-folders' }]);
    expect((await files())['waiting/state.not-read.txt']).toContain('2025/ and 2026/');
    await at.world.clear('waiting/state');
    await put('waiting/state/sites.csv', '');
    expect(await at.inbox.noteNotRead()).toMatchObject([{ reason: 'no-marker' }]);
    expect((await files())['waiting/state.not-read.txt']).toContain('READY');
    await put('waiting/state/READY', '');
    expect(await at.inbox.noteNotRead()).toEqual([]);
    expect(Object.keys(await files()).sort()).toEqual(['waiting/state/READY', 'waiting/state/sites.csv']);
  });

  test.each([
    'README.txt',
    'letters/letter.pdf',
    '.hidden/sites.csv',
    'waiting/.copying/sites.csv',
    'waiting/.DS_Store',
  ])('%s does not count as a submission', async (path) => {
    await at.world.put(path, '');
    expect(await at.inbox.noteNotRead()).toEqual([]);
  });
}

function testClaims(at: InboxOfTest): void {
  const { now, workFolder, reportFolder, submit, claimed, settle } = at;

  test('an empty inbox has nothing waiting', async () => {
    expect(await at.inbox.listWaiting()).toEqual([]);
    expect(await at.inbox.claim('nothing')).toBeUndefined();
  });

  test.each(['READY', 'submission.json'])('a half-copied submission waits for its %s', async (marker) => {
    await submit('half', { 'sites.csv': 'the sites', [`deeper/${marker}`]: '' });
    await at.world.put(`waiting/${marker}`, '');
    expect(await at.inbox.listWaiting()).toEqual([]);
    expect(await at.inbox.claim('half')).toBeUndefined();
    await at.world.put(`waiting/half/${marker}`, '');
    expect(await at.inbox.listWaiting()).toEqual(['half']);
    expect((await claimed('half')).name).toBe('half');
  });

  test('a folder whose name starts with a dot does not wait', async () => {
    await submit('.copying');
    expect(await at.inbox.listWaiting()).toEqual([]);
  });

  test('only one of many concurrent claims succeeds', async () => {
    await submit('one');
    const inboxes = await Promise.all(Array.from({ length: 6 }, () => at.world.open(now)));
    const claims = await Promise.all(inboxes.map((other) => other.claim('one')));
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    expect(await at.inbox.listWaiting()).toEqual(['one']);
  });

  test('a released submission can be claimed again', async () => {
    await submit('one');
    const claim = await claimed('one');
    expect(await at.inbox.claim('one')).toBeUndefined();
    await claim.lease.release('stop');
    expect((await claimed('one')).name).toBe('one');
  });

  test('a claim expires unless it is renewed, and its former holder can then no longer act on the submission', async () => {
    await submit('one');
    const first = await claimed('one');
    at.time += LEASE_MS - 1;
    expect(await first.lease.renew()).toBe(true);
    at.time += LEASE_MS - 1;
    expect(await at.inbox.claim('one')).toBeUndefined();
    at.time += 1;
    const second = await claimed('one');
    expect(await first.lease.renew()).toBe(false);
    await first.files();
    expect(await first.settle('refused', reportFolder())).toBe('lost');
    await first.lease.release('stop');
    expect(await at.inbox.claim('one')).toBeUndefined();
    expect(await at.world.files()).toEqual(below('waiting/one', submission));
    await second.files();
    expect(await second.settle('accepted', reportFolder())).toBe('settled');
  });

  test('counts failures and loaders that lost their claim, but not stopped loaders', async () => {
    await submit('one');
    const seen: unknown[] = [];
    for (const end of ['lost', 'fault', 'stop', 'lost', 'fault', 'stop'] as const) {
      const claim = await claimed('one', await at.world.open(now));
      seen.push(claim.lease.granted.attempts);
      if (end === 'lost') at.time += LEASE_MS;
      else await claim.lease.release(end);
    }
    expect(seen).toEqual([
      { ended: 0, failed: 0 },
      { ended: 1, failed: 0 },
      { ended: 1, failed: 1 },
      { ended: 1, failed: 1 },
      { ended: 2, failed: 1 },
      { ended: 2, failed: 2 },
    ]);
  });

  test('attempts do not count for a later submission with the same name', async () => {
    await submit('one');
    await claimed('one');
    at.time += LEASE_MS;
    await settle('accepted');
    await submit('one');
    expect((await claimed('one')).lease.granted.attempts).toEqual({ ended: 0, failed: 0 });
  });

  test('the content digest distinguishes one submission from any other', async () => {
    await submit('one');
    const contents = new Set<string>();
    for (const change of [undefined, ['sites.csv', 'other sites'], ['more.csv', ''], ['deeper/more.csv', '']]) {
      const [path, text] = change ?? [];
      if (path !== undefined) await at.world.put(`waiting/one/${path}`, text ?? '');
      for (let time = 0; time < 2; time++) {
        const claim = await claimed('one');
        contents.add(claim.content);
        await claim.lease.release('stop');
      }
    }
    expect(contents.size).toBe(4);
  });

  test('a saved report is available to the next loader and is removed with the submission', async () => {
    await submit('one');
    const state = { version: 'v1', since: '2026-01-02T03:04:05.000Z' };
    const first = await claimed('one');
    expect(await first.savedReport(workFolder())).toBeUndefined();
    expect(await first.saveReport({ ...state, version: 'v0' }, workFolder())).toBe(true);
    expect(await first.saveReport(state, reportFolder())).toBe(true);
    at.time += LEASE_MS;
    const second = await claimed('one', await at.world.open(now));
    const found = await second.savedReport(workFolder());
    expect(found?.state).toEqual(state);
    expect(await first.saveReport(state, reportFolder())).toBe(false);
    expect(await second.settle('accepted', found?.folder ?? '')).toBe('settled');
    expect(await at.world.files()).toEqual(below('accepted/one', { ...submission, ...report }));
    await submit('one');
    expect(await (await claimed('one')).savedReport(workFolder())).toBeUndefined();
  });

  test('a saved report for other content is recognized and can be delivered alone', async () => {
    await submit('one');
    const first = await claimed('one');
    await first.saveReport({ version: 'v1', since: '' }, reportFolder());
    await first.lease.release('stop');
    await at.world.put('waiting/one/sites.csv', 'other sites');
    const second = await claimed('one');
    const saved = await second.savedReport(workFolder());
    expect(saved).toMatchObject({ content: first.content });
    expect(second.content).not.toBe(first.content);
    if (saved !== undefined) await second.deliver(saved);
    expect(await at.world.files()).toEqual({
      ...below('waiting/one', { ...submission, 'sites.csv': 'other sites' }),
      ...below('accepted/one', report),
    });
    expect(await second.savedReport(workFolder())).toBeUndefined();
    expect(await second.isChanged()).toBe(false);
  });

  test('a submission can be claimed once its files have not changed for a while', async () => {
    await submit('one');
    const changedAt = Date.now();
    const open = (ms: number): Promise<Inbox> => at.world.open(() => new Date(changedAt + ms), 10_000);
    expect(await (await open(2000)).claim('one')).toBeUndefined();
    const claim = await claimed('one', await open(20_000));
    expect(await claim.isChanged()).toBe(false);
    await at.world.put('waiting/one/sites.csv', 'other sites');
    expect(await claim.isChanged()).toBe(true);
  });

  test('renewing a claim while its submission is being settled does no harm', async () => {
    await submit('one');
    const claim = await claimed('one');
    await claim.files();
    const [renewed, outcome] = await Promise.all([claim.lease.renew(), claim.settle('accepted', reportFolder())]);
    expect([renewed, outcome]).toEqual([true, 'settled']);
  });
}

function testMoves(at: InboxOfTest, strides: Strides): void {
  const { now, reportFolder, submit, claimed, settle } = at;

  /** Settles in a process that is killed after this many operations; false if it was killed. Its claim then expires. */
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

  test('files are read in place, from any offset', async () => {
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
    expect(await at.inbox.listWaiting()).toEqual([]);
    expect(await at.inbox.claim('one')).toBeUndefined();
  });

  test('later submissions with the same name get distinct names', async () => {
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

  test('a resubmission with its old report keeps that report under another name', async () => {
    const submitted = { READY: '', 'report.json': 'old', 'report.md': 'old', 'submitted-report.md': 'older' };
    await submit('one', submitted);
    await settle('refused');
    const renamed = { 'submitted-report.json': 'old', 'submitted-submitted-report.md': 'old' };
    expect(await at.world.files()).toEqual(
      below('refused/one', { ...report, ...renamed, READY: '', 'submitted-report.md': 'older' }),
    );
  });

  test.each([
    ['a file that was rewritten', 'waiting/one/sites.csv', 'other sites'],
    ['a file that was added later', 'waiting/one/variables.csv', 'the variables'],
  ])('%s leaves the submission waiting', async (_, path, text) => {
    await submit('one');
    const claim = await claimed('one');
    await claim.files();
    await at.world.put(path, text);
    expect(await claim.settle('accepted', reportFolder())).toBe('changed');
    expect(await at.world.files()).toEqual({ ...below('waiting/one', submission), [path]: text });
    await settle('accepted');
  });

  test('only the report is delivered if the submission changed after the publish', async () => {
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
    'an interrupted move is completed by the next run without losing or duplicating files',
    async () => {
      const earlierFile = below('accepted/one', { 'sites.csv': 'former' });
      for (const [path, text] of Object.entries(earlierFile)) await at.world.put(path, text);
      const submitted = { ...submission, 'report.md': 'old' };
      const moved = below('accepted/one-2', { ...submission, ...report, 'submitted-report.md': 'old' });
      let isWhole = false;
      for (let operations = 0; operations < MANY_OPERATIONS && !isWhole; operations += strides.move) {
        await submit('one', submitted);
        isWhole = await settlesWhole(operations);
        await at.inbox.finishMoves();
        if ((await at.inbox.listWaiting()).includes('one')) await settle('accepted');
        expect({ operations, files: await at.world.files() }).toEqual({
          operations,
          files: { ...earlierFile, ...moved },
        });
        await at.world.clear('accepted/one-2');
      }
      expect(isWhole).toBe(true);
    },
    MINUTES,
  );

  test('a submission that arrives during an interrupted move of the same name is kept separate', async () => {
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
