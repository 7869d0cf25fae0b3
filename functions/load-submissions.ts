// Loads the submissions that wait in the inbox (ADR 0019), on LOADER_SCHEDULE. Off unless SUBMISSIONS_INBOX is set.

import { timerFunction } from './timer-function';

export const loadSubmissions = timerFunction({
  name: 'TakeInSubmissions',
  task: 'take-in',
  schedule: ({ inbox, loaderSchedule }) => (inbox === undefined ? undefined : loaderSchedule),
});
