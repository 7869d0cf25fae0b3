// One submission from its folder to what readers see, or to a report that says why not (submissions.md). Every way to start
// a load calls this one function.

import { basename, join, resolve } from 'node:path';
import type { Organization } from '../shared/records/organization';
import type { CatalogEntry, CatalogState } from '../shared/store/catalog-types';
import type { Store } from '../shared/store/port';
import { patiently } from '../shared/store/deadline';
import { stateName } from '../shared/values/states';
import type { RowOf } from './format/column';
import { UnreadableFileError } from './read/csv-records';
import type { beneficialUsesFile, organizationsFile } from './format/lookup-files';
import { filesNotRead } from './read/submission-folder';
import { METADATA_FILE, readMetadata, type SubmissionMetadata } from './format/submission-metadata';
import { publishAll, type LoadOutcome } from './publish/outcome';
import { DataSetsToPublish, statementOf, type StatementOf } from './publish/publish-data-sets';
import { amountsFileNames } from './format/amount-files';
import { amountDefinitions } from './format/amount-definitions';
import { useCategories } from './build/records/lookup-json';
import type { LoadProgress } from './stage/progress';
import type { Report } from './format/report';
import { Reporting } from './reporting';
import { Stopwatch } from './stage/stopwatch';
import { NO_CHECKPOINTS, StagedCheckpoints } from './stage/checkpoints';
import { Staging } from './stage/staging';
import type { FileFindings, RowFinding } from './format/findings';
import { rules } from './format/rules';
import { referencesOfRecords, stageAmounts, type StagedAmounts } from './read/amount-rows';
import { applyDeletions } from './read/lookup-deletions';
import type { ReadingContext } from './read/each-row';
import { LetterCases } from './read/letter-cases';
import { stageLookups } from './read/lookup-rows';
import { BasisChangedError, planReading } from './read/reading-plan';
import { acceptOrganizations, findOrganization, overRejectedShare, RefusedError } from './read/refusals';

export interface LoadInput {
  readonly folder: string;
  /** What the submission is called, for the catalog; as its folder when left out. */
  readonly name?: string;
  readonly store: Store;
  /** Where staging folders are made. */
  readonly stagingDirectory: string;
  /** The share of rejected rows of an amounts file above which the submission is refused (0 to 1). */
  readonly rejectedShareLimit: number;
  /** Where the rejected rows of each file are written; nowhere when left out. */
  readonly rejectedDirectory?: string;
  /** For a rebuild: the entry whose source rows are loaded anew; if it is not current any more, nothing is published. */
  readonly rebuildOf?: CatalogEntry;
  readonly isDryRun: boolean;
  readonly isSample: boolean;
  readonly progress: LoadProgress;
  readonly now: () => Date;
  /** Left out for a load that begins anew after each end. */
  readonly resumption?: Resumption;
  /** Hears of the report, and of the state that is to be current, before the publish; if it throws, nothing is published. */
  readonly beforePublish?: (report: Report, next: CatalogState) => Promise<void>;
}

/** How a load ends early and goes on (ADR 0021). */
export interface Resumption {
  /** What is staged stays there until somebody removes it. A load of the same files by the same program goes on from it. */
  readonly folder: string;
  /** Asked between batches of rows; when true, the load ends with a StoppedError. */
  readonly isToStop: () => boolean;
}

/** Other loads can publish between a merge's reading and its publishing; a few of them can be lucky in turn. */
const MAX_MERGES = 10;

/** Never throws for what is in the submission; throws when the store or the disk fails. */
export function loadSubmission(input: LoadInput): Promise<Report> {
  return patiently(() => loadOverWhatIsCurrent(input));
}

async function loadOverWhatIsCurrent(input: LoadInput): Promise<Report> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await loadOnce(input);
    } catch (error) {
      // What a merge was laid over is not current any more: it is laid over what is.
      if (!(error instanceof BasisChangedError) || attempt === MAX_MERGES) throw error;
    }
  }
}

async function loadOnce(input: LoadInput): Promise<Report> {
  const { folder, resumption, progress } = input;
  const staging =
    resumption === undefined
      ? Staging.temporary(input.stagingDirectory)
      : Staging.kept(join(resumption.folder, 'rows'));
  const checkpoints = resumption === undefined ? NO_CHECKPOINTS : new StagedCheckpoints(staging, resumption.isToStop);
  const context: ReadingContext = {
    ...{ folder, name: 'own', role: 'replace', progress, checkpoints, letterCases: new LetterCases(), files: [] },
    notes: filesNotRead(folder).map((name) => `${name} is not a file of the format and was not read.`),
    onRejected: (file, line, reasons) => {
      const rule = reasons.map((reason) => reason.rule).join(' ');
      staging.addRejected(file, line, rule, reasons.map(reasonText).join(' '));
    },
  };
  const stopwatch = new Stopwatch(input.now);
  checkpoints.attach('time', stopwatch);
  const reporting = new Reporting(input, context, staging, stopwatch);
  let isKept = resumption !== undefined;
  try {
    const outcome = await run(input, context, staging, reporting).catch((error: unknown) => refusalOf(error, input));
    return await reporting.report(outcome);
  } catch (error) {
    if (error instanceof BasisChangedError) isKept = false;
    throw error;
  } finally {
    if (isKept) staging.close();
    else staging.remove();
    progress.done();
  }
}

async function run(
  input: LoadInput,
  context: ReadingContext,
  staging: Staging,
  reporting: Reporting,
): Promise<LoadOutcome> {
  const read = readMetadata(input.folder);
  if (!read.ok) throw new RefusedError(read.problem);
  const { metadata, unknown } = read.value;
  if (unknown.length > 0)
    context.notes.push(`${METADATA_FILE}: members that are not known and not read: ${unknown.join(', ')}.`);
  const isMerge = metadata.mode === 'merge';
  const { contexts, basis } = await planReading(context, isMerge, input, staging);
  const { checkpoints } = context;
  const { organizations, deletions } = await stageLookups(contexts, staging, checkpoints);
  let staged: StagedAmounts[] = [];
  try {
    for (const definition of Object.values(amountDefinitions)) {
      const amounts = await stageAmounts(definition, contexts, staging, checkpoints);
      if (amounts !== undefined) staged.push(amounts);
    }
  } finally {
    acceptOrganizations(staged, organizations);
  }
  if (deletions.length > 0) {
    staged = staged.map((amounts) => ({ ...amounts, referenced: referencesOfRecords(amounts.definition, staging) }));
    applyDeletions(deletions, staged, staging);
  }
  noteFormerRows(contexts, context.notes);
  const organizationUuid = findOrganization(staged, staging);
  const built = new DataSetsToPublish(input.store, basis);
  try {
    await buildAll(input, staged, organizationOf(organizationUuid, staging), staging, built);
    const refusal = overRejectedShare(staged, input.rejectedShareLimit);
    const { isDryRun, isSample, now } = input;
    const outcome = await publishAll(built, staged, organizationUuid, {
      ...{ isDryRun, isSample, refusal, at: now().toISOString(), submissionOf: statementFor(input, metadata) },
      beforePublish: async (next, state) => input.beforePublish?.(await reporting.report(next), state),
    });
    if (isMerge && outcome.kind === 'unchanged') noteLookupsNotKept(context.files, context.notes);
    return outcome;
  } finally {
    await built.abandonUnfinished();
  }
}

/** A release is what can be asked for; lookup rows that nothing refers to change nothing of it. */
function noteLookupsNotKept(files: readonly FileFindings[], notes: string[]): void {
  const lookups = files.filter(({ file, accepted }) => accepted > 0 && !amountsFileNames.includes(file));
  if (lookups.length === 0) return;
  const names = lookups.map(({ file }) => file).join(', ');
  notes.push(
    `Nothing was published, so new rows of ${names} to which no amount refers were not kept: send them with the amounts that need them.`,
  );
}

/** Rows that were accepted once and are not now, because the submission changed what they refer to. */
function noteFormerRows(contexts: readonly ReadingContext[], notes: string[]): void {
  const formers = contexts.filter(({ role }) => role === 'former').flatMap(({ files }) => files);
  for (const { file, rejected } of formers) {
    if (rejected > 0)
      notes.push(`${file}: ${rejected} rows of the former release do not fit any more and are left out.`);
  }
}

function reasonText({ rule, column, value }: RowFinding): string {
  // Of a row as a whole only what another row is to it: itself it stands beside this text.
  if (column === null) return `${rules[rule].sentence}${rule === 'duplicate-amount' ? ` It is ${value}` : ''}`;
  return `${rules[rule].sentence} ${column}: ${value}`;
}

async function buildAll(
  input: LoadInput,
  staged: readonly StagedAmounts[],
  organization: Organization,
  staging: Staging,
  built: DataSetsToPublish,
): Promise<void> {
  const categoriesOf = useCategories(ownUseRows(staging));
  const { isSample, progress } = input;
  for (const amounts of staged) {
    if (amounts.rows === 0) continue;
    await built.build({ staged: amounts, organization, staging, categoriesOf, isSample, progress });
  }
}

/** A release that is made anew is still the submission's that it was. */
function statementFor({ folder, name, rebuildOf }: LoadInput, metadata: SubmissionMetadata): StatementOf {
  const ofFormer = rebuildOf?.submission;
  return ofFormer === undefined ? statementOf(name ?? basename(resolve(folder)), metadata) : () => ofFormer;
}

function organizationOf(organizationUuid: string, staging: Staging): Organization {
  const staged = staging.findLookup('organizations', organizationUuid);
  if (staged === undefined) throw new Error(`the organization ${organizationUuid} is not staged`);
  const { State: state, ...members } = JSON.parse(staged.row) as RowOf<typeof organizationsFile>; // Staged by stageLookups.
  return { ...members, OrganizationState: state, State: stateName(state) };
}

function* ownUseRows(staging: Staging): Iterable<RowOf<typeof beneficialUsesFile>> {
  for (const { row } of staging.lookups('beneficialuses')) {
    yield JSON.parse(row) as RowOf<typeof beneficialUsesFile>; // Staged by stageLookups.
  }
}

function refusalOf(error: unknown, { rebuildOf }: LoadInput): LoadOutcome {
  const isTooLate = error instanceof BasisChangedError && rebuildOf !== undefined;
  if (isTooLate || error instanceof RefusedError || error instanceof UnreadableFileError) {
    return { kind: 'refused', problem: error.message, dataSets: [] };
  }
  throw error;
}
