// The local host loads submissions from its inbox, after a stop and within its memory limit. metrics.test.ts has
// submissions that arrive while the host runs, and tests/inbox has containers.

import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  readIssuedKey,
  type RunningHost,
  runProgram,
  type Settings,
  startHostsForTests,
  waitUntil,
} from '../fixtures/host-process';
import { openFolderInbox } from '../fixtures/inbox-places';
import { createManyAmounts, MANY_AMOUNTS } from '../fixtures/many-amounts';
import { siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
import { ZIP_TYPE, zipSubmission } from '../fixtures/submission-requests';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();
const PATH = '/v1/SiteVariableAmounts';
const everySecond = { LOADER_SCHEDULE: '* * * * * *', LOADER_QUIET_SECONDS: '0', LOAD_SAMPLES: 'false' };

/** Each site has 100 amounts, so that a load takes much longer than the interval between memory checks. */
const LARGE_SITES = 400;

const GREEDY_LOADER = require.resolve('../fixtures/greedy-loader.cjs');

const startWith = startHostsForTests(everySecond);

function start(name: string, inbox: string, more: Settings = {}): Promise<RunningHost> {
  return startWith({ ...more, WATER_DATA_DIR: join(folder, name), SUBMISSIONS_INBOX: inbox });
}

async function total(host: RunningHost): Promise<unknown> {
  const { text } = await host.get(PATH);
  return JSON.parse(text).TotalSiteVariableAmountsCount;
}

test('stops soon during a load, and the next start loads the submission', async () => {
  const inbox = join(folder, 'interrupted-inbox');
  const staging = join(folder, 'interrupted', 'staging');
  mkdirSync(staging, { recursive: true });
  const submitted = writeSubmission(join(inbox, 'waiting', 'many'), createManyAmounts(1));
  writeFileSync(join(submitted, 'READY'), '');
  const first = await start('interrupted', inbox);
  const watcher = watch(staging);
  await once(watcher, 'change');
  watcher.close();
  expect(await first.stop()).toMatchObject({ code: 0, errors: '' });
  const second = await start('interrupted', inbox);
  await waitUntil(() => existsSync(join(inbox, 'accepted', 'many')));
  expect(await total(second)).toBe(MANY_AMOUNTS);
  await second.stop();
});

test('a submission that needs too much memory ends only its loader, and is refused after six attempts', async () => {
  const inbox = join(folder, 'large-inbox');
  const submitted = writeSubmission(join(inbox, 'waiting', 'large'), createManyAmounts(1, LARGE_SITES));
  writeFileSync(join(submitted, 'READY'), '');
  // Writes the state that four failed loaders would leave, because six complete loads take too long.
  for (let hour = 1; hour <= 4; hour++) {
    const clock = { now: () => new Date(`2020-01-01T0${hour}:00:00Z`), leaseMs: 1 };
    await openFolderInbox(inbox, clock).claim('large');
  }
  const greedy = { NODE_OPTIONS: `--require ${GREEDY_LOADER}`, CLAIMS_FOLDER: join(inbox, '.working', 'large') };
  const host = await start('large', inbox, { LOADER_MEMORY_MB: '128', ...greedy });
  await waitUntil(() => existsSync(join(inbox, 'refused', 'large', 'report.json')));
  const report = JSON.parse(readFileSync(join(inbox, 'refused', 'large', 'report.json'), 'utf8'));
  expect(report.sentence).toMatch(/^Refused: the loader ended 6 times while working on it, .* more memory /);
  expect(await total(host)).toBe(0);
  const { code, errors } = await host.stop();
  expect(code).toBe(0);
  expect(errors.match(/the loader took \d+ MB of memory, and LOADER_MEMORY_MB is 128/g)).toHaveLength(2);
});

test('acknowledged submissions survive a kill and are published exactly once (D76)', async () => {
  const SENT = 6;
  const inbox = join(folder, 'killed-inbox');
  mkdirSync(inbox);
  const data = join(folder, 'killed');
  const never = { LOADER_SCHEDULE: '0 0 0 1 1 *', SUBMISSIONS_HTTP: 'submit' };
  const issued = await runProgram('keys', ['issue', '--owner', 'Agency', '--submits', 'ORG_1'], {
    WATER_DATA_DIR: data,
  });
  const headers = { 'x-api-key': readIssuedKey(issued), 'content-type': ZIP_TYPE };
  const body = zipSubmission(siteAmountsSubmission);
  const first = await start('killed', inbox, never);
  const acknowledged: string[] = [];
  const send = async (): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${first.port}/v1/Submissions`, { method: 'POST', headers, body });
    if (answer.status !== 202) return;
    acknowledged.push(((await answer.json()) as { readonly Id: string }).Id);
    // Other submissions are at any step of being received.
    first.process.kill('SIGKILL');
  };
  await Promise.allSettled(Array.from({ length: SENT }, send));
  await first.ended;
  const second = await start('killed', inbox, never);
  const { text } = await second.get('/v1/Submissions', headers);
  const { Submissions: listed } = JSON.parse(text) as { readonly Submissions: readonly { readonly Id: string }[] };
  const ids = listed.map(({ Id }) => Id);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(ids).toEqual(expect.arrayContaining(acknowledged));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeLessThanOrEqual(SENT);
  await second.stop();
});
