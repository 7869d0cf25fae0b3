// Totals of the matches of a search, in groups, across all releases (D38 to D40). No records are read: each release
// takes one pass over its columns, and the resulting cells are merged into rows.

import { buildConditionKey, type Condition } from '../query/condition';
import { evaluate } from '../search/evaluate';
import type { SearchCaches } from '../search/index/search-caches';
import type { CatalogRelease } from '../search/open-releases';
import { failure, type Result, success } from '../values/result';
import { scanRelease } from './scan-release';
import type { Statistics } from './statistics';
import { MAX_ROWS, type OrderedRows, type TotalsGroups, TotalsRows, type VariableMember } from './totals-rows';

export interface TotalsQuery extends TotalsGroups {
  readonly condition: Condition;
}

export interface GroupedTotals extends OrderedRows {
  /** The members of `variable` in each row, in order. */
  readonly variableMembers: readonly VariableMember[];
  readonly statistics: Statistics;
}

/** Approximate memory of a row, without its statistics. */
const ROW_BYTES = 100;

/**
 * Computes the rows, which stay in memory, so that all pages of a query are cut from the same rows (ADR 0062). A
 * failure is a sentence about GroupBy. Throws what a search throws.
 */
export async function computeTotals(
  releases: readonly CatalogRelease[],
  query: TotalsQuery,
  caches: SearchCaches,
): Promise<Result<GroupedTotals>> {
  const cache = caches.getCache<GroupedTotals>('totals');
  const key = buildTotalsKey(releases, query);
  const cached = cache.get(key);
  if (cached !== undefined) return success(cached);
  const totals = await computeRows(releases, query);
  if (totals.ok) cache.set(key, totals.value, totals.value.statistics.byteLength + totals.value.count * ROW_BYTES);
  return totals;
}

/** Builds the cache key. Releases never change, so the rows depend on nothing else. */
function buildTotalsKey(releases: readonly CatalogRelease[], { condition, groupBy, countsOnce }: TotalsQuery): string {
  const releaseIds = releases.map(({ reader, comparedWith }) => [
    reader.facts.releaseId,
    comparedWith?.facts.releaseId,
  ]);
  return JSON.stringify([releaseIds, buildConditionKey(condition), groupBy.map(({ name }) => name), countsOnce]);
}

async function computeRows(releases: readonly CatalogRelease[], query: TotalsQuery): Promise<Result<GroupedTotals>> {
  const rows = new TotalsRows(query);
  for (const release of releases) {
    const matches = await evaluate(query.condition, release);
    if (matches.size === 0) continue;
    const axes = await rows.createAxes(release);
    const scan = await scanRelease(release, matches, axes);
    if (scan === undefined || !rows.merge(scan, axes)) {
      return failure(`gives more than ${MAX_ROWS} rows; use fewer groups or more filters`);
    }
  }
  const { variableMembers, statistics } = rows;
  return success({ ...rows.sortRows(), variableMembers, statistics });
}
