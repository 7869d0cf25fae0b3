// One submission from its folder to what readers see, or to a report that says why not (submissions.md). Every way to start
// a load calls this one function.

import { dataSetLayouts, DATA_SET_KINDS } from '../shared/records/data-sets';
import type { Organization } from '../shared/records/organization';
import type { Store } from '../shared/store/port';
import { stateName } from '../shared/values/states';
import type { RowOf } from './parse/column';
import { UnreadableFileError } from './parse/csv-records';
import type { beneficialUsesFile, organizationsFile } from './parse/lookup-files';
import { filesNotRead, readMetadata } from './parse/submission-folder';
import { buildRelease } from './publish/build-release';
import { BuiltDataSets, type BuiltDataSet } from './publish/built-data-sets';
import { aggregatedAmountRecipe } from './records/aggregated-amount';
import { anyRecipe, type AmountRecipe } from './records/recipe';
import { siteVariableAmountRecipe } from './records/site-variable-amount';
import { useCategories } from './records/use-categories';
import { waterAllocationRecipe } from './records/water-allocation';
import type { LoadProgress } from './report/progress';
import type { DataSetOutcome, Report, Verdict } from './report/report';
import { Staging } from './stage/staging';
import { stageAmounts, type StagedAmounts } from './validate/amount-rows';
import type { ReadingContext } from './validate/each-row';
import { LetterCases } from './validate/letter-cases';
import { stageLookups } from './validate/lookup-rows';
import { acceptOrganizations, findOrganization, RefusedError, refuseOverRejectedShare } from './validate/refusals';

export interface LoadInput {
  readonly folder: string;
  readonly store: Store;
  /** Where staging folders are made. */
  readonly stagingDirectory: string;
  /** The share of rejected rows of an amounts file above which the submission is refused (0 to 1). */
  readonly rejectedShareLimit: number;
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

/** Never throws for what is in the submission; throws when the store or the disk fails. */
export async function loadSubmission(input: LoadInput): Promise<Report> {
  const startedAt = input.now().getTime();
  const context: ReadingContext = {
    folder: input.folder,
    progress: input.progress,
    letterCases: new LetterCases(),
    files: [],
    notes: filesNotRead(input.folder).map((name) => `${name} is not a file of the format and was not read.`),
  };
  const staging = new Staging(input.stagingDirectory);
  try {
    const outcome = await run(input, context, staging).catch(refusalOf);
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
  const metadata = readMetadata(input.folder);
  if (!metadata.ok) throw new RefusedError(metadata.problem);
  if (metadata.value.mode === 'merge') {
    throw new RefusedError('submission.json asks for the mode "merge", which this version cannot take in yet');
  }
  const organizations = await stageLookups(context, staging);
  const staged: StagedAmounts[] = [];
  try {
    for (const recipe of recipes) {
      const amounts = await stageAmounts(recipe, context, staging);
      if (amounts !== undefined) staged.push(amounts);
    }
  } finally {
    acceptOrganizations(staged, organizations);
  }
  const organization = findOrganization(staged, organizations);
  const built = new BuiltDataSets(input.store);
  try {
    await buildAll(input, staged, organizationOf(organization.row), staging, built);
    refuseOverRejectedShare(staged, input.rejectedShareLimit);
    return await publishAll(input, built, staged, organization.row.OrganizationUUID);
  } finally {
    await built.abandonUnfinished();
  }
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
    if (amounts.findings.accepted === 0) continue;
    const writer = await built.start();
    built.add(
      writer,
      await buildRelease({ staged: amounts, organization, staging, writer, categoriesOf, progress: input.progress }),
    );
  }
}

async function publishAll(
  input: LoadInput,
  built: BuiltDataSets,
  staged: readonly StagedAmounts[],
  organizationUuid: string,
): Promise<Outcome> {
  const { store, isDryRun, isSample, now } = input;
  const published = await built.publish({ isDryRun, isSample, at: now().toISOString() });
  const kept = staged
    .filter(({ findings }) => findings.accepted === 0)
    .map(({ recipe }): DataSetOutcome => keptDataSet(organizationUuid, recipe));
  const dataSets = [...published, ...kept].sort(
    (a, b) => DATA_SET_KINDS.indexOf(a.dataSet) - DATA_SET_KINDS.indexOf(b.dataSet),
  );
  const state = await store.currentState();
  const verdict = verdictOf(published, isDryRun);
  return { verdict, sentence: sentenceOf(verdict, published), dataVersion: state.version, dataSets };
}

function keptDataSet(organizationUuid: string, { kind }: AmountRecipe): DataSetOutcome {
  const none = { releaseId: null, formerReleaseId: null, change: null };
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

function organizationOf(row: RowOf<typeof organizationsFile>): Organization {
  const { State: state, ...members } = row;
  return { ...members, OrganizationState: state, State: stateName(state) };
}

function* ownUseRows(staging: Staging): Iterable<RowOf<typeof beneficialUsesFile>> {
  for (const { row } of staging.lookups('beneficialuses')) {
    yield JSON.parse(row) as RowOf<typeof beneficialUsesFile>; // Staged by stageLookups.
  }
}

function refusalOf(error: unknown): Outcome {
  if (error instanceof RefusedError || error instanceof UnreadableFileError) {
    return { verdict: 'refused', sentence: `Refused: ${error.message}.`, dataVersion: null, dataSets: [] };
  }
  throw error;
}
