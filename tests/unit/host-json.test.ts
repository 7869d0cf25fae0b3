// host.json, the configuration of the Azure Functions platform.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../../shared/project-files';
import { readSettings } from '../../shared/settings';

const host = JSON.parse(readFileSync(join(findProjectDirectory(), 'host.json'), 'utf8'));
const { logLevel, applicationInsights } = host.logging;

test('has no route prefix, so paths are those of the local host', () => {
  expect(host.extensions.http.routePrefix).toBe('');
});

test('keeps query strings, which may contain an access key, out of telemetry', () => {
  expect(applicationInsights).toMatchObject({ enableQueryStringTracing: false, enableDependencyTracking: false });
  expect(logLevel.default).toBe('Warning');
});

test('logs the lines of the loaders and the outcome of every function without sampling', () => {
  expect(logLevel).toMatchObject({ 'Host.Function.Console': 'Information', 'Host.Results': 'Information' });
  expect(applicationInsights.samplingSettings.excludedTypes.split(';')).toEqual(
    expect.arrayContaining(['Trace', 'Exception']),
  );
});

test('gives a timer run of the loaders more time than LOADER_MINUTES', () => {
  const timeoutMinutes = Date.parse(`1970-01-01T${String(host.functionTimeout)}Z`) / 60_000;
  expect(timeoutMinutes).toBeGreaterThan(readSettings({}, '/base').loaderMinutes);
});
