// Imported before anything else by a command that loads or makes files: starts its program anew in the same process,
// with settings of the C library's memory that only count at the start of a process. Without them glibc keeps a seventh
// to a sixth of the peak of a load: freed memory in an arena for each thread, and large buffers of which it has made
// ever larger ones (ADR 0109). Elsewhere than on Linux, and where somebody has set them, nothing happens.

const SETTINGS = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

const { env, execArgv, execPath, argv, platform } = process;
const isSet = Object.keys(SETTINGS).some((name) => env[name] !== undefined);
// Node has it from 22.15 and from 23.11 on.
if (platform === 'linux' && !isSet && 'execve' in process) {
  process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...SETTINGS });
}
