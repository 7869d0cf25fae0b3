// The timer functions. The platform and the local host take the same list.

import { runInProcess, type TimerFunction } from '../timers';

/** The janitor removes what is days old. It runs once an hour, away from the full hour, when much else starts. */
const JANITOR_SCHEDULE = '0 17 * * * *';

/** What a publish leaves to do for the files of releases, half a minute after submissions are looked for. */
const FILES_SCHEDULE = '30 * * * * *';

/** What could not be sent right after a request. */
const MAILS_SCHEDULE = '45 * * * * *';

export const timerFunctions: readonly TimerFunction[] = [
  {
    name: 'TakeInSubmissions',
    schedule: ({ inbox, loaderSchedule }) => (inbox === undefined ? undefined : loaderSchedule),
    run: (settings, stop) => runInProcess('take-in', settings, stop),
  },
  {
    name: 'MakeFiles',
    // In a data directory, only the host of an embedded store would find them.
    schedule: ({ store, exportsContainer }) =>
      store.kind === 'embedded' || exportsContainer !== undefined ? FILES_SCHEDULE : undefined,
    run: (settings, stop) => runInProcess('make-files', settings, stop),
  },
  {
    name: 'SendMails',
    schedule: ({ mail }) => (mail === undefined ? undefined : MAILS_SCHEDULE),
    run: (settings, stop) => runInProcess('send-mails', settings, stop),
  },
  {
    name: 'Janitor',
    schedule: () => JANITOR_SCHEDULE,
    run: (settings, stop) => runInProcess('tidy-up', settings, stop),
  },
];
