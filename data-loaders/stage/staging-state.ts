// The committed state of a load: how it is written, and when it may be resumed (ADR 0021).

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { type Log } from './progress';

export const STATE_FILE = 'state';

/** A load at a commit, without its runs. */
export interface SavedState {
  /** Seconds since 1970. */
  readonly machineStartedAt: number;
  /** How often the rows were taken up since the commit. */
  readonly resumptions: number;
  /** How long the load has taken, over all the processes that worked on it. */
  readonly milliseconds: number;
  readonly states: Map<string, unknown>;
}

/** Staged rows that were taken up this often in vain may be what is wrong. */
const MAX_FAILED_RESUMPTIONS = 3;

/** Two looks at one start of a machine differ by less, two starts by more. */
const SAME_START_SECONDS = 10;

/** What was committed in the folder; undefined if nothing was that can be trusted. */
export function resumeStaging(folder: string, log: Log): SavedState | undefined {
  const path = join(folder, STATE_FILE);
  if (!existsSync(path)) return undefined;
  let fault: string | undefined;
  try {
    const saved = deserialize(readFileSync(path)) as SavedState; // Written by this very program: WorkFolder sees to it.
    fault = findFault(saved);
    if (fault === undefined) {
      writeState(folder, { ...saved, resumptions: saved.resumptions + 1 });
      return saved;
    }
  } catch (error) {
    fault = String(error);
  }
  log(`rows staged in ${folder} were thrown away, and are read anew: ${fault}`);
  return undefined;
}

/** Why rows must not be taken up. */
function findFault({ machineStartedAt, resumptions }: SavedState): string | undefined {
  // Without syncs, a commit is on the disk only as long as the machine has not gone down since.
  const isSameStart = Math.abs(machineStartedAt - computeMachineStart()) <= SAME_START_SECONDS;
  if (!isSameStart) return 'the machine was started anew since';
  return resumptions < MAX_FAILED_RESUMPTIONS
    ? undefined
    : `they were taken up ${MAX_FAILED_RESUMPTIONS} times in vain`;
}

/** Writes all of it or, when the process is killed, nothing. */
export function writeState(folder: string, state: SavedState): void {
  const draft = join(folder, `${STATE_FILE}.draft`);
  writeFileSync(draft, serialize(state));
  renameSync(draft, join(folder, STATE_FILE));
}

export function computeMachineStart(): number {
  return Date.now() / 1000 - uptime();
}
