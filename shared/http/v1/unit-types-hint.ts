// Writes the sentence in the header Query-Hint about totals that add up reporting units of different types, such as
// counties and the watersheds that overlap them (D78).

import { computeTotals, type TotalsQuery } from '../../aggregate/totals';
import { createTermFilter } from '../../query/filters';
import type { Grouping } from '../../query/groupings';
import type { SearchCaches } from '../../search/index/search-caches';
import type { CatalogRelease } from '../../search/open-releases';
import { encodeForHeader } from './header-text';

/** A header line has room for this many types. */
const MAX_TYPES = 8;

/**
 * Undefined if no row combines units of several types. `rowCount` is the number of rows in the totals. Throws what a
 * search throws.
 */
export async function findUnitTypesHint(
  releases: readonly CatalogRelease[],
  query: TotalsQuery,
  rowCount: number,
  caches: SearchCaches,
): Promise<string | undefined> {
  if (query.dataSet !== 'AggregatedAmounts') return undefined;
  const filter = createTermFilter('reportingUnitType', query.dataSet);
  const tellsApart = query.groupBy.some(({ name }) => name === filter.name || name === 'ReportingUnitUUID');
  if (tellsApart) return undefined;
  const unitType: Grouping = { kind: 'term', name: filter.name, filter, canOverlap: false };
  const byType = await computeTotals(releases, { ...query, groupBy: [...query.groupBy, unitType] }, caches);
  if (byType.ok && byType.value.count === rowCount) return undefined;
  const types = byType.ok
    ? new Set(byType.value.page(0, byType.value.count).map(({ groups }) => groups.at(-1) ?? 'none'))
    : new Set<string>();
  const named = [...types].slice(0, MAX_TYPES).map(encodeForHeader).join(', ');
  return (
    `These totals add up reporting units of different types${named === '' ? '' : ` (${named})`}, which may overlap. ` +
    `Choose one with ${filter.name}, or add GroupBy=${filter.name}.`
  );
}
