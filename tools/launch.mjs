// `node tools/launch.mjs PROGRAM [ARGUMENTS]` runs one of the built programs with the flags of Node that it needs. All
// flags of V8 are in the table below, each with its reason; npm scripts, the Dockerfile and the systemd unit start
// programs through this file.

import { spawn } from 'node:child_process';
import console from 'node:console';
import { join } from 'node:path';
import process from 'node:process';

/** The server makes much short-lived garbage: room for it keeps answers from waiting for collections (ADR 0056). */
const SERVER_FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=100'];

/**
 * A load keeps little and makes much garbage, which a small heap collects early: 190 MB less at a million rights for 6
 * of 35 s of processor time. One thread of V8 is enough beside the load itself, and the load collects garbage itself
 * between its steps.
 */
const LOADER_FLAGS = ['--max-semi-space-size=8', '--v8-pool-size=1', '--expose-gc'];

const RELEASE_FLAGS = [...LOADER_FLAGS, '--heap-growing-percent=40'];

const PROGRAMS = {
  start: { file: 'bundle/local-host.js', flags: SERVER_FLAGS },
  load: { file: 'bundle/load.js', flags: [...LOADER_FLAGS, '--heap-growing-percent=70'] },
  keys: { file: 'bundle/keys.js' },
  releases: { file: 'bundle/releases.js', flags: RELEASE_FLAGS },
  'upgrade-check': { file: 'bundle/releases.js', flags: RELEASE_FLAGS, firstArguments: ['check'] },
  backup: { file: 'bundle/backup.js', firstArguments: ['backup'] },
  restore: { file: 'bundle/backup.js', firstArguments: ['restore'] },
  templates: { file: 'tools/templates.js' },
  documents: { file: 'tools/documents.js' },
  package: { file: 'tools/package.js' },
  bench: { file: 'tools/bench.js' },
  soak: { file: 'tools/soak.js' },
  'load-clients': { file: 'tools/load-clients.js' },
  'floor-server': { file: 'tools/floor-server.js' },
};

const [name = '', ...callerArguments] = process.argv.slice(2);
const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
if (program === undefined) {
  console.error(`Usage: node tools/launch.mjs PROGRAM [ARGUMENTS]\nPrograms: ${Object.keys(PROGRAMS).join(', ')}`);
  process.exitCode = 2;
} else {
  run(program);
}

function run({ file, flags = [], firstArguments = [] }) {
  const script = join(import.meta.dirname, '..', 'dist', file);
  // Flags for Node itself, such as --inspect, may be given to this file and hold for the program too.
  const nodeArguments = [...flags, ...process.execArgv, script, ...firstArguments, ...callerArguments];
  // The program takes the place of this process, so signals reach it. Windows cannot do that.
  if (process.execve !== undefined && process.platform !== 'win32') {
    process.execve(process.execPath, [process.execPath, ...nodeArguments], process.env);
  }
  const child = spawn(process.execPath, nodeArguments, { stdio: 'inherit' });
  child.once('exit', (code) => process.exit(code ?? 1));
}
