// What publishing the data sets of one submission came to: the verdict of its report, and the sentence that says it.

import { dataSetLayouts, DATA_SET_KINDS } from '../../shared/records/data-sets';
import type { CatalogState } from '../../shared/store/catalog-types';
import { NOT_COMPARED } from './comparison/release-comparison';
import type { AmountDefinition } from '../format/amount-definitions';
import type { DataSetOutcome, Report, Verdict } from '../format/report';
import type { StagedAmounts } from '../read/amount-rows';
import type { BuiltDataSet, BuiltDataSets, PublishOptions } from './built-data-sets';

export interface Outcome {
  readonly verdict: Verdict;
  readonly sentence: string;
  readonly dataVersion: string | null;
  readonly dataSets: readonly DataSetOutcome[];
}

export function refusedOutcome(problem: string, dataSets: readonly DataSetOutcome[] = []): Outcome {
  return { verdict: 'refused', sentence: `Refused: ${problem}.`, dataVersion: null, dataSets };
}

/** The report of a submission that is refused without being read; `problem` is a sentence without its full stop. */
export function refusedReport(problem: string): Report {
  return { ...refusedOutcome(problem), files: [], findings: [], notes: [], milliseconds: 0 };
}

export interface PublishAllOptions extends Omit<PublishOptions, 'beforePublish'> {
  /** Hears of the outcome that the next step gives; if it throws, nothing is published. */
  readonly beforePublish: (outcome: Outcome, next: CatalogState) => Promise<void>;
  /** Why nothing may be published of what was built; its report says what would have changed all the same. */
  readonly refusal: string | undefined;
}

export async function publishAll(
  built: BuiltDataSets,
  staged: readonly StagedAmounts[],
  organizationUuid: string,
  { refusal, ...options }: PublishAllOptions,
): Promise<Outcome> {
  const isDryRun = options.isDryRun || refusal !== undefined;
  const outcomeOf = (outcomes: readonly BuiltDataSet[], dataVersion: string): Outcome => {
    const kept = staged
      .filter(({ rows }) => rows === 0)
      .map(({ definition }) => keptDataSet(organizationUuid, definition));
    const dataSets = [...outcomes, ...kept].sort(
      (a, b) => DATA_SET_KINDS.indexOf(a.dataSet) - DATA_SET_KINDS.indexOf(b.dataSet),
    );
    if (refusal !== undefined) return refusedOutcome(refusal, dataSets.map(refusedDataSet));
    const verdict = verdictOf(outcomes, isDryRun);
    return { verdict, sentence: sentenceOf(verdict, outcomes), dataVersion, dataSets };
  };
  const { outcomes, version } = await built.publish({
    ...options,
    isDryRun,
    beforePublish: (next, state) => options.beforePublish(outcomeOf(next, state.version), state),
  });
  return outcomeOf(outcomes, version);
}

function refusedDataSet(dataSet: DataSetOutcome): DataSetOutcome {
  return dataSet.outcome === 'would-publish' ? { ...dataSet, outcome: 'refused', releaseId: null } : dataSet;
}

function keptDataSet(organizationUuid: string, { kind }: AmountDefinition): DataSetOutcome {
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
  const smells = [...new Set(published.flatMap((dataSet) => dataSet.smells.map(({ smell }) => smell)))];
  const look = smells.length === 0 ? '' : ` A person should look at it: ${smells.join(', ')}.`;
  return verdict === 'published' ? `Published ${names}.${look}` : `Dry run: ${names} would be published.${look}`;
}
