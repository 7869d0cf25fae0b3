// Finds columns whose values are lost because most of their cells cannot be read (D74). Does not need a previous
// release.

import type { DataSetKind } from '../../shared/records/data-sets';
import { amountDefinitions } from '../format/amount-definitions';
import type { ColumnLoss } from '../format/cell-losses';
import { HOLD_LIMITS } from '../format/hold-reasons';
import type { Hold } from '../format/report';
import { formatNumber, formatPercent } from '../format/report-numbers';
import { amountsFileNames, lookupFiles } from '../format/submission-files';

/** The holds for columns of the files from which a data set is built. */
export function findColumnHolds(kind: DataSetKind, losses: readonly ColumnLoss[]): readonly Hold[] {
  const { majorityShare, minCompared } = HOLD_LIMITS;
  return losses
    .filter(({ file }) => isFileOf(kind, file))
    .filter(({ lost, filled }) => filled >= minCompared && lost > filled * majorityShare)
    .map(toHold);
}

/**
 * Sentences for the first line of a report about columns that lost all of their values, whether or not the submission
 * is held because of them.
 */
export function describeLostColumns(losses: readonly ColumnLoss[]): readonly string[] {
  return losses.filter(({ lost, filled }) => lost >= filled).map(writeLossSentence);
}

function toHold(loss: ColumnLoss): Hold {
  const { file, column, lost, filled, examples } = loss;
  return {
    reason: 'column-unreadable',
    sentence: writeLossSentence(loss),
    count: lost,
    of: filled,
    examples: examples.map(({ line, value }) => ({
      identity: { File: file, Line: String(line) },
      member: column,
      before: value,
      after: null,
    })),
  };
}

function writeLossSentence({ file, column, lost, filled, unknown }: ColumnLoss): string {
  const counts = `${formatNumber(lost)} of ${formatNumber(filled)} in ${file}`;
  const all = lost >= filled;
  if (unknown === lost) {
    return all
      ? `No ${column} refers to a row of the submission: ${counts} do not.`
      : `Most ${column} refer to no row of the submission: ${counts} (${formatPercent(lost / filled)}).`;
  }
  return all
    ? `No ${column} could be read: ${counts} could not.`
    : `Most ${column} could not be read: ${counts} (${formatPercent(lost / filled)}).`;
}

/** All lookups except places belong to every data set. */
function isFileOf(kind: DataSetKind, file: string): boolean {
  const { file: amounts, placeTable } = amountDefinitions[kind];
  if (amountsFileNames.includes(file)) return file === amounts.name;
  if (file === lookupFiles.reportingunits.name) return placeTable === 'reportingunits';
  if (file === lookupFiles.sites.name || file === lookupFiles.relations.name) return placeTable === 'sites';
  return true;
}
