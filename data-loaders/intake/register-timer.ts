// Tells the platform of a timer function, as shared/http/register.ts does of an HTTP function.

import { app } from '@azure/functions';
import { isOnPlatform, platformSettings } from '../../shared/http/platform';
import { StopSignal } from './stop-signal';
import type { TimerFunction } from './timer-function';

export function registerTimer(declaration: TimerFunction): TimerFunction {
  if (isOnPlatform()) {
    const settings = platformSettings();
    const schedule = settings.functionsToRun === 'http' ? undefined : declaration.schedule(settings);
    if (schedule !== undefined) {
      // The platform runs a timer on one instance at a time; it ends by ending the process, which does no harm at any moment.
      app.timer(declaration.name, { schedule, handler: () => declaration.run(settings, new StopSignal()) });
    }
  }
  return declaration;
}
