// `npm start` with WORKERS=2: several processes that behave like one, even while one of them dies.

import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneAmount, siteAmount } from '../fixtures/handmade';
import {
  type EndedProcess,
  findChildProcesses,
  isListening,
  readIssuedKey,
  readProcessFile,
  type RunningHost,
  runProgram,
  sendRequest,
  startHostsForTests,
  waitUntil,
  type WireAnswer,
} from '../fixtures/host-process';
import { createAmounts, createManyAmounts, createNoise } from '../fixtures/many-amounts';
import { writeSubmission } from '../fixtures/submission';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const PATH = '/v1/SiteVariableAmounts';

const folder = createTemporaryFolder();
const settings = { WATER_DATA_DIR: join(folder, 'data'), LOAD_SAMPLES: 'false', WORKERS: '2' };
const EVERY_SECOND = { LOADER_SCHEDULE: '* * * * * *', LOADER_QUIET_SECONDS: '0' };

const start = startHostsForTests(settings);

function submissionOf(count: number): string {
  return writeSubmission(join(folder, `submission-${count}`), createAmounts(count));
}

/** Each request has its own connection, so that all processes receive some requests. */
function askOften(host: RunningHost, times: number, key = host.key): Promise<readonly WireAnswer[]> {
  return Promise.all(Array.from({ length: times }, () => sendRequest(host.port, PATH, { 'x-api-key': key })));
}

/**
 * Sends bursts until this many requests were answered. The system chooses the process for each connection, so one burst
 * may leave a process below its limit.
 */
async function askUntilGood(
  count: number,
  ask: () => Promise<readonly WireAnswer[]>,
): Promise<Readonly<Record<'good' | 'refused', readonly WireAnswer[]>>> {
  const answers: WireAnswer[] = [];
  const isGood = ({ status }: WireAnswer): boolean => status === 200;
  for (let burst = 0; burst < 10 && answers.filter(isGood).length < count; burst++) answers.push(...(await ask()));
  return { good: answers.filter(isGood), refused: answers.filter((answer) => !isGood(answer)) };
}

const listRequestProcesses = (host: RunningHost): readonly number[] =>
  findChildProcesses(host.process.pid ?? 0, 'request-process');
const listTimerProcesses = (host: RunningHost): readonly number[] =>
  findChildProcesses(host.process.pid ?? 0, 'timer-process');

/** The processes that listen on the port of the host. */
const findListeners = (host: RunningHost): readonly number[] =>
  listRequestProcesses(host).filter((processId) => isListening(processId, host.port));

/** Sends the signal to each process, like a terminal and systemd do. No process may be left. */
async function stopAllAtOnce(host: RunningHost, signal: 'SIGTERM' | 'SIGINT'): Promise<EndedProcess> {
  const all = listRequestProcesses(host);
  for (const one of all) process.kill(one, signal);
  const ended = await host.stop(signal);
  await waitUntil(() => !all.some(isRunning));
  await expect(sendRequest(host.port, PATH)).rejects.toThrow('ECONNREFUSED');
  return ended;
}

test('two processes share one port and the limits of keys, and their usage adds up', async () => {
  const host = await start({ KEYLESS_REQUESTS_PER_HOUR: '6' });
  expect(listRequestProcesses(host)).toHaveLength(2);
  const share = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));
  const collecting = findChildProcesses(host.process.pid ?? 0, `--v8-pool-size=${share}`);
  expect(collecting).toEqual(expect.arrayContaining([...listRequestProcesses(host)]));
  expect(new Set((await askOften(host, 20)).map(({ status }) => status))).toEqual(new Set([200]));
  const issue = ['issue', '--owner', 'Analyst', '--requests-per-minute', '5'];
  const key = readIssuedKey(await runProgram('keys', issue, settings));
  // Each process allows half of five, rounded up.
  const { good, refused } = await askUntilGood(6, () => askOften(host, 30, key));
  expect(good).toHaveLength(6);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
  expect(
    new Set(good.map(({ headers }) => /"requests";q=(\d)/.exec(String(headers['ratelimit-policy']))?.[1])),
  ).toEqual(new Set(['3']));
  const keyless = await askUntilGood(6, () =>
    Promise.all(Array.from({ length: 20 }, () => sendRequest(host.port, '/ogc/collections/site-amounts/items', {}))),
  );
  expect(keyless.good).toHaveLength(6);
  expect(new Set(keyless.refused.map(({ status }) => status))).toEqual(new Set([401]));
  expect(await host.stop()).toMatchObject({ code: 0, errors: '' });
  const { output } = await runProgram('keys', ['usage', '--json'], settings);
  expect(JSON.parse(output)).toEqual(
    expect.arrayContaining([expect.objectContaining({ owner: 'Analyst', requests: 6, refused: refused.length })]),
  );
});

async function openConnection({ port }: RunningHost): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Resolves with the status line, or with the error of the connection. */
async function sendFirstRequest(socket: Socket, { key }: RunningHost): Promise<string> {
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\nConnection: close\r\n\r\n`);
  const answer = await text(socket).catch(String);
  return answer.split('\r\n')[0] ?? '';
}

describe('a service that recovers', () => {
  let host: RunningHost;

  beforeAll(async () => {
    host = await start({ EXPORTS_AT_ONCE: '1' });
  });

  // A process that has just started answers nothing yet, and a stop signal kills it at once. Once it answers, it
  // finishes its work before it stops.
  afterEach(() => waitUntil(() => findListeners(host).length === 2));

  /** Uses a new connection, so that any process may answer. */
  function askForExport(signal?: AbortSignal): Promise<Response> {
    const headers = { 'x-api-key': host.key, connection: 'close' };
    return fetch(`http://127.0.0.1:${host.port}${PATH}/Export?format=csv.gz`, { headers, signal: signal ?? null });
  }

  /** The slot of a previous export is free as soon as its thread has ended. */
  async function exportOnceFree(signal?: AbortSignal): Promise<Response> {
    for (;;) {
      const answer = await askForExport(signal);
      if (answer.status !== 503) return answer;
    }
  }

  afterAll(async () => {
    const { code, errors } = await stopAllAtOnce(host, 'SIGTERM');
    expect({ code, lines: [...new Set(errors.trimEnd().split('\n'))] }).toEqual({
      code: 0,
      lines: [
        'A process that answers requests ended (SIGKILL); starting a replacement.',
        expect.stringContaining('(0)'),
      ],
    });
  });

  test('a process that hangs takes no connections from the others', async () => {
    const [frozen = 0] = listRequestProcesses(host);
    process.kill(frozen, 'SIGSTOP');
    const asked = askOften(host, 8);
    await sleep(200);
    process.kill(frozen, 'SIGKILL');
    expect((await asked).map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  test('if no process is left, connections are refused until the next one listens', async () => {
    for (const process_ of listRequestProcesses(host)) process.kill(process_, 'SIGKILL');
    await waitUntil(() =>
      askOften(host, 1).then(
        ([answer]) => answer?.status === 200,
        () => false,
      ),
    );
    await waitUntil(() => findListeners(host).length === 2);
    expect((await askOften(host, 4)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('a process that is told to end is replaced without a failed request', async () => {
    const [leaving = 0] = listRequestProcesses(host);
    const asked = askOften(host, 10);
    process.kill(leaving, 'SIGTERM');
    expect(new Set((await asked).map(({ status }) => status))).toEqual(new Set([200]));
    await waitUntil(() => listRequestProcesses(host).length === 2 && !listRequestProcesses(host).includes(leaving));
  });

  test('a process that is told to end still answers the first request of each open connection', async () => {
    const [leaving = 0] = listRequestProcesses(host);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openConnection(host)));
    process.kill(leaving, 'SIGTERM');
    await sleep(1500);
    const statusLines = await Promise.all(sockets.map((socket) => sendFirstRequest(socket, host)));
    expect(statusLines).toEqual(Array(20).fill('HTTP/1.1 200 OK'));
    await waitUntil(() => listRequestProcesses(host).length === 2 && !listRequestProcesses(host).includes(leaving));
  });

  test('no process starts another export while a client does not read the current one', async () => {
    // Far more than the buffers of a connection hold. A cell has at most 10,000 characters.
    const long = createNoise(12_000_000).toString('base64');
    const days = Array.from({ length: 1600 }, (_, index) => {
      const day = new Date(Date.UTC(1990, 0, 1 + index)).toISOString().slice(0, 10);
      return siteAmount({
        ReportYearCV: day.slice(0, 4),
        TimeframeStart: day,
        TimeframeEnd: day,
        DataPublicationDOI: long.slice(index * 10_000, (index + 1) * 10_000),
      });
    });
    const submission = writeSubmission(join(folder, 'long'), { ...oneAmount, 'sitespecificamounts.csv': days });
    expect((await runProgram('load', [submission], settings)).code).toBe(0);
    const first = new AbortController();
    const second = new AbortController();
    const next = new AbortController();
    // Node.js cancels the body of a response that nobody refers to anymore, which would end the export.
    const unread = [await exportOnceFree(first.signal), await exportOnceFree(second.signal)];
    expect(unread.map(({ status }) => status)).toEqual([200, 200]);
    const refused = await Promise.all(Array.from({ length: 8 }, () => askForExport()));
    expect(refused.map(({ status }) => status)).toEqual(Array(8).fill(503));
    first.abort();
    expect((await exportOnceFree(next.signal)).status).toBe(200);
    second.abort();
    next.abort();
    expect(unread.every(({ bodyUsed }) => !bodyUsed)).toBe(true);
  });
});

interface SaidTimer {
  readonly name: string;
  readonly lastTick: string;
  readonly failedTicks: number;
}

async function timersIn(host: RunningHost): Promise<readonly SaidTimer[]> {
  const { timers } = JSON.parse((await sendRequest(host.port, '/health')).text) as {
    readonly timers: readonly SaidTimer[];
  };
  return timers;
}

const hasFailed = (timers: readonly SaidTimer[]): boolean => timers.some(({ failedTicks }) => failedTicks > 0);

/** A process may have ended since it was listed. */
function kill(processId: number): void {
  if (isRunning(processId)) process.kill(processId, 'SIGKILL');
}

test('timers survive the kill of a timer process, and every process reports them in its health', async () => {
  const inbox = join(folder, 'inbox');
  mkdirSync(join(inbox, 'waiting'), { recursive: true });
  const host = await start({ WATER_DATA_DIR: join(folder, 'timed'), SUBMISSIONS_INBOX: inbox, ...EVERY_SECOND });
  const isTakenIn = async (amounts: number): Promise<void> => {
    const submission = submissionOf(amounts);
    writeFileSync(join(submission, 'READY'), '');
    renameSync(submission, join(inbox, 'waiting', `S${amounts}`));
    await waitUntil(() => existsSync(join(inbox, 'accepted', `S${amounts}`, 'report.json')));
  };
  await isTakenIn(4);
  await waitUntil(async () => {
    listTimerProcesses(host).forEach(kill);
    return hasFailed(await timersIn(host));
  });
  await isTakenIn(5);
  // A timer run ends after its submission is moved, and other timers may have run as well.
  await waitUntil(async () => {
    const timers = await Promise.all(Array.from({ length: 6 }, () => timersIn(host)));
    const isDone = ({ name, lastTick }: SaidTimer): boolean => name === 'TakeInSubmissions' && lastTick === 'done';
    return timers.every((timers) => hasFailed(timers) && timers.some(isDone));
  });
  expect(await stopAllAtOnce(host, 'SIGINT')).toMatchObject({ code: 0 });
});

test('killing the primary process leaves no other process behind, not even a loader', async () => {
  const inbox = join(folder, 'inbox-of-killed');
  const submission = writeSubmission(join(inbox, 'waiting', 'long'), createManyAmounts(1, 300));
  writeFileSync(join(submission, 'READY'), '');
  const host = await start({ WATER_DATA_DIR: join(folder, 'killed'), SUBMISSIONS_INBOX: inbox, ...EVERY_SECOND });
  await waitUntil(() => existsSync(join(inbox, '.working', 'long')) && listTimerProcesses(host).length > 0);
  const all = [...listRequestProcesses(host), ...listTimerProcesses(host)];
  await host.stop('SIGKILL');
  await waitUntil(() => !all.some(isRunning));
  expect(existsSync(join(submission, 'READY'))).toBe(true);
  await expect(sendRequest(host.port, PATH)).rejects.toThrow('ECONNREFUSED');
});

function isRunning(processId: number): boolean {
  return readProcessFile(processId, 'cmdline') !== '';
}
