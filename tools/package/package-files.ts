// The files of the package and its zip. The built program is bundled with its packages into one file for each thread of
// execution (ADR 0028).

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync, type Zippable } from 'fflate';
import { explorerFilePaths, pageFilePaths } from '../../shared/http/pages/page-files';
import { projectDirectory } from '../../shared/project-files';

/** Contents by path in the package. */
export type PackageFiles = Readonly<Record<string, Uint8Array>>;

/** Files that the program reads at run time, by where it looks for them in the package. */
const ASSETS: Readonly<Record<string, string>> = {
  'host.json': 'host.json',
  LICENSE: 'LICENSE',
  // roaring-wasm looks for it in the folder of its own code, which is that of the bundles.
  'index.wasm': 'node_modules/roaring-wasm/index.wasm',
};

/** Entries of the bundles, below dist/. Threads and processes are started by names of files beside their starter. */
const ENTRIES: Readonly<Record<string, string>> = {
  main: 'tools/package/app.js',
  'tick-process': 'data-loaders/intake/tick-process.js',
  'checking-thread': 'data-loaders/read/rows/checking-thread.js',
  'run-thread': 'data-loaders/stage/runs/run-thread.js',
  'record-thread': 'data-loaders/build/record-thread.js',
  'export-thread': 'shared/export/export-thread.js',
};

/** The command line and not the API, whose service fails on Node 24 in the WebAssembly build. */
const ESBUILD = 'node_modules/esbuild-wasm/bin/esbuild';

/** The first moment that a zip can hold. A zip has no time zone: local time is written as it is. */
const MODIFIED_AT = new Date(1980, 0, 1);

/** The number of the operating system in a zip. */
const UNIX = 3;

/** Readable by everybody: the platform mounts the package and runs it under an account of its own. */
const READABLE_FILE = 0o100644 << 16;

export function packageFiles(): PackageFiles {
  const pages = [...pageFilePaths, ...explorerFilePaths()].map((path): [string, string] => [path, path]);
  const assets = [...Object.entries(ASSETS), ...pages].map(([name, path]): [string, Uint8Array] => [
    name,
    readFileSync(join(projectDirectory(), path)),
  ]);
  return { ...Object.fromEntries(assets), 'package.json': manifest(), ...bundles() };
}

/** The bytes depend on the content alone: they are the same whenever and wherever the zip is made. */
export function zip(files: PackageFiles): Uint8Array {
  const names = Object.keys(files).sort();
  const entries = names.map((name) => [name, [files[name], { os: UNIX, attrs: READABLE_FILE }]]);
  // Every name is a key of files.
  return zipSync(Object.fromEntries(entries) as Zippable, { level: 9, mtime: MODIFIED_AT });
}

/** The members of package.json that the platform and the program read. Without dependencies, nobody installs any. */
function manifest(): Uint8Array {
  const text = readFileSync(join(projectDirectory(), 'package.json'), 'utf8');
  const { name, version, engines } = JSON.parse(text) as Readonly<Record<string, unknown>>; // Our own file.
  return Buffer.from(JSON.stringify({ name, version, private: true, main: 'main.js', engines }, null, 2));
}

/** Lines and names stay as they are, for the stacks in an operator's log; the zip is a fifth larger for it. */
function bundles(): PackageFiles {
  const folder = mkdtempSync(join(tmpdir(), 'water-package-'));
  const entries = Object.entries(ENTRIES).map(([name, path]) => `${name}=${join('dist', path)}`);
  const form = ['--bundle', '--platform=node', '--format=cjs', '--target=node22', '--preserve-symlinks'];
  // --preserve-symlinks: paths in the bundles are those below the project, on whatever machine.
  const others = ['--external:@azure/functions-core', '--legal-comments=none', '--log-level=error'];
  const args = [ESBUILD, ...entries, ...form, ...others, `--outdir=${folder}`];
  try {
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: projectDirectory(), encoding: 'utf8' });
    if (status !== 0) throw new Error(`esbuild failed: ${stderr}`);
    return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
