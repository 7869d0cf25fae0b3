// One submission from its folder to what readers see, or to a report that says why not (submissions.md).

import { basename, join, resolve } from 'node:path';
import type { Organization } from '../shared/records/organization';
import { patiently } from '../shared/store/deadline';
import { useCategories } from './build/records/lookup-json';
import { CellReader } from './format/cells';
import { rejectionTexts, SubmissionFindings } from './format/findings';
import type { Report } from './format/report';
import type { SubmissionMetadata } from './format/submission-metadata';
import type { LoadInput } from './load-input';
import { outcomeMembers, publishAll, type LoadOutcome } from './publish/outcome';
import { DataSetsToPublish, statementOf, type StatementOf } from './publish/publish-data-sets';
import type { StagedAmounts } from './read/amount-rows';
import { UnreadableFileError } from './read/csv-records';
import type { RowSource } from './read/each-row';
import { LetterCases } from './read/letter-cases';
import { stagedUses } from './read/lookup-rows';
import { noteLookupsLeftOut, readSubmission } from './read/read-submission';
import { findOrganization, overRejectedShare } from './read/refusals';
import { readRejectedRows } from './read/rejected-rows';
import { BasisChangedError, findRowSources, openSubmission } from './read/row-sources';
import { SubmissionReporter } from './report/report-files';
import { NO_CHECKPOINTS, StagedCheckpoints, Stopwatch, type Checkpoints } from './stage/checkpoints';
import { Staging } from './stage/staging';

/** Other loads can publish between a merge's reading and its publishing; a few of them can be lucky in turn. */
const MAX_MERGES = 10;

/** Never throws for what is in the submission; throws when the store or the disk fails. */
export function loadSubmission(input: LoadInput): Promise<Report> {
  return patiently(async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await loadOnce(input);
      } catch (error) {
        // The releases that a merge was laid over are not current any more: it is laid over those that are.
        if (!(error instanceof BasisChangedError) || attempt === MAX_MERGES) throw error;
      }
    }
  });
}

/** The parts that the steps of one load share. */
interface Load {
  readonly input: LoadInput;
  readonly staging: Staging;
  readonly checkpoints: Checkpoints;
  readonly findings: SubmissionFindings;
  readonly reporter: SubmissionReporter;
}

async function loadOnce(input: LoadInput): Promise<Report> {
  const load = startLoad(input);
  let isResumable = input.resumption !== undefined;
  try {
    const outcome = await run(load).catch((error: unknown) => refusalOf(error, input));
    return await load.reporter.report(outcomeMembers(outcome));
  } catch (error) {
    if (error instanceof BasisChangedError) isResumable = false;
    throw error;
  } finally {
    if (isResumable) load.staging.close();
    else load.staging.remove();
    input.progress.done();
  }
}

function startLoad(input: LoadInput): Load {
  const { folder, resumption, rejectedDirectory, stagingDirectory, now } = input;
  const staging =
    resumption === undefined ? Staging.temporary(stagingDirectory) : Staging.kept(join(resumption.folder, 'rows'));
  const checkpoints = resumption === undefined ? NO_CHECKPOINTS : new StagedCheckpoints(staging, resumption.isToStop);
  const stopwatch = new Stopwatch(now);
  checkpoints.attach('time', stopwatch);
  const findings = new SubmissionFindings((file, line, reasons) => {
    staging.addRejected(file, { line, ...rejectionTexts(reasons) });
  });
  const reporter = new SubmissionReporter({
    findings,
    rejectedDirectory,
    rejectedRowsOf: (file) => readRejectedRows(join(folder, file), staging.rejected(file)),
    milliseconds: () => stopwatch.milliseconds,
  });
  return { input, staging, checkpoints, findings, reporter };
}

/**
 * Opens a submission, reads it into staging, finds its owner, builds its data sets and publishes them, or refuses it.
 */
async function run(load: Load): Promise<LoadOutcome> {
  const { input, staging, checkpoints } = load;
  const opened = openSubmission(input.folder, load.findings);
  if (!opened.ok) return refused(opened.problem);
  const { sources, basis } = await findRowSources(sourceOf(load), opened.value.mode, { ...input, staging });
  const staged = await readSubmission(sources, staging, checkpoints);
  const organization = findOrganization(staged, staging);
  if (!organization.ok) return refused(organization.problem);
  const built = new DataSetsToPublish(input.store, basis);
  try {
    await buildAll(load, staged, organization.value, built);
    return await publish(load, staged, opened.value, { organization: organization.value, built });
  } finally {
    await built.abandonUnfinished();
  }
}

function sourceOf({ input, checkpoints, findings }: Load): RowSource {
  const { folder, progress } = input;
  const readers = { letterCases: new LetterCases(), cells: new CellReader() };
  return { folder, name: 'own', role: 'replace', progress, checkpoints, findings, ...readers };
}

async function buildAll(
  { input, staging }: Load,
  staged: readonly StagedAmounts[],
  organization: Organization,
  built: DataSetsToPublish,
): Promise<void> {
  const { isSample, progress } = input;
  const categoriesOf = useCategories(stagedUses(staging));
  for (const amounts of staged) {
    if (amounts.rows === 0) continue;
    await built.build({ staged: amounts, organization, staging, categoriesOf, progress }, isSample);
  }
}

async function publish(
  { input, findings, reporter }: Load,
  staged: readonly StagedAmounts[],
  metadata: SubmissionMetadata,
  { organization, built }: { readonly organization: Organization; readonly built: DataSetsToPublish },
): Promise<LoadOutcome> {
  const { isDryRun, isSample, now, rejectedShareLimit } = input;
  const refusal = overRejectedShare(staged, rejectedShareLimit);
  const outcome = await publishAll(built, staged, organization.OrganizationUUID, {
    ...{ isDryRun, isSample, refusal, at: now().toISOString(), submissionOf: statementFor(input, metadata) },
    beforePublish: async (next, state) => {
      noteWrittenAnew(next, findings);
      await input.beforePublish?.(await reporter.report(outcomeMembers(next)), state);
    },
  });
  if (metadata.mode === 'merge' && outcome.kind === 'unchanged') noteLookupsLeftOut(findings);
  return outcome;
}

/** A release that was current already is published once more only if it could not be read. */
function noteWrittenAnew({ dataSets }: LoadOutcome, findings: SubmissionFindings): void {
  for (const { outcome, releaseId, formerReleaseId, dataSet } of dataSets) {
    const note = `The published release of ${dataSet} could not be read and was written anew, with the same content.`;
    const isAnew = outcome === 'published' && releaseId === formerReleaseId;
    if (isAnew && !findings.notes.includes(note)) findings.note(note);
  }
}

/** A release that is made anew is still the submission's that it was. */
function statementFor({ folder, name, rebuildOf }: LoadInput, metadata: SubmissionMetadata): StatementOf {
  const former = rebuildOf?.submission;
  return former === undefined ? statementOf(name ?? basename(resolve(folder)), metadata) : () => former;
}

function refusalOf(error: unknown, { rebuildOf }: LoadInput): LoadOutcome {
  const isTooLate = error instanceof BasisChangedError && rebuildOf !== undefined;
  if (isTooLate || error instanceof UnreadableFileError) return refused(error.message);
  throw error;
}

/** `problem` is a sentence without its full stop. */
function refused(problem: string): LoadOutcome {
  return { kind: 'refused', problem, dataSets: [] };
}
