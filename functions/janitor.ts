// Removes what no query needs any more (ADR 0020): hourly, away from the full hour, when much else starts.

import { timerFunction } from './timer-function';

const SCHEDULE = '0 17 * * * *';

export const janitor = timerFunction({ name: 'Janitor', task: 'tidy-up', schedule: () => SCHEDULE });
