// Declares the timer functions. The platform and the local host call the same declarations.

import type { LoadCounts } from '../../shared/http/operating/metrics';
import type { Settings } from '../../shared/settings';
import { runInProcess } from './run-in-process';
import type { TaskName } from './tasks';

export interface TimerFunction {
  readonly name: string;
  /** Six fields, in UTC; undefined when the settings give it nothing to do. */
  readonly schedule: (settings: Settings) => string | undefined;
  /** One tick, which ends at its next safe point when `stop` says so. */
  readonly run: (settings: Settings, stop: AbortSignal) => Promise<LoadCounts>;
}

/** The janitor removes what is days old. It runs once an hour, away from the full hour, when much else starts. */
const JANITOR_SCHEDULE = '0 17 * * * *';

/** What a publish leaves to do for the files of releases, half a minute after submissions are looked for. */
const FILES_SCHEDULE = '30 * * * * *';

/** What could not be sent right after a request. */
const MAILS_SCHEDULE = '45 * * * * *';

export const timerFunctions: readonly TimerFunction[] = [
  defineTimer('TakeInSubmissions', 'take-in', ({ inbox, loaderSchedule }) =>
    inbox === undefined ? undefined : loaderSchedule,
  ),
  // In a data directory, only the host of an embedded store would find them.
  defineTimer('MakeFiles', 'make-files', ({ store, exportsContainer }) =>
    store.kind === 'embedded' || exportsContainer !== undefined ? FILES_SCHEDULE : undefined,
  ),
  defineTimer('SendMails', 'send-mails', ({ mail }) => (mail === undefined ? undefined : MAILS_SCHEDULE)),
  defineTimer('Janitor', 'tidy-up', () => JANITOR_SCHEDULE),
];

function defineTimer(name: string, task: TaskName, schedule: TimerFunction['schedule']): TimerFunction {
  return { name, schedule, run: (settings, stop) => runInProcess(task, settings, stop) };
}
