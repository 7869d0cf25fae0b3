// Removes data that queries no longer need (ADR 0020). Runs once an hour, but not on the hour, when many other jobs
// start.

import { timerFunction } from './timer-function';

const SCHEDULE = '0 17 * * * *';

export const janitor = timerFunction({ name: 'Janitor', task: 'tidy-up', schedule: () => SCHEDULE });
