// Runs a timer's task in its own process, with a memory limit (ADR 0019).

import { fork } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadCounts } from '../../shared/http/operating/metrics';
import nodeFlags from '../../shared/node-flags.json';
import type { Settings } from '../../shared/settings';
import type { TaskName } from './tasks';

/** A message to the process of a timer run. */
export type TimerRunMessage =
  | { readonly kind: 'start'; readonly task: TaskName; readonly settings: Settings }
  /** Tells the process to stop at the next safe point. */
  | { readonly kind: 'stop' };

/** The outcome that the process sends when it ends. */
export type TimerRunOutcome =
  { readonly kind: 'done'; readonly counts: LoadCounts } | { readonly kind: 'failed'; readonly reason: string };

/** A run that does not reach a safe point within this time is killed. The next run resumes from the last commit. */
const STOP_TIMEOUT_MS = 20_000;

const PROGRAM = join(__dirname, 'timer-process.js');

/** The same flags as for `npm run load`. */
const LOADER_FLAGS = nodeFlags.loader.map(({ flag }) => flag);

/**
 * Runs a task in its own process. Loading a large submission takes hours, during which answers must not be delayed, and
 * a crash while loading must not end the service (ADR 0019). Rejects if the process ends before its task does.
 */
export function runInProcess(
  task: TaskName,
  settings: Settings,
  stop: AbortSignal,
  program = PROGRAM,
): Promise<LoadCounts> {
  return new Promise((resolve, reject) => {
    const child = fork(program, {
      execArgv: getLoaderFlags(settings),
      serialization: 'advanced', // Needed because some settings are undefined.
    });
    // If it has a callback, `send` does not throw when the process has just ended; the close event reports that.
    const send = (message: TimerRunMessage): boolean => child.send(message, () => undefined);
    let killTimer: NodeJS.Timeout | undefined;
    const requestStop = (): void => {
      send({ kind: 'stop' });
      killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    };
    let outcome: TimerRunOutcome | undefined;
    child.once('message', (message: TimerRunOutcome) => {
      outcome = message;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      stop.removeEventListener('abort', requestStop);
      clearTimeout(killTimer);
      if (outcome?.kind === 'done') resolve(outcome.counts);
      else reject(new Error(outcome?.reason ?? `its process ended (${signal ?? code ?? ''}) before it was done`));
    });
    send({ kind: 'start', task, settings });
    if (stop.aborted) requestStop();
    else stop.addEventListener('abort', requestStop);
  });
}

/** The Node flags of a process that loads. */
export function getLoaderFlags({ loaderMemoryBytes }: Pick<Settings, 'loaderMemoryBytes'>): string[] {
  return [...LOADER_FLAGS, `--max-old-space-size=${toMegabytes(loaderMemoryBytes)}`];
}

/** The file that tells Linux which process to kill first when memory runs out. */
const OUT_OF_MEMORY_SCORE = '/proc/self/oom_score_adj';

const CHECK_INTERVAL_MS = 200;

/**
 * Ends this process if it uses more memory than `bytes`, on the heap and elsewhere. If the machine runs out of memory
 * earlier, Linux kills this process instead of the service.
 */
export function boundMemory(bytes: number): void {
  if (existsSync(OUT_OF_MEMORY_SCORE)) writeFileSync(OUT_OF_MEMORY_SCORE, '900');
  setInterval(() => {
    const usedBytes = process.memoryUsage.rss();
    if (usedBytes <= bytes) return;
    console.error(
      `the loader took ${toMegabytes(usedBytes)} MB of memory, and LOADER_MEMORY_MB is ${toMegabytes(bytes)}`,
    );
    process.exit(1);
  }, CHECK_INTERVAL_MS).unref();
}

function toMegabytes(bytes: number): number {
  return Math.floor(bytes / (1024 * 1024));
}
