// Clients that ask all the time while one process after the other is killed: only requests that are under way in it
// fail, and no client ever sees older data after newer ones. `npm run soak` does it for ten minutes, with a kill each
// 20 seconds.

import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lookupsOf, siteAmount } from '../fixtures/handmade';
import { runProgram, startHost, type RunningHost } from '../fixtures/host-process';
import { processesOf } from '../fixtures/process-tree';
import { soakCases, soakSeed } from '../fixtures/soak';
import { writeSubmission } from '../fixtures/submission';
import { temporaryFolder } from '../fixtures/temporary-folder';

const CLIENTS = 8;
const KILLS = soakCases(30, 0.1);
const BETWEEN_KILLS_MS = soakCases(20_000, 0.05);

const folder = temporaryFolder();
const settings = { WATER_DATA_DIR: join(folder, 'data'), LOAD_SAMPLES: 'false', WORKERS: '2' };

interface Told {
  answers: number;
  failures: number;
  readonly wrong: string[];
}

/** Asks one request after the other over a connection that it keeps, until `isOver`. */
async function askOnAndOn(host: RunningHost, isOver: () => boolean, told: Told): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let newest = 0;
  while (!isOver()) {
    const total = await ask(host, agent).then(
      ({ status, headers, bytes }) => {
        told.answers++;
        if (status !== 200) told.wrong.push(`status ${status}`);
        if (bytes !== Number(headers['content-length'])) told.wrong.push(`${bytes} bytes`);
        return Number(headers['x-total-count']);
      },
      () => {
        told.failures++;
        return newest;
      },
    );
    if (total < newest) told.wrong.push(`${total} records after ${newest}`);
    newest = total;
  }
  agent.destroy();
}

function ask(
  { port, key }: RunningHost,
  agent: Agent,
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly bytes: number }> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/v1/SiteVariableAmounts',
      agent,
      headers: { 'x-api-key': key ?? '' },
    };
    const sent = request(options, (answer) => {
      let bytes = 0;
      answer.on('data', (piece: Buffer) => (bytes += piece.length));
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes });
      });
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

async function publish(amounts: number): Promise<void> {
  const submission = writeSubmission(join(folder, `submission-${amounts}`), {
    ...lookupsOf(),
    'sites.csv': [{ SiteUUID: 'S1' }],
    'sitespecificamounts.csv': Array.from({ length: amounts }, (_, index) =>
      siteAmount({ ReportYearCV: 1000 + index }),
    ),
  });
  expect((await runProgram('tools/load', [submission], settings)).code).toBe(0);
}

test(
  `${KILLS} kills among ${CLIENTS} clients, with a publish before each`,
  async () => {
    await publish(1);
    const host = await startHost(settings);
    const told: Told = { answers: 0, failures: 0, wrong: [] };
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, () => askOnAndOn(host, () => isOver, told));
    for (let kill = 0; kill < KILLS; kill++) {
      await publish(2 + kill);
      const answered = told.answers;
      const victims = processesOf(host.process.pid ?? 0, 'request-process');
      process.kill(victims[(kill + soakSeed(1)) % victims.length] ?? 0, 'SIGKILL');
      await sleep(BETWEEN_KILLS_MS);
      expect(told.answers).toBeGreaterThan(answered);
    }
    isOver = true;
    await Promise.all(clients);
    expect(told.wrong).toEqual([]);
    // Each client has one request under way.
    expect(told.failures).toBeLessThanOrEqual(KILLS * CLIENTS);
    expect(processesOf(host.process.pid ?? 0, 'request-process')).toHaveLength(2);
    expect(await host.stop()).toMatchObject({ code: 0 });
  },
  KILLS * (BETWEEN_KILLS_MS + 10_000) + 60_000,
);
