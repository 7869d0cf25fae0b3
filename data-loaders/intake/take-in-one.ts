// What becomes of one submission that a tick has claimed: it is loaded, or what an earlier tick came to is found.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../shared/store/port';
import type { Claim, KeptReport, SettledAs } from './inbox';
import { loadSubmission } from '../load-submission';
import { SILENT, type LoadProgress } from '../stage/progress';
import type { Report } from '../format/report';
import { refusedReport } from '../publish/outcome';
import { reportMarkdown } from '../report/report-markdown';
import { StoppedError } from '../stage/checkpoints';
import type { StopSignal } from './stop-signal';

export interface DecideInput {
  readonly store: Store;
  readonly stagingDirectory: string;
  readonly rejectedShareLimit: number;
  readonly stop: StopSignal;
  /** Told to stop, or out of time: reading ends, and the next tick goes on from there. */
  readonly isToStop: () => boolean;
  readonly now: () => Date;
}

export interface Decided {
  readonly as: SettledAs;
  readonly sentence: string;
  /** With the report. */
  readonly folder: string;
}

export interface Folders {
  /** For what the next tick goes on with. */
  readonly work: string;
  /** For reports; of this tick alone. */
  readonly desk: string;
}

/** Somebody else has the claim now, and all that follows from it. */
export class ClaimLostError extends Error {}

/** A submission on which the loader ended this often is refused, so that it does not end for ever. */
const MAX_ENDS = 6;

const REPORT_FILE = 'report.json';

/** Throws StoppedError when there is no more time, ClaimLostError when somebody else came to publish. */
export async function decide(claim: Claim, folders: Folders, input: DecideInput): Promise<Decided> {
  const kept = await claim.keptReport(folders.desk);
  if (kept !== undefined && (await isPublished(kept.report, input.store))) return decided(kept.folder);
  const reportFolder = join(folders.desk, 'report');
  mkdirSync(reportFolder, { recursive: true });
  const { ended } = claim.attempts;
  const report =
    ended >= MAX_ENDS ? refusedReport(endedTooOften(ended)) : await loadFrom(claim, folders.work, reportFolder, input);
  writeReport(report, reportFolder);
  return decided(reportFolder);
}

async function isPublished({ version, since }: KeptReport, store: Store): Promise<boolean> {
  const states = [await store.currentState(), ...(await store.history())];
  return states.some((state) => state.version === version && state.since === since);
}

function decided(folder: string): Decided {
  const report = JSON.parse(readFileSync(join(folder, REPORT_FILE), 'utf8')) as Report; // Of writeReport.
  return { as: report.verdict === 'refused' ? 'refused' : 'accepted', sentence: report.sentence, folder };
}

function endedTooOften(ends: number): string {
  return (
    `the loader ended ${ends} times while working on it, before it could make a report; it may need more memory than the loader has. ` +
    'Its files are unchanged; send it in smaller parts, or again when the operator has looked into it'
  );
}

async function loadFrom(claim: Claim, workFolder: string, reportFolder: string, input: DecideInput): Promise<Report> {
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
      if (!(await claim.keepReport({ version, since: since ?? '' }, reportFolder))) throw new ClaimLostError();
    },
  });
}

function writeReport(report: Report, folder: string): void {
  writeFileSync(join(folder, REPORT_FILE), JSON.stringify(report, null, 2), { flush: true });
  writeFileSync(join(folder, 'report.md'), reportMarkdown(report), { flush: true });
}

/** Building a release is not ended by time, but by who stops the program: it begins anew at the next tick. */
function stoppable(stop: StopSignal): LoadProgress {
  const check = (): void => {
    if (stop.isStopped) throw new StoppedError();
  };
  return { ...SILENT, startStage: check, step: check };
}
