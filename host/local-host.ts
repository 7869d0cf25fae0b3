// `npm start`: serves the functions on this machine and runs the timers, on the embedded store, with samples while
// nothing real is published.

import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { timerFunctions } from '../data-loaders/intake/timers';
import { httpFunctions } from '../functions/main';
import { closeService } from '../shared/http/make-service';
import { openStore } from '../shared/open-store';
import { SettingError, type Settings } from '../shared/settings';
import { checkFormats, unreadableSentence } from '../shared/store/readable-releases';
import { commandSettings, runMain } from '../tools/command';
import { loadSamples, startSchedules } from './loading';
import { createLocalService, usedDevelopmentKey } from './local-service';
import { startServer, type RunningServer } from './server';

void runMain(async () => {
  const settings = commandSettings();
  checkInbox(settings);
  const developmentKey = usedDevelopmentKey(settings);
  await prepareStore(settings);
  // Signals are heard before the greeting is printed, because whoever reads it may already send one.
  const stopped = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  const running = await (settings.workers === 1 ? startAlone(settings) : startProcesses(settings));
  console.log(greeting(settings, running.port, developmentKey));
  await stopped;
  await running.stop();
  return 0;
});

/** An inbox that is made here would be another one than that which people put their submissions into. */
function checkInbox({ inbox }: Settings): void {
  if (inbox?.kind !== 'folder' || (existsSync(inbox.folder) && statSync(inbox.folder).isDirectory())) return;
  throw new SettingError('SUBMISSIONS_INBOX', 'must be a folder that is there', inbox.folder);
}

async function prepareStore(settings: Settings): Promise<void> {
  const store = openStore(settings);
  for (const unreadable of await checkFormats(store)) {
    console.error(`Queries over its data are answered 503, because ${unreadableSentence(unreadable)}.`);
  }
  if (settings.loadSamples) await loadSamples(store, settings);
  await store.close();
}

/** Serves, and runs the timers, in this process. */
async function startAlone(settings: Settings): Promise<RunningServer> {
  const service = createLocalService(settings);
  const server = await startServer(httpFunctions, service, settings);
  const { health, metrics, logError } = service;
  const stopSchedules = startSchedules(timerFunctions, settings, logError, (tick) => {
    health.timers.ended(tick);
    metrics.loads.ticked(tick);
  });
  return {
    port: server.port,
    stop: async () => {
      await Promise.all([server.stop(), stopSchedules()]);
      await closeService(service);
    },
  };
}

/** One process alone needs none of the code for several. */
function startProcesses(settings: Settings): Promise<RunningServer> {
  return import('./workers.js').then(({ startWorkers }) => startWorkers(settings));
}

function greeting(settings: Settings, port: number, developmentKey: string | undefined): string {
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  const url = `http://${host}:${port}/explore`;
  // A fragment never leaves the browser, so the key gets into no log; the page takes it from there (D54).
  if (developmentKey !== undefined) return `Water Data Query Service: ${url}#key=${developmentKey}`;
  return `Water Data Query Service: ${url} (issue a key with: npm run keys -- issue --owner NAME)`;
}
