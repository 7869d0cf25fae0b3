// local.settings.sample.json and the table in docs/operating/settings.md list every setting with its default.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../../shared/project-files';
import { readSettings } from '../../shared/settings';

/** The platform's own settings, which the program does not read. */
const PLATFORM_SETTINGS = ['FUNCTIONS_WORKER_RUNTIME', 'AzureWebJobsStorage', 'AzureWebJobsDisableHomepage'];

const readProjectFile = (name: string): string => readFileSync(join(findProjectDirectory(), name), 'utf8');
const sampleFile: { readonly Values: Record<string, string> } = JSON.parse(
  readProjectFile('local.settings.sample.json'),
);
const sample = sampleFile.Values;
const settingNames = Object.keys(sample).filter((name) => !PLATFORM_SETTINGS.includes(name));

test('the sample file has every setting that the program reads, and no other', () => {
  const namesRead = new Set<string>();
  const environment = new Proxy<Record<string, string>>(
    {},
    {
      get(_, name) {
        namesRead.add(String(name));
        return undefined;
      },
    },
  );
  readSettings(environment, '/base');
  expect([...namesRead].sort()).toEqual([...settingNames].sort());
});

test('the values of the sample file are the defaults', () => {
  expect(readSettings(sample, '/base')).toEqual(readSettings({}, '/base'));
});

test('the table in docs/operating/settings.md has every setting with its default', () => {
  const rows = [...readProjectFile('docs/operating/settings.md').matchAll(/^\| `([A-Z_]+)` +\| (?:`([^`]*)`)? +\|/gm)];
  const documented = Object.fromEntries(rows.map(([, name = '', defaultText = '']) => [name, defaultText]));
  expect(documented).toEqual(Object.fromEntries(settingNames.map((name) => [name, sample[name]])));
});
