// What publishing the data sets of one submission came to: the verdict of its report, and the sentence that says it.

import { dataSetLayouts, DATA_SET_KINDS } from '../../shared/records/data-sets';
import type { CatalogState } from '../../shared/store/catalog-types';
import { NOT_COMPARED } from '../compare/release-comparison';
import type { AmountRecipe } from '../records/recipe';
import type { DataSetOutcome, Verdict } from '../report/report';
import type { StagedAmounts } from '../validate/amount-rows';
import type { BuiltDataSet, BuiltDataSets, PublishOptions } from './built-data-sets';

export interface Outcome {
  readonly verdict: Verdict;
  readonly sentence: string;
  readonly dataVersion: string | null;
  readonly dataSets: readonly DataSetOutcome[];
}

export interface PublishAllOptions extends Omit<PublishOptions, 'beforePublish'> {
  /** Hears of the outcome that the next step gives; if it throws, nothing is published. */
  readonly beforePublish: (outcome: Outcome, next: CatalogState) => Promise<void>;
}

export async function publishAll(
  built: BuiltDataSets,
  staged: readonly StagedAmounts[],
  organizationUuid: string,
  options: PublishAllOptions,
): Promise<Outcome> {
  const outcomeOf = (outcomes: readonly BuiltDataSet[], dataVersion: string): Outcome => {
    const kept = staged.filter(({ rows }) => rows === 0).map(({ recipe }) => keptDataSet(organizationUuid, recipe));
    const dataSets = [...outcomes, ...kept].sort(
      (a, b) => DATA_SET_KINDS.indexOf(a.dataSet) - DATA_SET_KINDS.indexOf(b.dataSet),
    );
    const verdict = verdictOf(outcomes, options.isDryRun);
    return { verdict, sentence: sentenceOf(verdict, outcomes), dataVersion, dataSets };
  };
  const { outcomes, version } = await built.publish({
    ...options,
    beforePublish: (next, state) => options.beforePublish(outcomeOf(next, state.version), state),
  });
  return outcomeOf(outcomes, version);
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
