// Makes the files of new releases for /v1/Downloads: every minute, half a minute after the inbox is checked.

import { timerFunction } from './timer-function';

const SCHEDULE = '30 * * * * *';

export const makeFiles = timerFunction({
  name: 'MakeFiles',
  task: 'make-files',
  // Only the host of an embedded store can find files in a data directory.
  schedule: ({ store, exportsContainer }) =>
    store.kind === 'embedded' || exportsContainer !== undefined ? SCHEDULE : undefined,
});
