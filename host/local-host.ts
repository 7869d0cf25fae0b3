// `npm start`: serves the functions on this machine and runs the timers, on the embedded store, with samples while nothing
// real is published.

import { timerFunctions } from '../data-loaders/intake/functions/main';
import { httpFunctions } from '../functions/main';
import { logFailure } from '../shared/http/log-failure';
import { closeService, createService } from '../shared/http/service';
import { siteVariableAmounts } from '../shared/query/site-variable-amounts';
import type { Settings } from '../shared/settings';
import { commandSettings, runCommand } from '../tools/command';
import { readDevelopmentKey } from './development-key';
import { loadSamples } from './load-samples';
import { startSchedules } from './schedules';
import { startServer } from './server';
import { checkFormats } from '../data-loaders/manage-releases';

void runCommand(async () => {
  const settings = commandSettings();
  const developmentKey =
    settings.developmentKey && isLoopback(settings.host) ? readDevelopmentKey(settings.dataDirectory) : undefined;
  const service = createService(settings, {
    developmentKey,
    now: () => new Date(),
    logError: logFailure,
  });
  await checkFormats(service.store);
  if (settings.loadSamples) await loadSamples(service.store, settings);
  // Before the greeting: whoever reads it may already send a signal.
  const stopped = untilStopped();
  const server = await startServer(httpFunctions, service, settings);
  const schedules = startSchedules(timerFunctions, settings, service.logError);
  console.log(greeting(settings, server.port, developmentKey));
  await stopped;
  await Promise.all([server.stop(), schedules.stop()]);
  await closeService(service);
  return 0;
});

function greeting(settings: Settings, port: number, developmentKey: string | undefined): string {
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  const url = `http://${host}:${port}/${siteVariableAmounts.route}`;
  if (developmentKey !== undefined) return `Water Data Query Service: ${url}?key=${developmentKey}`;
  return `Water Data Query Service: ${url} (issue a key with: npm run keys -- issue --owner NAME)`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      resolve();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}
