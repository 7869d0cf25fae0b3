// Loads one claimed submission and moves it away with its report.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../shared/store/make-folder';
import type { Store } from '../../shared/store/port';
import { createProcessName } from '../../shared/store/process-names';
import { isDiskFull } from '../../shared/store/sqlite/database';
import type { Report } from '../format/report';
import { loadSubmission } from '../load-submission';
import { buildRefusedReport } from '../publish/outcomes';
import { readReport, writeReport } from '../report/report-files';
import { SILENT, StoppedError } from '../stage/progress';
import { removeUnusedFolders, WorkFolder } from '../stage/work-folder';
import type { Claim, ExpectedState } from './inbox';
import { type ClaimedRunInput, countAttempts, UNSETTLED, UnsettledError } from './inbox-run';
import type { SettledAs } from './inbox-storage';
import type { ReportMail } from './report-mail';
import { selectSentFiles } from './submission-origin';
import { getStatus } from './submission-records';

/** A loader may miss a few renewals before its claim expires. */
const RENEWALS_PER_LEASE = 5;

/**
 * A submission is refused once loaders have ended or failed on it this many times. Otherwise it would fail forever (ADR
 * 0018).
 */
const MAX_ATTEMPTS = 6;

export async function processSubmission(input: ClaimedRunInput): Promise<Report> {
  const { claim } = input;
  const renewal = setInterval(() => {
    // A lost claim is noticed when the submission is settled.
    claim.lease.renew().catch((error: unknown) => {
      input.logError(`the claim on submission ${claim.name} could not be renewed`, error);
    });
  }, input.leaseMs / RENEWALS_PER_LEASE);
  let work: WorkFolder | undefined;
  const reports = join(input.stagingDirectory, createProcessName());
  try {
    const origin = await claim.readOrigin();
    if (origin !== undefined) await claim.noteWork(origin);
    work = WorkFolder.open(input.stagingDirectory, [claim.name, claim.content], input.log);
    let contact: string | null | undefined;
    const noteContact = (noted: string | null | undefined): void => {
      contact = noted;
    };
    const folder = await writeSubmissionReport({ ...input, noteContact }, work.path, reports);
    // Done before the move, because a different loader that finishes the move does not know this folder.
    work.remove();
    const report = readReport(folder);
    const { verdict, sentence } = report;
    const isPublished = verdict === 'published';
    const settledAs = verdict === 'refused' || verdict === 'held' ? verdict : 'accepted';
    if (origin !== undefined) await claim.noteOutcome(origin, report, settledAs, input.now().toISOString());
    const outcome = await claim.settle(settledAs, folder, isPublished);
    if (outcome === 'settled' || isPublished) input.log(`submission ${claim.name}: ${sentence}`);
    if (outcome !== 'settled') input.log(`submission ${claim.name}: ${UNSETTLED[outcome]}`);
    if (origin !== undefined) await sendReport(input, { contact, settledAs, reportFolder: folder });
    return report;
  } catch (error) {
    // Done before the claim is released, so that the next claim holder finds the folder unlocked.
    if (error instanceof UnsettledError && error.reason === 'changed') work?.remove();
    else work?.close();
    if (isDiskFull(error)) removeUnusedFolders(input.stagingDirectory, input.log);
    const because = isExplained(error) || !(await isStoreHealthy(input.store, reports)) ? 'stop' : 'fault';
    await claim.lease.release(because).catch((failed: unknown) => {
      input.logError(`the claim on submission ${claim.name} could not be released`, failed);
    });
    throw error;
  } finally {
    clearInterval(renewal);
    rmSync(reports, { recursive: true, force: true });
  }
}

/**
 * If a mail cannot be sent, the failure is only logged, because the report is also in the inbox. The log message never
 * contains the address.
 */
async function sendReport(
  { mailReport, claim, logError }: ClaimedRunInput,
  {
    contact,
    settledAs,
    reportFolder,
  }: Pick<ReportMail, 'contact' | 'reportFolder'> & { readonly settledAs: SettledAs },
): Promise<void> {
  const mail: ReportMail = { contact, name: claim.name, status: getStatus(settledAs), reportFolder };
  await mailReport?.(mail).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
    logError(`the report of submission ${claim.name} could not be mailed`, code);
  });
}

/**
 * Writes the report of the submission into a folder and returns the folder. The report comes from loading the
 * submission now, or from an earlier run that published it. Rows are staged in `work`. Throws StoppedError when time is
 * up, and UnsettledError if the claim was lost before the publish.
 */
async function writeSubmissionReport(input: ClaimedRunInput, work: string, reports: string): Promise<string> {
  const { claim, store } = input;
  const saved = await claim.savedReport(reports);
  if (saved !== undefined && (await isPublished(saved.state, store))) {
    if (saved.content === claim.content) return saved.folder;
    await claim.deliver(saved);
  }
  const folder = join(reports, 'report');
  const isTooOften = countAttempts(claim) >= MAX_ATTEMPTS;
  writeReport(
    isTooOften ? buildRefusedReport(describeTooManyAttempts(claim)) : await loadAsClaimed(input, work, folder),
    folder,
  );
  return folder;
}

/** Whether the submission cannot have caused the error. */
function isExplained(error: unknown): boolean {
  return error instanceof StoppedError || error instanceof UnsettledError || isDiskFull(error);
}

/** Whether the store and the disk work. If both do, the submission caused the fault. */
async function isStoreHealthy(store: Store, folder: string): Promise<boolean> {
  try {
    await store.currentState();
    await (await store.startRelease()).abandon();
    makeFolder(folder);
    writeFileSync(join(folder, 'probe'), '', { flush: true });
    return true;
  } catch {
    // The caller logs the original error.
    return false;
  }
}

/** If a file is removed or overwritten, reading can fail in many ways, none of which is an error in the program. */
async function loadAsClaimed(input: ClaimedRunInput, work: string, reportFolder: string): Promise<Report> {
  try {
    return await load(input, work, reportFolder);
  } catch (error) {
    if (!isExplained(error) && (await input.claim.isChanged())) throw new UnsettledError('changed');
    throw error;
  }
}

async function isPublished({ version, since }: ExpectedState, store: Store): Promise<boolean> {
  const states = [await store.currentState(), ...(await store.history())];
  return states.some((state) => state.version === version && state.since === since);
}

function describeTooManyAttempts({ lease }: Claim): string {
  const { ended, failed } = lease.granted.attempts;
  if (failed > 0) {
    return (
      `the loader failed ${ended + failed} times while working on it, before it could write a report; the operator can find the cause in the ` +
      "loader's log. Its files are unchanged; send it again when the operator has looked into it"
    );
  }
  return (
    `the loader ended ${ended} times while working on it, before it could write a report; it may need more memory than the loader has available. ` +
    'Its files are unchanged; send it in smaller parts, or send it again after the operator has looked into it'
  );
}

async function load(input: ClaimedRunInput, work: string, reportFolder: string): Promise<Report> {
  const { claim, store, stagingDirectory, rejectedShareLimit, holdSubmissions, stop, shouldStop, now, log } = input;
  const files = await claim.files();
  if (!files.ok) return buildRefusedReport(files.problem);
  const origin = await claim.readOrigin();
  const throwIfStopped = (): void => {
    if (stop.aborted) throw new StoppedError();
  };
  return loadSubmission({
    files: origin === undefined ? files.value : selectSentFiles(files.value),
    onlyOrganization: origin?.organization,
    confirmationCode: origin?.confirm,
    onMetadata: (metadata) => input.noteContact?.(metadata.contact),
    store,
    stagingDirectory,
    rejectedShareLimit,
    holdSubmissions,
    now,
    rejectedDirectory: reportFolder,
    isDryRun: false,
    isSample: false,
    // Building stops only if the program does, not when time is up, because the next run would have to build from the
    // start.
    progress: { ...SILENT, startStage: throwIfStopped, step: throwIfStopped, log },
    resumption: { folder: work, shouldStop },
    beforePublish: async (report, { version, since }) => {
      writeReport(report, reportFolder);
      if (!(await claim.saveReport({ version, since }, reportFolder))) throw new UnsettledError('lost');
      // Checked as late as possible, to ensure that the content that was read is still current (ADR 0052).
      if (await claim.isChanged()) throw new UnsettledError('changed');
    },
  });
}
