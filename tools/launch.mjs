// `node tools/launch.mjs PROGRAM [ARGUMENTS]` runs one of the built programs with the Node flags that it needs. The
// flags are in shared/node-flags.json. The npm scripts, the Dockerfile and the systemd unit start programs through this
// file.

import { spawn } from 'node:child_process';
import console from 'node:console';
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

/** Flags by kind of program, each with its reason. The process that loads the inbox also uses the loader's flags. */
const { server, loader, releases } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'shared', 'node-flags.json'), 'utf8'),
);

const PROGRAMS = {
  start: { file: 'bundle/local-host.js', flags: server },
  load: { file: 'bundle/load.js', flags: loader },
  keys: { file: 'bundle/keys.js' },
  releases: { file: 'bundle/releases.js', flags: releases },
  'upgrade-check': { file: 'bundle/releases.js', flags: releases, firstArguments: ['check'] },
  backup: { file: 'bundle/backup.js', firstArguments: ['backup'] },
  restore: { file: 'bundle/backup.js', firstArguments: ['restore'] },
  templates: { file: 'tools/templates.js' },
  documents: { file: 'tools/documents.js' },
  package: { file: 'tools/package.js' },
  'azure-check': { file: 'tools/azure-check.js' },
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
} else if (module.enableCompileCache === undefined) {
  console.error(
    `This is Node ${process.versions.node}, which is too old. Use "npm run ${name}": it uses the Node of this project.`,
  );
  process.exitCode = 2;
} else {
  run(program);
}

function run({ file, flags = [], firstArguments = [] }) {
  const script = join(import.meta.dirname, '..', 'dist', file);
  // Flags for Node itself, such as --inspect, may be passed to this file. They also apply to the program.
  const nodeArguments = [
    ...flags.map(({ flag }) => flag),
    ...process.execArgv,
    script,
    ...firstArguments,
    ...callerArguments,
  ];
  // Replaces this process with the program, so that signals reach it. Windows does not support that.
  if (process.execve !== undefined && process.platform !== 'win32') {
    process.execve(process.execPath, [process.execPath, ...nodeArguments], process.env);
  }
  const child = spawn(process.execPath, nodeArguments, { stdio: 'inherit' });
  child.once('exit', (code) => process.exit(code ?? 1));
}
