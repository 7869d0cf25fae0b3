// The app on Azure Functions, the entry point in package.json: registers the functions and timers. Nothing else loads
// @azure/functions, because loading it takes as long as a small request.

import { app } from '@azure/functions';
import { createService, logFailure } from '../shared/http/make-service';
import type { Service } from '../shared/http/pipeline/service';
import { findProjectDirectory } from '../shared/project-files';
import { readSettings, type Settings } from '../shared/settings';
import { httpFunctions } from './http-functions';
import { intakeFunctions } from './intake-functions';
import { createPlatformHandler, InvocationResponses } from './platform-handler';
import { timerFunctions } from './timer-functions';

/** The platform runs a timer on only one instance at a time. It stops a run by ending the process, which is safe. */
function registerTimers(settings: Settings): void {
  for (const { name, schedule: readSchedule, run } of timerFunctions) {
    const schedule = readSchedule(settings);
    const handler = (): Promise<unknown> => run(settings, new AbortController().signal);
    if (schedule !== undefined) app.timer(name, { schedule, handler });
  }
}

function registerHttpFunctions(settings: Settings): void {
  // One service per process, created at the first request.
  let service: Service | undefined;
  const responses = new InvocationResponses();
  const getService = (): Service => {
    service ??= openService(settings);
    return service;
  };
  for (const declared of httpFunctions) {
    app.http(declared.name, {
      methods: [...declared.methods],
      authLevel: 'anonymous', // The service checks keys itself (D30).
      route: declared.route,
      handler: createPlatformHandler(declared, getService, responses),
    });
  }
}

function openService(settings: Settings): Service {
  const parts = { developmentKey: undefined, now: () => new Date(), logError: logFailure, intakeFunctions };
  const service = createService(settings, parts);
  service.metrics.watchProcess();
  app.hook.appTerminate(async () => {
    await service.selfService?.mails?.idle();
    await service.access.usage.flush();
  });
  return service;
}

// Throws for an invalid setting, which stops the start.
const settings = readSettings(process.env, findProjectDirectory());
// Large bodies then bypass the host's message channel.
app.setup({ enableHttpStream: true });
// This app can leave HTTP requests to another app (ADR 0029).
if (settings.functionsToRun !== 'timers') registerHttpFunctions(settings);
if (settings.functionsToRun !== 'http') registerTimers(settings);
