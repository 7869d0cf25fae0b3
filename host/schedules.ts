// Runs the timer functions on their schedules, as the platform would.

import { Cron } from 'croner';
import type { TimerFunction } from '../functions/timer-function';
import type { FinishedTick } from '../shared/http/operating/metrics';
import { SCHEDULE_OPTIONS, type Settings } from '../shared/settings';

/**
 * Runs timer functions on their schedules. Runs of the same function never overlap. Returns a function that stops them;
 * it resolves when the runs in progress have reached a safe point.
 */
export function startSchedules(
  functions: readonly TimerFunction[],
  settings: Settings,
  logError: (message: string, error: unknown) => void,
  onRunEnded: (run: FinishedTick) => void,
): () => Promise<void> {
  const stop = new AbortController();
  const lastRuns = new Map<TimerFunction, Promise<void>>();
  const runOnce = async (declared: TimerFunction): Promise<void> => {
    try {
      const counts = await declared.run(settings, stop.signal);
      onRunEnded({ name: declared.name, at: new Date(), outcome: 'done', counts });
    } catch (error) {
      onRunEnded({ name: declared.name, at: new Date(), outcome: 'failed', counts: undefined });
      logError(`${declared.name} failed`, error);
    }
  };
  const jobs = functions.flatMap((declared) => {
    const schedule = declared.schedule(settings);
    if (schedule === undefined) return [];
    const startRun = (): Promise<void> => {
      const run = runOnce(declared);
      lastRuns.set(declared, run);
      return run;
    };
    return [new Cron(schedule, { ...SCHEDULE_OPTIONS, protect: true }, startRun)];
  });
  return async () => {
    for (const job of jobs) job.stop();
    stop.abort();
    await Promise.all(lastRuns.values());
  };
}
