// What the local host loads: the samples while nothing is published, and whatever the timer functions do on their
// schedules.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Cron } from 'croner';
import type { TimerFunction } from '../data-loaders/intake/timers';
import type { FinishedTick } from '../shared/http/operating/metrics';
import { findProjectDirectory } from '../shared/project-files';
import { SCHEDULE_OPTIONS, type Settings } from '../shared/settings';
import { SAMPLES_CAUSE } from '../shared/store/catalog-types';
import type { Store } from '../shared/store/port';

/**
 * Loads the samples, marked so in the catalog; the first real publish drops them. The code of the loaders is imported
 * where it is needed, since most starts load nothing.
 */
export async function loadSamples(store: Store, settings: Pick<Settings, 'stagingDirectory'>): Promise<void> {
  if ((await store.history()).some(({ cause }) => cause !== SAMPLES_CAUSE)) return;
  const samples = join(findProjectDirectory(), 'data-loaders', 'samples');
  const { amountsFileNames } = await import('../data-loaders/format/submission-files.js');
  const entries = readdirSync(samples, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(samples, name));
  // A start that was interrupted leaves only some of them; those that are there are found unchanged.
  const dataSets = folders.flatMap((folder) => readdirSync(folder)).filter((name) => amountsFileNames.includes(name));
  if ((await store.currentState()).entries.length === dataSets.length) return;
  console.error('Publishing invented samples, once, so that there is something to ask for ...');
  const { folderFiles } = await import('../data-loaders/format/submitted-files.js');
  const { loadSubmission } = await import('../data-loaders/load-submission.js');
  const { SILENT } = await import('../data-loaders/stage/progress.js');
  for (const folder of folders) {
    const report = await loadSubmission({
      files: folderFiles(folder),
      store,
      stagingDirectory: settings.stagingDirectory,
      rejectedShareLimit: 1, // Whatever the operator allows: the samples have wrong rows on purpose.
      isDryRun: false,
      isSample: true,
      progress: SILENT,
      now: () => new Date(),
    });
    if (report.verdict === 'refused') console.error(`${folder}: ${report.sentence}`);
  }
}

/**
 * Runs timer functions as the platform would: never two of the same at once. Returns what stops them; it resolves when
 * the runs under way have reached a safe point.
 */
export function startSchedules(
  functions: readonly TimerFunction[],
  settings: Settings,
  logError: (message: string, error: unknown) => void,
  tickEnded: (tick: FinishedTick) => void,
): () => Promise<void> {
  const stop = new AbortController();
  const lastRuns = new Map<TimerFunction, Promise<void>>();
  const run = async (declared: TimerFunction): Promise<void> => {
    try {
      const counts = await declared.run(settings, stop.signal);
      tickEnded({ name: declared.name, at: new Date(), outcome: 'done', counts });
    } catch (error) {
      tickEnded({ name: declared.name, at: new Date(), outcome: 'failed', counts: undefined });
      logError(`${declared.name} failed`, error);
    }
  };
  const jobs = functions.flatMap((declared) => {
    const schedule = declared.schedule(settings);
    if (schedule === undefined) return [];
    const tick = (): Promise<void> => {
      const ended = run(declared);
      lastRuns.set(declared, ended);
      return ended;
    };
    return [new Cron(schedule, { ...SCHEDULE_OPTIONS, protect: true }, tick)];
  });
  return async () => {
    for (const job of jobs) job.stop();
    stop.abort();
    await Promise.all(lastRuns.values());
  };
}
