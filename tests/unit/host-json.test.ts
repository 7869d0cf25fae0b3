// host.json: what the platform must not log, and what the alerts of infra/ need it to log (docs/operating.md).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../../shared/project-files';
import { readSettings } from '../../shared/settings';

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
