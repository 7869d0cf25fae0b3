// Declares the timer functions. The platform and the local host call the same declarations.

import type { LoadCounts } from '../../shared/http/operating/metrics';
import type { Settings } from '../../shared/settings';
import { runInProcess } from './run-in-process';
import type { TaskName } from './tasks';

export interface TimerFunction {
  readonly name: string;
  /** Six fields, in UTC; undefined when the settings give it nothing to do. */
  readonly schedule: (settings: Settings) => string | undefined;
  /** Runs the task once. It ends at its next safe point when `stop` is aborted. */
  readonly run: (settings: Settings, stop: AbortSignal) => Promise<LoadCounts>;
}

/** The janitor removes what is days old. It runs hourly, away from the full hour, when much else starts. */
const JANITOR_SCHEDULE = '0 17 * * * *';

/** The files of new releases, half a minute after the inbox is checked. */
const FILES_SCHEDULE = '30 * * * * *';

/** The mails that could not be sent right after a request. */
const MAILS_SCHEDULE = '45 * * * * *';

export const timerFunctions: readonly TimerFunction[] = [
  defineTimer('TakeInSubmissions', 'take-in', ({ inbox, loaderSchedule }) =>
    inbox === undefined ? undefined : loaderSchedule,
  ),
  // Files in a data directory are found only by the host of an embedded store.
  defineTimer('MakeFiles', 'make-files', ({ store, exportsContainer }) =>
    store.kind === 'embedded' || exportsContainer !== undefined ? FILES_SCHEDULE : undefined,
  ),
  defineTimer('SendMails', 'send-mails', ({ mail }) => (mail === undefined ? undefined : MAILS_SCHEDULE)),
  defineTimer('Janitor', 'tidy-up', () => JANITOR_SCHEDULE),
];

function defineTimer(name: string, task: TaskName, schedule: TimerFunction['schedule']): TimerFunction {
  return { name, schedule, run: (settings, stop) => runInProcess(task, settings, stop) };
}
