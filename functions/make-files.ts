// Makes the files of new releases for /v1/Downloads. Runs every minute, half a minute after the inbox is checked.

import { timerFunction } from './timer-function';

const SCHEDULE = '30 * * * * *';

export const makeFiles = timerFunction({
  name: 'MakeFiles',
  task: 'make-files',
  // The files need either a container or the data directory of an embedded store.
  schedule: ({ store, exportsContainer }) =>
    store.kind === 'embedded' || exportsContainer !== undefined ? SCHEDULE : undefined,
});
