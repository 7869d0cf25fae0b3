// From the start of the process to the first answer, in fresh processes; and how much of that is Node itself and modules.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFile, stopProgram, type Environment } from './child-process';
import { SITE_AMOUNTS } from './benchmark-requests';
import { HttpClient } from './http-client';
import { startService } from './measured-servers';
import type { ModuleClock } from './module-clock';
import { median } from './quantiles';
import { checkStatus } from './time-rows';

/** Medians in milliseconds. */
export interface ColdStart extends ModuleClock {
  readonly toFirstAnswer: number;
  /** The first page of 1,000, the first question of a process. */
  readonly firstAnswer: number;
}

const STARTS = 9;
/** Beside the others, since the clock itself takes some time. */
const CLOCKED_STARTS = 5;

/** `folder` is for what the programs write. The files of the store stay in the kernel's cache. */
export async function timeColdStarts(environment: Environment, folder: string): Promise<ColdStart> {
  const starts: Start[] = [];
  for (let time = 0; time < STARTS; time++) starts.push(await startOnce(environment));
  const clocks: ModuleClock[] = [];
  for (let time = 0; time < CLOCKED_STARTS; time++) clocks.push(await clockOnce(environment, folder));
  return {
    toFirstAnswer: median(starts.map((start) => start.toFirstAnswer)),
    firstAnswer: median(starts.map((start) => start.firstAnswer)),
    nodeMilliseconds: median(clocks.map((clock) => clock.nodeMilliseconds)),
    moduleMilliseconds: median(clocks.map((clock) => clock.moduleMilliseconds)),
  };
}

type Start = Pick<ColdStart, 'toFirstAnswer' | 'firstAnswer'>;

async function startOnce(environment: Environment, nodeFlags?: readonly string[]): Promise<Start> {
  const started = performance.now();
  const service = await startService(environment, nodeFlags);
  const client = new HttpClient(service);
  try {
    const answer = await client.ask({ method: 'GET', path: SITE_AMOUNTS, headers: {} });
    const toFirstAnswer = performance.now() - started;
    checkStatus('cold start', answer, 200);
    return { toFirstAnswer, firstAnswer: answer.milliseconds };
  } finally {
    client.close();
    await stopProgram(service.child);
  }
}

async function clockOnce(environment: Environment, folder: string): Promise<ModuleClock> {
  const path = join(folder, 'module-clock.json');
  const flags = ['--require', builtFile('bench/measure/module-clock.js')];
  await startOnce({ ...environment, MODULE_CLOCK: path }, flags);
  return JSON.parse(readFileSync(path, 'utf8')) as ModuleClock; // What the clock writes.
}
