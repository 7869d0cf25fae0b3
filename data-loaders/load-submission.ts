// Loads one submission: reads, stages, builds, publishes and reports it, or refuses it with a report of the reason
// (submissions.md).

import { join } from 'node:path';
import type { CatalogEntry, CatalogState } from '../shared/store/catalog-types';
import { withPatience } from '../shared/store/deadline';
import type { Store } from '../shared/store/port';
import { explainFullDisk, toFullDiskError } from '../shared/store/sqlite/database';
import { parseIsoDay } from '../shared/values/dates';
import { createUseCategoryLookup } from './build/use-categories';
import { SubmissionFindings } from './format/findings';
import type { LoadOutcome, Report } from './format/report';
import type { SubmissionMetadata } from './format/submission-metadata';
import type { SubmittedFiles } from './format/submitted-files';
import { buildRefusedOutcome, buildRefusedReport } from './publish/outcomes';
import { DataSetsToPublish } from './publish/publish-data-sets';
import { createStatementBuilder } from './publish/statements';
import type { StagedAmounts } from './read/amount-rows';
import { checkProjectedShare, checkRejectedShare } from './read/check-submission';
import { UnreadableFileError } from './read/csv';
import type { RowSource } from './read/file-rows';
import { checkSender, findOrganization } from './read/find-organization';
import { readStagedUses } from './read/lookup-rows';
import { openSubmission } from './read/open-submission';
import { noteOmittedLookups, readSubmission } from './read/read-submission';
import { readRejectedRows } from './read/rejected-rows';
import { BasisChangedError, findRowSources } from './read/row-sources';
import { enterFolder } from './read/submission-folder';
import { createReporter } from './report/report-files';
import type { LoadProgress } from './stage/progress';
import { Staging } from './stage/staging';
import { WorkFolder } from './stage/work-folder';
import { PackageProblem } from './unpack/package-problem';
import { MAX_UNPACKED_BYTES, unpackSubmission } from './unpack/unpack-submission';

export interface LoadInput {
  readonly files: SubmittedFiles;
  readonly store: Store;
  /** The folder in which staging folders are created. */
  readonly stagingDirectory: string;
  /** The maximum share of rejected rows (0 to 1). If an amounts file exceeds it, the submission is refused. */
  readonly rejectedShareLimit: number;
  /** The folder for the rejected rows and the warnings of each file. If undefined, these files are not written. */
  readonly rejectedDirectory?: string;
  /**
   * The organization (OrganizationUUID) to which the amounts must belong, if the sender may submit for only one (D76).
   */
  readonly onlyOrganization?: string | undefined;
  /** The maximum size of an unpacked archive or workbook, in bytes. */
  readonly maxUnpackedBytes?: number;
  /** The entry to rebuild. If the entry is no longer current, nothing is published. */
  readonly rebuildOf?: CatalogEntry;
  /**
   * Whether a suspicious submission is held until it is confirmed (D64). False by default, for samples and rebuilds.
   */
  readonly holdSubmissions?: boolean;
  /** The confirmation code from `npm run load`. It takes precedence over the code in submission.json. */
  readonly confirmationCode?: string | undefined;
  readonly isDryRun: boolean;
  readonly isSample: boolean;
  readonly progress: LoadProgress;
  readonly now: () => Date;
  /** Undefined if the load cannot be resumed. */
  readonly resumption?: Resumption;
  /** Called with the submission's metadata once they have been read. */
  readonly onMetadata?: (metadata: SubmissionMetadata) => void;
  /** Called with the report and the next catalog state before the publish. If it throws, nothing is published. */
  readonly beforePublish?: (report: Report, next: CatalogState) => Promise<void>;
}

/** How a load stops early and resumes (ADR 0021). */
interface Resumption {
  /**
   * The folder for staged rows, which are kept until the caller removes them. A load of the same files resumes from
   * these rows.
   */
  readonly folder: string;
  /** Checked between batches of rows. If it returns true, the load throws StoppedError. */
  readonly shouldStop: () => boolean;
}

/**
 * Limits the retries, because each time, another load may publish the same data set between our build and our publish.
 */
const MAX_ATTEMPTS = 10;

/** Never throws because of a submission's content. Throws if the store or the disk fails. */
export function loadSubmission(input: LoadInput): Promise<Report> {
  return withPatience(async () => {
    let work: WorkFolder | undefined;
    try {
      const files = await unpackSubmission(enterFolder(input.files), {
        createFolder: () => {
          work = WorkFolder.temporary(input.stagingDirectory, input.progress.log);
          return work.path;
        },
        maxBytes: input.maxUnpackedBytes ?? MAX_UNPACKED_BYTES,
      });
      return await loadWithPatience({ ...input, files: enterFolder(files) });
    } catch (error) {
      if (error instanceof PackageProblem) return buildRefusedReport(error.message);
      throw work === undefined ? error : toFullDiskError(error, work.path);
    } finally {
      work?.remove();
    }
  });
}

async function loadWithPatience(input: LoadInput): Promise<Report> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await loadOnce(input);
    } catch (error) {
      // The releases with which this load was compared, or into which it was merged, are no longer current. Repeats the
      // load with the current ones.
      if (!(error instanceof BasisChangedError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function loadOnce(input: LoadInput): Promise<Report> {
  const { resumption, stagingDirectory, progress } = input;
  if (resumption !== undefined) return loadInFolder(join(resumption.folder, 'rows'), input);
  const work = WorkFolder.temporary(stagingDirectory, progress.log);
  try {
    return await loadInFolder(join(work.path, 'rows'), input);
  } finally {
    work.remove();
  }
}

async function loadInFolder(folder: string, input: LoadInput): Promise<Report> {
  const load = explainFullDisk(folder, () => startLoad(folder, input));
  try {
    const outcome = await runLoad(load).catch((error: unknown) => toRefusedOutcome(error, input));
    return await load.report(outcome);
  } catch (error) {
    if (error instanceof BasisChangedError) load.staging.discard();
    throw toFullDiskError(error, folder);
  } finally {
    load.staging.close();
    input.progress.done();
  }
}

/** The state shared by the steps of a load. */
type Load = Readonly<ReturnType<typeof startLoad>>;

function startLoad(folder: string, input: LoadInput) {
  const { files, resumption, rejectedDirectory, now } = input;
  const { log } = input.progress;
  const staging = new Staging(folder, { log, now, shouldStop: resumption?.shouldStop ?? (() => false) });
  const sink = rejectedDirectory === undefined ? undefined : staging;
  const findings = new SubmissionFindings(sink, staging.getState('notes', []));
  const report = createReporter({
    findings,
    rejectedDirectory,
    readRejectedRows: (name) => {
      const file = files.file(name);
      if (file === undefined) throw new Error(`${name} no longer exists`);
      return readRejectedRows(file, staging.readRejected(name));
    },
    readWarnings: (file) => staging.readWarnings(file),
    milliseconds: () => staging.milliseconds,
  });
  return { input, staging, findings, report };
}

/** Opens a submission, stages its rows, finds its owner, builds its data sets, and publishes or refuses them. */
async function runLoad(load: Load): Promise<LoadOutcome> {
  const { input, staging, findings } = load;
  const { files, isSample, progress, store } = input;
  const opened = await openSubmission(files, findings);
  if (!opened.ok) return buildRefusedOutcome(opened.problem);
  const metadata = opened.value;
  input.onMetadata?.(metadata);
  const submitted: RowSource = { files, name: 'own', role: 'replace', progress, findings, staging };
  const { sources, basis } = await findRowSources(submitted, metadata.mode, input);
  const staged = await readSubmission(sources, staging);
  const projectedRefusal = checkProjectedShare(findings, input.rejectedShareLimit);
  if (projectedRefusal !== undefined) return buildRefusedOutcome(projectedRefusal);
  const owner = findOrganization(staged, staging);
  if (!owner.ok) return buildRefusedOutcome(owner.problem);
  const organization = owner.value;
  const { OrganizationUUID: organizationUuid } = organization;
  const foreign = checkSender(organizationUuid, input.onlyOrganization);
  if (foreign !== undefined) return buildRefusedOutcome(foreign);
  // A rebuilt release keeps the statement of its original submission.
  const rebuiltStatement = input.rebuildOf?.submission;
  const dataSets = new DataSetsToPublish(store, {
    organizationUuid,
    isSample,
    basis,
    buildStatement:
      rebuiltStatement === undefined ? createStatementBuilder(files.name, metadata) : () => rebuiltStatement,
    columnLosses: findings.files.flatMap((file) => file.listColumnLosses()),
    isSubmitted: !isSample && input.rebuildOf === undefined,
    day: parseIsoDay(input.now().toISOString()),
  });
  try {
    const parts = {
      organization,
      staging,
      progress,
      findUseCategories: createUseCategoryLookup(readStagedUses(staging)),
    };
    for (const amounts of staged) {
      if (amounts.rows > 0) await dataSets.build({ ...parts, staged: amounts });
      else dataSets.keep(amounts.definition.kind);
    }
    const outcome = await publish(load, dataSets, { staged, metadata });
    if (metadata.mode === 'merge' && outcome.verdict === 'unchanged') noteOmittedLookups(findings);
    return outcome;
  } finally {
    await dataSets.abandonUnfinished();
  }
}

function publish(
  { input, findings, report }: Load,
  dataSets: DataSetsToPublish,
  { staged, metadata }: { readonly staged: readonly StagedAmounts[]; readonly metadata: SubmissionMetadata },
): Promise<LoadOutcome> {
  const code = input.confirmationCode ?? metadata.confirm ?? undefined;
  return dataSets.publish({
    confirmation: input.holdSubmissions === true ? { code } : undefined,
    isDryRun: input.isDryRun,
    refusal: checkRejectedShare(staged, input.rejectedShareLimit),
    rejectedRows: findings.files.reduce((sum, { rejected }) => sum + rejected, 0),
    at: input.now().toISOString(),
    note: (sentence) => {
      findings.note(sentence);
    },
    beforePublish: async (outcome, next) => input.beforePublish?.(await report(outcome), next),
  });
}

function toRefusedOutcome(error: unknown, { rebuildOf }: LoadInput): LoadOutcome {
  const isOutdated = error instanceof BasisChangedError && rebuildOf !== undefined;
  if (isOutdated || error instanceof UnreadableFileError) return buildRefusedOutcome(error.message);
  throw error;
}
