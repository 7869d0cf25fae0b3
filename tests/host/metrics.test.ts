// `npm start` with WORKERS=2: every process reports the metrics of loads and of all processes (ADR 0056).

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIssuedKey, runProgram, sendRequest, startHost, waitUntil } from '../fixtures/host-process';
import { startServerForTests } from '../fixtures/loopback-server';
import { siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();
const inbox = join(folder, 'inbox');
const settings = {
  WATER_DATA_DIR: join(folder, 'data'),
  LOAD_SAMPLES: 'false',
  SUBMISSIONS_INBOX: inbox,
  WORKERS: '2',
  LOADER_SCHEDULE: '* * * * * *',
  LOADER_QUIET_SECONDS: '0',
};

mkdirSync(join(inbox, 'waiting'), { recursive: true });

const host = startServerForTests(() => startHost(settings));

/** The value of the sample with this name and labels; zero if it does not exist yet. */
async function sample(name: string): Promise<number> {
  const { status, text } = await host().get('/metrics');
  expect(status).toBe(200);
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}

test('requests over many connections are added up in every reading of the metrics', async () => {
  const path = '/v1/SiteVariableAmounts';
  const counted = 'water_requests_total{function="SiteVariableAmounts",status="200"}';
  for (const sum of [20, 40]) {
    await Promise.all(Array.from({ length: 20 }, () => host().get(path)));
    expect(await Promise.all(Array.from({ length: 4 }, () => sample(counted)))).toEqual([sum, sum, sum, sum]);
  }
});

test('submissions are counted by verdict, and timer runs by outcome', async () => {
  writeFileSync(join(writeSubmission(join(inbox, 'waiting', 'dropped'), siteAmountsSubmission), 'READY'), '');
  await waitUntil(async () => (await sample('water_loads_total{verdict="published"}')) > 0);
  expect(await sample('water_loads_total{verdict="published"}')).toBe(1);
  expect(await sample('water_loads_total{verdict="refused"}')).toBe(0);
  expect(await sample('water_ticks_total{timer="TakeInSubmissions",outcome="done"}')).toBeGreaterThan(0);
});

test('metrics require a key that was issued for them', async () => {
  const fetchStatus = async (key: string): Promise<number> =>
    (await sendRequest(host().port, '/metrics', { 'x-api-key': key })).status;
  const issued = async (...more: readonly string[]): Promise<string> =>
    readIssuedKey(await runProgram('keys', ['issue', '--owner', 'Monitor', ...more], settings));
  const key = await issued('--metrics');
  expect([await fetchStatus(key), await fetchStatus(await issued()), await fetchStatus('')]).toEqual([200, 401, 401]);
  const { output } = await runProgram('keys', ['list'], settings);
  expect(output.split('\n').filter((line) => line.includes('may read metrics'))).toHaveLength(1);
  const rotated = await runProgram('keys', ['rotate', key.split('_')[1] ?? ''], settings);
  expect(await fetchStatus(readIssuedKey(rotated))).toBe(200);
});
