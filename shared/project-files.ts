// Finds the project's own files, whether the code runs from its sources (in tests) or from dist/.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Finds the folder of package.json. */
export function findProjectDirectory(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json was not found above the program');
    folder = parent;
  }
  return folder;
}

/** Reads the version from package.json. */
export function readProgramVersion(): string {
  const text = readFileSync(join(findProjectDirectory(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version; // npm requires package.json to have a version.
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment, with defaults from `Values` of local.settings.json if that file exists. */
export function readLocalEnvironment(environment: Environment): Environment {
  const path = join(findProjectDirectory(), 'local.settings.json');
  if (!existsSync(path)) return environment;
  let values: unknown;
  try {
    values = (JSON.parse(readFileSync(path, 'utf8')) as { readonly Values?: unknown }).Values; // Checked below.
  } catch (error) {
    throw new Error('local.settings.json is not readable as JSON', { cause: error });
  }
  const texts = Object.entries(values ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const ownValues = Object.entries(environment).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...texts, ...ownValues]);
}
