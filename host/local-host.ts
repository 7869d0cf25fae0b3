// `npm start`: serves the functions on this machine and runs the timers, on the embedded store, with samples while
// nothing real is published.

import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timerFunctions } from '../data-loaders/intake/functions/main';
import { checkFormats } from '../data-loaders/manage-releases';
import { httpFunctions } from '../functions/main';
import { isKeyText, makeKey } from '../shared/access/access-keys';
import { closeService, createService, logFailure } from '../shared/http/service';
import { siteVariableAmounts } from '../shared/query/operations';
import { isLoopback } from '../shared/loader-settings';
import type { Settings } from '../shared/settings';
import { unreadableSentence } from '../shared/store/readable-releases';
import { commandSettings, runMain } from '../tools/command';
import { loadSamples, startSchedules } from './loading';
import { startServer } from './server';

const OWNER_ONLY = 0o600;

void runMain(async () => {
  const settings = commandSettings();
  const developmentKey =
    settings.developmentKey && isLoopback(settings.host) ? readDevelopmentKey(settings.dataDirectory) : undefined;
  const service = createService(settings, { developmentKey, now: () => new Date(), logError: logFailure });
  for (const unreadable of await checkFormats(service.store)) {
    console.error(`Queries over its data are answered 503, because ${unreadableSentence(unreadable)}.`);
  }
  if (settings.loadSamples) await loadSamples(service.store, settings);
  // Signals are heard before the greeting is printed, because whoever reads it may already send one.
  const stopped = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  const server = await startServer(httpFunctions, service, settings);
  const stopSchedules = startSchedules(timerFunctions, settings, service.logError, service.health.timers);
  console.log(greeting(settings, server.port, developmentKey));
  await stopped;
  await Promise.all([server.stop(), stopSchedules()]);
  await closeService(service);
  return 0;
});

function greeting(settings: Settings, port: number, developmentKey: string | undefined): string {
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  const url = `http://${host}:${port}/${siteVariableAmounts.route}`;
  if (developmentKey !== undefined) return `Water Data Query Service: ${url}?key=${developmentKey}`;
  return `Water Data Query Service: ${url} (issue a key with: npm run keys -- issue --owner NAME)`;
}

/** The development key (D30): the same at each start, in a file of the data directory that only its owner can read. */
function readDevelopmentKey(dataDirectory: string): string {
  const path = join(dataDirectory, 'development-key');
  const former = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  const key = isKeyText(former) ? former : makeKey('development', new Date().toISOString(), null).key;
  if (key !== former) {
    mkdirSync(dataDirectory, { recursive: true });
    writeFileSync(path, `${key}\n`, { mode: OWNER_ONLY });
  }
  // The mode above counts only for a file that did not exist.
  chmodSync(path, OWNER_ONLY);
  return key;
}
