// The janitor: what it deletes, and what it never deletes.

import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tidyUp } from '../../data-loaders/intake/tidy-up';
import { removeStaleFolders, WorkFolder } from '../../data-loaders/stage/work-folder';
import { createFacts, finishRelease } from '../../tools/store-contract/release-content';
import { createManyAmounts } from '../fixtures/many-amounts';
import { siteAmountsSubmission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createTestService, type TestService } from '../fixtures/test-service';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const FILE = 'sitespecificamounts.csv';

/** Higher than any process id that Linux assigns. */
const DEAD = `${2 ** 22 + 1}-${randomUUID()}`;

const folder = createTemporaryFolder();

let count = 0;
let service: TestService;
let versions: string[];

function onDay(day: number): () => Date {
  return () => new Date(START + day * DAY_MS);
}

/** Returns the log messages. */
async function tidyUpOn(day: number): Promise<readonly string[]> {
  const stagingDirectory = join(service.folder, 'staging');
  const logged: string[] = [];
  const log = (message: string): void => void logged.push(message);
  const places = { store: service.store, stagingDirectory, files: service.service.downloads };
  const input = { ...places, retentionDays: 30, now: onDay(day), log };
  // The second run deletes the releases of the states that the first run removed.
  await tidyUp(input);
  await tidyUp(input);
  return logged;
}

/** One release each on days 0, 10 and 20. */
beforeEach(async () => {
  count++;
  service = createTestService('MDY', join(folder, `service-${count}`));
  versions = [];
  for (const day of [0, 10, 20]) {
    const submission = withCells(siteAmountsSubmission, FILE, 0, { Amount: 1000 + day });
    const { dataVersion } = await service.load(submission, { now: onDay(day) });
    versions.push(dataVersion ?? '');
  }
});

afterEach(() => service.close());

async function availableReleases(): Promise<readonly number[]> {
  const available: number[] = [];
  for (const [index, version] of versions.entries()) {
    const { status } = await service.get(`/v1/SiteVariableAmounts?DataVersion=${version}`);
    if (status === 200) available.push(index);
    else expect(status).toBe(410);
  }
  return available;
}

test.each([
  { day: 40, available: [0, 1, 2] },
  { day: 41, available: [1, 2] },
  { day: 51, available: [2] },
])(
  'keeps releases for the retention time after they were superseded: day $day, $available',
  async ({ day, available }) => {
    await tidyUpOn(day);
    expect(await availableReleases()).toEqual(available);
    expect(await service.store.listReleases()).toHaveLength(available.length);
  },
);

test('keeps a current release that was superseded long ago and is current again', async () => {
  const original = withCells(siteAmountsSubmission, FILE, 0, { Amount: 1000 });
  await service.load(original, { now: onDay(21) });
  await tidyUpOn(10_000);
  expect(await availableReleases()).toEqual([0]);
});

test('deletes an unpublished release once its loader is done', async () => {
  const writer = await service.store.startRelease();
  await writer.finish(createFacts('never published', 0));
  await tidyUpOn(20);
  expect(await service.store.listReleases()).toContain(createFacts('never published', 0).releaseId);
  await writer.abandon();
  await tidyUpOn(20);
  expect(await service.store.listReleases()).toHaveLength(3);
});

test('does not harm a load between the end of its release and its publish', async () => {
  const { store } = service;
  let runs = 0;
  const meddling = Object.assign(Object.create(store) as typeof store, {
    publish: async (...args: Parameters<typeof store.publish>) => {
      runs++;
      await tidyUpOn(10_000);
      return store.publish(...args);
    },
  });
  const { dataVersion } = await service.load(createManyAmounts(7, 1), { store: meddling, now: onDay(21) });
  expect(runs).toBe(1);
  expect((await service.get(`/v1/SiteVariableAmounts?DataVersion=${dataVersion ?? ''}`)).status).toBe(200);
});

test('removes the remains of dead processes, but not those of running ones', async () => {
  const staging = join(service.folder, 'staging');
  const releases = join(service.folder, 'data', 'releases');
  const living = `${process.pid}-${randomUUID()}`;
  for (const owner of [DEAD, living]) {
    mkdirSync(join(staging, owner));
    writeFileSync(join(staging, owner, 'submission'), '');
    // A file may look like this if its writer was killed in the middle of a page.
    writeFileSync(join(releases, `${owner}.unfinished`), 'not a database '.repeat(1000));
  }
  expect(await tidyUpOn(20)).toEqual([expect.stringContaining(`staging folder ${DEAD} was deleted`)]);
  expect(readdirSync(staging)).toEqual([living]);
  expect(readdirSync(releases).filter((name) => name.endsWith('.unfinished'))).toEqual([`${living}.unfinished`]);
});

test('keeps staged rows for a day after they were last used', async () => {
  const staging = join(service.folder, 'staging');
  const open = (name: string): WorkFolder => WorkFolder.open(staging, [name], () => undefined);
  const worked = open('worked');
  const left = open('left');
  left.close();
  const usedAt = onDay(20)();
  for (const { path } of [worked, left]) utimesSync(path, usedAt, usedAt);
  await tidyUpOn(20.9);
  expect(readdirSync(staging)).toHaveLength(2);
  const thrownAway = `staging folder ${basename(left.path)} was deleted: no loader uses it anymore`;
  expect(await tidyUpOn(21.1)).toEqual([thrownAway]);
  expect(readdirSync(staging)).toEqual([basename(worked.path)]);
  worked.close();
  utimesSync(worked.path, usedAt, usedAt);
  await tidyUpOn(21.1);
  expect(readdirSync(staging)).toEqual([]);
});

test('keeps staged rows while their lock is held, even by a process in another container', () => {
  const staging = join(service.folder, 'staging');
  const [kept, beside] = [1, 2].map(() => WorkFolder.open(staging, ['both'], () => undefined));
  renameSync(beside?.path ?? '', join(staging, DEAD));
  const removed: string[] = [];
  removeStaleFolders(staging, (line) => removed.push(line));
  expect(readdirSync(staging)).toContain(DEAD);
  beside?.close();
  removeStaleFolders(staging, (line) => removed.push(line));
  expect(removed).toEqual([`staging folder ${DEAD} was deleted: no loader uses it anymore`]);
  kept?.remove();
});

test('a release with the same content as one that is being deleted can be published again', async () => {
  await tidyUpOn(10_000);
  await finishRelease(service.store, 'other');
  const { verdict } = await service.load(withCells(siteAmountsSubmission, FILE, 0, { Amount: 1000 }));
  expect(verdict).toBe('published');
  expect(await availableReleases()).toEqual([0, 2]);
});
