// One tick of taking in: while there is time, the submission that has waited longest is claimed, loaded, and moved away with its
// report. A fault of the store or the disk leaves a submission waiting for the next tick.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../shared/store/port';
import { ownName } from '../../shared/store/sqlite/dead-processes';
import type { Claim, Inbox } from '../inbox/inbox';
import { loadSubmission } from '../load-submission';
import { SILENT, type LoadProgress } from '../report/progress';
import type { Report } from '../report/report';
import { reportMarkdown } from '../report/report-markdown';
import { StoppedError, type StopSignal } from './stop-signal';

export interface TakeInInput {
  readonly inbox: Inbox;
  readonly store: Store;
  readonly stagingDirectory: string;
  readonly rejectedShareLimit: number;
  /** For how long after its start the tick takes new submissions. */
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

export async function takeIn(input: TakeInInput): Promise<void> {
  const { inbox, minutes, stop, now } = input;
  const until = now().getTime() + minutes * 60_000;
  await inbox.finishMoves();
  /** Once a tick: what failed is for the next, and does not keep the others waiting. */
  const tried = new Set<string>();
  while (!stop.isStopped && now().getTime() < until) {
    const name = (await inbox.waiting()).find((candidate) => !tried.has(candidate));
    if (name === undefined) return;
    tried.add(name);
    try {
      const claim = await inbox.claim(name);
      if (claim !== undefined) await takeInOne(claim, input);
    } catch (error) {
      if (!(error instanceof StoppedError))
        input.logError(`submission ${name} could not be taken in and waits on`, error);
    }
  }
}

async function takeInOne(claim: Claim, input: TakeInInput): Promise<void> {
  const workFolder = join(input.stagingDirectory, ownName());
  const renewal = setInterval(() => {
    // Whether it is lost is asked when the submission is settled.
    claim.renew().catch((error: unknown) => {
      input.logError(`the claim on submission ${claim.name} could not be renewed`, error);
    });
  }, input.leaseMs / RENEWALS_PER_LEASE);
  try {
    const reportFolder = join(workFolder, 'report');
    mkdirSync(reportFolder, { recursive: true });
    const report = await loadFrom(claim, workFolder, reportFolder, input);
    writeFileSync(join(reportFolder, 'report.json'), JSON.stringify(report, null, 2), { flush: true });
    writeFileSync(join(reportFolder, 'report.md'), reportMarkdown(report), { flush: true });
    const outcome = await claim.settle(report.verdict === 'refused' ? 'refused' : 'accepted', reportFolder);
    input.log(`submission ${claim.name}: ${outcome === 'settled' ? report.sentence : UNSETTLED[outcome]}`);
  } finally {
    clearInterval(renewal);
    rmSync(workFolder, { recursive: true, force: true });
    await claim.release();
  }
}

const UNSETTLED = {
  lost: 'somebody else took it over',
  changed: 'it changed while it was read, and is read again at the next tick',
} as const;

async function loadFrom(claim: Claim, workFolder: string, reportFolder: string, input: TakeInInput): Promise<Report> {
  const fetched = await claim.fetch(workFolder);
  if (!fetched.ok) return refusal(fetched.problem);
  const { store, stagingDirectory, rejectedShareLimit, stop, now } = input;
  return loadSubmission({
    folder: fetched.value,
    name: claim.name,
    ...{ store, stagingDirectory, rejectedShareLimit, now },
    rejectedDirectory: reportFolder,
    isDryRun: false,
    isSample: false,
    progress: stoppable(stop),
  });
}

/** Of a submission that the loading pipeline must not even look into. */
function refusal(problem: string): Report {
  const nothing = { dataVersion: null, dataSets: [], files: [], findings: [], notes: [], milliseconds: 0 };
  return { verdict: 'refused', sentence: `Refused: ${problem}.`, ...nothing };
}

/** The safe points of a load are between its rows; publishing has none. */
function stoppable(stop: StopSignal): LoadProgress {
  const check = (): void => {
    if (stop.isStopped) throw new StoppedError();
  };
  return { ...SILENT, startFile: check, advance: check, countRow: check, startStage: check, step: check };
}
