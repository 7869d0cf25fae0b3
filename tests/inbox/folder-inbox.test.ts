// The folder inbox: the contract of inboxes, and cases that only apply to folders.

import fs from 'node:fs';
import { join } from 'node:path';
import { accessFolder, openFolderInbox, readFiles } from '../fixtures/inbox-places';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { describeInboxContract } from './inbox-contract';
import { LEASE_MS, type TestInbox } from './inbox-of-test';

/** The file operations by which the inbox changes files. */
const CHANGES = ['writeFileSync', 'renameSync', 'rmSync', 'cpSync', 'mkdirSync'] as const;

const now = (): Date => new Date('2026-01-02T03:04:05Z');
const folder = createTemporaryFolder();
let count = 0;

function breakAfter(operations: number): () => Promise<void> {
  let left = operations;
  const spies = CHANGES.map((name) => {
    const real = fs[name] as (...args: unknown[]) => unknown;
    return jest.spyOn(fs, name).mockImplementation(((...args: unknown[]) => {
      left--;
      if (left < 0) throw new Error('killed');
      return real(...args);
    }) as never);
  });
  return () => {
    for (const spy of spies) spy.mockRestore();
    return Promise.resolve();
  };
}

function createInbox(): Promise<TestInbox> {
  count++;
  const root = join(folder, `inbox-${count}`);
  const place = accessFolder(root);
  return Promise.resolve({
    open: (clock, quietMs) => Promise.resolve(openFolderInbox(root, { now: clock, leaseMs: LEASE_MS }, quietMs)),
    openBreaking: (clock, operations) => {
      const inbox = openFolderInbox(root, { now: clock, leaseMs: LEASE_MS });
      return Promise.resolve({ inbox, heal: breakAfter(operations) });
    },
    put: place.put,
    clear: (path) => {
      fs.rmSync(join(root, path), { recursive: true, force: true });
      return Promise.resolve();
    },
    files: () => readFiles(place),
  });
}

describeInboxContract('the folder inbox', createInbox, folder, { move: 1, followedMove: 3 });

test('lists the submission that has waited longest first', async () => {
  const root = join(folder, 'order');
  const inbox = openFolderInbox(root, { now, leaseMs: LEASE_MS });
  for (const [name, second] of [
    ['a', 30],
    ['b', 10],
    ['c', 20],
    ['d', 10],
  ] as const) {
    await accessFolder(root).put(`waiting/${name}/READY`, '');
    fs.utimesSync(join(root, 'waiting', name, 'READY'), second, second);
  }
  expect(await inbox.listWaiting()).toEqual(['b', 'd', 'c', 'a']);
});

test('a submission with a symbolic link out of its folder is not read', async () => {
  const root = join(folder, 'links');
  const inbox = openFolderInbox(root, { now, leaseMs: LEASE_MS });
  await accessFolder(root).put('waiting/one/READY', '');
  fs.symlinkSync('/etc/passwd', join(root, 'waiting', 'one', 'sites.csv'));
  const claim = await inbox.claim('one');
  expect(await claim?.files()).toEqual({ ok: false, problem: expect.stringContaining('sites.csv') });
});

test('a link to a folder is not a submission', async () => {
  const root = join(folder, 'linked-folder');
  const inbox = openFolderInbox(root, { now, leaseMs: LEASE_MS });
  await accessFolder(root).put('elsewhere/READY', '');
  fs.symlinkSync(join(root, 'elsewhere'), join(root, 'waiting', 'one'));
  expect(await inbox.listWaiting()).toEqual([]);
});

test.each(['folder', 'file', 'nothing'])(
  'a link to a %s gets one note next to it until it is removed',
  async (target) => {
    const root = join(folder, `link-to-${target}`);
    const waiting = join(root, 'waiting');
    const inbox = openFolderInbox(root, { now, leaseMs: LEASE_MS });
    await accessFolder(root).put('folder/other', '');
    await accessFolder(root).put('file', '');
    fs.symlinkSync(join(root, target), join(waiting, 'one'));
    expect(await inbox.noteNotRead()).toMatchObject([{ path: 'waiting/one', reason: 'link' }]);
    expect(fs.readFileSync(join(waiting, 'one.not-read.txt'), 'utf8')).toContain('waiting/one is a link');
    fs.rmSync(join(waiting, 'one'));
    expect(await inbox.noteNotRead()).toEqual([]);
    expect(fs.readdirSync(waiting)).toEqual([]);
  },
);

test('notes do not replace folders and files of submitters, and long names get none', async () => {
  const root = join(folder, 'links-and-notes');
  const inbox = openFolderInbox(root, { now, leaseMs: LEASE_MS });
  const place = accessFolder(root);
  await place.put('waiting/two.not-read.txt/READY', '');
  await place.put('waiting/three.not-read.txt', 'mine');
  fs.symlinkSync(root, join(root, 'waiting', 'x'.repeat(250)));
  expect(await inbox.noteNotRead()).toHaveLength(1);
  expect(await place.paths()).toEqual(
    expect.arrayContaining(['waiting/three.not-read.txt', 'waiting/two.not-read.txt/READY']),
  );
  expect(await inbox.listWaiting()).toEqual(['two.not-read.txt']);
});

test('an entry is reported once its files are a minute old and nothing has changed for ten seconds', async () => {
  const root = join(folder, 'ages');
  const place = accessFolder(root);
  const at = (seconds: number): ReturnType<typeof openFolderInbox> =>
    openFolderInbox(root, { now: () => new Date(Date.now() + seconds * 1000), leaseMs: LEASE_MS });
  await place.put('waiting/new/sites.csv', '');
  expect(await at(50).noteNotRead()).toEqual([]);
  expect(await at(62).noteNotRead()).toHaveLength(1);
  // A copying program may keep the times of the files.
  for (const path of ['new/sites.csv', 'new']) fs.utimesSync(join(root, 'waiting', path), 1, 1);
  expect(await at(5).noteNotRead()).toEqual([]);
  expect(await at(12).noteNotRead()).toHaveLength(1);
});

test('an empty claim of a killed writer lasts as long as any other claim', async () => {
  const root = join(folder, 'empty-claim');
  const inbox = openFolderInbox(root, { now, leaseMs: LEASE_MS });
  await accessFolder(root).put('waiting/one/READY', '');
  await accessFolder(root).put('.working/one/claim.1', '');
  const written = now().getTime() / 1000;
  fs.utimesSync(join(root, '.working', 'one', 'claim.1'), written, written);
  expect(await inbox.claim('one')).toBeUndefined();
  const later = openFolderInbox(root, { now: () => new Date(now().getTime() + LEASE_MS), leaseMs: LEASE_MS });
  expect(await later.claim('one')).toBeDefined();
});

test('a claim of a dead process on this machine ends at once', async () => {
  const root = join(folder, 'dead-holder');
  const inbox = openFolderInbox(root, { now, leaseMs: LEASE_MS });
  await accessFolder(root).put('waiting/one/READY', '');
  await inbox.claim('one');
  const path = join(root, '.working', 'one', 'claim.1');
  const record = JSON.parse(fs.readFileSync(path, 'utf8'));
  // Higher than any process id that Linux assigns.
  fs.writeFileSync(path, JSON.stringify({ ...record, processId: 2 ** 22 + 1 }));
  expect(await inbox.claim('one')).toBeDefined();
});

test('a stale claim cannot be renewed after its number was reused', async () => {
  const root = join(folder, 'numbers');
  const inbox = openFolderInbox(root, { now, leaseMs: LEASE_MS });
  await accessFolder(root).put('waiting/one/READY', '');
  const late = await inbox.claim('one');
  fs.rmSync(join(root, '.working', 'one', 'claim.1'));
  await accessFolder(root).put('.working/one/claim.7', 'free');
  expect(await late?.lease.renew()).toBe(false);
  expect(fs.readdirSync(join(root, '.working', 'one'))).toEqual(['claim.7']);
});
