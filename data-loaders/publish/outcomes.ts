// The outcome of a load in the report: verdict, sentence and data sets.

import type { DataSetOutcome, LoadOutcome, Report } from '../format/report';
import { formatCount, formatNumber } from '../format/report-numbers';
import { computeConfirmationCode } from './holds';
import type { PublishOptions } from './publish-options';

/** The outcome of a data set that was built. */
export type BuiltDataSet = DataSetOutcome & { readonly outcome: 'published' | 'unchanged' | 'would-publish' };

/** The code that confirms data sets with holds; null if there are none. */
export function findConfirmationCode(built: readonly BuiltDataSet[]): string | null {
  const changed = built.filter(({ outcome }) => outcome !== 'unchanged');
  return changed.some(({ holds }) => holds.length > 0) ? computeConfirmationCode(changed) : null;
}

export function isHeld(built: readonly BuiltDataSet[], { confirmation }: PublishOptions): boolean {
  const code = findConfirmationCode(built);
  return confirmation !== undefined && code !== null && confirmation.code?.trim().toLowerCase() !== code;
}

/** `problem` continues the sentence "Refused: ". */
export function buildRefusedOutcome(problem: string, dataSets: readonly DataSetOutcome[] = []): LoadOutcome {
  return { verdict: 'refused', sentence: `Refused: ${problem}.`, dataVersion: null, confirmationCode: null, dataSets };
}

/** The report on a submission that was refused before its rows were read. */
export function buildRefusedReport(problem: string): Report {
  return { ...buildRefusedOutcome(problem), files: [], findings: [], notes: [], milliseconds: 0 };
}

export function toRefused(dataSet: DataSetOutcome): DataSetOutcome {
  if (dataSet.outcome !== 'would-publish') return dataSet;
  return { ...dataSet, outcome: 'refused', releaseId: null, holds: [] };
}

export function buildHeldOutcome(
  dataSets: readonly DataSetOutcome[],
  code: string | null,
  { isDryRun, confirmation }: PublishOptions,
): LoadOutcome {
  const verdict = isDryRun ? 'would-be-held' : 'held';
  const held = dataSets.map((dataSet): DataSetOutcome => {
    return dataSet.outcome === 'would-publish' ? { ...dataSet, outcome: verdict, releaseId: null } : dataSet;
  });
  const holds = held.flatMap(({ dataSet, holds: found }) => found.map(({ sentence }) => `${dataSet}: ${sentence}`));
  const given = confirmation?.code === undefined ? '' : ' The confirmation code does not match this submission.';
  const start = isDryRun ? 'Dry run: would be held' : 'Held';
  const sentence = `${start}: nothing is published until someone confirms it. ${holds.join(' ')}${given}`;
  return { verdict, sentence, dataVersion: null, confirmationCode: code, dataSets: held };
}

export function writeVerdictSentence(
  verdict: BuiltDataSet['outcome'],
  dataSets: readonly DataSetOutcome[],
  { rejectedRows }: PublishOptions,
): string {
  const built = dataSets.filter(({ outcome }) => outcome !== 'kept');
  const kept = dataSets.filter(({ outcome }) => outcome === 'kept').map(({ dataSet }) => dataSet);
  const rejected = rejectedRows === 0 ? '' : `; ${formatCount(rejectedRows, 'row')} rejected`;
  const [stay, file] =
    kept.length === 1 ? ['stays as it was', 'its file has'] : ['stay as they were', 'their files have'];
  const stays = kept.length === 0 ? '' : ` ${kept.join(' and ')} ${stay}: ${file} no row that could be accepted.`;
  const warnings = [...new Set(built.flatMap((dataSet) => dataSet.qualityWarnings.map(({ name }) => name)))];
  const advice = warnings.length === 0 ? '' : ` A person should look at it: ${warnings.join(', ')}.`;
  if (verdict === 'unchanged') {
    const names = built.map(({ dataSet, records }) => `${formatCount(records, 'record')} of ${dataSet}`).join(' and ');
    return `Nothing changes: ${names} are published already, exactly the same${rejected}.${stays}${advice}`;
  }
  const would = verdict === 'published' ? '' : ' would be published';
  const changes = built
    .filter(({ outcome }) => outcome !== 'unchanged')
    .map(({ dataSet, records, change }) => {
      const { added, removed, changed } = change ?? { added: records, removed: 0, changed: 0 };
      const against = `${formatNumber(added)} added, ${formatNumber(removed)} removed, ${formatNumber(changed)} changed`;
      return `${formatCount(records, 'record')} of ${dataSet}${would}: ${against}`;
    });
  return `${verdict === 'published' ? 'Published' : 'Dry run:'} ${changes.join('; ')}${rejected}.${stays}${advice}`;
}
