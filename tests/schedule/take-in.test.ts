// One tick of taking in, over a folder inbox and a store in temporary folders.

import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolderInbox } from '../../data-loaders/inbox/folder-inbox';
import type { Claim, Inbox } from '../../data-loaders/inbox/inbox';
import { StopSignal } from '../../data-loaders/schedule/stop-signal';
import { takeIn, type TakeInInput } from '../../data-loaders/schedule/take-in';
import { projectDirectory } from '../../shared/project-files';
import type { Store } from '../../shared/store/port';
import { pathsBelow } from '../fixtures/paths-below';
import { aggregatedSubmission, siteAmountsSubmission, writeSubmission, type Submission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { createTestService, TEST_NOW, type TestService } from '../fixtures/test-service';

const FILE = 'sitespecificamounts.csv';
const LEASE_MS = 300_000;

const folder = temporaryFolder();
const services: TestService[] = [];

let count = 0;

afterAll(async () => {
  for (const service of services) await service.close();
});

interface World {
  readonly root: string;
  readonly service: TestService;
  readonly logged: string[];
  readonly errors: unknown[];
  readonly submit: (name: string, submission?: Submission) => string;
  readonly tick: (options?: Partial<TakeInInput>) => Promise<void>;
  readonly report: (path: string) => unknown;
}

function createWorld(): World {
  const service = createTestService('MDY', join(folder, `service-${++count}`));
  services.push(service);
  const root = join(service.folder, 'inbox');
  const inbox = openFolderInbox(root, { now: () => TEST_NOW, leaseMs: LEASE_MS });
  const [logged, errors]: [string[], unknown[]] = [[], []];
  return {
    ...{ root, service, logged, errors },
    submit: (name, submission = siteAmountsSubmission) => {
      const submitted = writeSubmission(join(root, 'waiting', name), submission);
      writeFileSync(join(submitted, 'READY'), '');
      return submitted;
    },
    tick: (options = {}) =>
      takeIn({
        ...{ inbox, store: service.store, stagingDirectory: join(service.folder, 'staging'), leaseMs: LEASE_MS },
        ...{ rejectedShareLimit: 0.5, minutes: 4, stop: new StopSignal(), now: () => TEST_NOW },
        log: (message) => logged.push(message),
        logError: (_, error) => errors.push(error),
        ...options,
      }),
    report: (path) => JSON.parse(readFileSync(join(root, path, 'report.json'), 'utf8')),
  };
}

function failing(store: Store, failures: Partial<Store>): Store {
  return Object.assign(Object.create(store) as Store, failures);
}

/** An inbox of which the first move fails. */
function failingOnce(root: string): Inbox {
  const inbox = openFolderInbox(root, { now: () => TEST_NOW, leaseMs: LEASE_MS });
  let failures = 1;
  const claim: Inbox['claim'] = async (name) => {
    const held = await inbox.claim(name);
    if (held === undefined || failures-- <= 0) return held;
    return Object.assign(Object.create(held) as Claim, { settle: () => Promise.reject(new Error('the move failed')) });
  };
  return Object.assign(Object.create(inbox) as Inbox, { claim });
}

test('publishes a submission and moves it to accepted/ with its report', async () => {
  const { submit, tick, report, root, service, logged, errors } = createWorld();
  submit('one');
  await tick();
  expect(report('accepted/one')).toMatchObject({
    verdict: 'published',
    sentence: expect.stringContaining('6 records'),
  });
  expect(readFileSync(join(root, 'accepted', 'one', 'report.md'), 'utf8')).toContain('6 records');
  expect(pathsBelow(join(root, 'accepted', 'one'))).toEqual(
    [...Object.keys(siteAmountsSubmission), 'READY', 'report.json', 'report.md'].sort(),
  );
  expect((await service.store.currentState()).entries).toHaveLength(1);
  expect({ logged, errors }).toEqual({ logged: [expect.stringContaining('submission one: Published')], errors: [] });
});

test('the rejected rows lie beside the report', async () => {
  const { submit, tick, root } = createWorld();
  submit('one', withCells(siteAmountsSubmission, FILE, 0, { Amount: 'x' }));
  await tick();
  const rejected = readFileSync(join(root, 'accepted', 'one', 'sitespecificamounts.rejected.csv'), 'utf8');
  expect(rejected.trimEnd().split('\n')).toHaveLength(2);
});

test('moves a submission that is refused to refused/, and publishes nothing of it', async () => {
  const { submit, tick, report, service } = createWorld();
  submit('one', { 'organizations.csv': [] });
  await tick();
  expect(report('refused/one')).toMatchObject({ verdict: 'refused' });
  expect(await service.store.history()).toEqual([]);
});

test('prints lines that the alerts of infra/ find', async () => {
  const alerts = readFileSync(join(projectDirectory(), 'infra/modules/alerts.bicep'), 'utf8');
  const searched = [...alerts.matchAll(/message startswith "([^"]+)" and message contains "([^"]+)"/g)];
  const { submit, tick, service, logged } = createWorld();
  submit('one', { 'organizations.csv': [] });
  await tick();
  submit('two');
  const store = failing(service.store, { startRelease: () => Promise.reject(new Error('the disk is full')) });
  await tick({ store, logError: (message) => logged.push(message) });
  expect(searched).toHaveLength(logged.length);
  for (const [index, [, start = '', part = '']] of searched.entries()) {
    expect(logged[index]?.startsWith(start)).toBe(true);
    expect(logged[index]).toContain(part);
  }
});

test('the same submission again is accepted and changes nothing', async () => {
  const { submit, tick, report, service } = createWorld();
  submit('one');
  await tick();
  const state = await service.store.currentState();
  submit('one');
  await tick();
  expect(report('accepted/one-2')).toMatchObject({ verdict: 'unchanged' });
  expect(await service.store.currentState()).toEqual(state);
});

test('a submission with a link out of its folder is refused with a report that names it', async () => {
  const { submit, tick, report, root } = createWorld();
  const submitted = submit('one');
  symlinkSync('/etc/passwd', join(submitted, 'variables.csv.link'));
  await tick();
  expect(report('refused/one')).toMatchObject({ sentence: expect.stringContaining('variables.csv.link') });
  expect(existsSync(join(root, 'waiting', 'one'))).toBe(false);
});

test('a fault of the store leaves the submission waiting, is logged, and keeps no other waiting', async () => {
  const { submit, tick, root, service, errors } = createWorld();
  submit('one');
  submit('two');
  let starts = 0;
  const store = failing(service.store, {
    startRelease: () => {
      starts++;
      return starts === 1 ? Promise.reject(new Error('the disk is full')) : service.store.startRelease();
    },
  });
  await tick({ store });
  expect(errors).toEqual([new Error('the disk is full')]);
  expect(existsSync(join(root, 'waiting', 'one', FILE))).toBe(true);
  expect(existsSync(join(root, 'accepted', 'two', 'report.json'))).toBe(true);
  await tick();
  expect(existsSync(join(root, 'accepted', 'one', 'report.json'))).toBe(true);
  expect(pathsBelow(join(service.folder, 'staging'))).toEqual([]);
});

test('takes no new submission when its time is over, and leaves the others to the next tick', async () => {
  const { submit, tick, root } = createWorld();
  for (const name of ['one', 'two', 'three']) submit(name);
  let time = TEST_NOW.getTime();
  await tick({ minutes: 4, now: () => new Date(time), log: () => (time += 3 * 60_000) });
  const settled = pathsBelow(join(root, 'accepted')).filter((path) => path.endsWith('report.json'));
  expect(settled).toHaveLength(2);
  await tick();
  expect(pathsBelow(join(root, 'waiting'))).toEqual([]);
});

test('a submission that is not read when the time is over is gone on with by the next tick', async () => {
  const { submit, tick, report, root, logged, errors, service } = createWorld();
  submit('one');
  let time = TEST_NOW.getTime();
  const minute = { minutes: 1, now: () => new Date((time += 10_000)) };
  let ticks = 0;
  while (!existsSync(join(root, 'accepted', 'one')) && ticks < 20) {
    await tick(minute);
    ticks++;
  }
  expect(ticks).toBeGreaterThan(1);
  expect(logged.slice(0, -1)).toEqual(Array(ticks - 1).fill('submission one: the next tick goes on with it'));
  expect(errors).toEqual([]);
  expect(report('accepted/one')).toMatchObject({ verdict: 'published', files: expect.any(Array) });
  expect(pathsBelow(join(service.folder, 'staging'))).toEqual([]);
});

test('told to stop while it builds, it leaves the submission waiting', async () => {
  const { submit, tick, root, service, errors } = createWorld();
  submit('one');
  submit('two', aggregatedSubmission);
  const stop = new StopSignal();
  const store = failing(service.store, {
    startRelease: () => {
      stop.stop();
      return service.store.startRelease();
    },
  });
  await tick({ stop, store });
  expect(pathsBelow(root).filter((path) => path.startsWith('accepted'))).toEqual([]);
  expect({ errors, history: await service.store.history() }).toEqual({ errors: [], history: [] });
  expect(pathsBelow(service.folder).filter((path) => path.includes('.unfinished'))).toEqual([]);
  await tick();
  expect(pathsBelow(join(root, 'accepted')).filter((path) => path.endsWith('report.json'))).toHaveLength(2);
});

test('a submission that changes while it is read is read again', async () => {
  const { submit, tick, root, service, logged, report } = createWorld();
  const submitted = submit('one');
  const store = failing(service.store, {
    startRelease: () => {
      writeFileSync(join(submitted, 'late.txt'), 'late');
      return service.store.startRelease();
    },
  });
  await tick({ store });
  expect(logged).toEqual([expect.stringContaining('changed while it was read')]);
  expect(existsSync(join(root, 'waiting', 'one', 'late.txt'))).toBe(true);
  await tick();
  expect(report('accepted/one')).toMatchObject({ verdict: 'unchanged' });
});

test('a move that fails after the publish leaves a report that says what was published, for the next tick', async () => {
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
  expect(pathsBelow(join(root, 'accepted', 'one'))).toContain('sitespecificamounts.rejected.csv');
  expect(pathsBelow(join(root, '.working')).filter((path) => !path.includes('claim'))).toEqual([]);
});

test('a report that was kept and not followed by its publish is not delivered', async () => {
  const { submit, tick, report, service, errors } = createWorld();
  submit('one');
  await tick({ store: failing(service.store, { publish: () => Promise.reject(new Error('no catalog')) }) });
  expect(errors).toEqual([new Error('no catalog')]);
  expect(await service.store.history()).toEqual([]);
  await tick();
  const { version } = await service.store.currentState();
  expect(report('accepted/one')).toMatchObject({ verdict: 'published', dataVersion: version });
});

test('a loader whose claim was taken over does not publish', async () => {
  const { submit, tick, service, logged, report, root } = createWorld();
  submit('one');
  const later = openFolderInbox(root, { now: () => new Date(TEST_NOW.getTime() + LEASE_MS), leaseMs: LEASE_MS });
  const store = failing(service.store, {
    startRelease: async () => {
      await (await later.claim('one'))?.release('stop');
      return service.store.startRelease();
    },
  });
  await tick({ store });
  expect(await service.store.history()).toEqual([]);
  expect(logged).toEqual(['submission one: somebody else took it over']);
  await tick();
  expect(report('accepted/one')).toMatchObject({ verdict: 'published' });
});

test('what is staged between ticks gives way when the disk is full', async () => {
  const { submit, tick, service } = createWorld();
  const staging = join(service.folder, 'staging');
  submit('one');
  await tick({ store: failing(service.store, { startRelease: () => Promise.reject(new Error('no network')) }) });
  expect(pathsBelow(staging)).not.toEqual([]);
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  await tick({ store: failing(service.store, { startRelease: () => Promise.reject(full) }) });
  expect(pathsBelow(staging)).toEqual([]);
});

describe('a submission on which the loader ends', () => {
  /** As processes that are killed leave it: with a claim that expires. */
  async function endOn(root: string, name: string, times: number): Promise<() => Date> {
    let time = TEST_NOW.getTime();
    const clock = { now: () => new Date(time), leaseMs: LEASE_MS };
    for (let end = 0; end < times; end++) {
      await openFolderInbox(root, clock).claim(name);
      time += LEASE_MS;
    }
    return clock.now;
  }

  test('lets all others go first after three times, and is loaded all the same', async () => {
    const { submit, tick, root, logged } = createWorld();
    submit('a');
    submit('b');
    submit('c');
    const now = await endOn(root, 'a', 3);
    await tick({ inbox: openFolderInbox(root, { now, leaseMs: LEASE_MS }), now });
    expect(logged.map((line) => line.slice(0, 12))).toEqual(['submission b', 'submission c', 'submission a']);
  });

  test('is refused after six times with a sentence that says so, and its files are kept', async () => {
    const { submit, tick, root, report, service } = createWorld();
    const files = pathsBelow(submit('a'));
    const now = await endOn(root, 'a', 6);
    await tick({ inbox: openFolderInbox(root, { now, leaseMs: LEASE_MS }), now });
    expect(report('refused/a')).toMatchObject({
      verdict: 'refused',
      sentence: expect.stringMatching(/^Refused: the loader ended 6 times while working on it, .*\.$/),
    });
    expect(pathsBelow(join(root, 'refused', 'a'))).toEqual([...files, 'report.json', 'report.md'].sort());
    expect(await service.store.history()).toEqual([]);
  });

  test('is not refused for ticks that were told to stop, nor for faults of the store', async () => {
    const { submit, tick, root, report, service } = createWorld();
    submit('a');
    const store = failing(service.store, { startRelease: () => Promise.reject(new Error('the disk is full')) });
    for (let faults = 0; faults < 8; faults++) await tick({ store });
    for (let stops = 0; stops < 8; stops++) {
      const stop = new StopSignal();
      const stopping = failing(service.store, { startRelease: () => (stop.stop(), service.store.startRelease()) });
      await tick({ stop, store: stopping });
    }
    expect(existsSync(join(root, 'waiting', 'a'))).toBe(true);
    await tick();
    expect(report('accepted/a')).toMatchObject({ verdict: 'published' });
  });
});
