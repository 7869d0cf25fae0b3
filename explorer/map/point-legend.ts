// The legend of single places, from the answers of the session.

import type { CountedValue } from '../requests/facets';
import type { PointCounts } from '../requests/point-counts';
import type { Session } from '../session/session';
import { DECADE_COLOR } from '../state/kinds';
import { getPlaceColor } from '../state/map-kinds';
import { buildDecadeLegend, buildLegend, buildUndatedEntry, isSeveral, type MapLegendEntry } from './legend-colors';

function listSingleValues(counts: PointCounts | undefined): readonly CountedValue[] {
  return (counts?.values ?? []).flatMap(([value, count]) =>
    typeof value === 'string' && !isSeveral(value) ? [{ Value: value, Count: count }] : [],
  );
}

/** Undefined until the points are counted by the values that color the map. Counts by another member are not used. */
export function getPointCounts({ state, pointCounts }: Session): PointCounts | undefined {
  const { latest } = pointCounts;
  return latest?.member === getPlaceColor(state.value)?.member ? latest : undefined;
}

/** Undefined for areas, and until the values are known. */
export function buildPointLegend(
  session: Session,
  isDark: boolean,
  formatValue: (filter: string, value: string) => string = (_, value) => value,
): readonly MapLegendEntry[] | undefined {
  const { state, facets } = session;
  const color = getPlaceColor(state.value);
  if (color === undefined) return undefined;
  const counts = getPointCounts(session);
  if (color.filter === DECADE_COLOR) return [...buildDecadeLegend(isDark, counts), buildUndatedEntry(counts)];
  const facet = facets.latest?.Facets.find(({ Name }) => Name === color.filter);
  // Without a key, only the counts from the tiles are available.
  if (facet === undefined && counts === undefined) return undefined;
  const values = {
    values: facet?.Values ?? listSingleValues(counts),
    moreValues: facet?.MoreValues ?? 0,
    counts,
  };
  return buildLegend(color.filter, values, (value) => formatValue(color.filter, value));
}
