// The committed state of a load: how it is written, and when a load may resume from it (ADR 0021).

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { type Log } from './progress';

export const STATE_FILE = 'state';

/** The state of a load at a commit, without its runs. */
export interface SavedState {
  /** Seconds since 1970. */
  readonly machineStartedAt: number;
  /** How often the load was resumed since the commit. */
  readonly resumptions: number;
  /** The duration of the load so far, over all its processes. */
  readonly milliseconds: number;
  readonly states: Map<string, unknown>;
}

/** After this many resumptions without a new commit, the staged rows themselves may be the cause of the failures. */
const MAX_FAILED_RESUMPTIONS = 3;

/**
 * In seconds. Two computations of the same machine start differ by less than this; two different starts differ by more.
 */
const SAME_START_SECONDS = 10;

/** The state that was committed in the folder; undefined if there is none or it cannot be trusted. */
export function resumeStaging(folder: string, log: Log): SavedState | undefined {
  const path = join(folder, STATE_FILE);
  if (!existsSync(path)) return undefined;
  let fault: string | undefined;
  try {
    // Written by the same version of the program, as WorkFolder ensures.
    const saved = deserialize(readFileSync(path)) as SavedState;
    fault = findFault(saved);
    if (fault === undefined) {
      writeState(folder, { ...saved, resumptions: saved.resumptions + 1 });
      return saved;
    }
  } catch (error) {
    fault = String(error);
  }
  log(`rows staged in ${folder} were discarded, and are read again: ${fault}`);
  return undefined;
}

/** The reason why a load must not be resumed; undefined if it may. */
function findFault({ machineStartedAt, resumptions }: SavedState): string | undefined {
  // Commits are not synced, so they are reliable only while the machine keeps running.
  const isSameStart = Math.abs(machineStartedAt - computeMachineStart()) <= SAME_START_SECONDS;
  if (!isSameStart) return 'the machine was restarted since';
  return resumptions < MAX_FAILED_RESUMPTIONS ? undefined : `resuming them failed ${MAX_FAILED_RESUMPTIONS} times`;
}

/** Writes the whole state, or nothing at all if the process is killed. */
export function writeState(folder: string, state: SavedState): void {
  const draft = join(folder, `${STATE_FILE}.draft`);
  writeFileSync(draft, serialize(state));
  renameSync(draft, join(folder, STATE_FILE));
}

export function computeMachineStart(): number {
  return Date.now() / 1000 - uptime();
}
