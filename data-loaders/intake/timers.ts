// Timer functions: when each runs and what it does. The platform and the local host call the same declarations.

import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Settings } from '../../shared/settings';
import type { LoadCounts } from '../../shared/http/operating/metrics';
import { ALLOCATOR_SETTINGS, heapFlags } from './loader-memory';
import type { TaskName } from './tasks';

export interface TimerFunction {
  readonly name: string;
  /** Six fields, in UTC; undefined when the settings give it nothing to do. */
  readonly schedule: (settings: Settings) => string | undefined;
  /** One tick, which ends at its next safe point when `stop` says so. */
  readonly run: (settings: Settings, stop: AbortSignal) => Promise<LoadCounts>;
}

/** What the process of a tick is told. */
export type ToTick =
  | { readonly kind: 'start'; readonly task: TaskName; readonly settings: Settings }
  /** End at the next safe point. */
  | { readonly kind: 'stop' };

/** What it says at its end. */
export type TickOutcome =
  { readonly kind: 'done'; readonly counts: LoadCounts } | { readonly kind: 'failed'; readonly reason: string };

/** A tick that comes to no safe point in this time is ended there; the next one goes on with what is committed. */
const STOP_MS = 20_000;

const PROGRAM = join(__dirname, 'tick-process.js');

/**
 * Runs a tick in a process of its own: a large submission is hours of work for which no answer may wait, and whatever
 * is in it, the process that loads it can end without the service (ADR 0019). Rejects when the process ends in any way
 * before its tick does.
 */
export function runInProcess(
  task: TaskName,
  settings: Settings,
  stop: AbortSignal,
  program = PROGRAM,
): Promise<LoadCounts> {
  return new Promise((resolve, reject) => {
    const child = fork(program, {
      env: { ...ALLOCATOR_SETTINGS, ...process.env },
      execArgv: [...heapFlags(settings.loaderMemoryBytes)],
      serialization: 'advanced', // Settings have members that are undefined.
    });
    // With a callback nothing is thrown when the process has just ended; its end says so.
    const tell = (message: ToTick): boolean => child.send(message, () => undefined);
    let killing: NodeJS.Timeout | undefined;
    const tellToStop = (): void => {
      tell({ kind: 'stop' });
      killing = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    };
    let outcome: TickOutcome | undefined;
    child.once('message', (message: TickOutcome) => (outcome = message));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      stop.removeEventListener('abort', tellToStop);
      clearTimeout(killing);
      if (outcome?.kind === 'done') resolve(outcome.counts);
      else reject(new Error(outcome?.reason ?? `its process ended (${signal ?? code ?? ''}) before it was done`));
    });
    tell({ kind: 'start', task, settings });
    if (stop.aborted) tellToStop();
    else stop.addEventListener('abort', tellToStop);
  });
}
