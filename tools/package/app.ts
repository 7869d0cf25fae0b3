// The entry of the app that package.json names: registers the functions on the platform.

import { app } from '@azure/functions';
import { timerFunctions } from '../../data-loaders/intake/timers';
import { httpFunctions } from '../../functions/main';
import { platformSettings, registerHttpFunctions } from '../../shared/http/platform';
import type { Settings } from '../../shared/settings';

const settings = platformSettings();
registerHttpFunctions(httpFunctions, settings);
if (settings.functionsToRun !== 'http') registerTimers(settings);

/** The platform runs a timer on one instance at a time, and stops it by ending the process, which does no harm. */
function registerTimers(settings: Settings): void {
  for (const { name, schedule: scheduleOf, run } of timerFunctions) {
    const schedule = scheduleOf(settings);
    const handler = (): Promise<unknown> => run(settings, new AbortController().signal);
    if (schedule !== undefined) app.timer(name, { schedule, handler });
  }
}
