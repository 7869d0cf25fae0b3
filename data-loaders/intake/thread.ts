// What runs in the thread that `runInThread` starts.

import { workerData } from 'node:worker_threads';
import type { ThreadInput } from './run-in-thread';
import { StopSignal } from './stop-signal';
import { runTask } from './tasks';

const { task, settings, stopMemory } = workerData as ThreadInput; // Of runInThread alone.

// A failure is an error event of the thread.
void runTask(task, settings, new StopSignal(stopMemory));
