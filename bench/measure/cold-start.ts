// From the start of the process to the first answer, in fresh processes; and how much of that is Node itself and
// modules.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpClient } from './http-client';
import type { ModuleClock } from './module-clock';
import { builtFile, type Environment,startService, stopServer } from './programs';
import { median } from './quantiles';
import { SITE_AMOUNTS } from './requests';

/** Medians in milliseconds. */
export interface ColdStart extends ModuleClock {
  readonly toFirstAnswer: number;
  /** The first page of 1,000, the first question of a process. */
  readonly firstAnswer: number;
}

type Start = Pick<ColdStart, 'toFirstAnswer' | 'firstAnswer'>;

const STARTS = 9;
/** Apart from the others, since the clock itself takes some time. */
const CLOCKED_STARTS = 5;

/** `folder` is for what the programs write. The files of the store stay in the kernel's cache. */
export async function timeColdStarts(environment: Environment, folder: string): Promise<ColdStart> {
  const starts = await repeated(STARTS, () => startOnce(environment));
  const clocks = await repeated(CLOCKED_STARTS, () => clockOnce(environment, folder));
  return {
    toFirstAnswer: median(starts.map((start) => start.toFirstAnswer)),
    firstAnswer: median(starts.map((start) => start.firstAnswer)),
    nodeMilliseconds: median(clocks.map((clock) => clock.nodeMilliseconds)),
    moduleMilliseconds: median(clocks.map((clock) => clock.moduleMilliseconds)),
  };
}

async function startOnce(environment: Environment, nodeFlags?: readonly string[]): Promise<Start> {
  const started = performance.now();
  const service = await startService(environment, nodeFlags);
  const client = new HttpClient(service);
  try {
    const { milliseconds } = await client.askExpecting(200, { path: SITE_AMOUNTS });
    return { toFirstAnswer: performance.now() - started, firstAnswer: milliseconds };
  } finally {
    client.close();
    await stopServer(service);
  }
}

async function clockOnce(environment: Environment, folder: string): Promise<ModuleClock> {
  const path = join(folder, 'module-clock.json');
  const flags = ['--require', builtFile('bench/measure/module-clock.js')];
  await startOnce({ ...environment, MODULE_CLOCK: path }, flags);
  return JSON.parse(readFileSync(path, 'utf8')) as ModuleClock; // What the clock writes.
}

async function repeated<Value>(times: number, act: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let time = 0; time < times; time++) values.push(await act());
  return values;
}
