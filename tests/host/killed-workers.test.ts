// Worker processes are killed one after another while clients send requests: only requests in the killed process fail,
// and no client sees older data after newer data. `npm run soak` does this for ten minutes, with a kill every 20
// seconds.

import { Agent } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  findChildProcesses,
  isListening,
  openResponse,
  type RunningHost,
  runProgram,
  startHost,
  waitUntil,
} from '../fixtures/host-process';
import { createAmounts } from '../fixtures/many-amounts';
import { chooseSeed, countCases, printInSoak } from '../fixtures/soak';
import { writeSubmission } from '../fixtures/submission';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const CLIENTS = 8;
const KILLS = countCases(30, 0.06);
const BETWEEN_KILLS_MS = countCases(20_000, 0.02);

const folder = createTemporaryFolder();
/** In ten minutes, eight clients send more requests than the default limits allow. */
const LIMITS = { REQUESTS_PER_MINUTE: '1000000000', RECORDS_PER_MINUTE: '1000000000' };
const settings = { WATER_DATA_DIR: join(folder, 'data'), LOAD_SAMPLES: 'false', WORKERS: '2', ...LIMITS };

interface Told {
  answers: number;
  failures: number;
  /** The distinct errors. */
  readonly wrong: Set<string>;
}

let host: RunningHost | undefined;
let isOver = false;

// If the test fails, clients and processes would otherwise keep jest from ending.
afterAll(() => {
  isOver = true;
  return host?.stop();
});

/** Sends one request after another over a kept connection, until the test is over. */
async function askOnAndOn({ port, key }: RunningHost, counts: Told): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (): Promise<number> => {
    const options = { port, path: '/v1/SiteVariableAmounts', agent, headers: { 'x-api-key': key } };
    const answer = await openResponse(options);
    const { length } = await buffer(answer);
    counts.answers++;
    if (answer.statusCode !== 200) counts.wrong.add(`status ${answer.statusCode ?? 0}`);
    if (length !== Number(answer.headers['content-length'])) counts.wrong.add(`${length} bytes`);
    return Number(answer.headers['x-total-count']);
  };
  let newest = 0;
  while (!isOver) {
    const total = await ask().catch(() => {
      counts.failures++;
      return newest;
    });
    if (total < newest) counts.wrong.add(`${total} records after ${newest}`);
    newest = total;
  }
  agent.destroy();
}

function listWorkers({ process: parent }: RunningHost): readonly number[] {
  return findChildProcesses(parent.pid ?? 0, 'request-process');
}

async function publish(count: number): Promise<void> {
  const submission = writeSubmission(join(folder, `submission-${count}`), createAmounts(count));
  expect((await runProgram('load', [submission], settings)).code).toBe(0);
}

test(
  `${KILLS} kills among ${CLIENTS} clients, with a publish before each, lose only requests in progress`,
  async () => {
    await publish(1);
    const running = await startHost(settings);
    host = running;
    const counts: Told = { answers: 0, failures: 0, wrong: new Set() };
    const clients = Array.from({ length: CLIENTS }, () => askOnAndOn(running, counts));
    for (let kill = 0; kill < KILLS; kill++) {
      await publish(2 + kill);
      const answered = counts.answers;
      // Killing the only process that listens would refuse every request until the next one listens.
      await waitUntil(() => listWorkers(running).filter((id) => isListening(id, running.port)).length === 2);
      const victims = listWorkers(running);
      process.kill(victims[(kill + chooseSeed(1)) % victims.length] ?? 0, 'SIGKILL');
      await sleep(BETWEEN_KILLS_MS);
      expect(counts.answers).toBeGreaterThan(answered);
    }
    isOver = true;
    await Promise.all(clients);
    printInSoak(`${counts.answers} answers, ${counts.failures} requests that failed, ${KILLS} kills`);
    expect([...counts.wrong]).toEqual([]);
    // Each client has one request in progress.
    expect(counts.failures).toBeLessThanOrEqual(KILLS * CLIENTS);
    expect(findChildProcesses(running.process.pid ?? 0, 'request-process')).toHaveLength(2);
    expect(await running.stop()).toMatchObject({ code: 0 });
    host = undefined;
  },
  KILLS * (BETWEEN_KILLS_MS + 10_000) + 60_000,
);
