import { registerTimer } from '../register-timer';
import { runInThread } from '../run-in-thread';

/** What it removes is days old; once an hour, away from the full one, when much else starts. */
const SCHEDULE = '0 17 * * * *';

export const janitorFunction = registerTimer({
  name: 'Janitor',
  schedule: () => SCHEDULE,
  run: (settings, stop) => runInThread('tidy-up', settings, stop),
});
