// Totals of what a search finds, in groups, over all releases (D38 to D40). No record is read: each release is one pass
// over its columns, whose cells are then merged into rows.

import { conditionKey, type Condition } from '../query/condition';
import type { Grouping } from '../query/groupings';
import type { DataSetKind } from '../records/data-sets';
import type { ReadRelease } from '../search/plan-page';
import { columnDirectoryOf } from '../search/release/release-columns';
import { vocabularyOf } from '../search/release/release-index';
import type { SearchCaches } from '../search/search-caches';
import { evaluate } from '../search/evaluate';
import { failure, success, type Result } from '../values/result';
import { scanRelease } from './scan/scan';
import type { Statistics } from './scan/statistics';
import { MOST_ROWS, TotalsRows, type OrderedRows, type VariableMember } from './totals-rows';

export interface GroupedTotals extends OrderedRows {
  /** What `variable` of the rows holds, in order. */
  readonly variableMembers: readonly VariableMember[];
  readonly statistics: Statistics;
}

export interface TotalsQuery {
  readonly dataSet: DataSetKind;
  readonly condition: Condition;
  readonly groupBy: readonly Grouping[];
}

/** What a row takes in memory beside its statistics, about: its values and its place in the order. */
const ROW_BYTES = 100;

/**
 * A failure is a sentence about GroupBy. Throws as a search does. The rows stay in memory, so that all pages of a query
 * are cut from them (ADR 0079).
 */
export async function computeTotals(
  releases: readonly ReadRelease[],
  query: TotalsQuery,
  caches: SearchCaches,
): Promise<Result<GroupedTotals>> {
  const cache = caches.partOf<GroupedTotals>('totals');
  const key = keyOf(releases, query);
  const known = cache.get(key);
  if (known !== undefined) return success(known);
  const totals = await addUp(releases, query, caches);
  if (totals.ok) cache.set(key, totals.value, totals.value.statistics.byteLength + totals.value.count * ROW_BYTES);
  return totals;
}

/** What the rows follow from; releases never change. */
function keyOf(releases: readonly ReadRelease[], { condition, groupBy }: TotalsQuery): string {
  const read = releases.map(({ reader, comparedWith }) => [reader.facts.releaseId, comparedWith?.facts.releaseId]);
  return JSON.stringify([read, conditionKey(condition), groupBy.map(({ name }) => name)]);
}

async function addUp(
  releases: readonly ReadRelease[],
  { dataSet, condition, groupBy }: TotalsQuery,
  caches: SearchCaches,
): Promise<Result<GroupedTotals>> {
  const rows = new TotalsRows(dataSet, groupBy);
  for (const release of releases) {
    const { reader } = release;
    const found = await evaluate(condition, release, caches);
    if (found.size === 0) continue;
    const directory = await columnDirectoryOf(reader, caches);
    const axes = await rows.axesOf({ reader, caches, directory, vocabulary: await vocabularyOf(reader, caches) });
    const scan = await scanRelease({ reader, found, caches }, axes);
    if (scan === undefined || !rows.merge(scan, axes)) {
      return failure(`gives more than ${MOST_ROWS} rows; ask for fewer groups, or filter more`);
    }
  }
  const { variableMembers, statistics } = rows;
  return success({ ...rows.inOrder(), variableMembers, statistics });
}
