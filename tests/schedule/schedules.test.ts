// Timer functions on their schedules in the local host, with a clock that the test advances.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInProcess } from '../../data-loaders/intake/run-in-process';
import { timerFunctions } from '../../functions/timer-functions';
import { startSchedules } from '../../host/schedules';
import { TimerMemory } from '../../shared/http/operating/health';
import type { LoadCounts } from '../../shared/http/operating/metrics';
import { readSettings } from '../../shared/settings';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const settings = readSettings({}, '/base');

const folder = createTemporaryFolder();
let programs = 0;

let stopSchedules: ReturnType<typeof startSchedules>;
let runs: { readonly at: string; readonly end: (error?: Error) => void; readonly stop: AbortSignal }[];
let errors: unknown[];
let ticks: TimerMemory;

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse('2026-01-01T00:00:30Z') });
  [runs, errors] = [[], []];
  ticks = new TimerMemory();
});

afterEach(() => {
  for (const { end } of runs) end();
  jest.useRealTimers();
});

function start(schedule: string | undefined): void {
  const declared = {
    name: 'Test',
    schedule: () => schedule,
    run: (_: unknown, stop: AbortSignal) =>
      new Promise<LoadCounts>((resolve, reject) => {
        const end = (error?: Error): void => {
          if (error === undefined) resolve({ published: 0, unchanged: 0, refused: 0, held: 0, rejectedRows: 0 });
          else reject(error);
        };
        runs.push({ at: new Date().toISOString(), end, stop });
      }),
  };
  const logError = (_: string, error: unknown): number => errors.push(error);
  stopSchedules = startSchedules([declared], settings, logError, (tick) => {
    ticks.recordTick(tick);
  });
}

test('runs at the seconds that the six fields name', async () => {
  start('0 */2 * * * *');
  for (let minute = 0; minute < 6; minute++) {
    await jest.advanceTimersByTimeAsync(60_000);
    for (const { end } of runs) end();
  }
  await stopSchedules();
  expect(runs.map(({ at }) => at.slice(11, 19))).toEqual(['00:02:00', '00:04:00', '00:06:00']);
});

test('never runs the same timer twice at once', async () => {
  start('* * * * * *');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  await jest.advanceTimersByTimeAsync(1000);
  expect(runs).toHaveLength(2);
});

function createProgram(code: string): string {
  programs++;
  const program = join(folder, `process-${programs}.js`);
  writeFileSync(program, code);
  return program;
}

test.each([
  ['exits with 7', 'process.exit(7)', 'its process ended (7) before it was done'],
  ['exits with 0 before it is done', 'process.exit(0)', 'its process ended (0) before it was done'],
  ['is killed', "process.kill(process.pid, 'SIGKILL')", 'its process ended (SIGKILL) before it was done'],
  ['says why it failed', "process.send({ kind: 'failed', reason: 'no disk' }); process.disconnect()", 'no disk'],
])('a timer run whose process %s counts as failed', async (_, code, problem) => {
  jest.useRealTimers();
  const { signal } = new AbortController();
  await expect(runInProcess('tidy-up', settings, signal, createProgram(code))).rejects.toThrow(problem);
});

test('a timer process gets its settings, a heap limit and the request to stop', async () => {
  jest.useRealTimers();
  const stop = new AbortController();
  const bounded = readSettings({ LOADER_MEMORY_MB: '128' }, '/base');
  const program = createProgram(`
    const heapMegabytes = require('node:v8').getHeapStatistics().heap_size_limit / 2 ** 20;
    let started;
    process.on('message', (message) => {
      if (message.kind === 'start') started = message;
      else process.send({ kind: 'done', counts: { started, heapMegabytes } }, () => process.disconnect());
    });
  `);
  const counts = runInProcess('tidy-up', bounded, stop.signal, program);
  stop.abort();
  const youngMegabytes = 48;
  expect(await counts).toEqual({
    started: { kind: 'start', task: 'tidy-up', settings: bounded },
    heapMegabytes: 128 + youngMegabytes,
  });
});

test('a failed timer run is logged, and the next one starts', async () => {
  start('* * * * * *');
  await jest.advanceTimersByTimeAsync(1000);
  runs[0]?.end(new Error('no disk'));
  await jest.advanceTimersByTimeAsync(1000);
  expect(errors).toEqual([new Error('no disk')]);
  expect(runs).toHaveLength(2);
  const failed = { name: 'Test', lastTickAt: '2026-01-01T00:00:31.000Z', lastTick: 'failed', failedTicks: 1 };
  expect(ticks.list()).toEqual([failed]);
  runs[1]?.end();
  await jest.advanceTimersByTimeAsync(0);
  expect(ticks.list()).toEqual([{ ...failed, lastTickAt: '2026-01-01T00:00:32.000Z', lastTick: 'done' }]);
});

test('stopping tells the current run to stop, waits for it and starts no other run', async () => {
  start('* * * * * *');
  await jest.advanceTimersByTimeAsync(1000);
  let isStopped = false;
  const stopped = stopSchedules().then(() => {
    isStopped = true;
  });
  expect(runs[0]?.stop.aborted).toBe(true);
  await jest.advanceTimersByTimeAsync(5000);
  expect({ isStopped, runs: runs.length }).toEqual({ isStopped: false, runs: 1 });
  runs[0]?.end();
  await stopped;
  expect(isStopped).toBe(true);
});

test('the schedules follow LOADER_SCHEDULE, the inbox, the store and the mail settings', () => {
  const schedules = (environment: Readonly<Record<string, string>>): unknown =>
    timerFunctions.map(({ name, schedule }) => [name, schedule(readSettings(environment, '/base'))]);
  expect(schedules({})).toEqual([
    ['TakeInSubmissions', undefined],
    ['MakeFiles', expect.any(String)],
    ['SendMails', undefined],
    ['Janitor', expect.any(String)],
  ]);
  expect(schedules({ SUBMISSIONS_INBOX: 'inbox', LOADER_SCHEDULE: '5 0 * * * *' })).toMatchObject([
    ['TakeInSubmissions', '5 0 * * * *'],
    ['MakeFiles', expect.any(String)],
    ['SendMails', undefined],
    ['Janitor', expect.any(String)],
  ]);
  const onCosmos = { WATER_STORE: 'cosmos', COSMOS_ENDPOINT: 'https://account.documents.azure.com:443/' };
  expect(schedules(onCosmos)).toContainEqual(['MakeFiles', undefined]);
  const mailed = { SELF_SERVICE_KEYS: 'mail', SMTP_URL: 'smtp://localhost', MAIL_FROM: 'keys@example.org' };
  expect(schedules(mailed)).toContainEqual(['SendMails', expect.any(String)]);
});
