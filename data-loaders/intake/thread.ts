// The program of the thread that `runInThread` starts.

import { parentPort, workerData } from 'node:worker_threads';
import { StopSignal } from './stop-signal';
import { runTask } from './tasks';
import type { ThreadInput } from './timers';

const { task, settings, stopMemory } = workerData as ThreadInput; // Only runInThread starts this.

// A failure becomes an error event of the thread.
void runTask(task, settings, new StopSignal(stopMemory)).then((counts) => parentPort?.postMessage(counts));
