// Imported before anything else by a command that loads or makes files: starts its program anew in the same process,
// with settings of the C library's memory that only count at the start of a process (ADR 0109). Elsewhere than on
// Linux, and where somebody has set them, nothing happens.

import { ALLOCATOR_SETTINGS } from '../data-loaders/intake/loader-memory';

const { env, execArgv, execPath, argv, platform } = process;
const isSet = Object.keys(ALLOCATOR_SETTINGS).some((name) => env[name] !== undefined);
// Node has it from 22.15 and from 23.11 on.
if (platform === 'linux' && !isSet && 'execve' in process) {
  process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...ALLOCATOR_SETTINGS });
}
