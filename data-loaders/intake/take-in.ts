// One tick of taking in: while there is time, the submission that has waited longest is claimed, loaded, and moved away with its
// report. After a fault of the store or the disk, and when the time is over, a submission waits for the next tick.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { processName } from '../../shared/store/process-names';
import { isDiskFull } from '../../shared/store/sqlite/database';
import { StoppedError } from '../stage/checkpoints';
import { removeUnusedFolders, WorkFolder } from '../stage/work-folder';
import type { Claim, Inbox } from './inbox';
import { ClaimLostError, loadClaimed, type LoadClaimedInput } from './load-claimed';

export interface TakeInInput extends Omit<LoadClaimedInput, 'isToStop'> {
  readonly inbox: Inbox;
  /** Minutes after its start in which the tick claims submissions and reads them. */
  readonly minutes: number;
  /** How long a claim lasts that is not renewed. */
  readonly leaseMs: number;
  readonly log: (message: string) => void;
  readonly logError: (message: string, error: unknown) => void;
}

/** A loader may miss a few renewals before its claim expires. */
const RENEWALS_PER_LEASE = 5;

/** After this many attempts without a report, a submission lets all others go first. */
const ATTEMPTS_BEFORE_OTHERS = 3;

export async function takeIn(input: TakeInInput): Promise<void> {
  const { inbox, minutes, stop, now } = input;
  const until = now().getTime() + minutes * 60_000;
  const isToStop = (): boolean => stop.isStopped || now().getTime() >= until;
  await inbox.finishMoves();
  /** Each submission is tried once a tick, so that one that fails does not keep the others waiting. */
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
    // Settling asks whether the claim is lost.
    claim.renew().catch((error: unknown) => {
      input.logError(`the claim on submission ${claim.name} could not be renewed`, error);
    });
  }, input.leaseMs / RENEWALS_PER_LEASE);
  let work: WorkFolder | undefined;
  const reports = join(input.stagingDirectory, processName());
  try {
    work = WorkFolder.open(input.stagingDirectory, [claim.name, claim.content]);
    const { as, sentence, folder } = await loadClaimed(claim, { work: work.path, reports }, { ...input, isToStop });
    // Before the move, because another loader that finishes the move knows nothing of the folder.
    work.remove();
    const outcome = await claim.settle(as, folder);
    input.log(`submission ${claim.name}: ${outcome === 'settled' ? sentence : UNSETTLED[outcome]}`);
  } catch (error) {
    // Before the claim is given back, so that the next holder finds the folder free.
    work?.close();
    if (isDiskFull(error)) removeUnusedFolders(input.stagingDirectory);
    await claim.release(error instanceof StoppedError ? 'stop' : 'fault');
    throw error;
  } finally {
    clearInterval(renewal);
    rmSync(reports, { recursive: true, force: true });
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
