// What a timer function is. The platform and the local host run the same timers, each in a process of its own.

import { runInProcess } from '../data-loaders/intake/run-in-process';
import type { TaskName } from '../data-loaders/intake/tasks';
import type { LoadCounts } from '../shared/http/operating/metrics';
import type { Settings } from '../shared/settings';

export interface TimerFunction {
  readonly name: string;
  /** Six fields, in UTC; undefined if the settings give it nothing to do. */
  readonly schedule: (settings: Settings) => string | undefined;
  /** Runs the task once. It ends at its next safe point when `stop` is aborted. */
  readonly run: (settings: Settings, stop: AbortSignal) => Promise<LoadCounts>;
}

interface TimerDeclaration extends Pick<TimerFunction, 'name' | 'schedule'> {
  readonly task: TaskName;
}

export function timerFunction({ name, schedule, task }: TimerDeclaration): TimerFunction {
  return { name, schedule, run: (settings, stop) => runInProcess(task, settings, stop) };
}
