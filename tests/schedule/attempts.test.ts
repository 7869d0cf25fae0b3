// What a timer run does with a submission that earlier runs did not finish (ADR 0018).

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Claim, Inbox } from '../../data-loaders/intake/inbox';
import { listPathsBelow, openFolderInbox } from '../fixtures/inbox-places';
import { siteAmountsSubmission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { TEST_NOW } from '../fixtures/test-service';
import { createTickWorldMaker, LEASE_MS, withFailures } from '../fixtures/tick-world';

const FILE = 'sitespecificamounts.csv';

const createWorld = createTickWorldMaker();

/** An inbox whose first move fails. */
function failingOnce(root: string): Inbox {
  const inbox = openFolderInbox(root, { now: () => TEST_NOW, leaseMs: LEASE_MS });
  let hasFailed = false;
  const claim: Inbox['claim'] = async (name) => {
    const claimed = await inbox.claim(name);
    if (claimed === undefined || hasFailed) return claimed;
    hasFailed = true;
    return Object.assign(Object.create(claimed) as Claim, {
      settle: () => Promise.reject(new Error('the move failed')),
    });
  };
  return Object.assign(Object.create(inbox) as Inbox, { claim });
}

test('the next run delivers the report of a publish whose move failed', async () => {
  const { submit, tick, report, service, root, errors } = createWorld();
  await service.load(siteAmountsSubmission);
  const submission = withCells(siteAmountsSubmission, FILE, 0, { Amount: 4711 });
  submit('one', withCells(submission, FILE, 1, { Amount: 'x' }));
  await tick({ inbox: failingOnce(root) });
  expect(errors).toEqual([new Error('the move failed')]);
  expect(existsSync(join(root, 'waiting', 'one', FILE))).toBe(true);
  const state = await service.store.currentState();
  await tick();
  expect(await service.store.currentState()).toEqual(state);
  expect(report('accepted/one')).toMatchObject({
    verdict: 'published',
    dataVersion: state.version,
    dataSets: [{ outcome: 'published', change: { added: 0, removed: 1, changed: 1 } }],
  });
  expect(listPathsBelow(join(root, 'accepted', 'one'))).toContain('sitespecificamounts.rejected.csv');
  expect(listPathsBelow(join(root, '.working')).filter((path) => !path.includes('claim'))).toEqual([]);
});

test('a saved report is not delivered if publishing failed', async () => {
  const { submit, tick, report, service, errors } = createWorld();
  submit('one');
  await tick({ store: withFailures(service.store, { publish: () => Promise.reject(new Error('no catalog')) }) });
  expect(errors).toEqual([new Error('no catalog')]);
  expect(await service.store.history()).toEqual([]);
  await tick();
  const { version } = await service.store.currentState();
  expect(report('accepted/one')).toMatchObject({ verdict: 'published', dataVersion: version });
});

test('a loader that lost its claim does not publish', async () => {
  const { submit, tick, service, messages, report, root } = createWorld();
  submit('one');
  const later = openFolderInbox(root, { now: () => new Date(TEST_NOW.getTime() + LEASE_MS), leaseMs: LEASE_MS });
  const store = withFailures(service.store, {
    startRelease: async () => {
      await (await later.claim('one'))?.lease.release('stop');
      return service.store.startRelease();
    },
  });
  await tick({ store });
  expect(await service.store.history()).toEqual([]);
  expect(messages).toEqual(['submission one: another loader took it over']);
  await tick();
  expect(report('accepted/one')).toMatchObject({ verdict: 'published' });
});

test('staged rows of waiting submissions are removed if the disk is full', async () => {
  const { submit, tick, service, errors } = createWorld();
  const staging = join(service.folder, 'staging');
  submit('one');
  await tick({ store: withFailures(service.store, { startRelease: () => Promise.reject(new Error('no network')) }) });
  expect(listPathsBelow(staging)).not.toEqual([]);
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  await tick({ store: withFailures(service.store, { startRelease: () => Promise.reject(full) }) });
  expect(listPathsBelow(staging)).toEqual([]);
  expect(errors.map(String)).toContainEqual(expect.stringContaining('Make room in'));
});

describe('a submission that kills its loader', () => {
  /** Claims the submission as if by processes that are then killed, and lets each claim expire. */
  async function endOn(root: string, name: string, times: number): Promise<() => Date> {
    let time = TEST_NOW.getTime();
    const clock = { now: () => new Date(time), leaseMs: LEASE_MS };
    for (let end = 0; end < times; end++) {
      await openFolderInbox(root, clock).claim(name);
      time += LEASE_MS;
    }
    return clock.now;
  }

  test('is loaded after all others once three attempts have failed', async () => {
    const { submit, tick, root, messages } = createWorld();
    submit('a');
    submit('b');
    submit('c');
    const now = await endOn(root, 'a', 3);
    await tick({ inbox: openFolderInbox(root, { now, leaseMs: LEASE_MS }), now });
    expect(messages[0]).toContain('submission a was not released');
    expect(messages.slice(1).map((line) => line.slice(0, 12))).toEqual([
      'submission b',
      'submission c',
      'submission a',
    ]);
  });

  test('is refused after six attempts, and its files are kept', async () => {
    const { submit, tick, root, report, service } = createWorld();
    const files = listPathsBelow(submit('a'));
    const now = await endOn(root, 'a', 6);
    await tick({ inbox: openFolderInbox(root, { now, leaseMs: LEASE_MS }), now });
    expect(report('refused/a')).toMatchObject({
      verdict: 'refused',
      sentence: expect.stringMatching(/^Refused: the loader ended 6 times while working on it, .*\.$/),
    });
    expect(listPathsBelow(join(root, 'refused', 'a'))).toEqual(
      [...files, 'report.html', 'report.json', 'report.md'].sort(),
    );
    expect(await service.store.history()).toEqual([]);
  });

  test('is refused after six attempts that throw although the store works', async () => {
    const { submit, tick, report, service, errors } = createWorld();
    submit('a');
    const store = withFailures(service.store, { publish: () => Promise.reject(new TypeError('no such member')) });
    for (let faults = 0; faults < 7; faults++) await tick({ store });
    expect(errors).toHaveLength(6);
    expect(report('refused/a')).toMatchObject({
      verdict: 'refused',
      sentence: expect.stringMatching(/^Refused: the loader failed 6 times while working on it, .*\.$/),
    });
  });

  test('is not refused because of stopped runs or failures of the store', async () => {
    const { submit, tick, root, report, service } = createWorld();
    submit('a');
    const store = withFailures(service.store, { startRelease: () => Promise.reject(new Error('the disk is full')) });
    for (let faults = 0; faults < 8; faults++) await tick({ store });
    for (let stops = 0; stops < 8; stops++) {
      const stop = new AbortController();
      const stopping = withFailures(service.store, {
        startRelease: () => (stop.abort(), service.store.startRelease()),
      });
      await tick({ stop: stop.signal, store: stopping });
    }
    expect(existsSync(join(root, 'waiting', 'a'))).toBe(true);
    await tick();
    expect(report('accepted/a')).toMatchObject({ verdict: 'published' });
  });
});
