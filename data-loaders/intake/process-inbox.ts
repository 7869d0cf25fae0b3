// One run over the inbox. While there is time, it claims the submission that has waited longest, loads it, and moves it
// away with its report. After a fault, or when time is up, the submission waits for the next run.

import { join } from 'node:path';
import type { LoadCounts } from '../../shared/http/operating/metrics';
import type { NotReadEntry } from '../../shared/store/catalog-types';
import { toFullDiskError } from '../../shared/store/sqlite/database';
import { StoppedError } from '../stage/progress';
import { removeStaleFolders } from '../stage/work-folder';
import type { Claim } from './inbox';
import { countAttempts, type InboxRunInput, UnsettledError } from './inbox-run';
import { processSubmission } from './process-submission';

/** A submission with this many attempts without a report is processed after all others. */
const ATTEMPTS_BEFORE_OTHERS = 3;

export const NO_LOADS: LoadCounts = { published: 0, unchanged: 0, refused: 0, held: 0, rejectedRows: 0 };

/** Returns the counts of settled submissions. */
export async function processInbox(input: InboxRunInput): Promise<LoadCounts> {
  const counts = { ...NO_LOADS };
  const { inbox, minutes, stop, now } = input;
  const deadline = now().getTime() + minutes * 60_000;
  const shouldStop = (): boolean => stop.aborted || now().getTime() >= deadline;
  removeStaleFolders(input.stagingDirectory, input.log);
  await inbox.finishMoves();
  await reportNotRead(input);
  /** Each submission is tried once per run, so that a failing submission does not block the others. */
  const tried = new Set<string>();
  const postponed = new Set<string>();
  while (!shouldStop()) {
    const untried = (await inbox.listWaiting()).filter((candidate) => !tried.has(candidate));
    const name = untried.find((candidate) => !postponed.has(candidate)) ?? untried[0];
    if (name === undefined) break;
    try {
      const claim = await inbox.claim(name);
      if (claim?.lease.granted.isTakenOver === true) input.log(describeTakeover(claim));
      if (claim === undefined) {
        tried.add(name);
      } else if (countAttempts(claim) >= ATTEMPTS_BEFORE_OTHERS && !postponed.has(name)) {
        postponed.add(name);
        await claim.lease.release('stop');
      } else {
        tried.add(name);
        const { verdict, files } = await processSubmission({ ...input, claim, shouldStop });
        if (verdict !== 'would-publish' && verdict !== 'would-be-held') counts[verdict]++;
        for (const { rejected } of files) counts.rejectedRows += rejected;
      }
    } catch (error) {
      tried.add(name);
      if (error instanceof StoppedError) input.log(`submission ${name}: the next run continues with it`);
      else if (error instanceof UnsettledError) input.log(`submission ${name}: ${error.message}`);
      else
        input.logError(
          `submission ${name} could not be taken in and keeps waiting`,
          toFullDiskError(error, join(input.stagingDirectory, name)),
        );
    }
  }
  return counts;
}

/** Each entry is logged once. /health lists all of them (D75). */
async function reportNotRead({ inbox, store, now, log }: InboxRunInput): Promise<void> {
  const notRead = await inbox.noteNotRead();
  const isSame = (a: Pick<NotReadEntry, 'path' | 'reason'>, b: typeof a): boolean =>
    a.path === b.path && a.reason === b.reason;
  const previous = await store.held.listNotRead();
  for (const one of notRead) if (!previous.some((other) => isSame(one, other))) log(one.sentence);
  const since = now().toISOString();
  await store.held.replaceNotRead((stored) =>
    notRead.map(
      ({ path, reason }) => stored.find((other) => isSame({ path, reason }, other)) ?? { path, reason, since },
    ),
  );
}

function describeTakeover({ name, lease }: Claim): string {
  const { ended } = lease.granted.attempts;
  return `the claim on submission ${name} was not released: its loader ended (${ended} times so far)`;
}
