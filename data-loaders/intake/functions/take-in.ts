import { registerTimer } from '../register-timer';
import { runInThread } from '../run-in-thread';

export const takeInFunction = registerTimer({
  name: 'TakeInSubmissions',
  schedule: ({ inbox, loaderSchedule }) => (inbox === undefined ? undefined : loaderSchedule),
  run: (settings, stop) => runInThread('take-in', settings, stop),
});
