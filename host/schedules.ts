// Runs timer functions on their schedules, as the platform would: never two of the same at once.

import { Cron } from 'croner';
import { StopSignal } from '../data-loaders/intake/stop-signal';
import type { TimerFunction } from '../data-loaders/intake/timers';
import { SCHEDULE_OPTIONS } from '../shared/schedule-text';
import type { Settings } from '../shared/settings';

export interface RunningSchedules {
  /** Resolves when the ticks under way have reached a safe point. */
  readonly stop: () => Promise<void>;
}

export function startSchedules(
  functions: readonly TimerFunction[],
  settings: Settings,
  logError: (message: string, error: unknown) => void,
): RunningSchedules {
  const stop = new StopSignal();
  const underWay = new Map<TimerFunction, Promise<void>>();
  const jobs = functions.flatMap((declared) => {
    const schedule = declared.schedule(settings);
    if (schedule === undefined) return [];
    const tick = (): void => {
      if (underWay.has(declared)) return;
      const run = declared
        .run(settings, stop)
        .catch((error: unknown) => {
          logError(`${declared.name} failed`, error);
        })
        .finally(() => underWay.delete(declared));
      underWay.set(declared, run);
    };
    return [new Cron(schedule, SCHEDULE_OPTIONS, tick)];
  });
  return {
    stop: async () => {
      for (const job of jobs) job.stop();
      stop.stop();
      await Promise.all(underWay.values());
    },
  };
}
