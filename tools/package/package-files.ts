// What the package holds, by its path in it.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageFilePaths } from '../../shared/http/pages/page-files';
import { projectDirectory } from '../../shared/project-files';
import { bundleInto } from './bundle';

export type PackageFiles = Readonly<Record<string, Uint8Array>>;

/** Files that the program reads at run time, and where: beside the bundles, or where a path of the project says. */
const ASSETS: Readonly<Record<string, string>> = {
  'host.json': 'host.json',
  LICENSE: 'LICENSE',
  // roaring-wasm looks for it in the folder of its own code, which is that of the bundles.
  'index.wasm': 'node_modules/roaring-wasm/index.wasm',
};

export function packageFiles(): PackageFiles {
  const project = projectDirectory();
  const pages = pageFilePaths.map((path): [string, string] => [path, path]);
  const assets = [...Object.entries(ASSETS), ...pages].map(([name, path]): [string, Uint8Array] => [
    name,
    readFileSync(join(project, path)),
  ]);
  return { ...Object.fromEntries(assets), 'package.json': manifest(), ...bundles() };
}

/** What the platform and the program read of package.json; no dependencies, so that nobody installs them. */
function manifest(): Uint8Array {
  const text = readFileSync(join(projectDirectory(), 'package.json'), 'utf8');
  const { name, version, engines } = JSON.parse(text) as Readonly<Record<string, unknown>>; // Our own file.
  return Buffer.from(JSON.stringify({ name, version, private: true, main: 'main.js', engines }, null, 2));
}

function bundles(): PackageFiles {
  const folder = mkdtempSync(join(tmpdir(), 'water-package-'));
  try {
    bundleInto(folder);
    return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
