// What bounds the memory of a process that loads or makes files, and how it is started so that it takes little.

import { existsSync, writeFileSync } from 'node:fs';

/**
 * Settings of glibc's memory that count only at the start of a process. Without them it keeps a seventh to a sixth of
 * the peak of a load: freed memory in an arena for each thread, and large buffers of which it has made ever larger ones
 * (ADR 0109).
 */
export const ALLOCATOR_SETTINGS = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

/** Flags of Node as `npm run load` has them, and a bound of the heap: V8 ends a process that would need more. */
export function heapFlags(bytes: number): readonly string[] {
  const megabytes = Math.floor(bytes / (1024 * 1024));
  const asLoadCommand = ['--max-semi-space-size=8', '--heap-growing-percent=70', '--v8-pool-size=1'];
  return [...asLoadCommand, `--max-old-space-size=${megabytes}`];
}

/** Where Linux reads which process to end first when the machine has no memory left. */
const OUT_OF_MEMORY_SCORE = '/proc/self/oom_score_adj';

const LOOK_MS = 200;

/**
 * Ends this process when it takes more memory than `bytes`, in its heap and beside it. On a machine that runs out of
 * memory earlier, Linux is to end this process and not the service.
 */
export function boundMemory(bytes: number): void {
  if (existsSync(OUT_OF_MEMORY_SCORE)) writeFileSync(OUT_OF_MEMORY_SCORE, '900');
  setInterval(() => {
    const taken = process.memoryUsage.rss();
    if (taken <= bytes) return;
    console.error(`the loader took ${inMegabytes(taken)} MB of memory, and LOADER_MEMORY_MB is ${inMegabytes(bytes)}`);
    process.exit(1);
  }, LOOK_MS).unref();
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / (1024 * 1024));
}
