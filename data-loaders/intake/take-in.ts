// One tick of taking in: while there is time, the submission that has waited longest is claimed, loaded, and moved away with its
// report. A fault of the store or the disk leaves a submission waiting for the next tick, and so does the end of the time.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../shared/store/port';
import { processName } from '../../shared/store/process-names';
import { isDiskFull } from '../../shared/store/sqlite/database';
import type { Claim, Inbox } from './inbox';
import { StoppedError } from '../stage/checkpoints';
import { removeUnusedFolders, WorkFolder } from '../stage/work-folder';
import type { StopSignal } from './stop-signal';
import { ClaimLostError, decide } from './take-in-one';

export interface TakeInInput {
  readonly inbox: Inbox;
  readonly store: Store;
  readonly stagingDirectory: string;
  readonly rejectedShareLimit: number;
  /** For how long after its start the tick takes new submissions, and reads the one that it has. */
  readonly minutes: number;
  /** How long a claim lasts that is not renewed. */
  readonly leaseMs: number;
  readonly stop: StopSignal;
  readonly now: () => Date;
  readonly log: (message: string) => void;
  readonly logError: (message: string, error: unknown) => void;
}

/** Renewed this often within a lease, so that a loader may miss a few. */
const RENEWALS_PER_LEASE = 5;

/** A submission that work has ended on this often without a report lets all others go first. */
const ATTEMPTS_BEFORE_OTHERS = 3;

export async function takeIn(input: TakeInInput): Promise<void> {
  const { inbox, minutes, stop, now } = input;
  const until = now().getTime() + minutes * 60_000;
  const isToStop = (): boolean => stop.isStopped || now().getTime() >= until;
  await inbox.finishMoves();
  /** Once a tick: what failed is for the next, and does not keep the others waiting. */
  const tried = new Set<string>();
  const postponed = new Set<string>();
  while (!isToStop()) {
    const untried = (await inbox.waiting()).filter((candidate) => !tried.has(candidate));
    const name = untried.find((candidate) => !postponed.has(candidate)) ?? untried[0];
    if (name === undefined) return;
    try {
      const claim = await inbox.claim(name);
      if (claim === undefined) {
        tried.add(name);
      } else if (hasFailedOften(claim) && !postponed.has(name)) {
        postponed.add(name);
        await claim.release('stop');
      } else {
        tried.add(name);
        await takeInOne(claim, input, isToStop);
      }
    } catch (error) {
      tried.add(name);
      logEnd(name, error, input);
    }
  }
}

function hasFailedOften({ attempts: { ended, failed } }: Claim): boolean {
  return ended + failed >= ATTEMPTS_BEFORE_OTHERS;
}

async function takeInOne(claim: Claim, input: TakeInInput, isToStop: () => boolean): Promise<void> {
  const renewal = setInterval(() => {
    // Whether it is lost is asked when the submission is settled.
    claim.renew().catch((error: unknown) => {
      input.logError(`the claim on submission ${claim.name} could not be renewed`, error);
    });
  }, input.leaseMs / RENEWALS_PER_LEASE);
  let work: WorkFolder | undefined;
  const desk = join(input.stagingDirectory, processName());
  try {
    work = WorkFolder.open(input.stagingDirectory, [claim.name, claim.content]);
    const { as, sentence, folder } = await decide(claim, { work: work.path, desk }, { ...input, isToStop });
    // Before the move, which others can end who know nothing of the folder.
    work.remove();
    const outcome = await claim.settle(as, folder);
    input.log(`submission ${claim.name}: ${outcome === 'settled' ? sentence : UNSETTLED[outcome]}`);
  } catch (error) {
    // Before whoever has the claim next looks for it.
    work?.close();
    if (isDiskFull(error)) removeUnusedFolders(input.stagingDirectory);
    await claim.release(error instanceof StoppedError ? 'stop' : 'fault');
    throw error;
  } finally {
    clearInterval(renewal);
    rmSync(desk, { recursive: true, force: true });
  }
}

const UNSETTLED = {
  lost: 'somebody else took it over',
  changed: 'it changed while it was read, and is read again at the next tick',
} as const;

function logEnd(name: string, error: unknown, { log, logError }: TakeInInput): void {
  if (error instanceof StoppedError) log(`submission ${name}: the next tick goes on with it`);
  else if (error instanceof ClaimLostError) log(`submission ${name}: ${UNSETTLED.lost}`);
  else logError(`submission ${name} could not be taken in and waits on`, error);
}
