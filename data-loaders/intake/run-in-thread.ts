// Runs a tick in a thread of its own: loading is hours of work without a pause for a large submission, and answers of the same
// process must not wait for it.

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Settings } from '../../shared/settings';
import type { StopSignal } from './stop-signal';
import type { TaskName } from './tasks';

export interface ThreadInput {
  readonly task: TaskName;
  readonly settings: Settings;
  readonly stopMemory: SharedArrayBuffer;
}

/** Three semi-spaces of 4 MB, as `npm run load` has: rows then die young. */
const YOUNG_GENERATION_MB = 12;

export function runInThread(task: TaskName, settings: Settings, stop: StopSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const workerData: ThreadInput = { task, settings, stopMemory: stop.memory };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
    const thread = new Worker(join(__dirname, 'thread.js'), { workerData, resourceLimits });
    thread.once('error', reject);
    thread.once('exit', () => {
      resolve();
    });
  });
}
