// The legend of single places, from the answers of the session.

import type { Session } from '../session/session';
import { DECADE_COLOR } from '../state/kinds';
import { getPlaceColor } from '../state/map-kinds';
import { buildDecadeLegend, buildLegend, buildUndatedEntry, type MapLegendEntry } from './legend-colors';

/** Undefined for areas, and until the values are known. */
export function buildPointLegend(
  { state, facets, pointCounts }: Session,
  isDark: boolean,
  formatValue: (filter: string, value: string) => string = (_, value) => value,
): readonly MapLegendEntry[] | undefined {
  const color = getPlaceColor(state.value);
  if (color === undefined) return undefined;
  const counts = pointCounts.latest;
  if (color.filter === DECADE_COLOR) return [...buildDecadeLegend(isDark, counts), buildUndatedEntry(counts)];
  const facet = facets.latest?.Facets.find(({ Name }) => Name === color.filter);
  if (facet === undefined) return undefined;
  const values = { values: facet.Values, moreValues: facet.MoreValues, counts };
  return buildLegend(color.filter, values, (value) => formatValue(color.filter, value));
}
