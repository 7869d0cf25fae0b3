// Makes the files of new releases for /v1/Downloads: every minute, half a minute after the inbox is checked.

import { timerFunction } from './timer-function';

const SCHEDULE = '30 * * * * *';

export const makeFiles = timerFunction({
  name: 'MakeFiles',
  task: 'make-files',
  // Files in a data directory are found only by the host of an embedded store.
  schedule: ({ store, exportsContainer }) =>
    store.kind === 'embedded' || exportsContainer !== undefined ? SCHEDULE : undefined,
});
