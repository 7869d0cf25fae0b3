// `npm start` serves the functions on this machine and runs the timers. It publishes samples if there are no real data.
// `npm start -- --settings` prints every setting with its value and source.

import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { httpFunctions } from '../functions/http-functions';
import { timerFunctions } from '../functions/timer-functions';
import { closeService } from '../shared/http/make-service';
import { openStore } from '../shared/open-store';
import { findProjectDirectory, readLocalEnvironment } from '../shared/project-files';
import { MEGABYTE, SettingError, type Settings, withoutCredentials } from '../shared/settings';
import { checkFormats, describeUnreadable } from '../shared/store/readable-releases';
import { commandSettings, runCommand } from '../tools/command';
import { loadSamples } from './load-samples';
import { createLocalService, findDevelopmentKey } from './local-service';
import { startSchedules } from './schedules';
import { type RunningServer, startServer } from './server';
import { startWorkers } from './workers';

const USAGE = `Usage: npm start [-- --settings]
  serves the data on this machine until Ctrl-C, and processes the inbox
  --settings  prints every setting with its value and source, without starting the service`;

/** The setting whose value is never shown. Values of other settings are shown without credentials. */
const SECRET_SETTING = 'COSMOS_KEY';

/** Settings in the sample file that only `func start` reads. */
const PLATFORM_SETTING = /^(AzureWebJobs|FUNCTIONS_WORKER_RUNTIME)/;

/** The file that lists all settings with their defaults, as tests/unit/settings-documents.test.ts checks. */
const SAMPLE_SETTINGS = 'local.settings.sample.json';

const OPTIONS = { settings: { type: 'boolean', default: false } } as const;

void runCommand({ usage: USAGE, options: OPTIONS, maxOperands: 0 }, async ({ values }) => {
  if (values.settings) {
    console.log(formatSettings());
    console.log(formatAutomaticSettings(commandSettings())); // Throws for an invalid value.
    return 0;
  }
  const settings = commandSettings();
  checkInbox(settings);
  const developmentKey = findDevelopmentKey(settings);
  const data = await prepareStore(settings);
  // Signals are handled before the greeting is printed, because a program that reads the greeting may send a signal
  // immediately.
  const stopped = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  const running = await (settings.workers === 1 ? startAlone(settings) : startWorkers(settings));
  console.log(formatGreeting(settings, running.port, developmentKey, data));
  if (isPublicUrlMissing(settings)) {
    console.error(
      'PUBLIC_URL is not set, so links take the address from X-Forwarded-Proto, X-Forwarded-Host and Host. ' +
        'Set PUBLIC_URL to the public address of the service.',
    );
  }
  await stopped;
  await running.stop();
  return 0;
});

/** Behind a proxy, the service knows its own address only from PUBLIC_URL (D71). */
function isPublicUrlMissing({ publicUrl, trustedProxies }: Settings): boolean {
  const hasProxies = trustedProxies.kind === 'networks' || trustedProxies.hops > 0;
  return publicUrl === '' && hasProxies;
}

/** A missing inbox folder is an error. It is not created, because submitters are probably using another folder. */
function checkInbox({ inbox }: Settings): void {
  if (inbox?.kind !== 'folder' || (existsSync(inbox.folder) && statSync(inbox.folder).isDirectory())) return;
  throw new SettingError('SUBMISSIONS_INBOX', 'must be an existing folder', inbox.folder);
}

/** Returns a summary of the published data, for the greeting. */
async function prepareStore(settings: Settings): Promise<string> {
  const store = openStore(settings);
  for (const unreadable of await checkFormats(store)) {
    console.error(`Queries of its data get a 503: ${describeUnreadable(unreadable)}.`);
  }
  if (settings.loadSamples) await loadSamples(store, settings);
  const { entries } = await store.currentState();
  const held = await store.held.list();
  await store.close();
  const records = entries.reduce((sum, entry) => sum + entry.records, 0);
  const counts = `${entries.length} data set${entries.length === 1 ? '' : 's'} with ${records.toLocaleString('en-US')} records`;
  const waiting = held.length === 0 ? '' : `; ${held.length} held, see: npm run releases -- list`;
  if (entries.length === 0) return `nothing is published yet${waiting}`;
  const isSample = entries.some((entry) => entry.isSample);
  return `${counts}${isSample ? ', made-up samples until the first real load' : ''}${waiting}`;
}

/** Serves requests and runs the timers in this process. */
async function startAlone(settings: Settings): Promise<RunningServer> {
  const service = createLocalService(settings);
  const server = await startServer(httpFunctions, service, settings);
  const { health, metrics, logError } = service;
  const stopSchedules = startSchedules(timerFunctions, settings, logError, (tick) => {
    health.timers.recordTick(tick);
    metrics.loads.recordTick(tick);
  });
  return {
    port: server.port,
    stop: async () => {
      await Promise.all([server.stop(), stopSchedules()]);
      await closeService(service);
    },
  };
}

/** The first line contains only the address of the explorer, because programs that start the service read it there. */
function formatGreeting(settings: Settings, port: number, developmentKey: string | undefined, data: string): string {
  const origin = `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`;
  // Browsers never send the fragment, so the key does not appear in any log. The page reads the key from the fragment
  // (D54).
  const key =
    developmentKey === undefined ? ' (issue a key with: npm run keys -- issue --owner NAME)' : `#key=${developmentKey}`;
  const publicAddress = settings.publicUrl === '' ? '' : `\n  public ${settings.publicUrl}/`;
  return `Water Data Query Service: ${origin}/explore${key}
  pages  ${origin}/
  docs   ${origin}/docs${publicAddress}
  data   ${data}
  load   npm run load -- FOLDER`;
}

/** Shows values as set, even invalid ones, but without credentials. */
function formatSettings(): string {
  const text = readFileSync(join(findProjectDirectory(), SAMPLE_SETTINGS), 'utf8');
  // The file is part of this project.
  const { Values: defaults } = JSON.parse(text) as { readonly Values: Readonly<Record<string, string>> };
  const sources: readonly (readonly [string, Readonly<Record<string, string | undefined>>])[] = [
    ['environment', process.env],
    ['local.settings.json', readLocalEnvironment({})],
    ['default', defaults],
  ];
  const names = Object.keys(defaults).filter((name) => !PLATFORM_SETTING.test(name));
  const rows = names.map((name): readonly [string, string, string] => {
    const [source, values] = sources.find(([, environment]) => (environment[name] ?? '').trim() !== '') ?? [
      'not set',
      {},
    ];
    const value = (values[name] ?? '').trim();
    return [name, name === SECRET_SETTING && value !== '' ? '(hidden)' : withoutCredentials(value), source];
  });
  const widths = [0, 1].map((column) => Math.min(60, Math.max(...rows.map((row) => row[column]?.length ?? 0))));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

/** Shows the actual values of settings that are `auto`, and the absolute paths of relative folders. */
function formatAutomaticSettings(settings: Settings): string {
  const { workers, searchCacheBytes, answerCacheBytes, loaderMemoryBytes, dataDirectory } = settings;
  const megabytes = {
    SEARCH_CACHE_MB: searchCacheBytes,
    ANSWER_CACHE_MB: answerCacheBytes,
    LOADER_MEMORY_MB: loaderMemoryBytes,
  };
  const figures = Object.entries(megabytes).map(([name, bytes]) => `${name}=${bytes / MEGABYTE}`);
  return `In effect here: WORKERS=${workers} ${figures.join(' ')}; the data are in ${dataDirectory}`;
}
