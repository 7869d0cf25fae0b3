// `npm start -- --settings`: every setting, its value and where that comes from. Values are shown as they are given,
// wrong ones too, but credentials.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localEnvironment, projectDirectory } from '../shared/project-files';
import { MEGABYTE, withoutCredentials, type Settings } from '../shared/settings';

/** Nothing of its value is shown; addresses with credentials are shown without them. */
const SECRET = 'COSMOS_KEY';

/** The sample file has them for `func start`; the service reads none. */
const OF_THE_PLATFORM = /^(AzureWebJobs|FUNCTIONS_WORKER_RUNTIME)/;

/** The sample file names all settings with their defaults, which tests/unit/settings.test.ts holds. */
const SAMPLE = 'local.settings.sample.json';

export function settingsText(): string {
  const text = readFileSync(join(projectDirectory(), SAMPLE), 'utf8');
  const { Values: standards } = JSON.parse(text) as { readonly Values: Readonly<Record<string, string>> }; // Our own.
  const sources: readonly (readonly [string, Readonly<Record<string, string | undefined>>])[] = [
    ['environment', process.env],
    ['local.settings.json', localEnvironment({})],
    ['default', standards],
  ];
  const names = Object.keys(standards).filter((name) => !OF_THE_PLATFORM.test(name));
  const rows = names.map((name): readonly [string, string, string] => {
    const [source, values] = sources.find(([, one]) => (one[name] ?? '').trim() !== '') ?? ['not set', {}];
    const value = (values[name] ?? '').trim();
    return [name, name === SECRET && value !== '' ? '(hidden)' : withoutCredentials(value), source];
  });
  const widths = [0, 1].map((column) => Math.min(60, Math.max(...rows.map((row) => row[column]?.length ?? 0))));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

/** What `auto` and relative folders are on this machine. */
export function automaticText(settings: Settings): string {
  const { workers, searchCacheBytes, answerCacheBytes, loaderMemoryBytes, dataDirectory } = settings;
  const megabytes = {
    SEARCH_CACHE_MB: searchCacheBytes,
    ANSWER_CACHE_MB: answerCacheBytes,
    LOADER_MEMORY_MB: loaderMemoryBytes,
  };
  const figures = Object.entries(megabytes).map(([name, bytes]) => `${name}=${bytes / MEGABYTE}`);
  return `In effect here: WORKERS=${workers} ${figures.join(' ')}; the data are in ${dataDirectory}`;
}
