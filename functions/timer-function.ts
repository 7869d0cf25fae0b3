// The interface of a timer function. The platform and the local host run the same timers, each in its own process.

import { runInProcess } from '../data-loaders/intake/run-in-process';
import type { TaskName } from '../data-loaders/intake/tasks';
import type { LoadCounts } from '../shared/http/operating/metrics';
import type { Settings } from '../shared/settings';

export interface TimerFunction {
  readonly name: string;
  /** Six fields, in UTC; undefined if the settings turn the timer off. */
  readonly schedule: (settings: Settings) => string | undefined;
  /** Runs the task once. If `stop` is aborted, the task ends at its next safe point. */
  readonly run: (settings: Settings, stop: AbortSignal) => Promise<LoadCounts>;
}

interface TimerDeclaration extends Pick<TimerFunction, 'name' | 'schedule'> {
  readonly task: TaskName;
}

export function timerFunction({ name, schedule, task }: TimerDeclaration): TimerFunction {
  return { name, schedule, run: (settings, stop) => runInProcess(task, settings, stop) };
}
