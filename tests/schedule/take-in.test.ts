// One run of the inbox timer, over a folder inbox and a store in temporary folders.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import type { Report } from '../../data-loaders/format/report';
import { findProjectDirectory } from '../../shared/project-files';
import { listPathsBelow } from '../fixtures/inbox-places';
import { createAmounts } from '../fixtures/many-amounts';
import { siteAmountsSubmission, writeCsv } from '../fixtures/submission';
import { TEST_NOW } from '../fixtures/test-service';
import { createTickWorldMaker, withFailures } from '../fixtures/tick-world';
import { makeWorkbook, toSheets } from '../fixtures/workbook';

const FILE = 'sitespecificamounts.csv';

const createWorld = createTickWorldMaker();

test('publishes a submission and moves it to accepted/ with its report', async () => {
  const { submit, tick, report, root, service, messages, errors } = createWorld();
  submit('one');
  await tick();
  expect(report('accepted/one')).toMatchObject({
    verdict: 'published',
    sentence: expect.stringContaining('6 records'),
  });
  expect(readFileSync(join(root, 'accepted', 'one', 'report.md'), 'utf8')).toContain('6 records');
  // The files of the fixture lack optional columns, each of which causes a warning.
  const lists = ['methods', 'sites', 'sitespecificamounts', 'watersources'].map((file) => `${file}.warned.csv`);
  expect(listPathsBelow(join(root, 'accepted', 'one'))).toEqual(
    [...Object.keys(siteAmountsSubmission), ...lists, 'READY', 'report.html', 'report.json', 'report.md'].sort(),
  );
  expect((await service.store.currentState()).entries).toHaveLength(1);
  expect({ messages, errors }).toEqual({
    messages: [expect.stringContaining('submission one: Published')],
    errors: [],
  });
});

/** A submission that changes the amounts of all records is held. */
const allChanged = createAmounts(20, 20);

test('moves a held submission to held/ and publishes it when it returns with its code', async () => {
  const { submit, tick, report, root, service, messages } = createWorld();
  submit('one', createAmounts());
  await tick();
  const state = await service.store.currentState();
  submit('two', allChanged);
  expect(await tick()).toMatchObject({ published: 0, refused: 0, held: 1 });
  const { confirmationCode: confirm } = report('held/two') as Report;
  expect({ confirm, state: await service.store.currentState() }).toEqual({ confirm: expect.any(String), state });
  expect(messages.at(-1)).toMatch(/^submission two: Held: /);
  renameSync(join(root, 'held', 'two'), join(root, 'waiting', 'two'));
  writeFileSync(join(root, 'waiting', 'two', 'submission.json'), JSON.stringify({ confirm }));
  expect(await tick()).toMatchObject({ published: 1, held: 0 });
  expect(report('accepted/two')).toMatchObject({ verdict: 'published', confirmationCode: confirm });
  expect(listPathsBelow(join(root, 'held'))).toEqual([]);
});

test('publishes nothing of a refused submission and logs lines that the alerts in infra/ match', async () => {
  const alerts = readFileSync(join(findProjectDirectory(), 'infra/modules/alerts.bicep'), 'utf8');
  const searched = [...alerts.matchAll(/message startswith "([^"]+)" and message contains "([^"]+)"/g)];
  const { submit, tick, report, service, messages } = createWorld();
  submit('one', { 'organizations.csv': [] });
  await tick();
  expect(report('refused/one')).toMatchObject({ verdict: 'refused' });
  expect(await service.store.history()).toEqual([]);
  submit('before', createAmounts());
  await tick();
  submit('held', allChanged);
  await tick();
  submit('two');
  const store = withFailures(service.store, { startRelease: () => Promise.reject(new Error('the disk is full')) });
  await tick({ store, logError: (message) => messages.push(message) });
  const found = searched.map(([, start = '', part = '']) =>
    messages.filter((line) => line.startsWith(start) && line.includes(part)),
  );
  expect(found).toEqual([
    [expect.stringMatching(/^submission one: Refused: /)],
    [expect.stringMatching(/^submission held: Held: /)],
    [expect.stringMatching(/^submission two could not be taken in/)],
  ]);
});

test('a submission with a link out of its folder is refused with a report that names the link', async () => {
  const { submit, tick, report, root } = createWorld();
  const submitted = submit('one');
  symlinkSync('/etc/passwd', join(submitted, 'variables.csv.link'));
  await tick();
  expect(report('refused/one')).toMatchObject({ sentence: expect.stringContaining('variables.csv.link') });
  expect(existsSync(join(root, 'waiting', 'one'))).toBe(false);
});

test('a failure of the store is logged, keeps its submission waiting and delays no other', async () => {
  const { submit, tick, root, service, errors } = createWorld();
  submit('one');
  submit('two');
  let starts = 0;
  const store = withFailures(service.store, {
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
  expect(listPathsBelow(join(service.folder, 'staging'))).toEqual([]);
});

test('claims no submission once its time is over, and leaves the others to the next run', async () => {
  const { submit, tick, root } = createWorld();
  for (const name of ['one', 'two', 'three']) submit(name);
  let time = TEST_NOW.getTime();
  const threeMinutesPass = (): void => {
    time += 3 * 60_000;
  };
  await tick({ minutes: 4, now: () => new Date(time), log: threeMinutesPass });
  const settled = listPathsBelow(join(root, 'accepted')).filter((path) => path.endsWith('report.json'));
  expect(settled).toHaveLength(2);
  await tick();
  expect(listPathsBelow(join(root, 'waiting'))).toEqual([]);
});

test('the next run continues a submission that was not read in time', async () => {
  const { submit, tick, report, root, messages, errors, service } = createWorld();
  submit('one');
  let time = TEST_NOW.getTime();
  const now = (): Date => {
    time += 10_000;
    return new Date(time);
  };
  const minute = { minutes: 1, now };
  let ticks = 0;
  while (!existsSync(join(root, 'accepted', 'one')) && ticks < 20) {
    await tick(minute);
    ticks++;
  }
  expect(ticks).toBeGreaterThan(1);
  expect(messages.slice(0, -1)).toEqual(Array(ticks - 1).fill('submission one: the next run continues with it'));
  expect(errors).toEqual([]);
  expect(report('accepted/one')).toMatchObject({ verdict: 'published', files: expect.any(Array) });
  expect(listPathsBelow(join(service.folder, 'staging'))).toEqual([]);
});

test('a submission that changes while it is read is read again', async () => {
  const { submit, tick, root, service, messages, report } = createWorld();
  const submitted = submit('one');
  const store = withFailures(service.store, {
    startRelease: () => {
      writeFileSync(join(submitted, 'late.txt'), 'late');
      return service.store.startRelease();
    },
  });
  await tick({ store });
  expect(messages).toEqual([expect.stringContaining('changed while it was read')]);
  expect(existsSync(join(root, 'waiting', 'one', 'late.txt'))).toBe(true);
  expect(await service.store.history()).toEqual([]);
  await tick();
  expect(report('accepted/one')).toMatchObject({ verdict: 'published' });
  expect(listPathsBelow(join(service.folder, 'staging'))).toEqual([]);
});

test('logs entries that will never be processed once, and lists them in /health until they are removed', async () => {
  const { tick, root, service, messages } = createWorld();
  const path = join(root, 'waiting', 'state.zip');
  writeFileSync(path, 'PK');
  await tick();
  await tick();
  expect(messages).toEqual([
    expect.stringMatching(/^waiting\/state\.zip is not in a folder of its own .* put an empty file READY/),
  ]);
  const since = TEST_NOW.toISOString();
  expect(await service.store.held.listNotRead()).toEqual([{ path: 'waiting/state.zip', reason: 'archive', since }]);
  rmSync(path);
  await tick();
  expect(await service.store.held.listNotRead()).toEqual([]);
  expect(existsSync(`${path}.not-read.txt`)).toBe(false);
});

test('publishes an archive and a workbook, each in its own folder', async () => {
  const { tick, report, root, service } = createWorld();
  const files = Object.entries(siteAmountsSubmission).map(([name, rows]) => [name, strToU8(writeCsv(rows))] as const);
  const packages = {
    'state.zip': zipSync(Object.fromEntries(files)),
    'state.xlsx': makeWorkbook(toSheets(siteAmountsSubmission)),
  };
  for (const [name, content] of Object.entries(packages)) {
    mkdirSync(join(root, 'waiting', name));
    writeFileSync(join(root, 'waiting', name, name), content);
    writeFileSync(join(root, 'waiting', name, 'READY'), '');
  }
  await tick();
  const verdicts = Object.keys(packages).map((name) => (report(`accepted/${name}`) as Report).verdict);
  expect(verdicts.sort()).toEqual(['published', 'unchanged']);
  expect(listPathsBelow(join(service.folder, 'staging'))).toEqual([]);
});
