// Timer functions: when each runs and what it does. The platform and the local host call the same declarations.

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { app } from '@azure/functions';
import { isOnPlatform, platformSettings } from '../../shared/http/platform';
import type { Settings } from '../../shared/settings';
import type { LoadCounts } from '../../shared/http/memory/metrics';
import { StopSignal } from './stop-signal';
import type { TaskName } from './tasks';

export interface TimerFunction {
  readonly name: string;
  /** Six fields, in UTC; undefined when the settings give it nothing to do. */
  readonly schedule: (settings: Settings) => string | undefined;
  /** One tick, which ends at its next safe point when `stop` says so. */
  readonly run: (settings: Settings, stop: StopSignal) => Promise<LoadCounts>;
}

/** Registers a timer function on the platform, as shared/http/platform.ts does HTTP functions. */
export function registerTimer(declaration: TimerFunction): TimerFunction {
  if (!isOnPlatform()) return declaration;
  const settings = platformSettings();
  const schedule = settings.functionsToRun === 'http' ? undefined : declaration.schedule(settings);
  // The platform runs a timer on one instance at a time, and stops it by ending the process, which does no harm.
  const handler = (): Promise<LoadCounts> => declaration.run(settings, new StopSignal());
  if (schedule !== undefined) app.timer(declaration.name, { schedule, handler });
  return declaration;
}

export interface ThreadInput {
  readonly task: TaskName;
  readonly settings: Settings;
  readonly stopMemory: SharedArrayBuffer;
}

const THREAD = join(__dirname, 'thread.js');

/** Three semi-spaces of 4 MB, as `npm run load` has: rows then die young. */
const YOUNG_GENERATION_MB = 12;

/**
 * Runs a tick in a thread of its own: a large submission is hours of work for which no answer may wait. Rejects when
 * the thread ends in any way before its tick does.
 */
export function runInThread(
  task: TaskName,
  settings: Settings,
  stop: StopSignal,
  program = THREAD,
): Promise<LoadCounts> {
  return new Promise((resolve, reject) => {
    const workerData: ThreadInput = { task, settings, stopMemory: stop.memory };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
    const thread = new Worker(program, { workerData, resourceLimits });
    let done: LoadCounts | undefined;
    thread.once('message', (counts: LoadCounts) => (done = counts));
    thread.once('error', reject);
    thread.once('exit', (code) => {
      if (done !== undefined) resolve(done);
      else reject(new Error(`the thread ended with code ${code} before its tick was done`));
    });
  });
}
