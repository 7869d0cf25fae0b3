// Totals of what a search finds, in groups, over all releases (D38 to D40). No record is read: each release is one pass
// over its columns, whose cells are then merged into rows.

import { criteriaKey, type Criteria } from '../query/criteria';
import type { Grouping } from '../query/groupings';
import type { DataSetKind } from '../records/data-sets';
import type { ReadRelease } from '../search/plan-page';
import { columnDirectoryOf } from '../search/release-columns';
import { vocabularyOf } from '../search/release-index';
import type { SearchCaches } from '../search/search-caches';
import { searchRelease } from '../search/search-release';
import { failure, success, type Result } from '../values/result';
import { scanRelease } from './scan';
import type { Statistics } from './statistics';
import { MOST_ROWS, TotalsRows, type OrderedRows, type VariableMember } from './totals-rows';

export interface GroupedTotals extends OrderedRows {
  /** What `variable` of the rows holds, in order. */
  readonly variableMembers: readonly VariableMember[];
  readonly statistics: Statistics;
}

export interface TotalsQuery {
  readonly dataSet: DataSetKind;
  readonly criteria: Criteria;
  readonly groupBy: readonly Grouping[];
}

/** A failure is a sentence about GroupBy. Throws as a search does. */
export async function computeTotals(
  releases: readonly ReadRelease[],
  { dataSet, criteria, groupBy }: TotalsQuery,
  caches: SearchCaches,
): Promise<Result<GroupedTotals>> {
  const rows = new TotalsRows(dataSet, groupBy);
  const key = criteriaKey(criteria);
  for (const release of releases) {
    const { reader } = release;
    const found = await searchRelease(release, criteria, key, caches);
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
