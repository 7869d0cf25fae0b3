// One submission from its folder to what readers see, or to a report that says why not (submissions.md).

import { join } from 'node:path';
import type { Organization } from '../shared/records/organization';
import type { CatalogEntry, CatalogState } from '../shared/store/catalog-types';
import { patiently } from '../shared/store/deadline';
import type { Store } from '../shared/store/port';
import { useCategories } from './build/release-json';
import { rejectionTexts, shownValue, SubmissionFindings } from './format/findings';
import type { Report } from './format/report';
import type { SubmissionMetadata } from './format/submission-metadata';
import type { SubmittedFiles } from './format/submitted-files';
import { outcomeMembers, publishAll, type LoadOutcome } from './publish/outcome';
import { DataSetsToPublish, statementOf, type StatementOf } from './publish/publish-data-sets';
import type { StagedAmounts } from './read/amount-rows';
import { UnreadableFileError } from './read/csv/csv-records';
import { LetterCases } from './read/letter-cases';
import { stagedUses } from './read/lookup-rows';
import { findOrganization, noteLookupsLeftOut, overRejectedShare, readSubmission } from './read/read-submission';
import { readRejectedRows, type RowSource } from './read/file-rows';
import { BasisChangedError, findRowSources, openSubmission } from './read/row-sources';
import { SubmissionReporter } from './report/report-files';
import { NO_CHECKPOINTS, StagedCheckpoints, Stopwatch, type Checkpoints } from './stage/checkpoints';
import type { LoadProgress } from './stage/progress';
import { Staging } from './stage/staging';

export interface LoadInput {
  readonly files: SubmittedFiles;
  readonly store: Store;
  /** Where staging folders are made. */
  readonly stagingDirectory: string;
  /** The share of rejected rows of an amounts file above which the submission is refused (0 to 1). */
  readonly rejectedShareLimit: number;
  /** Where the rejected rows and the warnings of each file are written; nowhere when left out. */
  readonly rejectedDirectory?: string;
  /** The entry that a rebuild loads anew; if it is not current any more, nothing is published. */
  readonly rebuildOf?: CatalogEntry;
  readonly isDryRun: boolean;
  readonly isSample: boolean;
  readonly progress: LoadProgress;
  readonly now: () => Date;
  /** Left out for a load that begins anew after each end. */
  readonly resumption?: Resumption;
  /** Hears of the report and of the coming state before the publish; if it throws, nothing is published. */
  readonly beforePublish?: (report: Report, next: CatalogState) => Promise<void>;
}

/** How a load ends early and goes on (ADR 0021). */
interface Resumption {
  /** Where staged rows stay until the caller removes them; a load of the same files goes on from them. */
  readonly folder: string;
  /** Asked between batches of rows; when true, the load ends with a StoppedError. */
  readonly isToStop: () => boolean;
}

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

/** The parts that the steps of one load share. */
type Load = Readonly<ReturnType<typeof startLoad>>;

function startLoad(input: LoadInput) {
  const { files, resumption, rejectedDirectory, stagingDirectory, progress, now } = input;
  const staging =
    resumption === undefined
      ? Staging.temporary(stagingDirectory, progress.log)
      : Staging.kept(join(resumption.folder, 'rows'), progress.log);
  const checkpoints: Checkpoints =
    resumption === undefined ? NO_CHECKPOINTS : new StagedCheckpoints(staging, resumption.isToStop);
  const stopwatch = new Stopwatch(now);
  checkpoints.attach('time', stopwatch);
  const findings = new SubmissionFindings({
    onRejected: (file, line, reasons) => {
      staging.findings.addRejected(file, { line, ...rejectionTexts(reasons) });
    },
    onWarned: (file, line, warnings) => {
      if (rejectedDirectory === undefined) return;
      for (const { value, ...warning } of warnings) {
        staging.findings.addWarned(file, { line, ...warning, value: shownValue(value) });
      }
    },
  });
  const reporter = new SubmissionReporter({
    findings,
    rejectedDirectory,
    rejectedRowsOf: (name) => {
      const file = files.file(name);
      if (file === undefined) throw new Error(`${name} is not there any more`);
      return readRejectedRows(file, staging.findings.rejected(name));
    },
    warningsOf: (file) => staging.findings.warned(file),
    milliseconds: () => stopwatch.milliseconds,
  });
  return { input, staging, checkpoints, findings, reporter };
}

/** Opens a submission, reads it into staging, finds its owner, builds its data sets and publishes or refuses them. */
async function run(load: Load): Promise<LoadOutcome> {
  const { input, staging, checkpoints, findings } = load;
  const { files, isSample, progress } = input;
  const opened = await openSubmission(files, findings);
  if (!opened.ok) return refused(opened.problem);
  const letterCases = new LetterCases();
  const own: RowSource = {
    files,
    name: 'own',
    role: 'replace',
    progress,
    checkpoints,
    findings,
    letterCases,
  };
  const { sources, basis } = await findRowSources(own, opened.value.mode, { ...input, staging });
  const staged = await readSubmission(sources, staging, checkpoints);
  const organization = findOrganization(staged, staging);
  if (!organization.ok) return refused(organization.problem);
  const built = new DataSetsToPublish(input.store, basis, statementFor(input, opened.value));
  try {
    const categoriesOf = useCategories(stagedUses(staging));
    const parts = { organization: organization.value, staging, progress, categoriesOf };
    for (const amounts of staged) {
      if (amounts.rows > 0) await built.build({ ...parts, staged: amounts }, isSample);
    }
    return await publish(load, staged, opened.value, { organization: organization.value, built });
  } finally {
    await built.abandonUnfinished();
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
    ...{ isDryRun, isSample, refusal, at: now().toISOString() },
    onRestated: (dataSet) => {
      noteOnce(findings, `The contact, terms, licence or citation of ${dataSet} are not those that were published.`);
    },
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
    if (isAnew) noteOnce(findings, note);
  }
}

/** A publish may take several tries. */
function noteOnce(findings: SubmissionFindings, note: string): void {
  if (!findings.notes.includes(note)) findings.note(note);
}

/** A release that is made anew is still the submission's that it was. */
function statementFor({ files, rebuildOf }: LoadInput, metadata: SubmissionMetadata): StatementOf {
  const former = rebuildOf?.submission;
  return former === undefined ? statementOf(files.name, metadata) : () => former;
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
