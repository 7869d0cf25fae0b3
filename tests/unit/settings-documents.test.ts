// The settings stand in three places for three readers: the program, the sample file, the table of docs/operating.md.
// host.json has those of the platform.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../../shared/project-files';
import { readSettings } from '../../shared/settings';

/** The platform's own settings, which the program does not read. */
const PLATFORM_SETTINGS = ['FUNCTIONS_WORKER_RUNTIME', 'AzureWebJobsStorage', 'AzureWebJobsDisableHomepage'];

const read = (name: string): string => readFileSync(join(projectDirectory(), name), 'utf8');
const { Values: sample } = JSON.parse(read('local.settings.sample.json')) as { Values: Record<string, string> };
const ours = Object.keys(sample).filter((name) => !PLATFORM_SETTINGS.includes(name));

/** Name and default of each row of the table. */
const documented = [...read('docs/operating.md').matchAll(/^\| `([A-Z_]+)` +\| (?:`([^`]*)`)? +\|/gm)].map(
  ([, name, standard]) => [name, standard ?? ''],
);

test('the sample file has every setting that the program reads, and no other', () => {
  const asked = new Set<string>();
  const environment = new Proxy<Record<string, string>>({}, { get: (_, name) => void asked.add(String(name)) });
  readSettings(environment, '/base');
  expect([...asked].sort()).toEqual([...ours].sort());
});

test('the values of the sample file are the defaults', () => {
  expect(readSettings(sample, '/base')).toEqual(readSettings({}, '/base'));
});

test('the table in docs/operating.md has every setting with its default', () => {
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(ours.map((name) => [name, sample[name]])));
});

describe('host.json', () => {
  const host = JSON.parse(readFileSync(join(projectDirectory(), 'host.json'), 'utf8'));
  const { logLevel, applicationInsights } = host.logging;

  test('the paths on the platform are those of the local host', () => {
    expect(host.extensions.http.routePrefix).toBe('');
  });

  test('no telemetry has a query string, which may hold a key', () => {
    expect(applicationInsights).toMatchObject({ enableQueryStringTracing: false, enableDependencyTracking: false });
    expect(logLevel.default).toBe('Warning');
  });

  test('the lines of the loaders and the outcome of every function are logged without sampling', () => {
    expect(logLevel).toMatchObject({ 'Host.Function.Console': 'Information', 'Host.Results': 'Information' });
    expect(applicationInsights.samplingSettings.excludedTypes.split(';')).toEqual(
      expect.arrayContaining(['Trace', 'Exception']),
    );
  });

  test('a tick of the loaders has time beyond the minutes in which it takes submissions', () => {
    const milliseconds = Date.parse(`1970-01-01T${String(host.functionTimeout)}Z`);
    expect(milliseconds / 60_000).toBeGreaterThan(readSettings({}, '/base').loaderMinutes);
  });
});
