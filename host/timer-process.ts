// The process that runs the timers, where several processes answer requests: a load neither takes memory from them nor
// ends with one of them (ADR 0056).

import { timerFunctions } from '../data-loaders/intake/functions/main';
import { logFailure } from '../shared/http/service';
import { commandSettings } from '../tools/command';
import { startSchedules } from './loading';
import { runSupervised } from './supervised-process';

runSupervised((link) => {
  const end = startSchedules(timerFunctions, commandSettings(), logFailure, (tick) => {
    void link.send({ kind: 'tick ended', ...tick, at: tick.at.toISOString() });
  });
  return { end };
});
