// Gives places the colours of the legend, and areas the shades of their sums.

import type { Map as MapLibre } from 'maplibre-gl';
import type { Facets, TotalsAnswer } from '../requests/operations';
import { DECADE_COLOUR, mapCollectionOf, placeColourOf, placeSizeOf } from '../state/map-kinds';
import type { ExplorerState } from '../state/state';
import { areaValuesOf } from './area-values';
import { decadeColours, legendOf, shadeColours, shadesOf, valueColours } from './colouring';
import { COUNTS, DATA, LOWEST, sizedCircles } from './data-layers';

export function paintPlaces(map: MapLibre, state: ExplorerState, facets: Facets | undefined): void {
  const colour = placeColourOf(state);
  if (map.getLayer(LOWEST) === undefined || colour === undefined) return;
  const values = facets?.Facets.find(({ Name }) => Name === colour.filter)?.Values ?? [];
  const expression =
    colour.filter === DECADE_COLOUR
      ? decadeColours()
      : valueColours(
          colour.member,
          legendOf(values, (value) => value),
        );
  map.setPaintProperty(LOWEST, 'circle-color', expression);
  const size = placeSizeOf(state);
  map.setLayoutProperty(COUNTS, 'visibility', size === undefined ? 'visible' : 'none');
  const circles = sizedCircles(size?.member);
  map.setPaintProperty(LOWEST, 'circle-radius', circles['circle-radius']);
  map.setPaintProperty(LOWEST, 'circle-opacity', circles['circle-opacity']);
}

/** Areas without a sum have no state, and stay clear. */
export function paintAreas(
  map: MapLibre,
  { kind, chart, map: shown }: ExplorerState,
  totals: TotalsAnswer | undefined,
): void {
  if (map.getLayer(LOWEST) === undefined || totals === undefined) return;
  const { values } = areaValuesOf(totals, chart.series, shown.year);
  const sourceLayer = mapCollectionOf(kind).collection;
  map.removeFeatureState({ source: DATA, sourceLayer });
  for (const [id, value] of values) map.setFeatureState({ source: DATA, sourceLayer, id }, { value });
  map.setPaintProperty(LOWEST, 'fill-color', shadeColours(shadesOf([...values.values()], String)));
}
