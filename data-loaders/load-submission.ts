// One submission from its folder to what readers see, or to a report that says why not (submissions.md). Every way to start
// a load calls this one function.

import { basename, resolve } from 'node:path';
import { dataSetLayouts, DATA_SET_KINDS } from '../shared/records/data-sets';
import type { Organization } from '../shared/records/organization';
import type { CatalogEntry } from '../shared/store/catalog-types';
import type { Store } from '../shared/store/port';
import { stateName } from '../shared/values/states';
import type { RowOf } from './parse/column';
import { UnreadableFileError } from './parse/csv-records';
import type { beneficialUsesFile, organizationsFile } from './parse/lookup-files';
import { filesNotRead } from './parse/submission-folder';
import { METADATA_FILE, readMetadata, type SubmissionMetadata } from './parse/submission-metadata';
import { NOT_COMPARED } from './compare/release-comparison';
import { buildRelease } from './publish/build-release';
import { BasisChangedError, BuiltDataSets, type BuiltDataSet } from './publish/built-data-sets';
import { statementOf, type StatementOf } from './publish/submission-statement';
import { amountsFileNames } from './parse/amount-files';
import { aggregatedAmountRecipe } from './records/aggregated-amount';
import { anyRecipe, type AmountRecipe } from './records/recipe';
import { siteVariableAmountRecipe } from './records/site-variable-amount';
import { useCategories } from './records/use-categories';
import { waterAllocationRecipe } from './records/water-allocation';
import type { LoadProgress } from './report/progress';
import type { DataSetOutcome, Report, Verdict } from './report/report';
import { Staging } from './stage/staging';
import { writeRejectedRows } from './report/write-rejected';
import type { FileFindings, RowFinding } from './report/findings';
import { rules } from './report/rules';
import { writeFormerReleases } from './parse/former-release';
import { referencesOfRecords, stageAmounts, type StagedAmounts } from './validate/amount-rows';
import { applyDeletions } from './validate/lookup-deletions';
import type { ReadingContext } from './validate/each-row';
import { LetterCases } from './validate/letter-cases';
import { stageLookups } from './validate/lookup-rows';
import { acceptOrganizations, findOrganization, RefusedError, refuseOverRejectedShare } from './validate/refusals';

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
}

const recipes: readonly AmountRecipe[] = [
  anyRecipe(siteVariableAmountRecipe),
  anyRecipe(aggregatedAmountRecipe),
  anyRecipe(waterAllocationRecipe),
];

interface Outcome {
  readonly verdict: Verdict;
  readonly sentence: string;
  readonly dataVersion: string | null;
  readonly dataSets: readonly DataSetOutcome[];
}

/** Other loads can publish between a merge's reading and its publishing; a few of them can be lucky in turn. */
const MAX_MERGES = 10;

/** Never throws for what is in the submission; throws when the store or the disk fails. */
export async function loadSubmission(input: LoadInput): Promise<Report> {
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
  const startedAt = input.now().getTime();
  const staging = new Staging(input.stagingDirectory);
  const context: ReadingContext = {
    folder: input.folder,
    role: 'replace',
    progress: input.progress,
    letterCases: new LetterCases(),
    files: [],
    notes: filesNotRead(input.folder).map((name) => `${name} is not a file of the format and was not read.`),
    onRejected: (file, line, reasons) => {
      const rule = reasons.map((reason) => reason.rule).join(' ');
      staging.addRejected(file, line, rule, reasons.map(reasonText).join(' '));
    },
  };
  try {
    const outcome = await run(input, context, staging).catch((error: unknown) => refusalOf(error, input));
    const { folder, rejectedDirectory } = input;
    if (rejectedDirectory !== undefined) await writeRejectedRows(folder, context.files, staging, rejectedDirectory);
    return {
      ...outcome,
      files: context.files.map((file) => file.counted()),
      findings: context.files.flatMap((file) => file.listed()),
      notes: context.notes,
      milliseconds: input.now().getTime() - startedAt,
    };
  } finally {
    staging.close();
    input.progress.done();
  }
}

async function run(input: LoadInput, context: ReadingContext, staging: Staging): Promise<Outcome> {
  const read = readMetadata(input.folder);
  if (!read.ok) throw new RefusedError(read.problem);
  const { metadata, unknown } = read.value;
  if (unknown.length > 0)
    context.notes.push(`${METADATA_FILE}: members that are not known and not read: ${unknown.join(', ')}.`);
  const isMerge = metadata.mode === 'merge';
  const { contexts, basis } = isMerge ? await mergeContexts(input, context, staging) : replaceContexts(input, context);
  const { organizations, deletions } = await stageLookups(contexts, staging);
  let staged: StagedAmounts[] = [];
  try {
    for (const recipe of recipes) {
      const amounts = await stageAmounts(recipe, contexts, staging);
      if (amounts !== undefined) staged.push(amounts);
    }
  } finally {
    acceptOrganizations(staged, organizations);
  }
  if (deletions.length > 0) {
    staged = staged.map((amounts) => ({ ...amounts, referenced: referencesOfRecords(amounts.recipe, staging) }));
    applyDeletions(deletions, staged, staging);
  }
  noteFormerRows(contexts, context.notes);
  const organizationUuid = findOrganization(staged, staging);
  const built = new BuiltDataSets(input.store, basis);
  try {
    await buildAll(input, staged, organizationOf(organizationUuid, staging), staging, built);
    refuseOverRejectedShare(staged, input.rejectedShareLimit);
    const outcome = await publishAll(input, built, staged, organizationUuid, statementFor(input, metadata));
    if (isMerge && outcome.verdict === 'unchanged') noteLookupsNotKept(context.files, context.notes);
    return outcome;
  } finally {
    await built.abandonUnfinished();
  }
}

/** What is read, and what was current when it was. */
interface ReadingPlan {
  readonly contexts: readonly ReadingContext[];
  readonly basis: readonly CatalogEntry[] | undefined;
}

function replaceContexts({ rebuildOf }: LoadInput, context: ReadingContext): ReadingPlan {
  return { contexts: [context], basis: rebuildOf === undefined ? undefined : [rebuildOf] };
}

/** The submission's own files first: of two rows of one key the newer wins. */
async function mergeContexts(input: LoadInput, context: ReadingContext, staging: Staging): Promise<ReadingPlan> {
  const former = await writeFormerReleases(input.folder, input.store, input.isSample, staging.folder);
  const contexts = former.folders.map((folder): ReadingContext => {
    const own = { letterCases: new LetterCases(), files: [], notes: [], onRejected: () => undefined };
    return { folder, role: 'former', progress: input.progress, ...own };
  });
  return { contexts: [{ ...context, role: 'merge' }, ...contexts], basis: former.entries };
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
  built: BuiltDataSets,
): Promise<void> {
  const categoriesOf = useCategories(ownUseRows(staging));
  for (const amounts of staged) {
    if (amounts.rows === 0) continue;
    const writer = await built.start();
    const comparison = await built.compare(amounts.recipe.kind, organization, input.isSample, categoriesOf);
    const { progress } = input;
    built.add(
      writer,
      await buildRelease({ staged: amounts, organization, staging, writer, categoriesOf, comparison, progress }),
    );
  }
}

async function publishAll(
  input: LoadInput,
  built: BuiltDataSets,
  staged: readonly StagedAmounts[],
  organizationUuid: string,
  submissionOf: StatementOf,
): Promise<Outcome> {
  const { store, isDryRun, isSample, now } = input;
  const published = await built.publish({ isDryRun, isSample, at: now().toISOString(), submissionOf });
  const kept = staged
    .filter(({ rows }) => rows === 0)
    .map(({ recipe }): DataSetOutcome => keptDataSet(organizationUuid, recipe));
  const dataSets = [...published, ...kept].sort(
    (a, b) => DATA_SET_KINDS.indexOf(a.dataSet) - DATA_SET_KINDS.indexOf(b.dataSet),
  );
  const state = await store.currentState();
  const verdict = verdictOf(published, isDryRun);
  return { verdict, sentence: sentenceOf(verdict, published), dataVersion: state.version, dataSets };
}

/** A release that is made anew is still the submission's that it was. */
function statementFor({ folder, name, rebuildOf }: LoadInput, metadata: SubmissionMetadata): StatementOf {
  const ofFormer = rebuildOf?.submission;
  return ofFormer === undefined ? statementOf(name ?? basename(resolve(folder)), metadata) : () => ofFormer;
}

function keptDataSet(organizationUuid: string, { kind }: AmountRecipe): DataSetOutcome {
  const none = { releaseId: null, formerReleaseId: null, ...NOT_COMPARED };
  return { organizationUuid, dataSet: dataSetLayouts[kind].kind, records: 0, outcome: 'kept', ...none };
}

function verdictOf(published: readonly BuiltDataSet[], isDryRun: boolean): Verdict {
  if (published.every(({ outcome }) => outcome === 'unchanged')) return 'unchanged';
  return isDryRun ? 'would-publish' : 'published';
}

function sentenceOf(verdict: Verdict, published: readonly BuiltDataSet[]): string {
  const names = published
    .filter(({ outcome }) => verdict === 'unchanged' || outcome !== 'unchanged')
    .map(({ dataSet, records }) => `${records.toLocaleString('en-US')} records of ${dataSet}`)
    .join(' and ');
  if (verdict === 'unchanged') return `Nothing changes: ${names} are published already, exactly the same.`;
  return verdict === 'published' ? `Published ${names}.` : `Dry run: ${names} would be published.`;
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

function refusalOf(error: unknown, { rebuildOf }: LoadInput): Outcome {
  const isTooLate = error instanceof BasisChangedError && rebuildOf !== undefined;
  if (isTooLate || error instanceof RefusedError || error instanceof UnreadableFileError) {
    return { verdict: 'refused', sentence: `Refused: ${error.message}.`, dataVersion: null, dataSets: [] };
  }
  throw error;
}
