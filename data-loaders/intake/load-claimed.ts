// Loads a submission that a tick has claimed, or finds the report of an earlier tick that published it.

import { join } from 'node:path';
import type { Store } from '../../shared/store/port';
import type { Report } from '../format/report';
import { loadSubmission } from '../load-submission';
import { refusedReport } from '../publish/outcome';
import { readReport, writeReport } from '../report/report-files';
import { StoppedError } from '../stage/checkpoints';
import { SILENT, type LoadProgress } from '../stage/progress';
import type { Claim, ExpectedState } from './inbox';
import type { SettledAs } from './inbox-storage';
import type { StopSignal } from './stop-signal';

export interface LoadClaimedInput {
  readonly store: Store;
  readonly stagingDirectory: string;
  readonly rejectedShareLimit: number;
  readonly stop: StopSignal;
  /** Whether the tick was told to stop or is out of time: reading then ends, and the next tick goes on from there. */
  readonly isToStop: () => boolean;
  readonly now: () => Date;
}

export interface Settlement {
  readonly as: SettledAs;
  readonly sentence: string;
  /** Holds the report. */
  readonly folder: string;
}

export interface LoadFolders {
  /** Stays for the next tick when this one ends early. */
  readonly work: string;
  /** For reports of this tick alone. */
  readonly reports: string;
}

/** Somebody else has the claim now, and whatever follows from it. */
export class ClaimLostError extends Error {}

/** A submission on which the loader ended this often is refused, so that this does not go on for ever (ADR 0022). */
const MAX_ENDS = 6;

/** Throws StoppedError when there is no more time, and ClaimLostError when the claim was lost before the publish. */
export async function loadClaimed(claim: Claim, folders: LoadFolders, input: LoadClaimedInput): Promise<Settlement> {
  const saved = await claim.savedReport(folders.reports);
  if (saved !== undefined && (await isPublished(saved.state, input.store))) return settlementIn(saved.folder);
  const reportFolder = join(folders.reports, 'report');
  const { ended } = claim.attempts;
  const report =
    ended >= MAX_ENDS ? refusedReport(endedTooOften(ended)) : await loadFrom(claim, folders.work, reportFolder, input);
  writeReport(report, reportFolder);
  return settlementIn(reportFolder);
}

async function isPublished({ version, since }: ExpectedState, store: Store): Promise<boolean> {
  const states = [await store.currentState(), ...(await store.history())];
  return states.some((state) => state.version === version && state.since === since);
}

function settlementIn(folder: string): Settlement {
  const { verdict, sentence } = readReport(folder);
  return { as: verdict === 'refused' ? 'refused' : 'accepted', sentence, folder };
}

function endedTooOften(ends: number): string {
  return (
    `the loader ended ${ends} times while working on it, before it could make a report; it may need more memory than the loader has. ` +
    'Its files are unchanged; send it in smaller parts, or again when the operator has looked into it'
  );
}

async function loadFrom(
  claim: Claim,
  workFolder: string,
  reportFolder: string,
  input: LoadClaimedInput,
): Promise<Report> {
  const fetched = await claim.fetch(workFolder);
  if (!fetched.ok) return refusedReport(fetched.problem);
  const { store, stagingDirectory, rejectedShareLimit, stop, isToStop, now } = input;
  return loadSubmission({
    folder: fetched.value,
    name: claim.name,
    ...{ store, stagingDirectory, rejectedShareLimit, now },
    rejectedDirectory: reportFolder,
    isDryRun: false,
    isSample: false,
    progress: stoppable(stop),
    resumption: { folder: workFolder, isToStop },
    beforePublish: async (report, { version, since }) => {
      writeReport(report, reportFolder);
      if (!(await claim.saveReport({ version, since }, reportFolder))) throw new ClaimLostError();
    },
  });
}

/** The end of the time does not end the building of a release; only stopping the program does, and the next tick builds anew. */
function stoppable(stop: StopSignal): LoadProgress {
  const check = (): void => {
    if (stop.isStopped) throw new StoppedError();
  };
  return { ...SILENT, startStage: check, step: check };
}
