// Bundles the built program with its packages into one file a thread of execution (ADR 0028).

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectDirectory } from '../../shared/project-files';

/** Output name to entry, below dist/. Threads are started by a file name beside that of who starts them. */
const ENTRIES = {
  main: 'tools/package/app.js',
  thread: 'data-loaders/intake/thread.js',
  'record-thread': 'data-loaders/build/record-thread.js',
} as const;

/** The command line, not the API: the service that the API talks to fails on Node 24 in the WebAssembly build. */
const ESBUILD = 'node_modules/esbuild-wasm/bin/esbuild';

/**
 * Writes a file for each entry into a folder. Lines and names stay as they are, for the stacks in an operator's log: the zip
 * is a fifth larger. Paths in the bundles are those below the project, on whatever machine.
 */
export function bundleInto(folder: string): void {
  const entries = Object.entries(ENTRIES).map(([name, path]) => `${name}=${join('dist', path)}`);
  const form = ['--bundle', '--platform=node', '--format=cjs', '--target=node22', '--preserve-symlinks'];
  const others = ['--external:@azure/functions-core', '--legal-comments=none', '--log-level=error'];
  const { status, stderr } = spawnSync(
    process.execPath,
    [ESBUILD, ...entries, ...form, ...others, `--outdir=${folder}`],
    {
      cwd: projectDirectory(),
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`esbuild failed: ${stderr}`);
}
