// Timer functions on their schedules in the local host, by a clock that the test moves.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timerFunctions } from '../../data-loaders/intake/functions/main';
import { StopSignal } from '../../data-loaders/intake/stop-signal';
import { runInThread } from '../../data-loaders/intake/timers';
import type { LoadCounts } from '../../shared/http/memory/metrics';
import { TimerMemory } from '../../shared/http/memory/health';
import { readSettings } from '../../shared/settings';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { startSchedules } from '../../host/loading';

const settings = readSettings({}, '/base');

const folder = temporaryFolder();
let programs = 0;

let stopSchedules: ReturnType<typeof startSchedules>;
let runs: { readonly at: string; readonly end: (error?: Error) => void; readonly stop: StopSignal }[];
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
    run: (_: unknown, stop: StopSignal) =>
      new Promise<LoadCounts>((resolve, reject) => {
        const end = (error?: Error): void => {
          if (error === undefined) resolve({ published: 0, unchanged: 0, refused: 0, rejectedRows: 0 });
          else reject(error);
        };
        runs.push({ at: new Date().toISOString(), end, stop });
      }),
  };
  const logError = (_: string, error: unknown): number => errors.push(error);
  stopSchedules = startSchedules([declared], settings, logError, ({ name, at, outcome }) => {
    ticks.ended(name, at, outcome);
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

test('never runs two ticks of one function at once', async () => {
  start('* * * * * *');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  await jest.advanceTimersByTimeAsync(1000);
  expect(runs).toHaveLength(2);
});

test.each([
  ['throws', "throw new Error('broken')", 'broken'],
  ['exits with 7', 'process.exit(7)', 'ended with code 7'],
  ['exits with 0 before it is done', 'process.exit(0)', 'ended with code 0'],
])('a tick whose thread %s is a failed tick', async (_, code, problem) => {
  jest.useRealTimers();
  const program = join(folder, `thread-${++programs}.js`);
  writeFileSync(program, code);
  await expect(runInThread('tidy-up', settings, new StopSignal(), program)).rejects.toThrow(problem);
});

test('a tick that fails is logged, and the next one runs', async () => {
  start('* * * * * *');
  await jest.advanceTimersByTimeAsync(1000);
  runs[0]?.end(new Error('no disk'));
  await jest.advanceTimersByTimeAsync(1000);
  expect(errors).toEqual([new Error('no disk')]);
  expect(runs).toHaveLength(2);
  const failed = { name: 'Test', lastTickAt: '2026-01-01T00:00:31.000Z', lastTick: 'failed', failedTicks: 1 };
  expect(ticks.all()).toEqual([failed]);
  runs[1]?.end();
  await jest.advanceTimersByTimeAsync(0);
  expect(ticks.all()).toEqual([{ ...failed, lastTickAt: '2026-01-01T00:00:32.000Z', lastTick: 'done' }]);
});

test('stopping tells the tick under way and waits for it; no other starts', async () => {
  start('* * * * * *');
  await jest.advanceTimersByTimeAsync(1000);
  let isStopped = false;
  const stopped = stopSchedules().then(() => (isStopped = true));
  expect(runs[0]?.stop.isStopped).toBe(true);
  await jest.advanceTimersByTimeAsync(5000);
  expect({ isStopped, runs: runs.length }).toEqual({ isStopped: false, runs: 1 });
  runs[0]?.end();
  await stopped;
  expect(isStopped).toBe(true);
});

test('a function without a schedule does not run', async () => {
  start(undefined);
  await jest.advanceTimersByTimeAsync(100_000);
  expect(runs).toEqual([]);
});

test('taking in follows LOADER_SCHEDULE while there is an inbox, files are made in a data directory, the janitor always runs', () => {
  const schedules = (environment: Readonly<Record<string, string>>): unknown =>
    timerFunctions.map(({ name, schedule }) => [name, schedule(readSettings(environment, '/base'))]);
  expect(schedules({})).toEqual([
    ['TakeInSubmissions', undefined],
    ['MakeFiles', expect.any(String)],
    ['Janitor', expect.any(String)],
  ]);
  expect(schedules({ SUBMISSIONS_INBOX: 'inbox', LOADER_SCHEDULE: '5 0 * * * *' })).toMatchObject([
    ['TakeInSubmissions', '5 0 * * * *'],
    ['MakeFiles', expect.any(String)],
    ['Janitor', expect.any(String)],
  ]);
  const onCosmos = { WATER_STORE: 'cosmos', COSMOS_ENDPOINT: 'https://account.documents.azure.com:443/' };
  expect(schedules(onCosmos)).toContainEqual(['MakeFiles', undefined]);
});
