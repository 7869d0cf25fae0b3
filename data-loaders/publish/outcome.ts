// The outcome of a load, and how the report says it: its verdict, its sentence and its data sets.

import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import type { CatalogState } from '../../shared/store/catalog-types';
import type { DataSetOutcome, Report } from '../format/report';
import type { StagedAmounts } from '../read/amount-rows';
import { NOT_COMPARED } from './comparison/release-comparison';
import type { BuiltDataSet, DataSetsToPublish, PublishOptions } from './publish-data-sets';

export type LoadOutcome =
  | { readonly kind: 'refused'; readonly problem: string; readonly dataSets: readonly DataSetOutcome[] }
  | {
      readonly kind: BuiltDataSet['outcome'];
      /** The data version of the state that is as the outcome says. */
      readonly dataVersion: string;
      readonly dataSets: readonly DataSetOutcome[];
    };

/** The members of a report that follow from the outcome. */
export function outcomeMembers(
  outcome: LoadOutcome,
): Pick<Report, 'verdict' | 'sentence' | 'dataVersion' | 'dataSets'> {
  const { kind: verdict, dataSets } = outcome;
  if (outcome.kind === 'refused') {
    return { verdict, sentence: `Refused: ${outcome.problem}.`, dataVersion: null, dataSets };
  }
  return { verdict, sentence: sentenceOf(outcome.kind, dataSets), dataVersion: outcome.dataVersion, dataSets };
}

/** The report on a submission whose rows were not read; `problem` continues the sentence "Refused: ". */
export function refusedReport(problem: string): Report {
  const members = outcomeMembers({ kind: 'refused', problem, dataSets: [] });
  return { ...members, files: [], findings: [], notes: [], milliseconds: 0 };
}

interface PublishAllOptions extends Omit<PublishOptions, 'beforePublish'> {
  /** Called with the outcome that the next step will have; if it throws, nothing is published. */
  readonly beforePublish: (outcome: LoadOutcome, next: CatalogState) => Promise<void>;
  /** Why nothing of what was built may be published. The report says all the same what would have changed. */
  readonly refusal: string | undefined;
}

export async function publishAll(
  dataSets: DataSetsToPublish,
  staged: readonly StagedAmounts[],
  organizationUuid: string,
  { refusal, ...options }: PublishAllOptions,
): Promise<LoadOutcome> {
  const isDryRun = options.isDryRun || refusal !== undefined;
  const empty = staged.filter(({ rows }) => rows === 0).map(({ definition }) => definition.kind);
  const outcomeOf = (built: readonly BuiltDataSet[], dataVersion: string): LoadOutcome => {
    const all = [...built, ...empty.map((kind) => keptDataSet(organizationUuid, kind))].sort(
      (a, b) => DATA_SET_KINDS.indexOf(a.dataSet) - DATA_SET_KINDS.indexOf(b.dataSet),
    );
    if (refusal !== undefined) return { kind: 'refused', problem: refusal, dataSets: all.map(refusedDataSet) };
    const isUnchanged = built.every(({ outcome }) => outcome === 'unchanged');
    return { kind: isUnchanged ? 'unchanged' : isDryRun ? 'would-publish' : 'published', dataVersion, dataSets: all };
  };
  const { outcomes, version } = await dataSets.publish({
    ...options,
    isDryRun,
    beforePublish: (next, state) => options.beforePublish(outcomeOf(next, state.version), state),
  });
  return outcomeOf(outcomes, version);
}

function refusedDataSet(dataSet: DataSetOutcome): DataSetOutcome {
  return dataSet.outcome === 'would-publish' ? { ...dataSet, outcome: 'refused', releaseId: null } : dataSet;
}

/** A data set whose file has no accepted row stays as it was. */
function keptDataSet(organizationUuid: string, dataSet: DataSetKind): DataSetOutcome {
  const none = { releaseId: null, formerReleaseId: null, ...NOT_COMPARED };
  return { organizationUuid, dataSet, records: 0, outcome: 'kept', ...none };
}

function sentenceOf(kind: BuiltDataSet['outcome'], dataSets: readonly DataSetOutcome[]): string {
  const built = dataSets.filter(({ outcome }) => outcome !== 'kept');
  const names = built
    .filter(({ outcome }) => kind === 'unchanged' || outcome !== 'unchanged')
    .map(({ dataSet, records }) => `${records.toLocaleString('en-US')} records of ${dataSet}`)
    .join(' and ');
  if (kind === 'unchanged') return `Nothing changes: ${names} are published already, exactly the same.`;
  const smells = [...new Set(built.flatMap((dataSet) => dataSet.smells.map(({ smell }) => smell)))];
  const look = smells.length === 0 ? '' : ` A person should look at it: ${smells.join(', ')}.`;
  return kind === 'published' ? `Published ${names}.${look}` : `Dry run: ${names} would be published.${look}`;
}
